//! What somebody knows of a table as a picture, and the picture as SVG and HTML.
//!
//! [`Picture::of`] makes elements of a [`Scene`](croupier_games::Scene), which is what somebody knows, and of the words of a game: cards,
//! boards, chips, players. [`Picture::choices`] adds what the viewer may do. Nothing beside this decides what is shown.
#![forbid(unsafe_code)]

mod element;
mod ids;
mod cards;
mod draft;
mod things;
mod boards;
mod plain;
mod changes;
mod paint;
mod html;
mod choice;
mod picture;
mod choices;
mod trainer;

pub use choice::{AmountMove, AmountPreset, AmountRange, ChoiceMoves, MoveChoice};
pub use element::{
    Arrangement, BoardElement, BoardPiece, BoardShape, BoardSquare, CardFace, Element, ElementKind,
    PieceColour, PieceShape, PlayerElement, Suit, SuitColours, Zone,
};
pub use picture::Picture;
pub use trainer::{
    HandCell, HandGrid, HeatBoard, HeatMap, ReviewRow, ReviewView, Spread, SpreadRow, TrainerView, percent,
};

/// The style sheet of [`Picture::html`]: light and dark, from 360 pixels up.
pub const STYLE: &str = include_str!("style.css");
