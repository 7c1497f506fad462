//! The names by which a file knows a game.
//!
//! Files of strategies carry rules. [`Names`] maps information sets and moves between these rules and a game that
//! [`Game::renaming_to`] finds to be the same but for names and order.

use std::{borrow::Cow, convert::Infallible, sync::Arc};

use croupier_engine::{
    FluentId, Game, InformationSet, MoveId, Options, RoleId,
    game::{Backend, Renaming},
    stages::check::check_text,
};

use crate::ByGame;

/// The names by which some rules know a game that they are the rules of: what is known by the one is known by the other.
///
/// The game is given anew to each method, since forks of a game number what they know on their own.
#[derive(Clone, Debug)]
pub struct Names(Option<Arc<Namesake>>);

/// A game with other names, or in another order, or both.
#[derive(Debug)]
struct Namesake {
    written: Arc<Game>,
    there: Renaming,
    back: Renaming,
}

impl Names {
    /// Those of the game itself.
    pub const OWN: Self = Self(None);

    /// Those of some rules; `None` if they are not those of the game, whatever the names and the order. Rules in normal form are compared
    /// at once.
    ///
    /// # Complexity
    /// Where names differ, that of compiling the rules and of [`Game::renaming_to`]: some tenths of a second for hold'em.
    #[must_use]
    pub fn of(game: &Game, rules: &str) -> Option<Self> {
        if game.rules().program().to_string() == rules {
            return Some(Self::OWN);
        }
        // Most games are others: a network is made of the one that is not. Both number the symbols of the text alike.
        let rules = check_text(rules, Options::PLAY.strictness, &Options::PLAY.limits).0?;
        let options = Options { backend: Backend::Datalog, ..Options::PLAY };
        let there = game.renaming_to(&Game::of_rules(Arc::clone(&rules), &options).ok()?)?;
        let written = Arc::new(Game::of_rules(rules, &Options::PLAY).ok()?);
        Some(Self(Some(Arc::new(Namesake { written, back: there.inverse(), there }))))
    }

    /// Whether they are those of the game itself.
    #[must_use]
    pub fn are_own(&self) -> bool {
        self.0.is_none()
    }

    /// The game by these names.
    #[must_use]
    pub fn written<'g>(&'g self, game: &'g Arc<Game>) -> &'g Arc<Game> {
        self.0.as_ref().map_or(game, |namesake| &namesake.written)
    }

    /// A role of the game that is written as `role`.
    #[must_use]
    pub fn own_role(&self, role: RoleId) -> RoleId {
        self.0.as_ref().map_or(role, |namesake| namesake.back.role(role))
    }

    /// An information set of the game by these names; `None` if no match reaches it.
    #[must_use]
    pub fn written_set<'k>(&self, game: &Game, known: &'k InformationSet) -> Option<Cow<'k, InformationSet>> {
        let Some(namesake) = &self.0 else { return Some(Cow::Borrowed(known)) };
        namesake.there.information_set(game, &namesake.written, known).map(Cow::Owned)
    }

    /// A move of the game by these names; `None` if no match has it.
    #[must_use]
    pub fn written_move(&self, game: &Game, played: MoveId) -> Option<MoveId> {
        let Some(namesake) = &self.0 else { return Some(played) };
        namesake.there.played(game, &namesake.written, played)
    }

    /// The role that a role of the game is written as.
    #[must_use]
    pub fn written_role(&self, role: RoleId) -> RoleId {
        self.0.as_ref().map_or(role, |namesake| namesake.there.role(role))
    }

    /// The fluent of the game that is written as `fluent`; `None` if no match has it.
    #[must_use]
    pub fn own_fluent(&self, game: &Game, fluent: FluentId) -> Option<FluentId> {
        let Some(namesake) = &self.0 else { return Some(fluent) };
        namesake.back.fluent(&namesake.written, game, fluent)
    }

    /// The move of the game that is written as `played`; `None` if no match has it.
    #[must_use]
    pub fn own_move(&self, game: &Game, played: MoveId) -> Option<MoveId> {
        let Some(namesake) = &self.0 else { return Some(played) };
        namesake.back.played(&namesake.written, game, played)
    }
}

/// The names that one text of rules has for the games that it was asked for; `None` for games whose rules they are not. A clone shares
/// them.
#[derive(Clone, Debug, Default)]
pub struct NamesByGame(ByGame<Option<Names>>);

impl NamesByGame {
    /// As [`Names::of`], which is asked once for a game and its forks; `rules` are the same every time.
    #[must_use]
    pub fn of(&self, game: &Arc<Game>, rules: &str) -> Option<Names> {
        let Ok(names) = self.0.get_or_try(game, || Ok::<_, Infallible>(Names::of(game, rules)));
        names
    }
}
