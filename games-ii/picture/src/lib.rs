//! What somebody knows of a table as a picture, and the picture as SVG and HTML.
//!
//! ```text
//! Scene (what somebody knows) + GameFacts (words, [[board]], [[column]], [scene])
//!        -> GameFacts::layout   what is on the table, in pieces of words       (croupier-games)
//!        -> Picture::of         elements: cards, boards, chips, players        draft, things, boards, plain
//!        -> Picture::svg, html  drawings                                       paint, html
//!        -> Picture::choices    legal moves: buttons, squares, amounts         choices
//! ```
//!
//! A [`Picture`] is a function of what somebody knows and of the words of the game. Nothing beside it decides what is shown: a page, a
//! notebook and a replay draw the same picture. What the [`Scene`](croupier_games::Scene) leaves open is an element without a value:
//! the back of a card, a die with a question mark, a square in fog.
//!
//! Every element has an id that stays the same from picture to picture, a label for people who hear it, and a mark if it has just
//! changed. Markup has no scripts, no `style` attributes and no references; all text in it is escaped, whoever wrote it.
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
mod moments;
mod choices;
mod trainer;

pub use choice::{AmountMove, AmountPreset, AmountRange, ChoiceMoves, MoveChoice};
pub use element::{
    Arrangement, BoardElement, BoardPiece, BoardShape, BoardSquare, CardFace, Element, ElementKind,
    PieceColour, PieceShape, PlayerElement, Suit, SuitColours, Zone,
};
pub use moments::KeyMoment;
pub use picture::Picture;
pub use trainer::{
    HandCell, HandGrid, HeatBoard, HeatMap, ReviewRow, ReviewView, Spread, SpreadRow, TrainerView, percent,
};

/// The style sheet of [`Picture::html`]: light and dark, from 360 pixels up.
pub const STYLE: &str = include_str!("style.css");
