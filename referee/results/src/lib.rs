//! Results of matches: tournament schedules, standings, ratings and hand histories.
//!
//! A tournament is a [`Schedule`], round robin or Swiss, and a list of results in its order ([`MatchResult`]).
//! The schedule says who sits where in each match ([`Fixture`]); a Swiss schedule needs the results of a round before it
//! pairs the next. [`Standings`] adds results up, and [`Ratings`] are updated match by match.
//! [`Hand`] is a finished poker match in a format for other tools.
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
    results::{FORMAT, Heading, Known, LookedUp, MatchResult, ResultsError, SwissHeading},
    round_robin::RoundRobin,
    schedule::Schedule,
    standings::{MovesDrawn, Standing, Standings},
    swiss::{Swiss, SwissFormat, SwissPlace},
};
