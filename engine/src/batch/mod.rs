//! Many games at once, one bit each: a tape run over planes, uniform choice, playouts.
//!
//! A [`Plane`] holds one bit for each of `64 * W` games, its lanes. [`Lanes`] runs a
//! [`Tape`](crate::propnet::Tape) over planes; [`Playouts`] plays many games to the end and counts their results
//! in a [`Tally`].
//!
//! A plane has 512 lanes, or 64 if only a few are needed. The loops over planes are kernels (`kernel`), called through a
//! table of plain functions that is chosen when lanes are created (`kernel/table.rs`). No function that this module
//! exports takes a closure.
//!
//! A move is chosen by counting legal moves up a tree, drawing a number below the count by rejection, and walking down to
//! the move (`kernel/tree.rs`, `kernel/choice.rs`): exactly uniform, in all lanes at once. Lanes whose match ends start a
//! new one at once; if goals cost more than a state, ended states wait until a lane ends for the second time
//! (`kernel/ended.rs`). Blocks of playouts draw from separate streams, so results do not depend on threads or vector
//! widths.

mod kernel;
mod lanes;
mod plane;
mod planes;
mod playout;
mod selection;
mod tally;
mod ternary;

pub use kernel::{Generator, Width};
pub use lanes::Lanes;
pub use plane::Plane;
pub use planes::Planes;
pub use playout::{PlayoutSettings, Playouts};
pub use selection::Selection;
pub use tally::{Faults, Tally};
pub use ternary::{Possible, TernaryLanes};
