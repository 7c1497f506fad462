//! Many games at once, one bit each: a tape run over planes, uniform choice, playouts.
//!
//! A [`Plane`] holds one bit for each of `64 * W` games, its lanes. [`Lanes`] runs a
//! [`Tape`](crate::propnet::Tape) over planes; [`Playouts`] plays many games to the end and counts their results
//! in a [`Tally`].

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
