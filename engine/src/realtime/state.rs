//! States of real-time games: fluents with their remaining lifetimes.

use crate::{id::FluentId, lifetime::Lifetime};

/// The fluents that hold at one moment of a real-time match, each with the time that it still has, and what expired in
/// the update that made the state.
///
/// A fluent may have several lifetimes, as the definition allows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimedState {
    /// Ascending, each once.
    facts: Vec<(FluentId, Lifetime)>,
    /// Ascending, each once.
    expired: Vec<FluentId>,
}

impl TimedState {
    /// The state of these fluents of a game, made by an update in which others expired.
    #[must_use]
    pub fn new(mut facts: Vec<(FluentId, Lifetime)>, mut expired: Vec<FluentId>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        expired.sort_unstable();
        expired.dedup();
        Self { facts, expired }
    }

    /// The fluents with their lifetimes, in no order that means anything.
    pub fn facts(&self) -> impl ExactSizeIterator<Item = (FluentId, Lifetime)> + '_ {
        self.facts.iter().copied()
    }

    /// What expired in the update that made this state, in no order that means anything.
    pub fn expired(&self) -> impl ExactSizeIterator<Item = FluentId> + '_ {
        self.expired.iter().copied()
    }

    /// Microseconds until the next lifetime ends, if nobody moves before; `None` if none ever does.
    #[must_use]
    pub fn next_expiry(&self) -> Option<u64> {
        self.facts.iter().filter_map(|(_, lifetime)| lifetime.micros()).min()
    }

    /// A fluent with more than one lifetime, if there is one.
    #[must_use]
    pub fn doubled(&self) -> Option<FluentId> {
        self.facts.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0)
    }

    /// What remains after some microseconds, and what expires within them (the paper's mu and S^exp).
    pub(super) fn after(&self, micros: u64) -> (Vec<(FluentId, Lifetime)>, Vec<FluentId>) {
        let mut left = Vec::with_capacity(self.facts.len());
        let mut expired = Vec::new();
        for &(fluent, lifetime) in &self.facts {
            match lifetime.after(micros) {
                Some(rest) => left.push((fluent, rest)),
                None => expired.push(fluent),
            }
        }
        expired.dedup();
        (left, expired)
    }
}
