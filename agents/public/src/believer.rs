//! A public belief state by the suitable method: all histories, or a sample of them.

use std::sync::Arc;

use croupier_belief::{Basis, Opponents, ParticleOptions};
use croupier_engine::{Game, Percepts, game::Looker};

use crate::{PublicBelief, PublicError, PublicEyes, PublicLimits, PublicSample};

/// Which methods may be used, the exact one first. At least one of them is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicMethods {
    /// All histories, up to this many.
    pub exact: Option<PublicLimits>,
    /// Particles, drawn with this seed.
    pub sample: Option<(ParticleOptions, [u8; 32])>,
}

/// A public belief state and how it came about.
#[derive(Clone, Debug)]
pub struct PublicOutlook {
    /// The public belief state: whole, or as far as it was found.
    pub belief: PublicBelief,
    /// The method.
    pub basis: Basis,
}

/// The public belief state of a match, carried from turn to turn: exact until that is beyond its limits, and then sampled.
///
/// ```
/// use std::sync::Arc;
/// use croupier_belief::{Basis, Opponents};
/// use croupier_engine::{Game, Options};
/// use croupier_public::{PublicBeliever, PublicLimits, PublicMethods};
///
/// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// let methods = PublicMethods { exact: Some(PublicLimits::STANDARD), sample: None };
/// let mut believer = PublicBeliever::new(Arc::clone(&game), methods, &Opponents::uniform())?;
/// for told in [vec![], vec![], vec!["(did alice bet)"]] {
///     believer.advance(&game.percepts_of(told)?)?;
/// }
/// let outlook = believer.outlook()?;
/// assert_eq!(outlook.basis, Basis::Histories(6));
/// assert_eq!(outlook.belief.private_probabilities(1).len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PublicBeliever {
    game: Arc<Game>,
    opponents: Opponents,
    sample: Option<(ParticleOptions, [u8; 32])>,
    eyes: PublicEyes,
    looker: Looker,
    told: Vec<Percepts>,
    way: PublicWay,
}

/// How the public belief state is carried on.
#[derive(Debug)]
enum PublicWay {
    Exact(Box<PublicBelief>, PublicLimits),
    Sampled(Box<PublicSample>),
}

impl PublicBeliever {
    /// Before the first move, when everybody is known to choose by these policies, uniformly without one.
    ///
    /// # Errors
    /// As [`PublicEyes::new`]; without an exact method, as [`PublicSample::new`].
    pub fn new(game: Arc<Game>, methods: PublicMethods, opponents: &Opponents) -> Result<Self, PublicError> {
        let (eyes, mut looker) = (PublicEyes::new(Arc::clone(&game))?, Looker::new(&game));
        let way = match (methods.exact, methods.sample) {
            (None, Some((options, seed))) => {
                let sample = PublicSample::new(Arc::clone(&game), opponents, options, seed)?;
                PublicWay::Sampled(Box::new(sample))
            }
            (limits, _) => {
                let belief = PublicBelief::initial(&game, &mut looker)?;
                PublicWay::Exact(Box::new(belief), limits.unwrap_or(PublicLimits::STANDARD))
            }
        };
        let (opponents, sample) = (opponents.clone(), methods.sample);
        Ok(Self { game, opponents, sample, eyes, looker, told: Vec::new(), way })
    }

    /// Adds a turn in which this became public.
    ///
    /// # Errors
    /// Those of [`PublicBelief::advance`] and [`PublicSample::advance`]; nothing is then changed.
    pub fn advance(&mut self, told: &Percepts) -> Result<(), PublicError> {
        match &mut self.way {
            PublicWay::Exact(belief, limits) => {
                let mut policy = &self.opponents;
                let next = belief.advance(told, &mut policy, &mut self.eyes, &mut self.looker, limits);
                match (next, self.sample) {
                    (Ok(next), _) => **belief = next,
                    (Err(error), Some((options, seed))) if error.is_of_size() => {
                        let game = Arc::clone(&self.game);
                        let mut sample = PublicSample::new(game, &self.opponents, options, seed)?;
                        self.told.iter().chain([told]).try_for_each(|told| sample.advance(told))?;
                        self.way = PublicWay::Sampled(Box::new(sample));
                    }
                    (Err(error), _) => return Err(error),
                }
            }
            PublicWay::Sampled(sample) => sample.advance(told)?,
        }
        self.told.push(told.clone());
        Ok(())
    }

    /// What was public in each turn.
    #[must_use]
    pub fn told(&self) -> &[Percepts] {
        &self.told
    }

    /// What can become public in the next turn, in canonical order; `None` of a sample, which does not know.
    ///
    /// # Errors
    /// Those of [`PublicNode::expand`](crate::PublicNode::expand).
    pub fn outcomes(&mut self) -> Result<Option<Vec<Percepts>>, PublicError> {
        let PublicWay::Exact(belief, limits) = &self.way else { return Ok(None) };
        let nodes = belief.node().expand(&mut self.eyes, &mut self.looker, limits)?;
        Ok(Some(nodes.iter().filter_map(|node| node.told().last().cloned()).collect()))
    }

    /// The public belief state now.
    ///
    /// # Errors
    /// Those of [`PublicSample::belief`].
    pub fn outlook(&mut self) -> Result<PublicOutlook, PublicError> {
        match &self.way {
            PublicWay::Exact(belief, _) => {
                let basis = Basis::Histories(belief.node().histories().len() as u64);
                Ok(PublicOutlook { belief: PublicBelief::clone(belief), basis })
            }
            PublicWay::Sampled(sample) => {
                let belief = sample.belief(&mut self.eyes, &mut self.looker)?;
                Ok(PublicOutlook { belief, basis: sample.basis() })
            }
        }
    }
}
