//! What all matches of a server share.

use std::sync::Arc;

use croupier_referee::Digest;
use dashmap::DashMap;
use tokio::sync::Semaphore;

use crate::{push::Reach, store::Store, thinker::Library};

/// What all matches share.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) store: Store,
    pub(crate) reach: Reach,
    /// The threads on which players compute.
    pub(crate) threads: Arc<Semaphore>,
    /// The games of the players.
    pub(crate) library: Library,
    /// By game, the longest time from a reply to the messages that follow from it, in microseconds.
    pub(crate) worst: DashMap<Digest, u64>,
}

impl House {
    /// It, for a game.
    pub(crate) fn worst_us(&self, game: Digest) -> u64 {
        self.worst.get(&game).map_or(0, |worst| *worst)
    }

    /// Notes it for the matches that follow: the step of one match stays.
    pub(crate) fn note_worst(&self, game: Digest, worst_us: u64) {
        let mut worst = self.worst.entry(game).or_default();
        *worst = worst_us.max(*worst);
    }
}
