//! Pieces of boards, each with its middle at the origin and about as wide as a square of 44.

use super::{
    chess::chess,
    colours,
    pen::{Ink, Lettering, Pen, Rectangle, width_of},
};
use crate::element::{BoardPiece, PieceColour, PieceShape};

/// A piece.
pub(crate) fn piece(pen: &mut Pen, piece: &BoardPiece) {
    let body = Ink::outlined(colours::body(piece.colour), colours::outline(piece.colour), 1.4);
    match piece.shape {
        PieceShape::Disc => disc(pen, piece.colour),
        PieceShape::Crowned => {
            disc(pen, piece.colour);
            pen.path("M-8 6v-9l4.500 3.500L0-6l3.500 6.500L8-3v9z", Ink::filled(colours::mark(piece.colour)));
        }
        PieceShape::Tile => {
            pen.rectangle(Rectangle { x: -15.0, y: -17.0, width: 30.0, height: 34.0, round: 4.0 }, body)
        }
        PieceShape::Ship => {
            pen.rectangle(Rectangle { x: -18.0, y: -13.0, width: 36.0, height: 26.0, round: 11.0 }, body)
        }
        PieceShape::Stone => {
            pen.rectangle(Rectangle { x: -13.0, y: -13.0, width: 26.0, height: 26.0, round: 7.0 }, body)
        }
        PieceShape::Cross => pen.strokes("M-12-12 12 12M12-12-12 12", colours::body(piece.colour), 5.5),
        PieceShape::Ring => {
            pen.circle(0.0, 0.0, 13.0, Ink::outlined("none", colours::body(piece.colour), 5.5))
        }
        PieceShape::Shot => {
            pen.strokes("M-11-11 11 11M11-11-11 11", "#b3261e", 4.0);
        }
        PieceShape::Mark => {}
        shape => pen.at(-20.5, -20.5, 0.92, |pen| chess(pen, shape, piece.colour)),
    }
    let is_mark = piece.shape == PieceShape::Mark;
    let ink = if is_mark { colours::INK } else { colours::mark(piece.colour) };
    let written = match (piece.text.is_empty(), piece.count) {
        (true, 0 | 1) => return,
        (true, count) => count.to_string(),
        (false, _) => piece.text.clone(),
    };
    let size = (38.0 / width_of(&written, 1.0)).clamp(6.0, 17.0);
    pen.text(0.0, size * 0.36, Lettering::bold(size, ink), &written);
}

/// A flat round piece, seen from above.
pub(super) fn disc(pen: &mut Pen, colour: PieceColour) {
    pen.circle(0.0, 0.0, 16.0, Ink::outlined(colours::body(colour), colours::outline(colour), 1.4));
    pen.circle(0.0, 0.0, 11.5, Ink::outlined("none", colours::mark(colour), 0.6));
}
