//! Compiled games, by the digest of their rules: known as long as somebody plays them, and the last few for a while after.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use croupier_referee::Digest;
use dashmap::DashMap;

/// Games that are kept though nobody plays them: most matches are of a game that was played just now.
const RECENT_MAX: usize = 8;

/// Compiled games, of one kind.
#[derive(Debug)]
pub(crate) struct Shelf<G> {
    known: DashMap<Digest, Weak<G>>,
    /// The last ones that were asked for, the latest last.
    recent: Mutex<VecDeque<(Digest, Arc<G>)>>,
}

impl<G> Default for Shelf<G> {
    fn default() -> Self {
        Self { known: DashMap::new(), recent: Mutex::default() }
    }
}

impl<G> Shelf<G> {
    /// A game, if it is still known.
    pub(crate) fn get(&self, digest: Digest) -> Option<Arc<G>> {
        let game = self.known.get(&digest)?.upgrade()?;
        self.touch(digest, &game);
        Some(game)
    }

    /// Keeps a game; the one that is known, if somebody else was first.
    pub(crate) fn keep(&self, digest: Digest, game: Arc<G>) -> Arc<G> {
        let kept = {
            let mut known = self.known.entry(digest).or_default();
            let kept = known.upgrade().unwrap_or(game);
            *known = Arc::downgrade(&kept);
            kept
        };
        self.touch(digest, &kept);
        // Where there is a new game, others may be gone.
        self.known.retain(|_, game| game.strong_count() > 0);
        kept
    }

    fn touch(&self, digest: Digest, game: &Arc<G>) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|(other, _)| *other != digest);
        recent.push_back((digest, Arc::clone(game)));
        if recent.len() > RECENT_MAX {
            recent.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Game, Options};

    use super::*;

    #[test]
    fn games_that_nobody_plays_are_forgotten_but_for_the_last_few() {
        let shelf = Shelf::default();
        let compiled = |number: usize| {
            let rules = format!("(role a) (init (at {number})) (legal a wait) (goal a 50) terminal");
            let game = Game::compile(&rules, &Options::PLAY).expect("sound rules").game;
            (Digest::of(rules.as_bytes()), Arc::new(game))
        };
        let (first, played) = compiled(0);
        let played = shelf.keep(first, played);
        for number in 1..=3 * RECENT_MAX {
            let (digest, game) = compiled(number);
            drop(shelf.keep(digest, game));
        }
        assert!(shelf.get(first).is_some_and(|game| Arc::ptr_eq(&game, &played)), "it is being played");
        assert_eq!(shelf.known.len(), RECENT_MAX + 1, "and the last few");
        let (again, other) = compiled(0);
        assert!(Arc::ptr_eq(&shelf.keep(again, other), &played), "a game is known once");
        drop(played);
        for number in 100..100 + RECENT_MAX {
            let (digest, game) = compiled(number);
            drop(shelf.keep(digest, game));
        }
        assert!(shelf.get(first).is_none(), "nobody plays it any more");
        assert_eq!(shelf.known.len(), RECENT_MAX);
    }
}
