//! Drawings in SVG: cards, dice, chips, pieces, boards, and the whole table. Our own shapes, in presentation attributes.
//!
//! [`Drawing`] has its size: drawings are put beside and above each other until the table is one.

mod drawing;
mod board;
mod card;
mod chess;
mod colours;
mod pen;
mod piece;
mod suit;
mod table;
mod things;

pub(crate) use board::board;
pub(crate) use drawing::Drawing;
pub(crate) use pen::escaped;
pub(crate) use things::element;
