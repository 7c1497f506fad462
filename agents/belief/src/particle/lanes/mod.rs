//! Particles of games that are networks: hundreds at once, one bit each.
//!
//! `proposal` finds the moves that can give the percepts, `machine` counts them in every particle and plays those
//! that `picks` keeps, `filter` moves from turn to turn. `renewal` draws earlier turns again, restricted by `lookahead` to moves that
//! later ones allow.

mod filter;
mod lineage;
mod lookahead;
mod machine;
mod model;
mod picks;
mod population;
mod proposal;
mod renewal;

pub(super) use filter::LanesFilter;
pub(crate) use lookahead::Bound;
