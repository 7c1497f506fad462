//! What a role could believe, by the method that fits: all histories, or a sample of them.

use std::sync::Arc;

use croupier_belief::{BeliefError, ExactBelief, ExactOptions, Histories, ParticleBelief, ParticleOptions};
use croupier_engine::{FluentId, Game, InformationSet, RoleId};

use crate::outlook::{Basis, Outlook};

/// Which methods may be used, the exact one first. At least one of them is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Methods {
    /// All histories, up to these bounds.
    pub(crate) exact: Option<ExactOptions>,
    /// Particles, drawn with this seed.
    pub(crate) sample: Option<(ParticleOptions, [u8; 32])>,
}

impl Methods {
    /// What is fast enough to be shown after every turn: exact within bounds that take a moment, else a few particles.
    pub(crate) fn brief(seed: [u8; 32]) -> Self {
        const EXACT: ExactOptions =
            ExactOptions { histories_max: 2_000, joint_moves_max: 60_000, ..ExactOptions::STANDARD };
        const SAMPLE: ParticleOptions = ParticleOptions { particles: 300, ..ParticleOptions::STANDARD };
        Self { exact: Some(EXACT), sample: Some((SAMPLE, seed)) }
    }
}

/// The belief of one role, carried from turn to turn: exact until that is beyond its bounds.
#[derive(Debug)]
pub(crate) struct Believer {
    game: Arc<Game>,
    role: RoleId,
    exact: Option<ExactBelief>,
    sample: Option<(ParticleOptions, [u8; 32])>,
    /// Begun when the exact belief is given up.
    particles: Option<ParticleBelief>,
}

impl Believer {
    /// What `role` believes before the first move.
    ///
    /// # Errors
    /// If the role is chance.
    pub(crate) fn new(game: Arc<Game>, role: RoleId, methods: Methods) -> Result<Self, BeliefError> {
        let exact =
            methods.exact.map(|options| ExactBelief::new(Arc::clone(&game), role, options)).transpose()?;
        Ok(Self { game, role, exact, sample: methods.sample, particles: None })
    }

    /// What it believes now that it knows `known`, which continues what it knew.
    ///
    /// # Errors
    /// If there is no belief by any method that may be used.
    pub(crate) fn follow(&mut self, known: &InformationSet) -> Result<Outlook, BeliefError> {
        if let Some(exact) = &mut self.exact {
            match catch_up(exact, known) {
                Ok(()) => {
                    let basis = Basis::Histories(exact.histories_count());
                    return Ok(Outlook { distribution: exact.distribution(), basis });
                }
                Err(BeliefError::TooManyHistories { .. } | BeliefError::TooManyJointMoves { .. })
                    if self.sample.is_some() =>
                {
                    self.exact = None;
                }
                Err(error) => return Err(error),
            }
        }
        let particles = match &mut self.particles {
            Some(particles) => particles,
            none => {
                let (options, seed) = self.sample.expect("a method at least");
                none.insert(ParticleBelief::new(Arc::clone(&self.game), self.role, options, seed)?)
            }
        };
        particles.follow(known)?;
        let (count, effective) = (particles.particles_count(), particles.effective_sample_size());
        let basis = match particles.is_complete() {
            true => Basis::Histories(count as u64),
            false => Basis::Particles { count, effective },
        };
        Ok(Outlook { distribution: particles.distribution(), basis })
    }

    /// The fluents that are proved to be true, in all of the histories that agree with what the role knows.
    pub(crate) fn proved(&self) -> Vec<FluentId> {
        match (&self.exact, &self.particles) {
            (Some(exact), _) => exact.distribution().known_fluents(&self.game),
            (None, Some(particles)) => particles.proved_fluents(),
            (None, None) => Vec::new(),
        }
    }

    /// The histories that the belief is made of; `None` where only their states were kept.
    pub(crate) fn histories(&self) -> Option<Histories> {
        let weighted = match (&self.exact, &self.particles) {
            (Some(exact), _) => exact.histories(),
            (None, Some(particles)) => Some(particles.histories()),
            (None, None) => None,
        };
        weighted.and_then(Histories::proportional)
    }
}

fn catch_up(exact: &mut ExactBelief, known: &InformationSet) -> Result<(), BeliefError> {
    let turns = exact.known().turns.len();
    known.turns[turns..].iter().try_for_each(|(own_move, percepts)| exact.advance(*own_move, percepts))
}
