//! What was worked out for each of a few games.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_engine::Game;

/// What was worked out for each of the last few games, once for a game and its forks. A clone shares it.
#[derive(Clone, Debug)]
pub struct ByGame<T>(Arc<Mutex<Vec<GameValue<T>>>>);

/// What was worked out for a game.
#[derive(Debug)]
struct GameValue<T> {
    game: Arc<Game>,
    value: T,
}

impl<T> Default for ByGame<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone> ByGame<T> {
    /// Games that are kept at once; the one that was put in first goes first.
    const GAMES_MAX: usize = 4;

    /// What is known for a game, or else what `work_out` gives, which is kept if it is no error. Nobody waits for the work of another:
    /// two that need the same at once both do it.
    ///
    /// # Errors
    /// Those of `work_out`.
    pub fn get_or_try<E>(&self, game: &Arc<Game>, work_out: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().iter().find(|known| known.game.is_fork_of(game)) {
            return Ok(known.value.clone());
        }
        let value = work_out()?;
        let mut known = known();
        if known.len() == Self::GAMES_MAX {
            known.remove(0);
        }
        known.push(GameValue { game: Arc::clone(game), value: value.clone() });
        Ok(value)
    }
}
