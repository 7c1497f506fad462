//! The belief by particles: some of the histories that a role cannot tell from the true one.

mod filter;
mod generation;
mod lanes;
mod resampling;

use std::sync::Arc;

use croupier_engine::{Game, History, InformationSet, MoveId, Percepts, RoleId, game::PerceptReading};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

pub use filter::FilterReport;

use crate::{BeliefError, Distribution};
use filter::Filter;
use lanes::LanesFilter;

/// Size and bounds of a belief by particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticleOptions {
    /// How many particles there are after a resampling; zero is taken as one.
    pub particles: usize,
    /// States with at most this many joint moves of the others have all of them looked at; beyond
    /// it that many are drawn.
    pub enumerated_max: u64,
    /// How often earlier turns are drawn again when all particles have died.
    pub rejuvenations_max: u32,
    /// Joint moves that the complete search may look at after that.
    pub search_joint_moves_max: u64,
    /// Earlier turns that are kept, to go back to and to tell histories from.
    pub turns_kept: usize,
}

impl ParticleOptions {
    /// A thousand particles, for looking at a belief; a player in a hurry takes fewer.
    pub const STANDARD: Self = Self {
        particles: 1_000,
        enumerated_max: 4_096,
        rejuvenations_max: 8,
        search_joint_moves_max: 1_000_000,
        turns_kept: 256,
    };
}

/// Weighted particles, each a history consistent with what a role did and was told.
///
/// *One turn.* The own move is the executed one. In each distinct state of the population every joint
/// move of the others is tried, and those that give exactly the observed percepts are kept. A
/// particle's weight is multiplied by their share, the population is resampled (systematically) if its
/// effective size is below half of [`ParticleOptions::particles`], and each particle then plays one of
/// the joint moves that were kept. Particles in one state are dealt them from a shuffled deck, so that
/// they spread as evenly as they can; each particle's own choice is uniform. The cost is one look
/// at the percepts for each distinct state and joint move, not for each particle.
///
/// *What is unbiased.* Weighted sums over the particles, before they are divided by the sum of the
/// weights, have the exact ones as their expectation; probabilities, which are divided, are therefore
/// off by a term of order one over the number of particles. Beyond
/// [`ParticleOptions::enumerated_max`] the share is estimated from that many draws with
/// replacement: the expectations stay right, the variance grows. After a rejuvenation nothing of this
/// is claimed: the population is then conditioned on having survived.
///
/// *Never empty.* If no particle can explain the percepts, earlier turns are drawn again with fresh
/// randomness, going back 1, 2, 4, ... turns; after that a complete search looks for consistent
/// histories. If the search sees the whole tree, the weights of what it found are exact. If it stops at
/// as many histories as there are particles, they are right relative to each other, but the histories
/// tend to have their beginning in common.
///
/// # Sources
/// Fully adapted auxiliary particle filter: M. K. Pitt and N. Shephard, "Filtering via Simulation",
/// JASA 94, 1999. Systematic resampling: G. Kitagawa, JCGS 5(1), 1996. Going back over earlier turns:
/// M. Schofield, T. Cerexhe and M. Thielscher, "HyperPlay", AAAI 2012; there the tree of earlier
/// choices is kept and walked, here they are drawn anew.
#[derive(Debug)]
pub struct ParticleBelief {
    means: Means,
    known: InformationSet,
}

/// What makes the particles.
#[derive(Debug)]
enum Means {
    /// The reasoner, one state after the other.
    Lifted(Box<Filter>),
    /// The tape, hundreds of states at once.
    Lanes(Box<LanesFilter>),
}

/// The same expression for either kind of filter.
macro_rules! either {
    ($means:expr, $filter:ident => $value:expr) => {
        match $means {
            Means::Lifted($filter) => $value,
            Means::Lanes($filter) => $value,
        }
    };
}

impl Means {
    /// Lanes where the game is a network that says what is seen from the old state.
    fn new(game: Arc<Game>, options: ParticleOptions, seed: [u8; 32]) -> Self {
        let tape = game.tape().filter(|_| game.percept_reading() == PerceptReading::OldState).cloned();
        let lanes = tape.and_then(|tape| LanesFilter::new(Arc::clone(&game), &tape, options, seed));
        match lanes {
            Some(lanes) => Self::Lanes(Box::new(lanes)),
            None => Self::Lifted(Box::new(Filter::new(game, options, seed))),
        }
    }
}

impl ParticleBelief {
    /// What `role` believes before the first move: the initial state.
    ///
    /// What is drawn depends on `seed`, the turn and what is known, and on nothing else.
    ///
    /// # Errors
    /// [`BeliefError::RandomRole`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        options: ParticleOptions,
        seed: [u8; 32],
    ) -> Result<Self, BeliefError> {
        if game.roles().random() == Some(role) {
            return Err(BeliefError::RandomRole);
        }
        Ok(Self { means: Means::new(game, options, seed), known: InformationSet::initial(role) })
    }

    /// Takes in one more turn: the own move that was executed, and what the role was told.
    ///
    /// # Errors
    /// [`BeliefError::Inconsistent`] if it is certain that no history agrees with that,
    /// [`BeliefError::Depleted`] if none was found within the bounds, [`BeliefError::Game`] where the
    /// rules fail. The belief is then as it was before.
    pub fn advance(&mut self, own_move: MoveId, percepts: &Percepts) -> Result<(), BeliefError> {
        self.known.turns.push((own_move, percepts.clone()));
        let outcome = either!(&mut self.means, filter => filter.absorb_last(&self.known));
        if outcome.is_err() {
            self.known.turns.pop();
        }
        outcome
    }

    /// Takes in what is new in `known`, or starts afresh if it does not continue what was known.
    ///
    /// The belief is the same in either case.
    ///
    /// # Errors
    /// Those of [`new`](Self::new) and [`advance`](Self::advance). The belief then stands before the
    /// turn that failed.
    pub fn follow(&mut self, known: &InformationSet) -> Result<(), BeliefError> {
        if known.role != self.known.role || !known.turns.starts_with(&self.known.turns) {
            let (game, options, seed) =
                either!(&self.means, filter => (filter.game(), filter.options(), filter.seed()));
            *self = Self::new(game, known.role, options, seed)?;
        }
        for (own_move, percepts) in &known.turns[self.known.turns.len()..] {
            self.advance(*own_move, percepts)?;
        }
        Ok(())
    }

    /// What the belief is made from.
    #[must_use]
    pub fn known(&self) -> &InformationSet {
        &self.known
    }

    /// What it took to come here.
    #[must_use]
    pub fn report(&self) -> FilterReport {
        either!(&self.means, filter => filter.report())
    }

    /// How many particles there are now; at least one, at most [`ParticleOptions::particles`].
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

    /// The history and the weight of each particle; the weights have the sum one. `None` if more
    /// turns were played than [`ParticleOptions::turns_kept`].
    #[must_use]
    pub fn histories(&self) -> Option<Vec<(History, f64)>> {
        either!(&self.means, filter => filter.histories())
    }

    /// Whether every history that agrees with what is known is a particle, so that all answers are exact.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        match &self.means {
            Means::Lifted(_) => false,
            Means::Lanes(filter) => filter.is_complete(),
        }
    }
}

/// The draws of one turn: a stream of their own for each attempt at it.
fn stream(seed: [u8; 32], turn: usize, attempt: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::from_seed(seed);
    // Turns stay below 2^31, so the highest bit is free for streams of those who share the seed.
    rng.set_stream((turn as u64) << 32 & (u64::MAX >> 1) | u64::from(attempt));
    rng
}
