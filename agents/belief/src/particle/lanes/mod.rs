//! Particles of games that are networks: hundreds at once, one bit each.
//!
//! `proposal` rules out moves of the other players that cannot give the percepts, by a run of the tape with unknown
//! inputs. `machine` counts the remaining ones in every particle and plays those that `picks` keeps, the candidates that
//! lose the least weight; candidates that contradict the percepts are dropped. `filter` moves from turn to turn.
//! `renewal` draws earlier turns again, restricted by `lookahead` to moves that later ones allow, which runs of the tape
//! with unknown inputs over all turns determine, and led by `guidance` to those that an estimate of the present makes likely.

mod filter;
mod guidance;
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
pub(super) use population::Population;
