//! Playouts on the network: hundreds at once on each thread.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::Duration,
};

use croupier_engine::{
    Game,
    batch::{Faults, PlayoutSettings, Playouts, Tally},
    game::GameNetwork,
};
use indicatif::ProgressBar;
use rayon::ThreadPool;

use super::{
    retold::{retell, value},
    work::Simulated,
};
use crate::sessions::interrupt::Interrupt;

/// How often it is looked whether a signal came.
const SLICE: Duration = Duration::from_millis(50);

/// Playouts on the tape of a game.
pub(super) struct Batch {
    game: Arc<Game>,
    network: Arc<GameNetwork>,
    settings: PlayoutSettings,
    playouts: Playouts,
}

impl Batch {
    /// So many playouts: what comes out depends on them and the key alone, unless it is interrupted.
    pub(super) fn new(game: &Arc<Game>, network: &Arc<GameNetwork>, key: [u8; 32], playouts: u64) -> Self {
        let lanes = Playouts::LANES as u64;
        let settings = PlayoutSettings {
            playouts,
            // Many blocks to share out, each long enough that its last playouts do not count.
            playouts_per_block: (playouts / 64).clamp(lanes, lanes * 64),
            turns_max: game.limits().turns as u64,
            seed: key,
        };
        let tape = network.tape();
        let playouts = Playouts::new(Arc::clone(tape), tape.initial(), settings.clone());
        Self { game: Arc::clone(game), network: Arc::clone(network), settings, playouts }
    }

    /// What all blocks come to, or those that are done when a signal comes: threads that are in the midst of a block,
    /// which may take seconds, are left behind.
    pub(super) fn play(self, pool: &ThreadPool, bar: &ProgressBar, interrupt: &Interrupt) -> Simulated {
        let mut sum = Simulated::new(&self.game);
        let batch = Arc::new(self);
        let (done, blocks) = mpsc::channel();
        let next = Arc::new(AtomicU64::new(0));
        for _ in 0..pool.current_num_threads() {
            let (batch, next) = (Arc::clone(&batch), Arc::clone(&next));
            let (done, interrupt) = (done.clone(), interrupt.clone());
            pool.spawn(move || {
                while !interrupt.is_raised() {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    // Nobody listens any more after a signal.
                    if block >= batch.playouts.blocks_count() || done.send(batch.block(block)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(done);
        loop {
            match blocks.recv_timeout(SLICE) {
                Ok(block) => {
                    bar.inc(block.playouts);
                    sum.merge(block);
                }
                Err(RecvTimeoutError::Timeout) if !interrupt.is_raised() => {}
                Err(_) => return sum,
            }
        }
    }

    /// What a block comes to; it is played twice if some playout fails.
    fn block(&self, block: u64) -> Simulated {
        let tally = self.playouts.run_block(block);
        self.simulated(&tally).unwrap_or_else(|| retell(&self.game, &self.network, &self.settings, block))
    }

    /// Counts by goal value instead of by its place on the tape; nothing if some playout failed.
    fn simulated(&self, tally: &Tally) -> Option<Simulated> {
        if tally.faults != Faults::default() {
            return None;
        }
        let mut simulated = Simulated::new(&self.game);
        (simulated.playouts, simulated.turns) = (tally.playouts, tally.turns);
        for (role, goals) in simulated.tallies.iter_mut() {
            let counts = tally.goals.get(role.index()).map_or(&[][..], Vec::as_slice);
            let goal_texts = self.network.goals(role).iter();
            for (text, &count) in goal_texts.zip(counts).filter(|(_, count)| **count > 0) {
                goals.add_many(value(&self.game, role, text).ok()?, count);
            }
            // A role for which the rules never give a goal is not counted among the faults.
            if goals.count() < tally.playouts {
                return None;
            }
        }
        Some(simulated)
    }
}
