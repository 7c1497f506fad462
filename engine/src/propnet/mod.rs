//! A ground program as a network of gates, and the network as a tape: one straight run over slots.

mod build;
mod components;
mod gate;
mod network;
mod schedule;
mod slots;
mod tape;

pub use gate::{Cycle, Gates, Node, Wire};
pub use network::Network;
pub use tape::{Loop, Op, Operand, Phase, Segment, Tape, TapeStatistics};
