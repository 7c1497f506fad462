//! Moves particles from one turn to the next, and recovers when none is left.

use std::{collections::VecDeque, sync::Arc};

use croupier_engine::{Game, History, InformationSet, RoleId, State, game::GameNetwork, stages::bits::Bits};

use crate::{
    BeliefError, Detail, Distribution, FilterReport, Guide, Opponents, ParticleOptions,
    particle::{
        ladder::rescue,
        lanes::{
            guidance::{Guidance, SURVEYED_EACH},
            machine::{TapeRunner, Task},
            model::ModelledRoles,
            picks::{count, select},
            population::Population,
            proposal::{Numbered, Open, Proposer},
        },
        past::Past,
        stream,
    },
};

/// The populations of the turns that are kept, and the means to make the next.
#[derive(Debug)]
pub(crate) struct LanesFilter {
    pub(super) game: Arc<Game>,
    pub(super) network: Arc<GameNetwork>,
    pub(super) machine: TapeRunner,
    pub(super) proposer: Proposer,
    pub(super) model: ModelledRoles,
    /// Where turns that are drawn again should lead.
    pub(super) guide: Option<Arc<dyn Guide>>,
    pub(super) options: ParticleOptions,
    pub(super) seed: [u8; 32],
    /// Invariant: at least one.
    pub(super) populations: VecDeque<Population>,
    /// How many turns were played before the first population that is kept.
    pub(super) first_turn: usize,
    /// Those turns.
    past: Past<u32>,
    pub(super) renewal: Renewal,
    pub(super) report: FilterReport,
}

/// When all turns are drawn again though particles are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renewal {
    /// After which turn it is tried again to have all states.
    pub(super) due: usize,
    /// How many turns later after that.
    pub(super) pause: usize,
    /// Particle-turns that it has taken.
    pub(super) spent: u64,
}

impl Default for Renewal {
    fn default() -> Self {
        Self { due: 0, pause: 1, spent: 0 }
    }
}

/// How much is done for one turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnEffort {
    /// Which stream is drawn from: 0 at first.
    pub(super) attempt: u32,
    /// Particles that are kept, if they are not all.
    pub(super) kept: usize,
    /// Particle-turns of the report beyond which it is given up.
    pub(super) most: u64,
    /// Whether it is given up when not all states can be kept.
    pub(super) is_for_all: bool,
}

/// What is known of the turns after one that is drawn again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foresight<'t> {
    /// The moves of the others that the later turns leave open in it.
    pub(super) open: &'t Open,
    /// Where all turns should lead.
    pub(super) guidance: Option<&'t Guidance>,
}

/// The result of one turn.
#[derive(Debug)]
pub(super) struct FilteredTurn {
    /// Empty if no examined particle can explain the turn.
    pub(super) population: Option<Population>,
    /// Whether every joint move of every particle was examined.
    is_exhaustive: bool,
}

/// If fewer than this share of the requested particles survive, more candidates are examined.
const SURVIVORS_MIN: f64 = 0.125;

/// How many more candidates are then examined.
const WIDENING: usize = 8;

/// Candidates examined in one turn regardless of the number of particles: some megabytes.
pub(super) const CANDIDATES_MAX: usize = 1 << 20;

/// Candidates examined in one turn in order to find all states, for each possible state.
const COMPLETE_CANDIDATES: usize = 8;

impl LanesFilter {
    /// All particles in the initial state; `None` if the tape does not have the game's initial state.
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
        let model = ModelledRoles::new(Arc::clone(&game), Arc::clone(&network), role, opponents);
        let populations = VecDeque::from([Population::initial(row, tape.roles_count(), model.beginning())]);
        let past = Past::new(tape.roles_count());
        let (machine, proposer) = (TapeRunner::new(tape), Proposer::new(tape));
        let report = FilterReport::default();
        Some(Self {
            game,
            network,
            machine,
            proposer,
            model,
            guide: None,
            options,
            seed,
            populations,
            first_turn: 0,
            past,
            renewal: Renewal::default(),
            report,
        })
    }

    /// Leads turns that are drawn again by this.
    pub(crate) fn be_guided(&mut self, guide: Arc<dyn Guide>) {
        self.guide = Some(guide);
    }

    /// What leads them.
    pub(crate) fn guide(&self) -> Option<Arc<dyn Guide>> {
        self.guide.clone()
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

    pub(super) fn last(&self) -> &Population {
        self.populations.back().expect("a belief has a population")
    }

    /// All states, if there are no others and nobody has a policy.
    pub(crate) fn complete(&self) -> Option<Population> {
        let is_all = self.is_complete() && self.model.roles().len() == 0;
        is_all.then(|| self.last().alone())
    }

    /// Goes on from all states after this many turns.
    pub(crate) fn resume(&mut self, turns: usize, population: Population) {
        self.populations = VecDeque::from([population]);
        self.first_turn = turns;
        self.past.clear();
        self.renewal = Renewal::default();
        self.report = FilterReport::default();
    }

    /// The probability of each base.
    pub(crate) fn base_probabilities(&self) -> Vec<f64> {
        self.last().base_probabilities(self.network.fluents().len())
    }

    /// The weight of each particle.
    pub(crate) fn weights(&self) -> Vec<f64> {
        self.last().weights().to_vec()
    }

    /// The state of a particle.
    pub(crate) fn state(&self, particle: usize) -> State {
        self.last().state(&self.network, particle)
    }

    /// The history of a particle.
    pub(crate) fn history(&self, particle: usize) -> History {
        let mut joint_moves = Vec::new();
        let mut index = particle;
        for population in self.populations.iter().rev() {
            let Some(parent) = population.parent(index) else { break };
            joint_moves.push(self.network.joint_move(population.moves(index)));
            index = parent;
        }
        joint_moves.extend(self.past.moves(index).map(|moves| self.network.joint_move(moves)));
        joint_moves.reverse();
        History { joint_moves, state: self.state(particle) }
    }

    /// Computes the population after the last turn of `known`, given those of the earlier turns.
    pub(crate) fn absorb_last(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        let turn = known.turns.len() - 1;
        // A move that is never legal, or a percept that nobody is ever told, contradicts the rules.
        if self.numbered(known, turn).is_none() {
            return Err(BeliefError::Inconsistent { turn });
        }
        let base = self.populations.pop_back().expect("a belief has a population");
        let effort =
            TurnEffort { attempt: 0, kept: self.options.particles, most: u64::MAX, is_for_all: false };
        let step = self.step(&base, known, turn, effort, None);
        let is_complete = base.is_complete();
        self.populations.push_back(base);
        if let Some(next) = step.population {
            self.populations.push_back(next);
            self.forget();
            self.replenish(known);
            return Ok(());
        }
        if is_complete && step.is_exhaustive {
            return Err(BeliefError::Inconsistent { turn });
        }
        rescue(self, known)
    }

    /// The own move and the percepts of a turn by their numbers, if the tape has them.
    pub(super) fn numbered(&self, known: &InformationSet, turn: usize) -> Option<(usize, Bits)> {
        let (own_move, percepts) = &known.turns[turn];
        let own_move = self.network.move_number(known.role, *own_move)?;
        Some((own_move, self.network.percept_numbers(known.role, percepts)?))
    }

    /// The population after `base`, with what is known of later turns.
    pub(super) fn step(
        &mut self,
        base: &Population,
        known: &InformationSet,
        turn: usize,
        effort: TurnEffort,
        foresight: Option<Foresight<'_>>,
    ) -> FilteredTurn {
        let Some((own_move, percepts)) = self.numbered(known, turn) else {
            return FilteredTurn { population: None, is_exhaustive: true };
        };
        let evidence = Numbered { role: known.role, own_move, percepts: &percepts };
        let (all, some) = base.bounds();
        let mut proposals =
            self.proposer.propose(evidence, &all, &some, foresight.map(|foresight| foresight.open));
        let is_forced = proposals.iter().all(|proposal| proposal.numbers.len() <= 1);
        let (proposals, model) = (&mut proposals[..], &mut self.model);
        let mut task = Task { population: base, turn: evidence, proposals, model };
        let mut rng = stream(self.seed, turn, effort.attempt);
        let ParticleOptions { particles, complete_max, detail, .. } = self.options;
        let kept = effort.kept;
        // As long as all are there, more of them are kept.
        let kept_if_complete = if base.is_complete() { kept.max(complete_max) } else { kept };
        if is_forced && base.particles_count() <= kept_if_complete {
            self.report.joint_moves_looked_at += base.particles_count() as u64;
            self.report.particle_turns += base.particles_count() as u64;
            let offspring = self.machine.forced(&mut task);
            return FilteredTurn {
                population: base.following(offspring, base.is_complete()),
                is_exhaustive: true,
            };
        }
        let groups = self.machine.groups(&mut task);
        let candidates = count(&groups);
        let is_merging = detail == Detail::States;
        // Where many histories came to one state before, they will again, and so much less is left of them.
        let each = if is_merging { base.histories_each() } else { 1 };
        let wide = wide(self.options, kept);
        let mut wanted = kept.saturating_mul(each);
        if base.is_complete() && is_cheap(complete_max, candidates, each) {
            wanted = wanted.max(complete_max.saturating_mul(COMPLETE_CANDIDATES));
        }
        let guidance = foresight.and_then(|foresight| foresight.guidance);
        loop {
            let picks = match guidance {
                Some(guidance) if candidates > wanted as f64 => {
                    let surveyed = wanted.saturating_mul(SURVEYED_EACH).min(wide.max(wanted));
                    let surveyed = self.machine.survey(&mut task, &select(&groups, surveyed, &mut rng));
                    self.report.joint_moves_looked_at += surveyed.looked_at;
                    guidance.chosen(&surveyed, turn + 1, wanted, &mut rng)
                }
                _ => select(&groups, wanted, &mut rng),
            };
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
            let population =
                population.map(|population| population.at_most(kept, kept_if_complete, &mut rng));
            return FilteredTurn { population, is_exhaustive };
        }
    }

    /// The population before the first turn.
    pub(super) fn beginning(&self) -> Population {
        let row = self.network.row(self.game.initial_state()).expect("the belief began there");
        Population::initial(row, self.machine.tape().roles_count(), self.model.beginning())
    }

    /// Puts populations in the place of all from that of `turn` on.
    pub(super) fn replace(&mut self, turn: usize, populations: Vec<Population>) {
        match turn.checked_sub(self.first_turn) {
            Some(kept) => self.populations.truncate(kept),
            None => {
                self.populations.clear();
                self.past.clear();
                self.first_turn = turn;
            }
        }
        self.populations.extend(populations);
        self.forget();
    }

    fn forget(&mut self) {
        while self.populations.len() > self.options.turns_kept.saturating_add(1) {
            let forgotten = self.populations.pop_front().expect("more than one");
            if let (Some(turn), Some(next)) = (forgotten.into_past(), self.populations.front_mut()) {
                next.keep_past(&mut self.past, turn);
            }
            self.first_turn += 1;
        }
    }
}

/// Candidates examined if few survive.
fn wide(options: ParticleOptions, kept: usize) -> usize {
    let enumerated_max = usize::try_from(options.enumerated_max).unwrap_or(usize::MAX);
    options.particles.saturating_mul(enumerated_max).min(CANDIDATES_MAX).max(kept)
}

/// Whether to examine this many candidates, of which `each` lead to one state, because all their successors may be
/// kept.
fn is_cheap(complete_max: usize, candidates: f64, each: usize) -> bool {
    let most = complete_max.saturating_mul(COMPLETE_CANDIDATES.min(2 * each));
    candidates <= most as f64
}
