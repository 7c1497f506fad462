//! Games that are known by other names.

use std::sync::Arc;

use croupier_engine::{
    Game, InformationSet, MoveId, Options, RoleId,
    game::{Backend, Renaming},
};

/// A game as another text writes it: with other names, in another order, or both. What is known of the one is known of the other.
#[derive(Clone, Debug)]
pub struct Namesake {
    game: Arc<Game>,
    other: Arc<Game>,
    there: Renaming,
    back: Renaming,
}

impl Namesake {
    /// The game of some rules, if it is `game` but for names and order.
    ///
    /// # Complexity
    /// That of compiling the rules and of [`Game::renaming_to`]: some tenths of a second for hold'em.
    #[must_use]
    pub fn of(game: &Arc<Game>, rules: &str) -> Option<Self> {
        // What only renames needs no network, and most games are others.
        let options = Options { backend: Backend::Datalog, ..Options::PLAY };
        let there = game.renaming_to(&Game::compile(rules, &options).ok()?.game)?;
        let other = Arc::new(Game::compile(rules, &Options::PLAY).ok()?.game);
        Some(Self { game: Arc::clone(game), other, back: there.inverse(), there })
    }

    /// The game as the other text writes it.
    #[must_use]
    pub fn other(&self) -> &Arc<Game> {
        &self.other
    }

    /// The role of the game that the other text calls `role`.
    #[must_use]
    pub fn own_role(&self, role: RoleId) -> RoleId {
        self.back.role(role)
    }

    /// An information set by the other names; `None` if no match reaches it.
    #[must_use]
    pub fn other_set(&self, known: &InformationSet) -> Option<InformationSet> {
        self.there.information_set(&self.game, &self.other, known)
    }

    /// A move by the other names; `None` if no match has it.
    #[must_use]
    pub fn other_move(&self, own: MoveId) -> Option<MoveId> {
        self.there.played(&self.game, &self.other, own)
    }

    /// A move of the other game by the names of the own one; `None` if no match has it.
    #[must_use]
    pub fn own_move(&self, other: MoveId) -> Option<MoveId> {
        self.back.played(&self.other, &self.game, other)
    }
}
