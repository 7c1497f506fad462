//! Public states of games in which chance deals each of two players a hand, and afterwards only what all are told.
//!
//! The histories of such a public state are pairs of hands, and too many to be listed in hold'em: each public state has its place in the
//! tree of moves, its board, and a number for each pair of hands, how likely chance deals both with that board.

mod comparison;
mod numbers;
mod state;

pub(crate) use comparison::{BoardComparisons, ComparedHands};
pub(crate) use numbers::DealtNumbers;
pub use state::DealtState;
