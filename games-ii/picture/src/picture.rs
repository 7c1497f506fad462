//! A picture: what a table looks like to somebody who knows a scene of it.

use croupier_games::{GameFacts, Scene};

use crate::{
    choice::MoveChoice,
    element::{BoardElement, Element, PlayerElement, SuitColours, Zone},
};

/// A table as somebody sees it, made of what they know and of the words of the game, and of nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// What the game is called.
    pub title: String,
    /// In the order of the rules.
    pub players: Vec<PlayerElement>,
    /// Which of the players looks; `None` for a watcher.
    pub viewer: Option<usize>,
    /// The boards, from top to bottom.
    pub boards: Vec<BoardElement>,
    /// What lies in the middle of the table: common cards, piles, the pot.
    pub zones: Vec<Zone>,
    /// What else there is to say: counters and texts.
    pub lines: Vec<Element>,
    /// How many colours the suits have; a page may choose.
    pub suits: SuitColours,
}

impl Picture {
    /// What the table looks like to somebody who knows this: a role of `players` (their names in the rules) in `seat`, or a watcher.
    /// What differs from the picture `before` is marked as changed; without one nothing is.
    #[must_use]
    pub fn of(
        facts: &GameFacts,
        known: &Scene,
        players: &[&str],
        seat: Option<&str>,
        before: Option<&Self>,
    ) -> Self {
        let _ = (known, before);
        Self {
            title: facts.title.clone(),
            viewer: players.iter().position(|name| Some(*name) == seat),
            ..Self::default()
        }
    }

    /// The legal moves of the viewer, as this picture lets them be chosen. In the order in which people list moves.
    #[must_use]
    pub fn choices(&self, facts: &GameFacts, known: &Scene, moves: &[&str]) -> Vec<MoveChoice> {
        let _ = (facts, known, moves);
        Vec::new()
    }

    /// One drawing in SVG that needs nothing else: no script, no style sheet, no font, no reference to anything.
    #[must_use]
    pub fn svg(&self) -> String {
        String::new()
    }

    /// A fragment of HTML with ids, classes and labels, which [`STYLE`](crate::STYLE) lays out. Cards and boards in it are SVG.
    #[must_use]
    pub fn html(&self) -> String {
        String::new()
    }
}
