//! Particle beliefs: a sample of the histories that a role cannot distinguish from the true one.
//!
//! If the game has a network, particles are on lanes (`lanes`); other games are tracked state by state (`filter.rs`). If
//! no particle is left, `ladder.rs` finds others for both kinds of filter, by drawing earlier turns again, by a SAT
//! solver (`rescue`), or by a complete tree search (`search.rs`). Players keep all states as long as there are at most
//! 16,384, and a search draws from them.

mod filter;
mod generation;
mod guide;
mod ladder;
mod lanes;
mod past;
mod report;
mod resampling;

use std::sync::Arc;

use croupier_engine::{
    FluentId, Game, History, InformationSet, MoveId, Percepts, RoleId, game::PerceptReading,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

pub use guide::Guide;
pub use report::FilterReport;

use crate::{
    Asked, BeliefError, Certainty, Detail, Distribution, Knowledge, Looks, Opponents,
    questions::FluentQuestions,
    rescue::{WitnessQuery, witnesses},
};
use filter::Filter;
pub(crate) use lanes::Bound;
use lanes::{LanesFilter, Population};
use resampling::systematic;

/// Size and bounds of a belief by particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticleOptions {
    /// What is told apart: with [`Detail::States`] one particle stands for all histories that lead to one state, which
    /// makes it go a longer way where many do. Only games that are networks know the difference.
    pub detail: Detail,
    /// How many particles there are after a resampling; zero is taken as one.
    pub particles: usize,
    /// How many there may be, if that is more, as long as they are all that there is, so that every answer is exact. Beliefs
    /// that are not come back to that where it is cheap. Only games that are networks can tell.
    pub complete_max: usize,
    /// Joint moves of the others that are looked at in one turn, for each particle or state of theirs: all of them up
    /// to this many, beyond it a sample.
    pub enumerated_max: u64,
    /// How often earlier turns are drawn again when all particles have died.
    pub rejuvenations_max: u32,
    /// Joint moves that the complete search may look at after that, where the SAT solver did not help.
    pub search_joint_moves_max: u64,
    /// Earlier turns whose states are kept, to go back to. The moves of all turns are kept.
    pub turns_kept: usize,
}

impl ParticleOptions {
    /// A thousand particles, for looking at a belief; a player in a hurry takes fewer.
    pub const STANDARD: Self = Self {
        detail: Detail::Histories,
        particles: 1_000,
        complete_max: 0,
        enumerated_max: 4_096,
        rejuvenations_max: 8,
        search_joint_moves_max: 1_000_000,
        turns_kept: 256,
    };

    /// Options for players that move within seconds: states, all of them as long as there are at most
    /// [`PLAY_COMPLETE_MAX`](Self::PLAY_COMPLETE_MAX), otherwise this many particles.
    #[must_use]
    pub const fn for_play(particles: usize) -> Self {
        Self {
            detail: Detail::States,
            particles,
            complete_max: Self::PLAY_COMPLETE_MAX,
            enumerated_max: 1_024,
            rejuvenations_max: 8,
            search_joint_moves_max: 200_000,
            turns_kept: 64,
        }
    }

    /// Maximum number of states that a player keeps if they are all there are: some milliseconds per turn.
    pub const PLAY_COMPLETE_MAX: usize = 1 << 14;
}

/// Weighted particles, each a history consistent with what a role did and was told.
///
/// *Games with networks* have all particles on lanes, hundreds in one run of the tape, and no two particles are
/// the same history. In each turn the role's own move is the executed one. For every other role the moves that cannot give
/// the percepts are found once, by a run of the tape in which everything unknown is left open; every combination of the
/// remaining moves in every particle is a candidate, weighted by the particle's weight and its probability. If there
/// are more candidates than [`ParticleOptions::particles`], that many are kept so that the error is smallest: heavy ones unchanged,
/// and of the light ones a systematic sample with equal weights. Candidates that contradict the percepts after all are dropped; if
/// few survive, more are examined. As long as there are no more histories than particles the belief is complete, and
/// every answer is exact; up to [`ParticleOptions::complete_max`] are kept as long as that is so. If only states are
/// distinguished, particles in the same state are merged after every turn in which others had a choice, keeping one of their histories,
/// drawn by weight; then the number of states is what counts. (The information sets of roles with a policy are part of such a state.)
///
/// *Renewal.* If the effective sample size is below a quarter of the requested particles, all turns are drawn again with
/// up to eight times as many particles and with only those moves that later percepts do not contradict (a card that is shown at the end was not dealt
/// to anyone else); the better population is kept. The same is tried after 1, 2, 4, ... turns in order to have all states again. In total
/// this may take twice the particle-turns of the ordinary turns, plus a constant; what cannot be finished is not begun.
///
/// *Guides.* If somebody estimates what is true now ([`guided`](ParticleBelief::guided)), histories that are drawn again are chosen by where they lead: where there are more candidates
/// than particles, four times as many as wanted are looked at, and those that the estimate makes likely are followed more often, with less weight.
///
/// *Other games* are tracked one state at a time. In each distinct state of the population every joint
/// move of the others is tried, and those that give exactly the observed percepts are kept. A
/// particle's weight is multiplied by their share, the population is resampled (systematically) if its
/// effective size is below half of the requested particles, and each particle then plays one of
/// the joint moves that were kept, dealt from a shuffled deck for each state. If opponent models reduce the effective size to
/// an eighth, all turns are drawn again, after waiting for as many turns as were drawn.
///
/// *Bias.* Weighted sums over the particles, before they are divided by the sum of the
/// weights, are unbiased; probabilities, which are divided, therefore have
/// a bias of order one over the number of particles. This does not hold after a recovery that drew particles again, or if few
/// survivors made the filter examine more candidates: the population is then conditioned on
/// having survived, or on being the better one.
///
/// *Never empty.* If no particle can explain the percepts, earlier turns are drawn again with fresh
/// randomness, and on lanes, as above, with more particles, going back 1, 2, 4, ... turns. After that a SAT solver
/// looks for histories in all turns at once, encoded as one circuit; if it cannot be satisfied, there is certainly
/// no history. Without a network, or if the solver gives up, a depth-first search walks through the tree.
/// Histories found like this are weighted by their probabilities, but are not a fair sample unless they are all.
///
/// *Memory* grows linearly with the particles and the turns whose states are kept; of earlier turns only the moves are kept, for
/// particles that have descendants.
///
/// # Sources
/// Choosing among discrete candidates: P. Fearnhead and P. Clifford, JRSS B 65(4), 2003. Tracking states one
/// by one: M. K. Pitt and N. Shephard, "Filtering via Simulation", JASA 94, 1999. Systematic resampling: G. Kitagawa,
/// JCGS 5(1), 1996. Going back over earlier turns:
/// M. Schofield, T. Cerexhe and M. Thielscher, "HyperPlay", AAAI 2012; there the tree of earlier
/// choices is kept and walked, here they are drawn again.
///
/// ```
/// use std::sync::Arc;
/// use croupier_belief::{ParticleBelief, ParticleOptions};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// let bob = game.roles().find("bob").ok_or("the game has it")?;
/// let mut belief = ParticleBelief::new(Arc::clone(&game), bob, ParticleOptions::STANDARD, [7; 32])?;
/// let noop = game.move_id("noop")?;
/// belief.advance(noop, &game.percepts_of(["(dealt alice)"])?)?;
/// belief.advance(noop, &game.percepts_of(["(hole queen)"])?)?;
/// // Alice holds the jack or the king: that few histories are all particles, and what they say is exact.
/// assert!(belief.is_complete());
/// assert_eq!(belief.particles_count(), 2);
/// assert_eq!(belief.distribution().probability(game.fluent_id("(hand alice king)")?), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ParticleBelief {
    means: FilterKind,
    opponents: Opponents,
    known: InformationSet,
}

/// All states that somebody holds possible, with their probabilities.
#[derive(Clone, Debug)]
pub struct CompleteBelief {
    known: InformationSet,
    population: Population,
}

impl CompleteBelief {
    /// Bytes that it takes, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.population.bytes() + self.known.turns.len() * size_of::<(MoveId, Percepts)>()
    }
}

/// What makes the particles.
#[derive(Debug)]
enum FilterKind {
    /// The reasoner, one state after the other.
    Lifted(Box<Filter>),
    /// The tape, hundreds of states at once.
    Lanes(Box<LanesFilter>),
}

/// The same expression for either kind of filter.
macro_rules! either {
    ($means:expr, $filter:ident => $value:expr) => {
        match $means {
            FilterKind::Lifted($filter) => $value,
            FilterKind::Lanes($filter) => $value,
        }
    };
}

impl FilterKind {
    /// Lanes, if the game has a network and percepts come from the old state.
    fn new(
        game: Arc<Game>,
        role: RoleId,
        opponents: &Opponents,
        options: ParticleOptions,
        seed: [u8; 32],
    ) -> Self {
        let network = game.network().filter(|_| game.percept_reading() == PerceptReading::OldState);
        let lanes = network
            .cloned()
            .and_then(|network| LanesFilter::new(Arc::clone(&game), network, role, opponents, options, seed));
        match lanes {
            Some(lanes) => Self::Lanes(Box::new(lanes)),
            None => Self::Lifted(Box::new(Filter::new(game, role, opponents, options, seed))),
        }
    }
}

impl ParticleBelief {
    /// What `role` believes before the first move: the initial state.
    ///
    /// Draws depend only on `seed`, the turn and what is known.
    ///
    /// # Errors
    /// [`BeliefError::RandomRole`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        options: ParticleOptions,
        seed: [u8; 32],
    ) -> Result<Self, BeliefError> {
        Self::with_opponents(game, role, &Opponents::uniform(), options, seed)
    }

    /// The same, with policies for the other roles.
    ///
    /// Moves are proposed as for uniform choices, and particles are weighted by the policies.
    ///
    /// # Errors
    /// [`BeliefError::RandomRole`].
    pub fn with_opponents(
        game: Arc<Game>,
        role: RoleId,
        opponents: &Opponents,
        options: ParticleOptions,
        seed: [u8; 32],
    ) -> Result<Self, BeliefError> {
        if game.roles().random() == Some(role) {
            return Err(BeliefError::RandomRole);
        }
        let means = FilterKind::new(game, role, opponents, options, seed);
        Ok(Self { means, opponents: opponents.clone(), known: InformationSet::initial(role) })
    }

    /// The same, but turns that are drawn again are led by an estimate of the present. Only games that are networks know the difference.
    #[must_use]
    pub fn guided(mut self, guide: Arc<dyn Guide>) -> Self {
        if let FilterKind::Lanes(filter) = &mut self.means {
            filter.be_guided(guide);
        }
        self
    }

    /// Adds one turn: the role's executed move, and what it was told.
    ///
    /// # Errors
    /// [`BeliefError::Inconsistent`] if it is certain that no history agrees with that,
    /// [`BeliefError::Depleted`] if none was found within the limits, [`BeliefError::Game`] if the
    /// rules fail. The belief is then unchanged.
    pub fn advance(&mut self, own_move: MoveId, percepts: &Percepts) -> Result<(), BeliefError> {
        self.known.turns.push((own_move, percepts.clone()));
        let outcome = either!(&mut self.means, filter => filter.absorb_last(&self.known));
        if outcome.is_err() {
            self.known.turns.pop();
        }
        outcome
    }

    /// Adds the new turns of `known`, or starts over if it does not continue what was known.
    ///
    /// The belief is the same in either case, unless it is [guided](Self::guided): then all turns are drawn at once where it starts, with what is known at
    /// the end.
    ///
    /// # Errors
    /// Those of [`new`](Self::new) and [`advance`](Self::advance). The belief is then the one before the
    /// turn that failed.
    pub fn follow(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        if known.role != self.known.role || !known.turns.starts_with(&self.known.turns) {
            let (game, options, seed) =
                either!(&self.means, filter => (filter.game(), filter.options(), filter.seed()));
            let opponents = self.opponents.clone();
            let anew = Self::with_opponents(game, known.role, &opponents, options, seed)?;
            let guide = match &self.means {
                FilterKind::Lifted(_) => None,
                FilterKind::Lanes(filter) => filter.guide(),
            };
            *self = match guide {
                Some(guide) => anew.guided(guide),
                None => anew,
            };
        }
        if let (true, FilterKind::Lanes(filter)) = (self.known.turns.is_empty(), &mut self.means)
            && filter.absorb_led(known)
        {
            self.known = known.clone();
        }
        for (own_move, percepts) in &known.turns[self.known.turns.len()..] {
            self.advance(*own_move, percepts)?;
        }
        Ok(())
    }

    /// The information set of the belief.
    #[must_use]
    pub fn known(&self) -> &InformationSet {
        &self.known
    }

    /// Statistics.
    #[must_use]
    pub fn report(&self) -> FilterReport {
        either!(&self.means, filter => filter.report())
    }

    /// How many particles there are now; at least one, at most [`ParticleOptions::particles`], or
    /// [`ParticleOptions::complete_max`] if they are all.
    #[must_use]
    pub fn particles_count(&self) -> usize {
        either!(&self.means, filter => filter.particles_count())
    }

    /// The number of equally heavy particles that would be as good: one over the sum of squared weights.
    #[must_use]
    pub fn effective_sample_size(&self) -> f64 {
        either!(&self.means, filter => filter.effective_sample_size())
    }

    /// The states held possible and their probabilities.
    #[must_use]
    pub fn distribution(&self) -> Distribution {
        either!(&self.means, filter => filter.distribution())
    }

    /// The history and the weight of each particle; the weights have the sum one.
    #[must_use]
    pub fn histories(&self) -> Vec<(History, f64)> {
        let weights = either!(&self.means, filter => filter.weights());
        self.histories_of(weights.into_iter().enumerate())
    }

    /// At most `count` particles' histories with their weights, which add up to one: all of them if there are no more, otherwise
    /// a sample of this size, in which each occurs in proportion to its weight, except for rounding.
    #[must_use]
    pub fn sampled_histories(&self, count: usize, rng: &mut impl Rng) -> Vec<(History, f64)> {
        self.histories_of(self.sampled(count, rng).into_iter())
    }

    fn histories_of(&self, particles: impl Iterator<Item = (usize, f64)>) -> Vec<(History, f64)> {
        let history = |particle| either!(&self.means, filter => filter.history(particle));
        particles.map(|(particle, weight)| (history(particle), weight)).collect()
    }

    /// The states of at most `count` particles: the [`distribution`](Self::distribution) if there are no more, otherwise that of
    /// a sample of this size, in which each occurs in proportion to its weight, except for rounding.
    #[must_use]
    pub fn sampled_states(&self, count: usize, rng: &mut impl Rng) -> Distribution {
        let sampled = self.sampled(count, rng);
        let states: Vec<_> = sampled
            .iter()
            .map(|&(particle, weight)| (either!(&self.means, filter => filter.state(particle)), weight))
            .collect();
        let states = states.iter().map(|(state, weight)| (state, *weight));
        Distribution::proportional(states).expect("a belief has a particle of positive weight")
    }

    /// Particles and the weight of each.
    fn sampled(&self, count: usize, rng: &mut impl Rng) -> Vec<(usize, f64)> {
        let weights = either!(&self.means, filter => filter.weights());
        if weights.len() <= count {
            return weights.into_iter().enumerate().collect();
        }
        let count = count.max(1);
        let mut sampled: Vec<(usize, f64)> = Vec::new();
        for particle in systematic(&weights, count, rng) {
            match sampled.last_mut() {
                Some((last, weight)) if *last == particle => *weight += 1.0 / count as f64,
                _ => sampled.push((particle, 1.0 / count as f64)),
            }
        }
        sampled
    }

    /// Whether `fluent` is true in every history that agrees with what the role knows.
    ///
    /// One particle in which it is false decides. If there is none and not all histories are particles, a SAT solver
    /// looks for such a history, or proves that there is none; if it gives up, the answer is that of the particles.
    ///
    /// # Errors
    /// [`BeliefError::Game`] if the rules fail.
    pub fn knows(&self, fluent: FluentId) -> Result<Knowledge, BeliefError> {
        let distribution = self.distribution();
        if !distribution.iter().all(|(state, _)| state.contains(fluent)) {
            return Ok(Knowledge::proved(false));
        }
        if self.is_complete() {
            return Ok(Knowledge::proved(true));
        }
        let (game, seed) = either!(&self.means, filter => (filter.game(), filter.seed()));
        if let Some(base) = game.network().and_then(|network| network.base(fluent)) {
            let wanted = WitnessQuery { histories: 1, last: Some((base, false)), conflicts: CONFLICTS_MAX };
            let mut rng = stream(seed, self.known.turns.len(), KNOWLEDGE_ATTEMPT);
            let found = witnesses(&game, &self.known, wanted, &mut rng)?;
            if !found.paths.is_empty() || found.is_exhausted {
                return Ok(Knowledge::proved(found.paths.is_empty()));
            }
        }
        Ok(Knowledge::sampled(self.particles_count()))
    }

    /// What is proved about every history that agrees with what the role knows, all of it for a complete belief. Otherwise
    /// a lookahead proves what follows whatever the others did, and a SAT solver looks for a history in which something else is not so.
    ///
    /// # Complexity
    /// As a rule some tenths of a second, some seconds at most.
    #[must_use]
    pub fn certainty(&self, looks: Looks<'_>) -> Certainty {
        self.certainty_about(looks, &|_| true)
    }

    /// The same, but what nobody asks about is left open unless the lookahead proves it: bookkeeping of the rules, such as sums over a
    /// hidden hand, takes a solver longer than all the rest.
    #[must_use]
    pub fn certainty_about(&self, looks: Looks<'_>, asked: Asked<'_>) -> Certainty {
        let words = FluentQuestions { looks, asked };
        let sample = self.distribution();
        match &self.means {
            FilterKind::Lifted(filter) => Certainty::unproved(&filter.game(), &sample),
            FilterKind::Lanes(filter) if filter.is_complete() => {
                Certainty::complete(&filter.game(), &sample, looks)
            }
            FilterKind::Lanes(filter) => {
                let bounds = filter.bounds(&self.known);
                let bounds = bounds.as_deref();
                Certainty::sampled(&filter.game(), filter.network(), &self.known, bounds, &sample, words)
            }
        }
    }

    /// All states that are held possible, from which [`resume`](Self::resume) goes on; `None` if there may be others, the game has no
    /// network, or other roles have policies.
    #[must_use]
    pub fn complete(&self) -> Option<CompleteBelief> {
        match &self.means {
            FilterKind::Lifted(_) => None,
            FilterKind::Lanes(filter) => {
                let population = filter.complete()?;
                Some(CompleteBelief { known: self.known.clone(), population })
            }
        }
    }

    /// Goes on from another belief about the same game with the same options, in which nobody has a policy: everything is as if this had been its
    /// own, but for histories, which begin there, and for what is drawn again if states are lost later.
    pub fn resume(&mut self, complete: &CompleteBelief) {
        if let FilterKind::Lanes(filter) = &mut self.means {
            filter.resume(complete.known.turns.len(), complete.population.clone());
            self.known.clone_from(&complete.known);
        }
    }

    /// By base of the game's network the probability that it is true; `None` if the game has no network that particles are on.
    #[must_use]
    pub fn base_probabilities(&self) -> Option<Vec<f64>> {
        match &self.means {
            FilterKind::Lifted(_) => None,
            FilterKind::Lanes(filter) => Some(filter.base_probabilities()),
        }
    }

    /// Whether every history that agrees with what is known is a particle, or every state if histories are merged,
    /// so that all answers are exact.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        match &self.means {
            FilterKind::Lifted(_) => false,
            FilterKind::Lanes(filter) => filter.is_complete(),
        }
    }
}

/// Conflicts of the SAT solver for each history: some seconds at most.
const CONFLICTS_MAX: u32 = 1_000_000;

/// The attempt number for the draws of [`ParticleBelief::knows`].
const KNOWLEDGE_ATTEMPT: u32 = u32::MAX - 1;

/// The draws of one turn: a stream of their own for each attempt at it.
fn stream(seed: [u8; 32], turn: usize, attempt: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::from_seed(seed);
    // Turns stay below 2^31, so the highest bit is free for streams of those who share the seed.
    rng.set_stream((turn as u64) << 32 & (u64::MAX >> 1) | u64::from(attempt));
    rng
}
