//! Who plays whom, in which seats and on which deal.

use std::collections::BTreeSet;

use crate::{fixture::Fixture, results::MatchResult, round_robin::RoundRobin, swiss::Swiss};

/// Who plays whom, in which seats and on which deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Every group of entrants that fills the seats plays.
    RoundRobin(RoundRobin),
    /// In each round entrants with equal points play each other.
    Swiss(Swiss),
}

impl Schedule {
    /// How many matches there are, played or not.
    #[must_use]
    pub fn matches_count(&self) -> u64 {
        match self {
            Self::RoundRobin(all) => all.matches_count(),
            Self::Swiss(swiss) => swiss.matches_count(),
        }
    }

    /// How many matches have a fixture by now: all of a round robin, and those of a Swiss tournament up to the end of the
    /// round that is being played.
    #[must_use]
    pub fn paired_count(&self) -> u64 {
        match self {
            Self::RoundRobin(all) => all.matches_count(),
            Self::Swiss(swiss) => swiss.paired_count(),
        }
    }

    /// How many groups play: in all, or in each round of a Swiss tournament.
    #[must_use]
    pub fn groups_count(&self) -> usize {
        match self {
            Self::RoundRobin(all) => all.groups_count(),
            Self::Swiss(swiss) => swiss.groups_count(),
        }
    }

    /// How many matches each group plays: in all, or in its round of a Swiss tournament.
    #[must_use]
    pub fn matches_of_group(&self) -> u64 {
        match self {
            Self::RoundRobin(all) => all.matches_of_group(),
            Self::Swiss(swiss) => swiss.matches_of_group(),
        }
    }

    /// The match at this index; `None` after the last, and while its round is not paired yet.
    #[must_use]
    pub fn fixture(&self, index: u64) -> Option<Fixture> {
        match self {
            Self::RoundRobin(all) => all.fixture(index),
            Self::Swiss(swiss) => swiss.fixture(index),
        }
    }

    /// Every seating that is played now: in all matches of a round robin, and in those of the round that is being played.
    #[must_use]
    pub fn seatings(&self) -> BTreeSet<Vec<usize>> {
        match self {
            Self::RoundRobin(all) => all.seatings(),
            Self::Swiss(swiss) => swiss.seatings(),
        }
    }

    /// The number of the sample that a match belongs to: matches with the same number differ in seats only.
    #[must_use]
    pub fn sample(&self, index: u64) -> u64 {
        match self {
            Self::RoundRobin(all) => all.sample(index),
            Self::Swiss(swiss) => swiss.sample(index),
        }
    }

    /// Takes in the next result, in the order of the schedule. The last result of a Swiss round pairs the next round.
    pub fn take(&mut self, result: &MatchResult) {
        if let Self::Swiss(swiss) = self {
            swiss.take(&result.seats, result.goals.as_deref());
        }
    }
}
