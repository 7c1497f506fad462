//! The colours of drawings. Each drawing brings its own ground, so that it reads the same on light and on dark pages.

use crate::element::{PieceColour, Suit, SuitColours};

/// The cloth under cards.
pub(crate) const FELT: &str = "#1f5b48";
/// The table under boards.
pub(crate) const SLATE: &str = "#33424d";
/// Text on cloth and table.
pub(crate) const CHALK: &str = "#f5f2e9";
/// Titles on cloth and table.
pub(crate) const FAINT: &str = "#c3d1c8";
/// What is to act, or has just changed.
pub(crate) const GOLD: &str = "#ffce54";
/// The face of a card.
pub(crate) const PAPER: &str = "#fffdf8";
/// The edge of a card.
pub(crate) const EDGE: &str = "#b9b3a4";
/// Text on paper.
pub(crate) const INK: &str = "#22262b";
/// The back of a card.
pub(crate) const BACK: &str = "#2b4f81";
/// The pattern on the back of a card.
pub(crate) const LACE: &str = "#7ea0cf";
/// Light squares.
pub(crate) const LIGHT: &str = "#ecdcbb";
/// Dark squares.
pub(crate) const DARK: &str = "#b88b5e";
/// Lines on boards.
pub(crate) const LINE: &str = "#8a6a45";
/// Squares of which something is not known.
pub(crate) const FOG: &str = "#9aa3a8";
/// The frame of a board that stands upright.
pub(crate) const FRAME: &str = "#2d5fa8";
/// The part of a bar that speaks for somebody.
pub(crate) const FOR: &str = "#3a8f4d";
/// The part of a bar that speaks against somebody.
pub(crate) const AGAINST: &str = "#cf8a7a";

/// The colour of a suit.
pub(crate) fn suit(suit: Suit, colours: SuitColours) -> &'static str {
    match (suit, colours) {
        (Suit::Hearts, _) | (Suit::Diamonds, SuitColours::Two) => "#c8102e",
        (Suit::Diamonds, SuitColours::Four) => "#1a5fb4",
        (Suit::Clubs, SuitColours::Four) => "#1c7a3d",
        (Suit::Spades, _) | (Suit::Clubs, SuitColours::Two) => "#1b1d20",
    }
}

/// The body of a piece of a colour.
pub(crate) fn body(colour: PieceColour) -> &'static str {
    match colour {
        PieceColour::White => "#fbf7ec",
        PieceColour::Black => "#2a2c30",
        PieceColour::Red => "#cc3d3d",
        PieceColour::Yellow => "#f2c437",
        PieceColour::Green => "#3a8f4d",
        PieceColour::Blue => "#2f6fc2",
        PieceColour::Orange => "#e07b2e",
        PieceColour::Purple => "#7d4fb0",
        PieceColour::Grey => "#84898f",
        PieceColour::Brown => "#7a5236",
    }
}

/// What is written or outlined on a piece of a colour.
pub(crate) fn mark(colour: PieceColour) -> &'static str {
    match colour {
        PieceColour::White | PieceColour::Yellow => "#2a2c30",
        _ => "#fbf7ec",
    }
}

/// The outline of a piece of a colour.
pub(crate) fn outline(colour: PieceColour) -> &'static str {
    match colour {
        PieceColour::White => "#3a3c40",
        PieceColour::Black => "#0d0e10",
        _ => "#2b2320",
    }
}
