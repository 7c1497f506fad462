//! Boards as elements.

use croupier_games::{
    BoardLayout, BoardLook, DepictedKind, NamedTerm, SquareLayout, SquareMark, TableLayout,
};

use crate::{
    cards,
    draft::Draft,
    element::{BoardElement, BoardPiece, BoardShape, BoardSquare, PieceColour, PieceShape},
};

impl Draft {
    /// The boards that `[[board]]` describes, as whoever is in a seat looks at them.
    pub(crate) fn boards(&mut self, layout: &TableLayout, seat: Option<&str>) -> Vec<BoardElement> {
        let drawn = layout.boards.iter().enumerate().filter(|(_, board)| board.look != BoardLook::None);
        let seen = drawn.map(|(number, board)| {
            let drawn = self.board(number, board, layout);
            if board.turned.iter().any(|role| Some(role.as_str()) == seat) { turned(drawn) } else { drawn }
        });
        seen.collect()
    }

    fn board(&mut self, number: usize, board: &BoardLayout, layout: &TableLayout) -> BoardElement {
        let number = number.to_string();
        let mut squares = Vec::new();
        for (row, line) in board.rows.iter().zip(&board.squares) {
            let square = |(column, square): (&NamedTerm, &SquareLayout)| {
                let pieces = self.pieces(square, layout);
                let name = format!("{}{}", column.words, row.words);
                let id = self.ids.take(&["p", "board", &number, &column.term, &row.term]);
                BoardSquare {
                    id,
                    label: square_label(&name, &pieces, square.is_open),
                    changed: false,
                    pieces,
                    is_open: square.is_open,
                }
            };
            squares.push(board.columns.iter().zip(line).map(square).collect());
        }
        let names = |heads: &[NamedTerm]| heads.iter().map(|head| cards::short(&head.words)).collect();
        let (columns, rows): (Vec<String>, Vec<String>) = (names(&board.columns), names(&board.rows));
        let title = board.title.clone();
        let called = if title.is_empty() { "board" } else { &title };
        let label = format!("{called}, {} columns, {} rows", columns.len(), rows.len());
        BoardElement {
            id: self.ids.take(&["p", "board", &number]),
            label,
            title,
            columns,
            rows,
            shape: shape(board),
            is_turned: false,
            squares,
        }
    }

    fn pieces(&self, square: &SquareLayout, layout: &TableLayout) -> Vec<BoardPiece> {
        let piece = |mark: &SquareMark| {
            let is_it = |kind, fact: &str| kind == DepictedKind::Piece && fact == mark.fact;
            let thing = layout.things.iter().find(|thing| thing.is_certain && is_it(thing.kind, &thing.fact));
            let colour = self.colour_of(&mark.fact);
            let Some(thing) = thing else { return cards::piece_of_mark(&mark.words, colour) };
            let words: Vec<&str> = thing.parts.iter().map(|part| part.words.as_str()).collect();
            let count = thing.times.as_ref().and_then(|times| times.words.parse().ok()).unwrap_or(1);
            BoardPiece { count, ..cards::piece_of_words(&words.join(" "), colour) }
        };
        let mut pieces: Vec<BoardPiece> = square.marks.iter().map(piece).collect();
        // A shot is seen on the ship that it hits.
        pieces.sort_by_key(|piece| piece.shape == PieceShape::Shot);
        pieces
    }
}

/// The board from the other side.
fn turned(mut board: BoardElement) -> BoardElement {
    board.is_turned = true;
    board.columns.reverse();
    board.rows.reverse();
    board.squares.reverse();
    board.squares.iter_mut().for_each(|row| row.reverse());
    board
}

fn shape(board: &BoardLayout) -> BoardShape {
    match board.look {
        BoardLook::Chequered => BoardShape::Chequered,
        BoardLook::Holes => BoardShape::Holes,
        BoardLook::PointsDown => BoardShape::PointsDown,
        BoardLook::PointsUp => BoardShape::PointsUp,
        BoardLook::Plain | BoardLook::None if board.shift > 0 => BoardShape::Hexagons,
        BoardLook::Plain | BoardLook::None => BoardShape::Plain,
    }
}

/// Where a square is and what stands there, in words.
pub(crate) fn square_label(name: &str, pieces: &[BoardPiece], is_open: bool) -> String {
    let mut label: Vec<String> = vec![cards::short(name)];
    label.extend(pieces.iter().map(BoardPiece::label));
    match (pieces.is_empty(), is_open) {
        (_, true) => label.push("unknown".to_owned()),
        (true, false) => label.push("empty".to_owned()),
        (false, false) => {}
    }
    label.join(", ")
}

impl BoardPiece {
    /// What it is, in words: `white knight`, `3 black discs`.
    #[must_use]
    pub fn label(&self) -> String {
        let name = match self.shape {
            PieceShape::Mark => return self.text.clone(),
            PieceShape::Cross => return "X".to_owned(),
            PieceShape::Ring => return "O".to_owned(),
            PieceShape::Shot => return "shot".to_owned(),
            PieceShape::Disc => "disc",
            PieceShape::Crowned => "crowned disc",
            PieceShape::Tile => "piece",
            PieceShape::Ship => "ship",
            PieceShape::Stone => "stone",
            PieceShape::Pawn => "pawn",
            PieceShape::Knight => "knight",
            PieceShape::Bishop => "bishop",
            PieceShape::Rook => "rook",
            PieceShape::Queen => "queen",
            PieceShape::King => "king",
        };
        let name = format!("{} {name} {}", self.colour.name(), self.text);
        match self.count {
            1 => name.trim_end().to_owned(),
            count => format!("{count} × {}", name.trim_end()),
        }
    }

    /// A piece that is only a mark.
    pub(crate) fn of_mark(text: &str, colour: Option<PieceColour>) -> Self {
        cards::piece_of_mark(text, colour)
    }
}
