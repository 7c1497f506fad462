//! Which percepts everybody is told alike.

use std::sync::Arc;

use croupier_engine::{Game, PerceptId, Percepts, PublicSight, SightError};
use rustc_hash::FxHashMap;

use crate::PublicError;

/// Tells which percepts of a game are public: told to all players or to none, whatever the state and the moves are.
///
/// That is read off the rules ([`PublicSight`]). Where rules hide nothing, every percept is public. What is told to all players but one,
/// who knows it anyway, is not recognised: it makes private states more, and none wrong.
#[derive(Clone, Debug)]
pub struct PublicEyes {
    game: Arc<Game>,
    /// `None` where everybody sees everything.
    sight: Option<Arc<PublicSight>>,
    known: FxHashMap<PerceptId, bool>,
}

impl PublicEyes {
    /// The eyes of everybody in a game.
    ///
    /// # Errors
    /// [`PublicError::Sight`] if what is public cannot be read off the rules.
    pub fn new(game: Arc<Game>) -> Result<Self, PublicError> {
        let sight = match PublicSight::of_description(&game.rules().written().description, game.limits()) {
            Ok(sight) => Some(Arc::new(sight)),
            Err(SightError::NothingIsHidden) => None,
            Err(error @ SightError::NotUnderstood) => return Err(PublicError::Sight(error)),
        };
        Ok(Self { game, sight, known: FxHashMap::default() })
    }

    /// The public ones among what a player is told: the same, whoever it is.
    pub fn public(&mut self, told: &Percepts) -> Percepts {
        let Some(sight) = &self.sight else { return told.clone() };
        let Self { game, known, .. } = self;
        told.only(|percept| {
            *known.entry(percept).or_insert_with(|| !sight.told(&[&game.percept_text(percept)]).is_empty())
        })
    }
}
