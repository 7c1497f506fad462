//! Finds histories with a SAT solver when no particle is left.
//!
//! `unroll` encodes the turns of an information set as gates, one after the other; `clauses` passes them to the
//! solver; `witnesses` extracts histories from its models.
mod clauses;
mod unroll;
mod witnesses;

pub(crate) use witnesses::{Wanted, witnesses};
