//! Drawings in SVG: cards, dice, chips, pieces, boards, and the whole table. Our own shapes, in presentation attributes.
//!
//! [`Block`] is a drawing with its size: blocks are put beside and above each other until the table is one block.

mod block;
mod board;
mod card;
mod chess;
pub(crate) mod colours;
mod pen;
mod piece;
mod suit;
mod table;
mod things;

pub(crate) use block::Block;
pub(crate) use board::{board, centre_of, square_side};
pub(crate) use pen::{Frame, Ink, Lettering, Pen, escaped, short, width_of};
pub(crate) use things::element;
