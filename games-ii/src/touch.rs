//! Which squares of a board a move is about, for people who play by touching them.

use crate::{
    board::Board,
    facts::GameFacts,
    term::{Binding, PatternTerm},
};

/// A square that a move is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TouchedSquare {
    /// The board, in the order of the `game.toml`.
    pub board: usize,
    /// The row from the top; `None` if the move names a column alone.
    pub row: Option<usize>,
    /// The column from the left.
    pub column: usize,
}

impl GameFacts {
    /// The squares that a move of a role is about, in the order in which it names them; none if it is about something else.
    ///
    /// `[board.moves]` says which moves these are. Without it, squares are found by their names: `e4`, or a column and then a row.
    ///
    /// ```
    /// let chess = croupier_games::find("chess").ok_or("the catalogue has it")?.facts()?;
    /// let squares = chess.squares_of_move("(move e2 e4)", "white");
    /// let places: Vec<_> = squares.iter().map(|square| (square.row, square.column)).collect();
    /// assert_eq!(places, [(Some(6), 4), (Some(4), 4)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn squares_of_move(&self, term: &str, role: &str) -> Vec<TouchedSquare> {
        let Ok(term) = PatternTerm::parse(term) else { return Vec::new() };
        let says = self.boards.iter().any(|board| !board.moves.is_empty());
        let on = |(number, board): (usize, &Board)| {
            let squares = if says { board.said_squares(&term, role) } else { board.named_squares(&term) };
            let touched = |(row, column)| TouchedSquare { board: number, row, column };
            squares.into_iter().map(touched).collect::<Vec<_>>()
        };
        self.boards.iter().enumerate().map(on).find(|squares| !squares.is_empty()).unwrap_or_default()
    }
}

impl Board {
    /// Squares that `[board.moves]` finds in a move.
    fn said_squares(&self, term: &PatternTerm, role: &str) -> Vec<(Option<usize>, usize)> {
        let of = |line: &(PatternTerm, String)| {
            (line.1.is_empty() || line.1 == role).then(|| line.0.matches(term)).flatten()
        };
        let Some(binding) = self.moves.iter().find_map(of) else { return Vec::new() };
        let part = |name: &str| bound(&binding, name);
        let squares = ["square", "from", "to"].into_iter().filter_map(part);
        let named: Vec<_> = squares.filter_map(|name| self.square_named(&name)).collect();
        let Some(column) = part("column").and_then(|name| index(&self.columns, &name)) else { return named };
        match part("row") {
            None => vec![(None, column)],
            Some(row) => index(&self.rows, &row).map(|row| vec![(Some(row), column)]).unwrap_or_default(),
        }
    }

    /// Squares whose names stand in a move.
    fn named_squares(&self, term: &PatternTerm) -> Vec<(Option<usize>, usize)> {
        let PatternTerm::List(parts) = term else { return Vec::new() };
        let names: Vec<String> = parts.iter().skip(1).map(ToString::to_string).collect();
        let mut squares = Vec::new();
        let mut rest = names.as_slice();
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            let pair =
                after.first().and_then(|row| Some((index(&self.columns, first)?, index(&self.rows, row)?)));
            if let Some((column, row)) = pair {
                squares.push((Some(row), column));
                rest = &after[1..];
            } else {
                squares.extend(self.square_named(first));
            }
        }
        squares
    }

    /// The square of a name such as `e4`.
    fn square_named(&self, name: &str) -> Option<(Option<usize>, usize)> {
        self.columns.iter().enumerate().find_map(|(column, head)| {
            Some((Some(index(&self.rows, name.strip_prefix(head.as_str())?)?), column))
        })
    }
}

fn bound(binding: &Binding<'_>, name: &str) -> Option<String> {
    binding.iter().find(|(known, _)| known == name).map(|(_, part)| part.to_string())
}

fn index(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|known| known == name)
}

#[cfg(test)]
mod tests {
    use crate::facts::GameFacts;

    const SEAS: &str = "title = 'T'\nsummary = 'S'
        [[board]]\ncolumns = ['1', '2']\nrows = ['2', '1']\nsquares = { '(at a ?column ?row)' = 'A' }
        moves = { '(place ?ship ?column ?row)' = 'a', '(fire ?column ?row)' = 'b' }
        [[board]]\ncolumns = ['1', '2']\nrows = ['2', '1']\nsquares = { '(at b ?column ?row)' = 'B' }
        moves = { '(place ?ship ?column ?row)' = 'b', '(fire ?column ?row)' = 'a', '(drop ?column)' = '' }";

    #[test]
    fn moves_touch_the_board_that_is_named_for_them() {
        let facts = GameFacts::parse(SEAS).expect("sound facts");
        let told = |term: &str, role: &str| -> Vec<(usize, Option<usize>, usize)> {
            let squares = facts.squares_of_move(term, role);
            squares.iter().map(|square| (square.board, square.row, square.column)).collect()
        };
        assert_eq!(told("(place tug 1 2)", "a"), [(0, Some(0), 0)]);
        assert_eq!(told("(fire 2 1)", "a"), [(1, Some(1), 1)]);
        assert_eq!(told("(fire 2 1)", "b"), [(0, Some(1), 1)]);
        assert_eq!(told("(drop 2)", "a"), [(1, None, 1)]);
        assert_eq!(told("(fire 3 1)", "a"), []);
        assert_eq!(told("(wait 1 1)", "a"), []);
    }

    #[test]
    fn without_a_word_on_moves_squares_are_found_by_name() {
        let facts = "title = 'T'\nsummary = 'S'\n[[board]]\ncolumns = ['1', '2']\nrows = ['2', '1']
            squares = { '(at ?column ?row)' = 'A' }";
        let facts = GameFacts::parse(facts).expect("sound facts");
        let squares = facts.squares_of_move("(place cruiser across 1 2 2 1)", "a");
        let places: Vec<_> = squares.iter().map(|square| (square.row, square.column)).collect();
        assert_eq!(places, [(Some(0), 0), (Some(1), 1)]);
        assert_eq!(facts.squares_of_move("pass", "a"), []);
    }
}
