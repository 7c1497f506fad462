//! Which square of a board a fact is about.

use crate::{facts::GameFacts, scene::Scene, term::PatternTerm};

/// Where a fact stands if it is true, and what it puts there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactSquare {
    /// The board, by its place in the `game.toml`.
    pub board: usize,
    /// The row, from the top.
    pub row: usize,
    /// The column, from the left.
    pub column: usize,
    /// What stands there, in the words of the board.
    pub words: String,
}

impl GameFacts {
    /// The square that a fluent is about; `None` if it is about none. Several boards may show it: then it is on the first.
    ///
    /// ```
    /// let stratego = croupier_games::find("stratego-small").ok_or("the catalogue has it")?.facts()?;
    /// let square = stratego.square_of("(cell b 5 blue flag)").ok_or("a square")?;
    /// assert_eq!((square.board, square.row, square.column, square.words.as_str()), (0, 0, 1, "▼F"));
    /// assert_eq!(stratego.square_of("(control blue)"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn square_of(&self, fact: &str) -> Option<FactSquare> {
        let term = PatternTerm::parse(fact).ok()?;
        let scene: Scene = self.scene([fact], []);
        self.boards.iter().zip(0..).find_map(|(of, board)| {
            let said = |phrase: &_| self.words.fill(phrase, &term, &scene);
            let (phrase, row, column) = of.place(&term, |phrase| said(phrase).is_some())?;
            Some(FactSquare { board, row, column, words: said(phrase)? })
        })
    }
}
