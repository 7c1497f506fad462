//! One bit for each of many games, and the memory of a machine that works on such planes.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// One bit for each of `64 * W` lanes; lane `l` is bit `l % 64` of word `l / 64`.
///
/// ```
/// use croupier_engine::batch::Plane;
///
/// let (won, late) = (Plane::<1>::first(3), Plane::only(2));
/// assert_eq!((won & !late).lanes().collect::<Vec<_>>(), [0, 1]);
/// assert_eq!((won | Plane::only(63)).count(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane<const W: usize>(pub [u64; W]);

impl<const W: usize> Plane<W> {
    /// How many lanes there are.
    pub const LANES: usize = 64 * W;
    /// False in every lane.
    pub const NONE: Self = Self([0; W]);
    /// True in every lane.
    pub const ALL: Self = Self([u64::MAX; W]);

    /// The plane that is true in one lane only.
    ///
    /// # Panics
    /// If there is no such lane.
    #[must_use]
    pub fn only(lane: usize) -> Self {
        let mut plane = Self::NONE;
        plane.set(lane, true);
        plane
    }

    /// The plane that is true in the first `count` lanes, or in all if there are fewer.
    #[must_use]
    pub fn first(count: usize) -> Self {
        Self(std::array::from_fn(|word| match count.saturating_sub(64 * word) {
            0 => 0,
            rest @ 1..64 => (1 << rest) - 1,
            _ => u64::MAX,
        }))
    }

    /// The bit of a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[must_use]
    pub fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Sets the bit of a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn set(&mut self, lane: usize, value: bool) {
        let bit = 1 << (lane % 64);
        let word = &mut self.0[lane / 64];
        *word = if value { *word | bit } else { *word & !bit };
    }

    /// Whether it is true in any lane.
    #[must_use]
    #[inline(always)]
    pub fn any(&self) -> bool {
        let mut all = 0;
        for word in 0..W {
            all |= self.0[word];
        }
        all != 0
    }

    /// In how many lanes it is true.
    #[must_use]
    #[inline(always)]
    pub fn count(&self) -> u32 {
        let mut count = 0;
        for word in 0..W {
            count += self.0[word].count_ones();
        }
        count
    }

    /// The lanes in which it is true, ascending.
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let lowest = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(index * 64 + lowest)
            })
        })
    }

    /// The bits of `one` where this is true, and of `other` elsewhere.
    #[must_use]
    #[inline(always)]
    pub fn choose(self, one: Self, other: Self) -> Self {
        other ^ (self & (one ^ other))
    }
}

macro_rules! by_words {
    ($operator:ident, $function:ident, $assigning:ident, $assign:ident, $symbol:tt) => {
        impl<const W: usize> $operator for Plane<W> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                let mut out = [0; W];
                for word in 0..W {
                    out[word] = self.0[word] $symbol other.0[word];
                }
                Self(out)
            }
        }

        impl<const W: usize> $assigning for Plane<W> {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = *self $symbol other;
            }
        }
    };
}

by_words!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
by_words!(BitOr, bitor, BitOrAssign, bitor_assign, |);
by_words!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl<const W: usize> Not for Plane<W> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let Self(mut words) = self;
        for word in &mut words {
            *word = !*word;
        }
        Self(words)
    }
}

/// The slots of a machine, aligned to a cache line.
#[derive(Debug)]
pub(super) struct Slots<const W: usize> {
    words: Vec<u64>,
    skipped: usize,
}

impl<const W: usize> Slots<W> {
    /// Slots that are false in every lane.
    pub(super) fn new(count: usize) -> Self {
        const LINE_BYTES: usize = 64;
        let words = vec![0; count * W + LINE_BYTES / size_of::<u64>()];
        let skipped = words.as_ptr().align_offset(LINE_BYTES).min(LINE_BYTES / size_of::<u64>());
        Self { words, skipped }
    }

    pub(super) fn as_planes(&self) -> &[[u64; W]] {
        self.words[self.skipped..].as_chunks().0
    }

    pub(super) fn as_planes_mut(&mut self) -> &mut [[u64; W]] {
        self.words[self.skipped..].as_chunks_mut().0
    }
}

impl<const W: usize> Clone for Slots<W> {
    /// The same slots, also aligned to a cache line.
    fn clone(&self) -> Self {
        let planes = self.as_planes();
        let mut copy = Self::new(planes.len());
        copy.as_planes_mut()[..planes.len()].copy_from_slice(planes);
        copy
    }
}
