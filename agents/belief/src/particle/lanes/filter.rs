//! From one turn to the next, and what is done when no particle is left.

use std::{collections::VecDeque, sync::Arc};

use croupier_engine::{
    Game, GameError, History, InformationSet, RoleId, game::GameNetwork, stages::bits::Bits,
};

use crate::{
    BeliefError, Detail, Distribution, FilterReport, Opponents, ParticleOptions,
    particle::{
        CONFLICTS_MAX,
        lanes::{
            lineage::lineage,
            machine::{Machine, Task},
            model::Model,
            picks::{count, select},
            population::Population,
            proposal::{Numbered, Proposer},
        },
        stream,
    },
    rescue::{Wanted, witnesses},
    search::{Found, SearchLimits, consistent_histories},
};

/// The populations of the turns that are kept, and the means to make the next.
#[derive(Debug)]
pub(crate) struct LanesFilter {
    game: Arc<Game>,
    network: Arc<GameNetwork>,
    machine: Machine,
    proposer: Proposer,
    model: Model,
    options: ParticleOptions,
    seed: [u8; 32],
    /// Invariant: at least one.
    populations: VecDeque<Population>,
    /// How many turns were played before the first population that is kept.
    first_turn: usize,
    report: FilterReport,
}

/// What one turn came to.
#[derive(Debug)]
struct Step {
    /// Nothing if no particle that was looked at can explain the turn.
    population: Option<Population>,
    /// Whether every joint move of every particle was looked at.
    is_exhaustive: bool,
}

/// With fewer survivors than this share of the particles wanted, more candidates are looked at.
const SURVIVORS_MIN: f64 = 0.125;

/// How many more candidates are then looked at.
const WIDENING: usize = 8;

/// Candidates of one turn that are looked at whatever the number of particles: some megabytes.
const CANDIDATES_MAX: usize = 1 << 20;

impl LanesFilter {
    /// All particles in the initial state; `None` if the game's initial state is none of the tape.
    pub(crate) fn new(
        game: Arc<Game>,
        network: Arc<GameNetwork>,
        role: RoleId,
        opponents: &Opponents,
        options: ParticleOptions,
        seed: [u8; 32],
    ) -> Option<Self> {
        let options = ParticleOptions { particles: options.particles.max(1), ..options };
        let (row, tape) = (network.row(game.initial_state())?, network.tape());
        let model = Model::new(Arc::clone(&game), Arc::clone(&network), role, opponents);
        let populations = VecDeque::from([Population::initial(row, tape.roles_count(), model.beginning())]);
        let (machine, proposer) = (Machine::new(tape), Proposer::new(tape));
        let report = FilterReport::default();
        Some(Self {
            game,
            network,
            machine,
            proposer,
            model,
            options,
            seed,
            populations,
            first_turn: 0,
            report,
        })
    }

    pub(crate) fn game(&self) -> Arc<Game> {
        Arc::clone(&self.game)
    }

    pub(crate) fn options(&self) -> ParticleOptions {
        self.options
    }

    pub(crate) fn seed(&self) -> [u8; 32] {
        self.seed
    }

    pub(crate) fn report(&self) -> FilterReport {
        self.report
    }

    pub(crate) fn particles_count(&self) -> usize {
        self.last().particles_count()
    }

    pub(crate) fn effective_sample_size(&self) -> f64 {
        self.last().effective_sample_size()
    }

    pub(crate) fn distribution(&self) -> Distribution {
        self.last().distribution(&self.network)
    }

    /// Whether every history that agrees with what is known is a particle, with its exact probability.
    pub(crate) fn is_complete(&self) -> bool {
        self.last().is_complete()
    }

    fn last(&self) -> &Population {
        self.populations.back().expect("a belief has a population")
    }

    pub(crate) fn histories(&self) -> Option<Vec<(History, f64)>> {
        let weights = self.last().weights().iter().enumerate();
        (self.first_turn == 0).then(|| {
            let history = |(particle, &weight): (usize, &f64)| (self.history(particle), weight);
            weights.map(history).collect()
        })
    }

    fn history(&self, particle: usize) -> History {
        let mut joint_moves = Vec::new();
        let mut index = particle;
        for population in self.populations.iter().rev() {
            let Some(parent) = population.parent(index) else { break };
            joint_moves.push(self.network.joint_move(population.moves(index)));
            index = parent;
        }
        joint_moves.reverse();
        History { joint_moves, state: self.last().state(&self.network, particle) }
    }

    /// Makes the population after the last turn of `known`, whose earlier turns are there.
    pub(crate) fn absorb_last(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        let turn = known.turns.len() - 1;
        // A move that is never legal, or a percept that nobody is ever told, contradicts the rules.
        if self.numbered(known, turn).is_none() {
            return Err(BeliefError::Inconsistent { turn });
        }
        let base = self.populations.pop_back().expect("a belief has a population");
        let step = self.step(&base, known, turn, 0);
        let is_complete = base.is_complete();
        self.populations.push_back(base);
        if let Some(next) = step.population {
            self.populations.push_back(next);
            self.forget();
            return Ok(());
        }
        if is_complete && step.is_exhaustive {
            return Err(BeliefError::Inconsistent { turn });
        }
        for attempt in 1..=self.options.rejuvenations_max {
            self.report.rejuvenations += 1;
            if self.rejuvenate(known, attempt) {
                return Ok(());
            }
        }
        self.search(known)
    }

    /// The own move and the percepts of a turn by their numbers, if the tape has them.
    fn numbered(&self, known: &InformationSet, turn: usize) -> Option<(usize, Bits)> {
        let (own_move, percepts) = &known.turns[turn];
        let own_move = self.network.move_number(known.role, *own_move)?;
        Some((own_move, self.network.percept_numbers(known.role, percepts)?))
    }

    /// The population after `base`.
    fn step(&mut self, base: &Population, known: &InformationSet, turn: usize, attempt: u32) -> Step {
        let Some((own_move, percepts)) = self.numbered(known, turn) else {
            return Step { population: None, is_exhaustive: true };
        };
        let evidence = Numbered { role: known.role, own_move, percepts: &percepts };
        let (all, some) = base.bounds();
        let mut proposals = self.proposer.propose(evidence, &all, &some);
        let is_forced = proposals.iter().all(|proposal| proposal.numbers.len() <= 1);
        let (proposals, model) = (&mut proposals[..], &mut self.model);
        let mut task = Task { population: base, turn: evidence, proposals, model };
        let mut rng = stream(self.seed, turn, attempt);
        let particles = self.options.particles;
        // Later attempts keep more particles on their way.
        let kept = particles.saturating_mul(1 << (2 * attempt.min(4))).min(particles.max(CANDIDATES_MAX));
        let wide =
            particles.saturating_mul(usize::try_from(self.options.enumerated_max).unwrap_or(usize::MAX));
        let wide = wide.min(CANDIDATES_MAX).max(kept);
        if is_forced && base.particles_count() <= kept {
            self.report.joint_moves_looked_at += base.particles_count() as u64;
            self.report.particle_turns += base.particles_count() as u64;
            let offspring = self.machine.forced(&mut task);
            return Step { population: base.following(offspring, base.is_complete()), is_exhaustive: true };
        }
        let groups = self.machine.groups(&mut task);
        let candidates = count(&groups);
        let is_merging = self.options.detail == Detail::States;
        // Where many histories came to one state before, they will again, and so much less is left of them.
        let mut wanted = kept.saturating_mul(if is_merging { base.histories_each() } else { 1 });
        loop {
            let picks = select(&groups, wanted, &mut rng);
            self.report.joint_moves_looked_at += picks.len() as u64;
            self.report.particle_turns += picks.len() as u64;
            let offspring = self.machine.follow(&mut task, &picks);
            let is_exhaustive = candidates <= wanted as f64;
            let is_enough = offspring.weights.len() as f64 >= particles as f64 * SURVIVORS_MIN;
            if !is_exhaustive && !is_enough && wanted < wide {
                wanted = wanted.saturating_mul(WIDENING).min(wide);
                continue;
            }
            self.report.resamplings += u64::from(!is_exhaustive);
            let offspring = if is_merging { base.merged(offspring, &mut rng) } else { offspring };
            let population = base.following(offspring, base.is_complete() && is_exhaustive);
            let population = population.map(|population| population.reduced(kept, &mut rng));
            return Step { population, is_exhaustive };
        }
    }

    /// Draws again from `2^(attempt-1)` turns back; whether some particle survived.
    fn rejuvenate(&mut self, known: &InformationSet, attempt: u32) -> bool {
        let last_turn = known.turns.len() - 1;
        let back = 1_usize.checked_shl(attempt - 1).unwrap_or(usize::MAX);
        let wanted = last_turn.saturating_sub(back);
        let from = if wanted < self.first_turn { 0 } else { wanted };
        let start = match from.checked_sub(self.first_turn) {
            Some(kept) => self.populations[kept].clone(),
            None => self.beginning(),
        };
        let mut redrawn = vec![start];
        for turn in from..=last_turn {
            let step = self.step(&redrawn[turn - from], known, turn, attempt);
            match step.population {
                Some(next) => redrawn.push(next),
                None => return false,
            }
        }
        if let Some(last) = redrawn.pop() {
            let mut rng = stream(self.seed, last_turn, attempt | LAST_DRAW);
            redrawn.push(last.reduced(self.options.particles, &mut rng));
        }
        self.replace(from, redrawn);
        true
    }

    /// Looks for consistent histories: by a SAT solver, or if that gives up, one after the other.
    fn search(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        let turn = known.turns.len() - 1;
        let mut rng = stream(self.seed, turn, SEARCH_ATTEMPT);
        self.report.solver_rescues += 1;
        let histories = self.options.particles.min(WITNESSES_MAX);
        let wanted = Wanted { histories, last: None, conflicts: CONFLICTS_MAX };
        let found = witnesses(&self.game, known, wanted, &mut rng)?;
        if found.paths.is_empty() && found.is_exhausted {
            return Err(BeliefError::Inconsistent { turn });
        }
        if self.begin_anew(&found)? {
            return Ok(());
        }
        let joint_moves_max = self.options.search_joint_moves_max;
        let limits = SearchLimits { histories: self.options.particles, joint_moves: joint_moves_max };
        self.report.searches += 1;
        let found = consistent_histories(&self.game, known, limits, &mut rng, &mut self.game.scratch())?;
        self.report.joint_moves_looked_at += found.joint_moves_looked_at;
        if self.begin_anew(&found)? {
            return Ok(());
        }
        let rejuvenations = self.options.rejuvenations_max;
        Err(match found.is_exhausted {
            true => BeliefError::Inconsistent { turn },
            false => BeliefError::Depleted { turn, rejuvenations, joint_moves_max },
        })
    }

    /// Makes these histories the particles, all that there are or not; false if there are none.
    fn begin_anew(&mut self, found: &Found) -> Result<bool, GameError> {
        let beginning = self.beginning();
        let lineage = lineage(&self.game, &self.network, beginning, found, &mut self.model)?;
        let lineage = lineage.filter(|_| !found.paths.is_empty());
        let is_found = lineage.is_some();
        if let Some(populations) = lineage {
            self.replace(0, populations);
        }
        Ok(is_found)
    }

    /// The population before the first turn.
    fn beginning(&self) -> Population {
        let row = self.network.row(self.game.initial_state()).expect("the belief began there");
        Population::initial(row, self.machine.tape().roles_count(), self.model.beginning())
    }

    /// Puts populations in the place of all from that of `turn` on.
    fn replace(&mut self, turn: usize, populations: Vec<Population>) {
        match turn.checked_sub(self.first_turn) {
            Some(kept) => self.populations.truncate(kept),
            None => {
                self.populations.clear();
                self.first_turn = turn;
            }
        }
        self.populations.extend(populations);
        self.forget();
    }

    fn forget(&mut self) {
        while self.populations.len() > self.options.turns_kept.saturating_add(1) {
            self.populations.pop_front();
            self.first_turn += 1;
        }
    }
}

/// Histories that the SAT solver is asked for: each costs some milliseconds, and later turns spread them.
const WITNESSES_MAX: usize = 100;

/// The attempt that [`LanesFilter::search`] draws with; rejuvenations count from one.
const SEARCH_ATTEMPT: u32 = u32::MAX;

/// Marks the stream of the last draw of a rejuvenation.
const LAST_DRAW: u32 = 1 << 16;
