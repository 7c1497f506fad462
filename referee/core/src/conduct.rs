//! How a player answered in a match: what it was asked, and what had to be played for it.

use std::collections::BTreeMap;

use crate::event::{Failure, ReplyStatus};

/// How one player answered.
///
/// The referee keeps it for every player from the replies as its record has them, so it is the same for whoever drives
/// the match, and a replay gives it back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Why it was not ready when the match began; `None` if it was, or has not answered yet.
    pub not_ready: Option<Failure>,
    /// How many moves it had to make, in turns that were played.
    pub moves: u64,
    /// How many of them were played for it, by what its reply was instead of a legal move.
    pub substitutes: BTreeMap<ReplyStatus, u64>,
    /// The first of them.
    pub first: Option<Slip>,
}

/// A reply that gave no legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The turn, from 0.
    pub turn: u32,
    /// What the reply was.
    pub status: ReplyStatus,
    /// The term that the player wrote, if it wrote one.
    pub said: Option<String>,
}

impl Conduct {
    /// How many moves were played for it.
    #[must_use]
    pub fn substituted(&self) -> u64 {
        self.substitutes.values().sum()
    }

    /// The player made a move of its own.
    pub(crate) fn count_move(&mut self) {
        self.moves += 1;
    }

    /// A move was played for the player.
    pub(crate) fn count_slip(&mut self, slip: &Slip) {
        self.moves += 1;
        *self.substitutes.entry(slip.status).or_default() += 1;
        self.first.get_or_insert_with(|| slip.clone());
    }
}
