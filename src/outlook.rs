//! What a role could believe, by the method that fits: all histories, or a sample of them.

use std::sync::Arc;

use croupier_belief::{
    BeliefError, Distribution, ExactBelief, ExactOptions, ParticleBelief, ParticleOptions,
};
use croupier_engine::{Game, InformationSet};

/// How a belief is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// From every history, up to these bounds.
    Exact(ExactOptions),
    /// From particles drawn with this seed.
    Particle(ParticleOptions, [u8; 32]),
}

/// A belief and how it came about.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    /// The states held possible.
    pub(crate) distribution: Distribution,
    /// What they come from.
    pub(crate) basis: Basis,
}

/// What a belief comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Basis {
    /// All histories that agree with what the role knows.
    Histories(u64),
    /// Some of them.
    Particles {
        /// How many.
        count: usize,
        /// The number of equally heavy ones that would be as good.
        effective: f64,
    },
}

impl Outlook {
    /// What a role believes that did and was told `known`, by the first of `methods` whose bounds allow it.
    ///
    /// # Errors
    /// What the last method fails with, or at once anything but a bound.
    ///
    /// # Panics
    /// If there is no method.
    pub(crate) fn of(
        game: &Arc<Game>,
        known: &InformationSet,
        methods: &[Method],
    ) -> Result<Self, BeliefError> {
        let (last, earlier) = methods.split_last().expect("a method at least");
        for method in earlier {
            match Self::by(game, known, *method) {
                Err(BeliefError::TooManyHistories { .. } | BeliefError::TooManyJointMoves { .. }) => {}
                settled => return settled,
            }
        }
        Self::by(game, known, *last)
    }

    fn by(game: &Arc<Game>, known: &InformationSet, method: Method) -> Result<Self, BeliefError> {
        match method {
            Method::Exact(options) => {
                let belief = ExactBelief::of(Arc::clone(game), known, options)?;
                let basis = Basis::Histories(belief.histories_count());
                Ok(Self { distribution: belief.distribution(), basis })
            }
            Method::Particle(options, seed) => {
                let mut belief = ParticleBelief::new(Arc::clone(game), known.role, options, seed)?;
                belief.follow(known)?;
                let basis = Basis::Particles {
                    count: belief.particles_count(),
                    effective: belief.effective_sample_size(),
                };
                Ok(Self { distribution: belief.distribution(), basis })
            }
        }
    }
}
