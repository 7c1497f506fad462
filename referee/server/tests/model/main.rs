//! Matches between simulated stores, networks and players: every order in which things can happen to a small match,
//! thousands of larger ones at random, and the statistics of what is dealt.
//!
//! `CROUPIER_SLOW=1` runs the long versions, which `.ci/nightly` prints.

mod audit;
mod chance;
mod exhaustive;
mod marks;
mod outcomes;
mod real_time;
mod simulation;
mod table;
