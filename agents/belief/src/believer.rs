//! A role's belief by the suitable method: all histories, or a sample of them.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, RoleId};

use crate::{
    Asked, BeliefError, Certainty, Distribution, ExactBelief, ExactOptions, Guide, Histories, Looks,
    Opponents, ParticleBelief, ParticleOptions,
};

/// A belief and how it came about.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The states held possible.
    pub distribution: Distribution,
    /// The method.
    pub basis: Basis,
}

/// The method of a belief.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
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

impl Basis {
    /// Whether nothing is left out.
    #[must_use]
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Histories(_))
    }

    /// How many histories there are, or particles.
    #[must_use]
    pub fn count(self) -> u64 {
        match self {
            Self::Histories(count) => count,
            Self::Particles { count, .. } => count as u64,
        }
    }

    /// The number of equally heavy particles that would be as good; `None` without a sample.
    #[must_use]
    pub fn effective(self) -> Option<f64> {
        match self {
            Self::Histories(_) => None,
            Self::Particles { effective, .. } => Some(effective),
        }
    }
}

/// Which methods may be used, the exact one first. At least one of them is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Methods {
    /// All histories, up to these bounds.
    pub exact: Option<ExactOptions>,
    /// Particles, drawn with this seed.
    pub sample: Option<(ParticleOptions, [u8; 32])>,
}

impl Methods {
    /// Maximum number of histories and of joint moves per turn for a full enumeration, if there is time: some seconds of work.
    pub const EXACT: ExactOptions =
        ExactOptions { histories_max: 100_000, joint_moves_max: 1_000_000, ..ExactOptions::STANDARD };

    /// Fast enough to be shown after every turn: exact within limits that take a moment, otherwise a few particles.
    #[must_use]
    pub fn brief(seed: [u8; 32]) -> Self {
        const EXACT: ExactOptions =
            ExactOptions { histories_max: 2_000, joint_moves_max: 60_000, ..ExactOptions::STANDARD };
        const SAMPLE: ParticleOptions = ParticleOptions { particles: 300, ..ParticleOptions::STANDARD };
        Self { exact: Some(EXACT), sample: Some((SAMPLE, seed)) }
    }
}

/// The belief of one role, carried from turn to turn: exact until that is beyond its bounds.
///
/// ```
/// use std::sync::Arc;
/// use croupier_belief::{Basis, Believer, Methods, Opponents};
/// use croupier_engine::InformationSet;
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// let bob = game.roles().find("bob").ok_or("a role of the game")?;
/// let methods = Methods { exact: Some(Methods::EXACT), sample: None };
/// let mut believer = Believer::new(Arc::clone(&game), bob, methods, &Opponents::uniform())?;
/// let mut known = InformationSet::initial(bob);
/// known.turns.push(game.own_turn("noop", ["(dealt alice)"])?);
/// known.turns.push(game.own_turn("noop", ["(hole queen)"])?);
/// let outlook = believer.follow(&known)?;
/// assert_eq!(outlook.basis, Basis::Histories(2));
/// assert_eq!(outlook.distribution.probability(game.fluent_id("(hand alice king)")?), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Believer {
    game: Arc<Game>,
    role: RoleId,
    exact: Option<ExactBelief>,
    sample: Option<(ParticleOptions, [u8; 32])>,
    opponents: Opponents,
    /// Leads the sample.
    guide: Option<Arc<dyn Guide>>,
    /// Begun when the exact belief is given up.
    particles: Option<ParticleBelief>,
}

impl Believer {
    /// What `role` believes before the first move, if the others choose by these policies.
    ///
    /// # Errors
    /// If the role is chance.
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        methods: Methods,
        opponents: &Opponents,
    ) -> Result<Self, BeliefError> {
        let exact = |options| ExactBelief::with_opponents(Arc::clone(&game), role, opponents, options);
        let exact = methods.exact.map(exact).transpose()?;
        let (sample, opponents) = (methods.sample, opponents.clone());
        Ok(Self { game, role, exact, sample, opponents, guide: None, particles: None })
    }

    /// The same, but a sample is led by an estimate of the present: see [`ParticleBelief::guided`].
    #[must_use]
    pub fn guided(self, guide: Arc<dyn Guide>) -> Self {
        Self { guide: Some(guide), ..self }
    }

    /// Updates the belief to `known`, which continues the previous knowledge.
    ///
    /// # Errors
    /// If none of the allowed methods gives a belief.
    pub fn follow(&mut self, known: &InformationSet) -> Result<Outlook, BeliefError> {
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
                let game = Arc::clone(&self.game);
                let belief = ParticleBelief::with_opponents(game, self.role, &self.opponents, options, seed)?;
                none.insert(match &self.guide {
                    Some(guide) => belief.guided(Arc::clone(guide)),
                    None => belief,
                })
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

    /// What is proved about all of the histories that agree with what the role knows; `looks` says which fluents look alike.
    #[must_use]
    pub fn certainty(&self, looks: Looks<'_>) -> Certainty {
        self.certainty_about(looks, &|_| true)
    }

    /// The same, but what nobody asks about may be left open: proofs take time.
    #[must_use]
    pub fn certainty_about(&self, looks: Looks<'_>, asked: Asked<'_>) -> Certainty {
        match (&self.exact, &self.particles) {
            (Some(exact), _) => exact.certainty(looks),
            (None, Some(particles)) => particles.certainty_about(looks, asked),
            (None, None) => Certainty::default(),
        }
    }

    /// The histories of the belief; `None` if only their states were kept.
    #[must_use]
    pub fn histories(&self) -> Option<Histories> {
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
