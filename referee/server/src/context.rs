//! What all matches of a server share.

use std::sync::Arc;

use croupier_referee::{Agents, Digest};
use dashmap::DashMap;
use tokio::sync::Semaphore;

use crate::{agent::Library, bounds::Bound, push::Reach, store::Store};

/// What all matches share.
#[derive(Debug)]
pub(crate) struct ServerContext {
    pub(crate) store: Store,
    pub(crate) reach: Reach,
    /// The threads on which agents compute.
    pub(crate) threads: Arc<Semaphore>,
    /// The agents, and their games.
    pub(crate) library: Library,
    /// By game, its longest times.
    bounds: DashMap<Digest, Bound>,
    /// Games that may be measured at once.
    pub(crate) trials: Semaphore,
}

/// Games whose times are in memory; the store keeps those of all.
const BOUNDS_MAX: usize = 4_096;

impl ServerContext {
    /// What the matches of a server share, none of which runs yet.
    pub(crate) fn new(store: Store, reach: Reach, threads: usize, agents: Arc<dyn Agents>) -> Self {
        Self {
            store,
            reach,
            threads: Arc::new(Semaphore::new(threads)),
            library: Library::new(agents),
            bounds: DashMap::new(),
            trials: Semaphore::new(1),
        }
    }

    /// Whether a game was measured.
    pub(crate) fn knows(&self, game: Digest) -> bool {
        self.bounds.contains_key(&game)
    }

    /// Notes what was measured of a game.
    pub(crate) fn know(&self, game: Digest, turn_us: u64) {
        if self.bounds.len() >= BOUNDS_MAX {
            self.bounds.clear();
        }
        self.bounds.entry(game).or_insert(Bound::measured(turn_us));
    }

    /// Takes a game to be as fast as one that was measured under this name, if there was one: games that differ by numbers only.
    pub(crate) fn know_as(&self, name: Digest, game: Digest) {
        if let Some(bound) = self.bounds.get(&name).map(|bound| *bound) {
            self.bounds.entry(game).or_insert(bound);
        }
    }

    /// Remembers under this name what was measured of a game.
    pub(crate) fn remember_as(&self, name: Digest, game: Digest) {
        if let Some(bound) = self.bounds.get(&game).map(|bound| *bound) {
            self.bounds.insert(name, bound);
        }
    }

    /// The longest time from a reply to the messages that follow from it, in microseconds, as far as it is known for a game.
    pub(crate) fn step_us(&self, game: Digest) -> u64 {
        self.bounds.get(&game).map_or(0, |bound| bound.step_us())
    }

    /// Notes how long the turns of a match took that is over, for the matches that follow: the step of one match stays.
    pub(crate) fn note_turns(&self, game: Digest, took_us: &[u64]) {
        // What was not measured is prompt: nobody waits for it.
        if let Some(mut bound) = self.bounds.get_mut(&game) {
            took_us.iter().for_each(|&took_us| bound.note(took_us));
        }
    }
}
