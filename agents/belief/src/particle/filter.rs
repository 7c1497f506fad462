//! Moves particles from one turn to the next, and recovers when none is left.

use std::{collections::VecDeque, sync::Arc};

use crate::{
    BeliefError, Distribution, FilterReport, Opponents, ParticleOptions, PolicyQuestion,
    continuation::Evidence,
    particle::{
        generation::{Generation, StepLimits},
        ladder::{Depleted, replenishing, rescue},
        past::Past,
        stream,
    },
    policy::{Modelled, distinct, preference},
    search::FoundHistories,
};
use croupier_engine::{Game, GameError, History, InformationSet, JointMove, MoveId, RoleId, Scratch, State};

/// The populations of the turns that are kept, and the means to make the next.
#[derive(Debug)]
pub(super) struct Filter {
    game: Arc<Game>,
    scratch: Scratch,
    options: ParticleOptions,
    seed: [u8; 32],
    /// Invariant: at least one.
    generations: VecDeque<Generation>,
    /// How many turns were played before the first generation that is kept.
    first_turn: usize,
    /// Those turns.
    past: Past<JointMove>,
    report: FilterReport,
    /// The turn before which all turns are not drawn again.
    due: usize,
    /// The roles with a policy.
    modelled: Vec<Modelled>,
}

/// If less than this share of the particles has significant weight, they are drawn again from the first turn.
const HEALTHY_SHARE: f64 = 0.125;

impl Filter {
    pub(super) fn new(
        game: Arc<Game>,
        role: RoleId,
        opponents: &Opponents,
        options: ParticleOptions,
        seed: [u8; 32],
    ) -> Self {
        let modelled = opponents.modelled(role, game.roles().random());
        let modelled: Vec<_> = modelled.map(|(role, policy)| (role, Arc::clone(policy))).collect();
        let options = ParticleOptions { particles: options.particles.max(1), ..options };
        let generations = VecDeque::from([Generation::initial(&game, options.particles)]);
        let scratch = game.scratch();
        Self {
            game,
            scratch,
            options,
            seed,
            generations,
            first_turn: 0,
            past: Past::new(1),
            report: FilterReport::default(),
            due: 0,
            modelled,
        }
    }

    pub(super) fn game(&self) -> Arc<Game> {
        Arc::clone(&self.game)
    }

    pub(super) fn options(&self) -> ParticleOptions {
        self.options
    }

    pub(super) fn seed(&self) -> [u8; 32] {
        self.seed
    }

    pub(super) fn report(&self) -> FilterReport {
        self.report
    }

    pub(super) fn particles_count(&self) -> usize {
        self.last().particles_count()
    }

    pub(super) fn effective_sample_size(&self) -> f64 {
        self.last().effective_sample_size()
    }

    pub(super) fn distribution(&self) -> Distribution {
        self.last().distribution()
    }

    fn last(&self) -> &Generation {
        self.generations.back().expect("a belief has a generation")
    }

    /// The weight of each particle.
    pub(super) fn weights(&self) -> Vec<f64> {
        (0..self.particles_count()).map(|particle| self.last().weight(particle)).collect()
    }

    /// The state of a particle.
    pub(super) fn state(&self, particle: usize) -> State {
        self.last().state(particle).clone()
    }

    /// The history of a particle.
    pub(super) fn history(&self, particle: usize) -> History {
        let mut joint_moves = Vec::new();
        let mut index = particle;
        for generation in self.generations.iter().rev() {
            if let Some((parent, joint_move)) = generation.origin(index) {
                joint_moves.push(joint_move.clone());
                index = parent;
            }
        }
        joint_moves.extend(self.past.moves(index).flatten().cloned());
        joint_moves.reverse();
        History { joint_moves, state: self.state(particle) }
    }

    /// Computes the generation after the last turn of `known`, given those of the earlier turns.
    pub(super) fn absorb_last(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        let turn = known.turns.len() - 1;
        let base = self.generations.pop_back().expect("a belief has a generation");
        let next = self.step(&base, known, turn, 0);
        self.generations.push_back(base);
        if let Some(next) = next? {
            self.generations.push_back(next);
            self.forget();
            return self.replenish(known);
        }
        rescue(self, known)
    }

    /// Draws all turns again if few particles have significant weight; keeps the better population.
    ///
    /// After an attempt, it waits for as many turns as the attempt took.
    fn replenish(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        let turns = known.turns.len();
        let worth = self.effective_sample_size();
        if turns < self.due || worth >= self.options.particles as f64 * HEALTHY_SHARE {
            return Ok(());
        }
        self.due = turns * 2;
        self.report.replenishments += 1;
        let attempt = replenishing(turns);
        let beginning = Generation::initial(&self.game, self.options.particles);
        let redrawn = self.redrawn(known, 0, beginning, attempt)?;
        if let Some(redrawn) = redrawn
            && redrawn.last().is_some_and(|last| last.effective_sample_size() > worth)
        {
            self.replace(0, redrawn);
        }
        Ok(())
    }

    /// The generation after `base`, or `None` if no particle of it can explain the turn.
    fn step(
        &mut self,
        base: &Generation,
        known: &InformationSet,
        turn: usize,
        attempt: u32,
    ) -> Result<Option<Generation>, GameError> {
        let (own_move, percepts) = &known.turns[turn];
        let evidence = Evidence { role: known.role, own_move: *own_move, percepts };
        let limits =
            StepLimits { particles: self.options.particles, enumerated_max: self.options.enumerated_max };
        let mut rng = stream(self.seed, turn, attempt);
        let step = base.step(&self.game, evidence, limits, &mut rng, &mut self.scratch)?;
        self.report.joint_moves_looked_at += step.joint_moves_looked_at;
        self.report.particle_turns += base.particles_count() as u64;
        self.report.resamplings += u64::from(step.is_resampled);
        let Some(mut generation) = step.generation else { return Ok(None) };
        if self.modelled.is_empty() {
            return Ok(Some(generation));
        }
        let preferred = self.judge(base, &mut generation)?;
        Ok(generation.reweighted(&preferred))
    }

    /// Says to the policies that want to know it what they are about to be asked where the particles of `next` come from.
    fn prepare(&mut self, base: &Generation, next: &Generation) -> Result<(), GameError> {
        for (index, (role, policy)) in self.modelled.iter().enumerate() {
            if !policy.asks_at_once() {
                continue;
            }
            let origins = (0..next.particles_count()).filter_map(|particle| next.origin(particle));
            let mut parents: Vec<usize> = origins.map(|(parent, _)| parent).collect();
            parents.sort_unstable();
            parents.dedup();
            let beginning = InformationSet::initial(*role);
            let legal = parents
                .iter()
                .map(|&parent| self.game.legal_moves(base.state(parent), *role, &mut self.scratch));
            let legal = legal.collect::<Result<Vec<Vec<MoveId>>, GameError>>()?;
            let known = |parent: usize| base.known(parent).get(index).unwrap_or(&beginning);
            policy.prepare(&distinct(
                parents
                    .iter()
                    .zip(&legal)
                    .map(|(&parent, legal)| PolicyQuestion { known: known(parent), legal }),
            ));
        }
        Ok(())
    }

    /// Records the information sets of the modelled roles in each particle of `next`, which comes from `base`. Returns how much more
    /// likely the last turn is under their policies than under uniform choices.
    fn judge(&mut self, base: &Generation, next: &mut Generation) -> Result<Vec<f64>, GameError> {
        self.prepare(base, next)?;
        let mut preferred = vec![1.0; next.particles_count()];
        let mut sets = Vec::with_capacity(next.particles_count());
        for (particle, preferred) in preferred.iter_mut().enumerate() {
            let (parent, joint_move) = next.origin(particle).expect("a particle behind the first turn");
            let state = base.state(parent);
            let mut known = base.known(parent).to_vec();
            if known.is_empty() {
                known = self.modelled.iter().map(|(role, _)| InformationSet::initial(*role)).collect();
            }
            for ((role, policy), known) in self.modelled.iter().zip(&mut known) {
                let legal = self.game.legal_moves(state, *role, &mut self.scratch)?;
                *preferred *= preference(&**policy, known, &legal, joint_move.of(*role));
                let percepts = self.game.percepts(state, joint_move, *role, &mut self.scratch)?;
                known.turns.push((joint_move.of(*role), percepts));
            }
            sets.push(known);
        }
        next.note_known(sets);
        Ok(preferred)
    }

    /// Generations of whole histories, weighted by policies.
    fn judge_lineage(&mut self, generations: Vec<Generation>) -> Result<Option<Vec<Generation>>, GameError> {
        let mut judged: Vec<Generation> = Vec::new();
        let mut total = Vec::new();
        for mut next in generations {
            if let Some(base) = judged.last() {
                let preferred = self.judge(base, &mut next)?;
                total.resize(preferred.len(), 1.0);
                total.iter_mut().zip(preferred).for_each(|(total, preferred)| *total *= preferred);
            }
            judged.push(next);
        }
        // Only the last generation is weighed: the others are there for histories.
        let last =
            judged.pop().and_then(|last| if total.is_empty() { Some(last) } else { last.reweighted(&total) });
        Ok(last.map(|last| {
            judged.push(last);
            judged
        }))
    }

    /// The generations from before turn `from` on, starting with `start`; `None` if no particle survived.
    fn redrawn(
        &mut self,
        known: &InformationSet,
        from: usize,
        start: Generation,
        attempt: u32,
    ) -> Result<Option<Vec<Generation>>, GameError> {
        let mut redrawn = vec![start];
        for turn in from..known.turns.len() {
            match self.step(&redrawn[turn - from], known, turn, attempt)? {
                Some(next) => redrawn.push(next),
                None => return Ok(None),
            }
        }
        Ok(Some(redrawn))
    }

    /// Puts `generations` in the place of all from that of `turn` on.
    fn replace(&mut self, turn: usize, generations: Vec<Generation>) {
        match turn.checked_sub(self.first_turn) {
            Some(kept) => self.generations.truncate(kept),
            None => {
                self.generations.clear();
                self.past.clear();
                self.first_turn = turn;
            }
        }
        self.generations.extend(generations);
        self.forget();
    }

    fn forget(&mut self) {
        while self.generations.len() > self.options.turns_kept.saturating_add(1) {
            let forgotten = self.generations.pop_front().expect("more than one");
            if let (Some(turn), Some(next)) = (forgotten.into_past(), self.generations.front_mut()) {
                next.keep_past(&mut self.past, turn);
            }
            self.first_turn += 1;
        }
    }
}

impl Depleted for Filter {
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
            Some(kept) => self.generations[kept].clone(),
            None => Generation::initial(&self.game, self.options.particles),
        };
        let redrawn = self.redrawn(known, from, start, attempt)?;
        let survived = redrawn.is_some();
        if let Some(redrawn) = redrawn {
            self.replace(from, redrawn);
        }
        Ok(survived)
    }

    fn begin_anew(&mut self, found: &FoundHistories) -> Result<bool, GameError> {
        if found.paths.is_empty() {
            return Ok(false);
        }
        let mut generations = vec![Generation::initial(&self.game, self.options.particles)];
        generations.extend(Generation::lineage(&found.paths));
        if !self.modelled.is_empty() {
            let Some(judged) = self.judge_lineage(generations)? else { return Ok(false) };
            generations = judged;
        }
        self.replace(0, generations);
        Ok(true)
    }
}
