//! Drawings in SVG: cards, dice, chips, pieces, boards, and the whole table. Our own shapes, in presentation attributes.
//!
//! [`Drawing`] has its size: drawings are put beside and above each other until the table is one.

mod drawing;
mod board;
mod card;
mod chess;
pub(crate) mod colours;
mod pen;
mod piece;
mod suit;
mod table;
mod things;

pub(crate) use board::{board, centre_of, square_side};
pub(crate) use drawing::Drawing;
pub(crate) use pen::{Ink, Lettering, Pen, Rectangle, escaped, short, width_of};
pub(crate) use things::element;
