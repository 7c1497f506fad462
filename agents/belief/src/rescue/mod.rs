//! Finds histories with a SAT solver when no particle is left, and proves what holds in all histories.
//!
//! `unroll` encodes the turns of an information set as gates, one after the other; `clauses` passes them, as a [`Formula`](crate::Formula), to the
//! solver; `witnesses` extracts histories from its models; `backbone` proves what all of them have in common.
mod backbone;
mod clauses;
mod unroll;
mod witnesses;

pub(crate) use backbone::{Claim, ProofLimits, proved};
pub(crate) use witnesses::{WitnessQuery, witnesses};
