//! Earlier turns drawn again: when no particle is left, when few are, and to have all states again.

use std::sync::Arc;

use croupier_engine::{Game, GameError, InformationSet, game::GameNetwork};

use crate::{
    FilterReport, ParticleOptions,
    particle::{
        ladder::{Depleted, replenishing},
        lanes::{
            filter::{CANDIDATES_MAX, LanesFilter, TurnEffort},
            lineage::lineage,
            lookahead::{Bound, KnownTurn, look_ahead},
            population::Population,
            proposal::{Open, Proposer},
        },
        stream,
    },
    search::FoundHistories,
};

/// A population with an effective size below this share of the requested particles is drawn again.
const HEALTHY_SHARE: f64 = 0.25;

/// Budget for drawing again, in particle-turns: this many for each requested particle, and as many for each of the
/// ordinary turns.
const SPENT_EACH: u64 = 64;
const SPENT_SHARE: u64 = 2;

/// How many times as many particles as requested are used on the way from the first turn.
const ON_THEIR_WAY: usize = 8;

/// Marks the stream of the last draw of a rejuvenation.
const LAST_DRAW: u32 = 1 << 16;

impl LanesFilter {
    /// Draws all turns again if few particles have significant weight, or if all states may be recovered.
    /// Keeps the better population.
    pub(super) fn replenish(&mut self, known: &InformationSet) {
        if self.last().is_complete() {
            self.renewal.due = 0;
            self.renewal.pause = 1;
            return;
        }
        let turns = known.turns.len();
        let particles = self.options.particles;
        let worth = self.last().effective_sample_size();
        if self.renewal.due == 0 {
            // All states were there before this turn: they will not be at once.
            self.renewal.due = turns + 1;
        }
        let is_unhealthy = worth < particles as f64 * HEALTHY_SHARE;
        let is_due = self.options.complete_max > particles && turns >= self.renewal.due;
        let spendable = self.spendable();
        if spendable == 0 || !is_due && !is_unhealthy {
            return;
        }
        let before = self.report.particle_turns;
        let attempt = replenishing(turns);
        let kept = particles.saturating_mul(ON_THEIR_WAY).min(particles.max(CANDIDATES_MAX));
        let most = before.saturating_add(spendable);
        let effort = TurnEffort { attempt, kept, most, is_for_all: !is_unhealthy };
        self.report.replenishments += 1;
        let beginning = self.beginning();
        let redrawn = self.redrawn(known, 0, beginning, effort);
        self.renewal.spent += self.report.particle_turns - before;
        let is_better = |last: &Population| last.is_complete() || last.effective_sample_size() > worth;
        if let Some(redrawn) = redrawn
            && redrawn.last().is_some_and(is_better)
        {
            self.replace(0, redrawn);
        }
        if !self.last().is_complete() {
            self.renewal.due = turns + self.renewal.pause;
            self.renewal.pause *= 2;
        }
    }

    /// Particle-turns that drawing again may take now.
    fn spendable(&self) -> u64 {
        let begin = (self.options.particles as u64).saturating_mul(SPENT_EACH);
        let begin = begin.max((self.options.complete_max as u64).saturating_mul(8));
        let ordinary = self.report.particle_turns.saturating_sub(self.renewal.spent);
        (begin + ordinary.saturating_mul(SPENT_SHARE)).saturating_sub(self.renewal.spent)
    }

    /// The populations from before turn `from` on, starting with `start`; `None` if no particle survived, or it took
    /// too many.
    fn redrawn(
        &mut self,
        known: &InformationSet,
        from: usize,
        start: Population,
        effort: TurnEffort,
    ) -> Option<Vec<Population>> {
        let open = self.open(known, effort.most)?;
        let mut redrawn = vec![start];
        for turn in from..known.turns.len() {
            let step = self.step(&redrawn[turn - from], known, turn, effort, Some(&open[turn]));
            let next = step.population?;
            if self.report.particle_turns > effort.most || effort.is_for_all && !next.is_complete() {
                return None;
            }
            redrawn.push(next);
        }
        let last = redrawn.pop()?;
        let mut rng = stream(self.seed, known.turns.len() - 1, effort.attempt | LAST_DRAW);
        let wanted = if last.is_complete() { usize::MAX } else { self.options.particles };
        redrawn.push(last.reduced(wanted, &mut rng));
        Some(redrawn)
    }

    /// What all turns together leave open of each; `None` if one of them cannot be.
    fn open(&mut self, known: &InformationSet, most: u64) -> Option<Vec<Open>> {
        let turns = self.all_numbered(known)?;
        let tape = Arc::clone(self.machine.tape());
        let runs_max = most.saturating_sub(self.report.particle_turns) / RUN_WORTH;
        let found = look_ahead(&tape, &mut self.proposer, known.role, &turns, runs_max);
        self.report.particle_turns += found.runs * RUN_WORTH;
        found.open
    }

    fn all_numbered(&self, known: &InformationSet) -> Option<Vec<KnownTurn>> {
        let turn = |turn: usize| {
            let (own_move, percepts) = self.numbered(known, turn)?;
            Some(KnownTurn { own_move, percepts })
        };
        (0..known.turns.len()).map(turn).collect()
    }

    /// What a lookahead proves about each base after `known`; `None` if it proves nothing.
    pub(crate) fn bounds(&self, known: &InformationSet) -> Option<Vec<Bound>> {
        let turns = self.all_numbered(known)?;
        let tape = self.machine.tape();
        look_ahead(tape, &mut Proposer::new(tape), known.role, &turns, u64::MAX).bounds
    }

    /// The numbers that the fluents of a belief have as bases.
    pub(crate) fn network(&self) -> &GameNetwork {
        &self.network
    }
}

/// Particle-turns that take as long as one run of the lookahead: some of the 512 that one run of the tape computes.
const RUN_WORTH: u64 = 128;

impl Depleted for LanesFilter {
    fn game(&self) -> &Game {
        &self.game
    }

    fn options(&self) -> ParticleOptions {
        self.options
    }

    fn seed(&self) -> [u8; 32] {
        self.seed
    }

    fn report_mut(&mut self) -> &mut FilterReport {
        &mut self.report
    }

    fn first_turn(&self) -> usize {
        self.first_turn
    }

    fn redraw(&mut self, known: &InformationSet, from: usize, attempt: u32) -> Result<bool, GameError> {
        let start = match from.checked_sub(self.first_turn) {
            Some(kept) => self.populations[kept].clone(),
            None => self.beginning(),
        };
        // Later attempts keep more particles on their way.
        let particles = self.options.particles;
        let kept = particles.saturating_mul(1 << (2 * attempt.min(4))).min(particles.max(CANDIDATES_MAX));
        let redrawn =
            self.redrawn(known, from, start, TurnEffort { attempt, kept, most: u64::MAX, is_for_all: false });
        let survived = redrawn.is_some();
        if let Some(redrawn) = redrawn {
            self.replace(from, redrawn);
        }
        Ok(survived)
    }

    fn begin_anew(&mut self, found: &FoundHistories) -> Result<bool, GameError> {
        let beginning = self.beginning();
        let lineage = lineage(&self.game, &self.network, beginning, found, &mut self.model)?;
        let is_found = lineage.is_some();
        if let Some(populations) = lineage {
            self.replace(0, populations);
        }
        Ok(is_found)
    }
}
