//! Small typed indices: each type indexes one kind of value and cannot be confused with another.
//!
//! Ids are dense and start at zero. They are only meaningful together with the value that created
//! them (a program, a game); two games assign unrelated ids to the same text.
//!
//! In builds with `debug_assertions` moves, fluents and percepts carry a tag of their game, and other games reject them.

use std::fmt;

use crate::tag::GameTag;

/// Declares an id: a `u32` index of one kind of value.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this index, or `None` beyond `u32::MAX - 1`.
            #[must_use]
            pub fn new(index: usize) -> Option<Self> {
                u32::try_from(index).ok().filter(|&id| id != u32::MAX).map(Self)
            }

            /// The index as a `usize`.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A name in the rules: a relation, a function or an object constant.
    SymbolId
}
id! {
    /// A relation name together with its arity.
    PredicateId
}
id! {
    /// A rule after normalisation, in file order.
    RuleId
}
id! {
    /// A ground term of one game's vocabulary.
    TermId
}

/// Declares an id of a game's values, which carries a tag of the game in builds with `debug_assertions`.
macro_rules! game_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// In builds with `debug_assertions`, using it with another game panics, except with forks. In other builds it is just a
        /// number.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32, GameTag);

        impl $name {
            /// The id with this index, or `None` beyond `u32::MAX - 1`. Any game takes it for its own.
            #[must_use]
            pub fn new(index: usize) -> Option<Self> {
                Self::of(index, GameTag::NONE)
            }

            /// The id with this index in the game of a tag.
            pub(crate) fn of(index: usize, tag: GameTag) -> Option<Self> {
                u32::try_from(index).ok().filter(|&id| id != u32::MAX).map(|id| Self(id, tag))
            }

            /// Which game it belongs to.
            pub(crate) fn tag(self) -> GameTag {
                self.1
            }

            /// The index as a `usize`.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.0).finish()
            }
        }
    };
}

game_id! {
    /// A fluent of one game.
    FluentId
}
game_id! {
    /// A move of one game, for any role.
    MoveId
}
game_id! {
    /// A percept of one game.
    PerceptId
}

/// A role of a game, `random` included, in the order of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleId(u16);

impl RoleId {
    /// The role with this index, or `None` beyond `u16::MAX`.
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        u16::try_from(index).ok().map(Self)
    }

    /// The position in the order of the rules.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl FluentId {
    /// The same fluent, of the game of a tag.
    pub(crate) fn tagged(self, tag: GameTag) -> Self {
        Self(self.0, tag)
    }
}

impl TermId {
    /// The raw number, as relations store it.
    #[must_use]
    pub fn raw(self) -> u32 {
        self.0
    }

    /// The id of a raw number returned by [`raw`](Self::raw).
    #[must_use]
    pub fn from_raw(raw: u32) -> Self {
        Self(raw)
    }
}
