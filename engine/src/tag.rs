//! Tags that tie a value to its game, in builds that check them: those with `debug_assertions`.
//!
//! The ids, states and working memory of one game are meaningless to another, and if they were plain numbers a mix-up would go
//! unnoticed. In other builds everything here is empty and costs nothing.
//!
//! Tags are derived from addresses and are only ever compared: they affect no order, hash, output or result.

use std::{cmp::Ordering, fmt, hash};

#[cfg(debug_assertions)]
use std::sync::Arc;

/// What marks the values of one game.
///
/// Tags are all equal, so what has one is compared, sorted and hashed as if it had none.
#[derive(Clone, Copy)]
pub(crate) struct GameTag {
    /// Zero for values that no game made.
    #[cfg(debug_assertions)]
    raw: u32,
}

impl GameTag {
    /// The tag of values that no game made: they are taken by any.
    pub(crate) const NONE: Self = Self {
        #[cfg(debug_assertions)]
        raw: 0,
    };

    /// # Panics
    /// With `message`, if the two are tags of different games.
    #[cfg(debug_assertions)]
    #[inline]
    #[track_caller]
    pub(crate) fn check(self, value: Self, message: &str) {
        assert!(self.raw == value.raw || self.raw == 0 || value.raw == 0, "{message}");
    }

    /// Nothing in builds without `debug_assertions`.
    #[cfg(not(debug_assertions))]
    #[inline]
    pub(crate) fn check(self, _: Self, _: &str) {}
}

impl PartialEq for GameTag {
    #[inline]
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for GameTag {}

impl PartialOrd for GameTag {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for GameTag {
    #[inline]
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl hash::Hash for GameTag {
    #[inline]
    fn hash<H: hash::Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for GameTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameTag")
    }
}

/// What one game, or all forks of one, have and no other has as long as anybody holds it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mark {
    #[cfg(debug_assertions)]
    owned: Arc<()>,
}

impl Mark {
    /// The tag of values that this marks.
    #[cfg(debug_assertions)]
    pub(crate) fn tag(&self) -> GameTag {
        // Memory is handed out in pieces of at least sixteen bytes.
        let address = Arc::as_ptr(&self.owned).addr() >> 4;
        GameTag { raw: u32::try_from(address & 0xffff_ffff).expect("32 bits").max(1) }
    }

    /// The tag of values that this marks.
    #[cfg(not(debug_assertions))]
    #[inline]
    pub(crate) fn tag(&self) -> GameTag {
        GameTag::NONE
    }

    /// # Panics
    /// With `message`, if the other is not this or a clone of it.
    #[cfg(debug_assertions)]
    #[inline]
    #[track_caller]
    pub(crate) fn check(&self, other: &Self, message: &str) {
        assert!(Arc::ptr_eq(&self.owned, &other.owned), "{message}");
    }

    /// Nothing in builds without `debug_assertions`.
    #[cfg(not(debug_assertions))]
    #[inline]
    pub(crate) fn check(&self, _: &Self, _: &str) {}
}

#[cfg(not(debug_assertions))]
const _: () = assert!(
    size_of::<GameTag>() == 0 && size_of::<Mark>() == 0,
    "tags cost nothing where nothing is checked"
);
