//! Particles of games that are networks: hundreds at once, one bit each.
//!
//! `proposal` finds the moves that can give the percepts, `machine` counts them in every particle and plays those
//! that `picks` keeps, `filter` goes from turn to turn.

mod filter;
mod lineage;
mod machine;
mod model;
mod picks;
mod population;
mod proposal;

pub(super) use filter::LanesFilter;
