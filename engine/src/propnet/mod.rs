//! Compiles a ground program to a network of gates, and the network to a tape: a straight-line program over slots.

mod build;
mod components;
mod gate;
mod network;
mod operation;
mod phase;
mod runs;
mod schedule;
mod slots;
mod tape;

pub use gate::{Cycle, Gates, Node, Wire};
pub use network::Network;
pub use operation::{Loop, Op, OpKind, Operand, Run, Segment};
pub use phase::Phase;
pub use tape::{Tape, TapeStatistics};
