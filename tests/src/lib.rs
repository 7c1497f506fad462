//! What the tests of the whole share: a second interpreter of GDL-II, the comparison of an engine
//! with it, and the places where rule files are found.
//!
//! The second interpreter shares nothing with the engine but the parser. It is written from the
//! definitions and is slow on purpose: what it says can be checked by reading it.
#![forbid(unsafe_code)]

pub mod oracle;
pub mod corpus;
pub mod comparison;
pub mod conversion;
pub mod program;
pub mod generator;
pub mod property;
pub mod trace;
pub mod command;
pub mod player;
pub mod renamed;
pub mod fake;
pub mod grounding;
pub mod table;
pub mod postgres;
pub mod guessing;
pub mod net;
pub mod source;
mod size;
mod skipping;

pub use size::size;
pub use skipping::skipped;
