//! Playouts on the network: hundreds at once on each thread.

use std::sync::Arc;

use croupier_engine::{
    Game,
    batch::{Faults, PlayoutSettings, Playouts, Tally},
    propnet::Tape,
};
use indicatif::ProgressBar;
use rayon::{ThreadPool, prelude::*};

use super::{
    retold::{retell, value},
    work::Simulated,
};

/// Playouts on the tape of a game.
pub(super) struct Batch<'g> {
    game: &'g Game,
    tape: &'g Arc<Tape>,
    settings: PlayoutSettings,
}

/// What blocks of playouts came to.
pub(super) struct Played {
    simulated: Simulated,
    /// Blocks in which some playout failed, which are not in it.
    faulty: Vec<u64>,
}

impl<'g> Batch<'g> {
    /// So many playouts: what comes out depends on them and the key alone.
    pub(super) fn new(game: &'g Game, tape: &'g Arc<Tape>, key: [u8; 32], playouts: u64) -> Self {
        let lanes = Playouts::LANES as u64;
        let settings = PlayoutSettings {
            playouts,
            // Many blocks to share out, each long enough that its last playouts do not count.
            playouts_per_block: (playouts / 64).clamp(lanes, lanes * 64),
            turns_max: game.limits().turns as u64,
            seed: key,
        };
        Self { game, tape, settings }
    }

    /// Plays all of them.
    pub(super) fn play(&self, pool: &ThreadPool, bar: &ProgressBar) -> Played {
        let batch = Playouts::new(Arc::clone(self.tape), self.tape.initial(), self.settings.clone());
        let run = |block| {
            let tally = batch.run_block(block);
            bar.inc(tally.playouts);
            match self.simulated(&tally) {
                Some(simulated) => Played { simulated, faulty: Vec::new() },
                None => Played { simulated: Simulated::new(self.game), faulty: vec![block] },
            }
        };
        let nothing = || Played { simulated: Simulated::new(self.game), faulty: Vec::new() };
        let merge = |mut sum: Played, more: Played| {
            sum.simulated.merge(more.simulated);
            sum.faulty.extend(more.faulty);
            sum
        };
        pool.install(|| (0..batch.blocks_count()).into_par_iter().map(run).reduce(nothing, merge))
    }

    /// What they came to, with an account of those that failed, for which their blocks are played again.
    pub(super) fn explain(&self, played: Played, pool: &ThreadPool) -> Simulated {
        let Played { simulated, faulty } = played;
        let retold = |block| retell(self.game, self.tape, &self.settings, block);
        let merge = |mut sum: Simulated, more: Simulated| {
            sum.merge(more);
            sum
        };
        let nothing = || Simulated::new(self.game);
        let retold = pool.install(|| faulty.into_par_iter().map(retold).reduce(nothing, merge));
        merge(simulated, retold)
    }

    /// Counts by goal value instead of by its place on the tape; nothing if some playout failed.
    fn simulated(&self, tally: &Tally) -> Option<Simulated> {
        if tally.faults != Faults::default() {
            return None;
        }
        let mut simulated = Simulated::new(self.game);
        (simulated.playouts, simulated.turns) = (tally.playouts, tally.turns);
        for (role, goals) in simulated.tallies.iter_mut() {
            let counts = tally.goals.get(role.index()).map_or(&[][..], Vec::as_slice);
            for (text, &count) in
                self.game.tape_goals(role).iter().zip(counts).filter(|(_, count)| **count > 0)
            {
                goals.add_many(value(self.game, role, text).ok()?, count);
            }
            // A role for which the rules never give a goal is not counted among the faults.
            if goals.count() < tally.playouts {
                return None;
            }
        }
        Some(simulated)
    }
}
