//! Playouts on many threads, with the same result as on one.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use croupier_engine::{ByPlayer, Game, Scratch, Status};
use indicatif::ProgressBar;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::{ThreadPool, prelude::*};

use super::{
    failures::{Failed, Failures, Played, endless},
    trace,
};
use crate::{
    output::{
        failure::Failure,
        summary::{self, Tally},
    },
    sessions::interrupt::Interrupt,
};

/// Playouts that a thread takes at a time.
const BATCH: u64 = 16;

/// Playouts between two looks at what failed; each time twice as many, up to [`BLOCK_MAX`].
const BLOCK_MIN: u64 = 8;

/// Playouts between two writes of the trace, which bounds what is held in memory.
const BLOCK_MAX: u64 = 512;

/// With so many playouts that reached a limit, if they are a quarter of all, no more are played: each may take seconds.
const LIMITS_MAX: u64 = 8;

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
    /// How many were played; fewer than asked for if many of them reached a limit, or after an interrupt.
    pub(super) playouts: u64,
    /// Joint moves of all of them.
    pub(super) turns: u64,
    /// The goals of those that did not fail.
    pub(super) tallies: ByPlayer<Tally>,
    pub(super) failures: Failures,
}

/// What one thread has done; kept from block to block, for its scratch remembers the game.
struct Worker {
    scratch: Scratch,
    tallies: ByPlayer<Tally>,
    playouts: u64,
    turns: u64,
    failures: Failures,
    /// The trace of each playout of this block.
    traced: Vec<(u64, Vec<u8>)>,
}

impl Simulated {
    /// Nothing yet.
    pub(super) fn new(game: &Game) -> Self {
        let tallies = summary::tallies(game.roles());
        Self { playouts: 0, turns: 0, tallies, failures: Failures::default() }
    }

    /// Adds what other playouts gave.
    pub(super) fn merge(&mut self, other: Self) {
        self.playouts += other.playouts;
        self.turns += other.turns;
        for (role, tally) in self.tallies.iter_mut() {
            tally.merge(&other.tallies[role]);
        }
        self.failures.merge(other.failures);
    }
}

impl Work<'_> {
    /// Does all playouts, as long as limits allow, and gives their trace to `write`, in order; those that were done before
    /// an interrupt, of which there may be some with gaps before them.
    ///
    /// # Errors
    /// If `write` fails.
    pub(super) fn run(
        &self,
        pool: &ThreadPool,
        bar: &ProgressBar,
        mut write: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<Simulated, Failure> {
        let mut workers: Vec<Worker> =
            (0..pool.current_num_threads()).map(|_| Worker::new(self.game)).collect();
        let (mut start, mut block) = (0, BLOCK_MIN);
        let is_hopeless = |workers: &[Worker], played: u64| {
            let limits: u64 = workers.iter().map(|worker| worker.failures.limits()).sum();
            limits >= LIMITS_MAX && limits >= played / 4
        };
        while start < self.playouts && !self.interrupt.is_raised() && !is_hopeless(&workers, start) {
            // Blocks of one size wait for their slowest playout: without a trace they grow for ever.
            let end = self.playouts.min(start.saturating_add(block));
            block = if self.is_traced { BLOCK_MAX.min(2 * block) } else { block.saturating_mul(2) };
            self.run_block(start..end, pool, &mut workers, bar);
            let mut traced: Vec<(u64, Vec<u8>)> =
                workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.traced)).collect();
            traced.sort_unstable_by_key(|(playout, _)| *playout);
            for (_, lines) in &traced {
                write(lines)?;
            }
            start = end;
        }
        let mut simulated = Simulated::new(self.game);
        for Worker { playouts, turns, tallies, failures, .. } in workers {
            simulated.merge(Simulated { playouts, turns, tallies, failures });
        }
        Ok(simulated)
    }

    /// Threads take batches as they can; what a playout gives does not depend on who does it.
    fn run_block(&self, block: Range<u64>, pool: &ThreadPool, workers: &mut [Worker], bar: &ProgressBar) {
        let next = AtomicU64::new(block.start);
        let batch = BATCH.min((block.end - block.start).div_ceil(workers.len() as u64));
        let work = |worker: &mut Worker| loop {
            let start = next.fetch_add(batch, Ordering::Relaxed);
            let end = block.end.min(start.saturating_add(batch));
            if start >= end {
                break;
            }
            for playout in start..end {
                if self.interrupt.is_raised() {
                    return;
                }
                worker.play(self, playout);
            }
            bar.inc(end - start);
        };
        pool.install(|| workers.par_iter_mut().with_max_len(1).for_each(work));
    }
}

impl Worker {
    fn new(game: &Game) -> Self {
        Self {
            scratch: game.scratch(),
            tallies: summary::tallies(game.roles()),
            playouts: 0,
            turns: 0,
            failures: Failures::default(),
            traced: Vec::new(),
        }
    }

    fn play(&mut self, work: &Work<'_>, playout: u64) {
        let mut rng = ChaCha8Rng::from_seed(work.key);
        rng.set_stream(playout);
        let played = if work.is_traced {
            let mut lines = Vec::new();
            let played = trace::playout(work.game, playout, &mut rng, &mut self.scratch, &mut lines);
            self.traced.push((playout, lines));
            played
        } else {
            plain(work.game, playout, &mut rng, &mut self.scratch)
        };
        self.playouts += 1;
        match played {
            Ok((goals, turns)) => {
                self.turns += turns as u64;
                for (role, tally) in self.tallies.iter_mut() {
                    tally.add(goals[role]);
                }
            }
            Err(failed) => {
                self.turns += failed.turns as u64;
                self.failures.add(failed);
            }
        }
    }
}

/// The playout that [`Game::playout`] makes with the same generator, with the state in which it fails.
fn plain(game: &Game, playout: u64, rng: &mut ChaCha8Rng, scratch: &mut Scratch) -> Played {
    let mut state = game.initial_state().clone();
    let mut turns = 0;
    loop {
        let next = match game.random_joint_move(&state, rng, scratch) {
            Ok(Some(_)) if turns == game.limits().turns => Err(endless(game)),
            Ok(Some(joint_move)) => game.successor(&state, &joint_move, scratch),
            Ok(None) => match game.status(&state, scratch) {
                Ok(Status::Terminal { goals }) => return Ok((goals, turns)),
                Ok(Status::Running { .. }) => unreachable!("a state without a joint move is terminal"),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        match next {
            Ok(next) => (state, turns) = (next, turns + 1),
            Err(error) => return Err(Failed { error, playout, turns, state }),
        }
    }
}
