//! Results of matches: tournament schedules, standings, ratings and hand histories.
//!
//! A tournament is a [`Schedule`], round robin or Swiss, and a list of results in its order ([`MatchResult`]).
//! The schedule says who sits where in each match ([`Fixture`]); a Swiss schedule needs the results of a round before it
//! pairs the next. [`Standings`] adds results up, and [`Ratings`] are updated match by match.
//! [`Hand`] is a finished poker match in a format for other tools.
//!
//! Results are taken in the order of the schedule, so an interrupted tournament resumes by reading the stored results and
//! playing the rest. A round robin is known from the start; a Swiss tournament pairs a round when the last result of the
//! previous round has been taken in (`swiss/mod.rs`). The cost of a group of entrants is four numbers, compared in order:
//! second byes, repeated meetings, differences of points, differences of places (`swiss/cost.rs`). Pairs are an exact
//! minimum-cost matching; larger groups are improved by exchanges (`swiss/arrangement.rs`). Tests enumerate all rounds of
//! few entrants.
//!
//! Standings and ratings are views of the same results: each can be recomputed, and ratings can be stored after any
//! match.
//!
//! Everything here is a function of its arguments: no clock, no entropy, no I/O. The same results give the same schedule,
//! table and ratings in every process.
#![forbid(unsafe_code)]

mod bounds;
mod controlled;
mod deals;
mod fixture;
mod hand;
mod matching;
mod mean;
mod ratings;
mod results;
mod round_robin;
mod schedule;
mod standings;
mod swiss;

pub use self::{
    bounds::{ENTRANTS_MAX, GROUPS_MAX, ScheduleError},
    deals::Deals,
    fixture::Fixture,
    hand::{Hand, HandError},
    mean::{Mean, student_quantile},
    ratings::{Glicko2, Rating, RatingSystem, Ratings, WengLin},
    results::{FORMAT, Heading, LookedUp, MatchResult, ResultsError, ResultsFile, SwissHeading},
    round_robin::RoundRobin,
    schedule::Schedule,
    standings::{MovesDrawn, Standing, Standings},
    swiss::{Swiss, SwissFormat, SwissPlace},
};
