//! What is on the table, for people: boards, and the rest in words.

use croupier_belief::Distribution;
use croupier_engine::{FluentId, Game, State};
use croupier_games::GameFacts;

/// The table of a game, as far as somebody knows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    /// Boards as they are drawn, each of several lines.
    pub(crate) boards: Vec<String>,
    /// What else is known, a line for each; everything that is known where the game does not say what is
    /// worth showing.
    pub(crate) lines: Vec<String>,
}

impl Table {
    /// The table of somebody who knows the state.
    pub(crate) fn of_state(game: &Game, facts: &GameFacts, state: &State) -> Self {
        let fluents: Vec<FluentId> = state.fluents().collect();
        Self::new(game, facts, &fluents, &[])
    }

    /// The table of somebody who holds these states possible: what is true in all of them, and question marks on
    /// boards where they differ.
    pub(crate) fn of_belief(game: &Game, facts: &GameFacts, belief: &Distribution) -> Self {
        let (certain, open): (Vec<_>, Vec<_>) =
            belief.marginals(game).into_iter().partition(|marginal| marginal.probability >= 1.0);
        let fluents = |marginals: Vec<croupier_belief::Marginal>| -> Vec<FluentId> {
            marginals.into_iter().map(|marginal| marginal.fluent).collect()
        };
        Self::new(game, facts, &fluents(certain), &fluents(open))
    }

    fn new(game: &Game, facts: &GameFacts, certain: &[FluentId], open: &[FluentId]) -> Self {
        let texts = |fluents: &[FluentId]| fluents.iter().map(|&fluent| game.fluent_text(fluent)).collect();
        let (certain, open): (Vec<_>, Vec<_>) = (texts(certain), texts(open));
        let (words, boards) = (&facts.words, &facts.boards);
        let drawn = boards.iter().map(|board| {
            board.draw(words, certain.iter().map(|text| &**text), open.iter().map(|text| &**text))
        });
        let drawn = drawn.collect();
        let others =
            certain.iter().map(|text| &**text).filter(|text| !boards.iter().any(|board| board.shows(text)));
        let lines = match words.has_table() || !boards.is_empty() {
            true => words.table_lines(others),
            false => others.map(|text| words.fluent_text(text)).collect(),
        };
        Self { boards: drawn, lines }
    }
}
