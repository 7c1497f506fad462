//! Playouts on many threads, with the same result as on one.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use croupier_engine::{ByPlayer, Game, GameError, Scratch};
use indicatif::ProgressBar;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::{ThreadPool, prelude::*};

use super::trace;
use crate::{
    failure::Failure,
    interrupt::Interrupt,
    summary::{self, Tally},
};

/// Playouts that a thread takes at a time.
const BATCH: u64 = 16;

/// Playouts between two writes of the trace, which bounds what is held in memory.
const BLOCK: u64 = 512;

/// The playouts to be done.
pub(super) struct Work<'g> {
    pub(super) game: &'g Game,
    /// The key of the generator; its stream is the number of the playout.
    pub(super) key: [u8; 32],
    pub(super) playouts: u64,
    pub(super) is_traced: bool,
    pub(super) interrupt: &'g Interrupt,
}

/// What they gave.
pub(super) struct Simulated {
    /// How many were played to the end.
    pub(super) playouts: u64,
    pub(super) turns: u64,
    pub(super) tallies: ByPlayer<Tally>,
}

/// What one thread has done; kept from block to block, for its scratch remembers the game.
struct Worker {
    scratch: Scratch,
    tallies: ByPlayer<Tally>,
    playouts: u64,
    turns: u64,
    /// The first playout of this thread that the rules failed in.
    failure: Option<(u64, GameError)>,
    /// The trace of each playout of this block.
    traced: Vec<(u64, Vec<u8>)>,
}

impl Work<'_> {
    /// Does all playouts and gives their trace to `write`, in order; those that were done before an interrupt, of which
    /// there may be some with gaps before them.
    ///
    /// # Errors
    /// If the rules fail in a playout, whose trace is then the last, or `write` fails.
    pub(super) fn run(
        &self,
        pool: &ThreadPool,
        bar: &ProgressBar,
        mut write: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<Simulated, Failure> {
        let mut workers: Vec<Worker> =
            (0..pool.current_num_threads()).map(|_| Worker::new(self.game)).collect();
        let block = if self.is_traced { BLOCK } else { self.playouts };
        let mut start = 0;
        while start < self.playouts && !self.interrupt.is_raised() {
            let end = self.playouts.min(start + block);
            self.run_block(start..end, pool, &mut workers, bar);
            let failures = workers.iter().filter_map(|worker| worker.failure.clone());
            let failure = failures.min_by_key(|(playout, _)| *playout);
            let mut traced: Vec<(u64, Vec<u8>)> =
                workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.traced)).collect();
            traced.sort_unstable_by_key(|(playout, _)| *playout);
            let last = failure.as_ref().map_or(u64::MAX, |(playout, _)| *playout);
            for (_, lines) in traced.iter().filter(|(playout, _)| *playout <= last) {
                write(lines)?;
            }
            if let Some((playout, error)) = failure {
                let failure = Failure::refuse("rules-fail", format!("{error} (playout {playout})"));
                return Err(if self.is_traced {
                    failure
                        .help("the playout is the last in the trace, up to the state in which that happens")
                } else {
                    failure.help("--trace FILE keeps the playout, up to the state in which that happens")
                });
            }
            start = end;
        }
        Ok(self.total(&workers))
    }

    /// Threads take batches as they can; what a playout gives does not depend on who does it.
    fn run_block(&self, block: Range<u64>, pool: &ThreadPool, workers: &mut [Worker], bar: &ProgressBar) {
        let next = AtomicU64::new(block.start);
        // All playouts before the first that fails are done, so the failure reported is always the same.
        let failed = AtomicU64::new(u64::MAX);
        let work = |worker: &mut Worker| loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let end = block.end.min(start.saturating_add(BATCH));
            if start >= end || start > failed.load(Ordering::Relaxed) {
                break;
            }
            for playout in start..end {
                if self.interrupt.is_raised() {
                    return;
                }
                if let Err(error) = worker.play(self, playout) {
                    failed.fetch_min(playout, Ordering::Relaxed);
                    worker.failure = Some((playout, error));
                    return;
                }
            }
            bar.inc(end - start);
        };
        pool.install(|| workers.par_iter_mut().with_max_len(1).for_each(work));
    }

    fn total(&self, workers: &[Worker]) -> Simulated {
        let mut simulated = Simulated { playouts: 0, turns: 0, tallies: summary::tallies(self.game.roles()) };
        for worker in workers {
            simulated.playouts += worker.playouts;
            simulated.turns += worker.turns;
            for (role, tally) in simulated.tallies.iter_mut() {
                tally.merge(&worker.tallies[role]);
            }
        }
        simulated
    }
}

impl Worker {
    fn new(game: &Game) -> Self {
        Self {
            scratch: game.scratch(),
            tallies: summary::tallies(game.roles()),
            playouts: 0,
            turns: 0,
            failure: None,
            traced: Vec::new(),
        }
    }

    fn play(&mut self, work: &Work<'_>, playout: u64) -> Result<(), GameError> {
        let mut rng = ChaCha8Rng::from_seed(work.key);
        rng.set_stream(playout);
        let played = if work.is_traced {
            let mut lines = Vec::new();
            let played = trace::playout(work.game, playout, &mut rng, &mut self.scratch, &mut lines);
            self.traced.push((playout, lines));
            played?
        } else {
            work.game.playout(work.game.initial_state(), &mut rng, &mut self.scratch)?
        };
        self.playouts += 1;
        self.turns += played.turns as u64;
        for (role, tally) in self.tallies.iter_mut() {
            tally.add(played.goals[role]);
        }
        Ok(())
    }
}
