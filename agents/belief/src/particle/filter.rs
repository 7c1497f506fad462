//! From one turn to the next, and what is done when no particle is left.

use std::{collections::VecDeque, sync::Arc};

use crate::{
    BeliefError, Distribution, Opponents, ParticleOptions,
    continuation::Evidence,
    particle::{
        generation::{Generation, StepLimits},
        stream,
    },
    policy::{Modelled, preference},
    search::{SearchLimits, consistent_histories},
};
use croupier_engine::{Game, GameError, History, InformationSet, RoleId, Scratch};

/// What a belief by particles had to do so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterReport {
    /// Joint moves whose percepts were looked at.
    pub joint_moves_looked_at: u64,
    /// Turns after which the particles were resampled.
    pub resamplings: u64,
    /// How often earlier turns were drawn again.
    pub rejuvenations: u64,
    /// How often the complete search had to help.
    pub searches: u64,
    /// How often a SAT solver found histories.
    pub solver_rescues: u64,
    /// Turns of particles that were computed, dead ones and fresh starts included.
    pub particle_turns: u64,
}

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
    report: FilterReport,
    /// The roles with a policy.
    modelled: Vec<Modelled>,
}

/// The attempt that [`Filter::search`] draws with; rejuvenations count from one.
const SEARCH_ATTEMPT: u32 = u32::MAX;

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
        // What a modelled role knows is read from whole histories.
        let turns_kept = if modelled.is_empty() { options.turns_kept } else { usize::MAX };
        let options = ParticleOptions { particles: options.particles.max(1), turns_kept, ..options };
        let generations = VecDeque::from([Generation::initial(&game, options.particles)]);
        let scratch = game.scratch();
        Self {
            game,
            scratch,
            options,
            seed,
            generations,
            first_turn: 0,
            report: FilterReport::default(),
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

    pub(super) fn histories(&self) -> Option<Vec<(History, f64)>> {
        let last = self.last();
        (self.first_turn == 0).then(|| {
            (0..last.particles_count()).map(|index| (self.history(index), last.weight(index))).collect()
        })
    }

    fn history(&self, particle: usize) -> History {
        let mut joint_moves = Vec::new();
        let mut index = particle;
        for generation in self.generations.iter().rev() {
            if let Some((parent, joint_move)) = generation.origin(index) {
                joint_moves.push(joint_move.clone());
                index = parent;
            }
        }
        joint_moves.reverse();
        History { joint_moves, state: self.last().state(particle).clone() }
    }

    /// Makes the generation after the last turn of `known`, whose earlier turns are there.
    pub(super) fn absorb_last(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        let turn = known.turns.len() - 1;
        let base = self.generations.pop_back().expect("a belief has a generation");
        let next = self.step(&base, known, turn, 0);
        self.generations.push_back(base);
        if let Some(next) = next? {
            self.generations.push_back(next);
            self.forget();
            return Ok(());
        }
        for attempt in 1..=self.options.rejuvenations_max {
            self.report.rejuvenations += 1;
            if self.rejuvenate(known, attempt)? {
                return Ok(());
            }
        }
        self.search(known)
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

    /// Notes what the modelled roles know in each particle of `next`, which comes from `base`. Returns how much more
    /// likely their policies make its last turn than uniform choices do.
    fn judge(&mut self, base: &Generation, next: &mut Generation) -> Result<Vec<f64>, GameError> {
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

    /// Generations of whole histories, weighted by what policies make of them.
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

    /// Draws again from `2^(attempt-1)` turns back; whether some particle survived.
    fn rejuvenate(&mut self, known: &InformationSet, attempt: u32) -> Result<bool, GameError> {
        let last_turn = known.turns.len() - 1;
        let back = 1_usize.checked_shl(attempt - 1).unwrap_or(usize::MAX);
        let wanted = last_turn.saturating_sub(back);
        let from = if wanted < self.first_turn { 0 } else { wanted };
        let start = match from.checked_sub(self.first_turn) {
            Some(kept) => self.generations[kept].clone(),
            None => Generation::initial(&self.game, self.options.particles),
        };
        let mut redrawn = vec![start];
        for turn in from..=last_turn {
            let base = &redrawn[turn - from];
            match self.step(base, known, turn, attempt)? {
                Some(next) => redrawn.push(next),
                None => return Ok(false),
            }
        }
        self.replace(from, redrawn);
        Ok(true)
    }

    /// Looks for consistent histories until there are as many as particles.
    fn search(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        let turn = known.turns.len() - 1;
        let joint_moves_max = self.options.search_joint_moves_max;
        let limits = SearchLimits { histories: self.options.particles, joint_moves: joint_moves_max };
        let mut rng = stream(self.seed, turn, SEARCH_ATTEMPT);
        self.report.searches += 1;
        let found = consistent_histories(&self.game, known, limits, &mut rng, &mut self.scratch)?;
        self.report.joint_moves_looked_at += found.joint_moves_looked_at;
        if found.paths.is_empty() {
            let rejuvenations = self.options.rejuvenations_max;
            return Err(match found.is_exhausted {
                true => BeliefError::Inconsistent { turn },
                false => BeliefError::Depleted { turn, rejuvenations, joint_moves_max },
            });
        }
        let mut generations = vec![Generation::initial(&self.game, self.options.particles)];
        generations.extend(Generation::lineage(&found.paths));
        if !self.modelled.is_empty() {
            let judged = self.judge_lineage(generations)?;
            generations = judged.ok_or(BeliefError::Inconsistent { turn })?;
        }
        self.replace(0, generations);
        Ok(())
    }

    /// Puts `generations` in the place of all from that of `turn` on.
    fn replace(&mut self, turn: usize, generations: Vec<Generation>) {
        match turn.checked_sub(self.first_turn) {
            Some(kept) => self.generations.truncate(kept),
            None => {
                self.generations.clear();
                self.first_turn = turn;
            }
        }
        self.generations.extend(generations);
        self.forget();
    }

    fn forget(&mut self) {
        while self.generations.len() > self.options.turns_kept.saturating_add(1) {
            self.generations.pop_front();
            self.first_turn += 1;
        }
    }
}
