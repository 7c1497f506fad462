//! Histories found by a SAT solver: what helps when no particle is left.
//!
//! `unroll` writes the turns of an information set as gates, one after the other; `clauses` gives them to the
//! solver; `witnesses` reads histories from its models.

mod clauses;
mod unroll;
mod witnesses;

pub(crate) use witnesses::{Wanted, witnesses};
