//! Working memory for games, lent to the match that computes: between its events a match keeps none, and allocates none.

use std::sync::{Arc, Weak};

use croupier_engine::{Game, Scratch};
use dashmap::DashMap;

/// How much is kept for a game: more threads than that compute at the same time only for a moment.
const KEPT_MAX: usize = 4;

/// Working memory for games that matches use now, by the address of the game.
#[derive(Debug, Default)]
pub(crate) struct Scratches(DashMap<usize, Shelf>);

/// The memory for a game. The weak pointer prevents its address from being reused by another game.
#[derive(Debug)]
struct Shelf {
    game: Weak<Game>,
    kept: Vec<Scratch>,
}

impl Scratches {
    /// Working memory for a game: it may remember another match of the same game, which changes no answer.
    pub(crate) fn lend(&self, game: &Arc<Game>) -> Scratch {
        let kept = self.0.get_mut(&address(game)).and_then(|mut shelf| shelf.kept.pop());
        kept.unwrap_or_else(|| game.scratch())
    }

    /// Returns memory that was lent for the same game.
    pub(crate) fn take_back(&self, game: &Arc<Game>, scratch: Scratch) {
        if let Some(mut shelf) = self.0.get_mut(&address(game)) {
            if shelf.kept.len() < KEPT_MAX {
                shelf.kept.push(scratch);
            }
            return;
        }
        // Where there is a new game, others may be gone.
        self.0.retain(|_, shelf| shelf.game.strong_count() > 0);
        self.0.insert(address(game), Shelf { game: Arc::downgrade(game), kept: vec![scratch] });
    }
}

fn address(game: &Arc<Game>) -> usize {
    Arc::as_ptr(game).addr()
}

#[cfg(test)]
mod tests {
    use croupier_engine::Options;

    use super::*;

    fn game() -> Arc<Game> {
        let rules = croupier_games::find("kuhn").expect("a game of the catalogue").rules;
        Arc::new(Game::compile(rules, &Options::PLAY).expect("sound rules").game)
    }

    #[test]
    fn memory_is_lent_again_for_the_same_game_alone_and_goes_with_it() {
        let scratches = Scratches::default();
        let (one, other) = (game(), game());
        let kept = |game: &Arc<Game>| scratches.0.get(&address(game)).map_or(0, |shelf| shelf.kept.len());
        let lent: Vec<_> = (0..KEPT_MAX + 3).map(|_| scratches.lend(&one)).collect();
        assert_eq!(kept(&one), 0);
        lent.into_iter().for_each(|scratch| scratches.take_back(&one, scratch));
        assert_eq!((kept(&one), kept(&other)), (KEPT_MAX, 0));
        let mut own = scratches.lend(&other);
        // In a build with assertions, memory of another game is noticed here.
        other.status(other.initial_state(), &mut own).expect("a status");
        assert_eq!(kept(&one), KEPT_MAX);
        drop(one);
        scratches.take_back(&other, own);
        assert_eq!((scratches.0.len(), kept(&other)), (1, 1));
    }
}
