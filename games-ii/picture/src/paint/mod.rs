//! Drawings in SVG: cards, dice, chips, pieces, boards, and the whole table. Our own shapes, in presentation attributes.
//!
//! [`Block`] is a drawing with its size: blocks are put beside and above each other until the table is one block.

mod block;
mod board;
mod card;
mod chess;
mod colours;
mod pen;
mod piece;
mod suit;
mod table;
mod things;

pub(crate) use block::Block;
pub(crate) use board::board;
pub(crate) use pen::escaped;
pub(crate) use things::element;
