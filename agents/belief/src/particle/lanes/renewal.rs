//! Earlier turns drawn again: when no particle is left, when few are, and to have all states again.

use std::sync::Arc;

use croupier_engine::{Game, GameError, InformationSet, game::GameNetwork};

use crate::{
    FilterReport, ParticleOptions,
    particle::{
        ladder::{Depleted, replenishing},
        lanes::{
            filter::{CANDIDATES_MAX, Foresight, LanesFilter, TurnEffort},
            guidance::Guidance,
            lineage::lineage,
            lookahead::{Bound, KnownTurn, look_ahead},
            population::Population,
            proposal::{Open, Proposer},
        },
        stream,
    },
    search::FoundHistories,
};

/// When and by how many particles all turns are drawn again.
#[derive(Clone, Copy, Debug)]
struct RenewalRule {
    /// A population with an effective size below this share of the requested particles is drawn again.
    healthy_share: f64,
    /// How many times as many particles as requested are used on the way from the first turn, if there is time.
    on_their_way: usize,
    /// How many times as many there must be time for.
    worthwhile: usize,
}

/// Where nothing leads the draws, more particles help.
const UNLED: RenewalRule = RenewalRule { healthy_share: 0.25, on_their_way: 8, worthwhile: 2 };

/// Where an estimate leads them, as many are better.
const LED: RenewalRule = RenewalRule { healthy_share: 0.5, on_their_way: 2, worthwhile: 1 };

/// Budget for drawing again, in particle-turns: this many for each requested particle, and as many for each of the
/// ordinary turns.
const SPENT_EACH: u64 = 64;
const SPENT_SHARE: u64 = 2;

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
        let rule = if self.guide.is_some() { LED } else { UNLED };
        let is_unhealthy = worth < particles as f64 * rule.healthy_share;
        let is_due = self.options.complete_max > particles && turns >= self.renewal.due;
        let spendable = self.spendable();
        if spendable == 0 || !is_due && !is_unhealthy {
            return;
        }
        let before = self.report.particle_turns;
        let attempt = replenishing(turns);
        // One half is for the lookahead. What cannot be finished is not begun.
        let affordable = usize::try_from(spendable / 2 / turns as u64).unwrap_or(usize::MAX);
        if !is_due && affordable < particles.saturating_mul(rule.worthwhile) {
            return;
        }
        let kept = self.on_their_way(rule).min(affordable).max(particles);
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

    /// Draws all turns of `known` at once, led by what is estimated of the last, if there is a guide; whether particles were left.
    pub(crate) fn absorb_led(&mut self, known: &InformationSet) -> bool {
        if self.guide.is_none() || known.turns.is_empty() {
            return false;
        }
        let attempt = replenishing(known.turns.len());
        let effort = TurnEffort { attempt, kept: self.on_their_way(LED), most: u64::MAX, is_for_all: false };
        let beginning = self.beginning();
        let drawn = self.redrawn(known, 0, beginning, effort);
        let is_drawn = drawn.is_some();
        if let Some(drawn) = drawn {
            self.replace(0, drawn);
        }
        is_drawn
    }

    /// Particles on the way from the first turn, if there is time for all.
    fn on_their_way(&self, rule: RenewalRule) -> usize {
        let particles = self.options.particles;
        particles.saturating_mul(rule.on_their_way).min(particles.max(CANDIDATES_MAX))
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
        let guide = self.guide.as_ref();
        let guidance =
            guide.map(|guide| Guidance::new(Arc::clone(guide), Arc::clone(&self.network), known.clone()));
        let mut redrawn = vec![start];
        for turn in from..known.turns.len() {
            let foresight = Foresight { open: &open[turn], guidance: guidance.as_ref() };
            let step = self.step(&redrawn[turn - from], known, turn, effort, Some(foresight));
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
        let runs_max = most.saturating_sub(self.report.particle_turns) / 2 / RUN_WORTH;
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
