//! Solvers on games whose answers others have computed.
#![expect(clippy::unwrap_used, reason = "a failure in a test is told by its panic")]

mod checkpoints;
mod deals;
mod exploiters;
mod enumeration;
mod iterations;
mod poker;
mod reduced;
mod secrets;
mod small;
mod subject;
mod trees;
mod walks;
