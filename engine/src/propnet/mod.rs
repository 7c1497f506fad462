//! Compiles a ground program to a network of gates, and the network to a tape: a straight-line program over slots.
//!
//! Gates are hashed structurally, as an and-inverter graph (`gate.rs`). Conditions that many bodies share are factored
//! out (`build.rs`). Atoms that depend on each other become cycles (`components.rs`), which are evaluated from false
//! until nothing changes.
//!
//! Operations are of three kinds. They are arranged in long runs of one kind (`schedule.rs`, `runs.rs`), so that the tape
//! branches once per run instead of once per operation, and the slots of dead values are reused (`slots.rs`). A turn
//! computes only what it needs: the phases are state, goal, next and sees (`phase.rs`).
//!
//! A tape has runs of one operation instead of `(slot ^ mask) & (slot ^ mask)`: without masks an operation reads 12 bytes
//! instead of 14 and takes one instruction less, and runs are long enough for the branches between them to be predicted.

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
mod writer;

pub use gate::{Cycle, Gates, Node, Wire};
pub use network::Network;
pub use operation::{Loop, Op, OpKind, Operand, Run, Segment};
pub use phase::Phase;
pub use tape::{Tape, TapeStatistics};
pub use writer::GateWriter;
