//! Real-time games at the command line: who sits where, matches in simulated time and by the clock, and their stories.

mod clock;
mod foot;
mod person;
mod seat;
mod series;
mod sitter;
mod story;

#[cfg(feature = "network")]
pub(crate) use self::person::{RealTimePerson, Typed};
pub(crate) use self::{
    seat::RealTimePlayerSeat,
    series::{RealTimeEnded, RealTimeSeries, RealTimeSettings},
    sitter::{RealTimeSitter, real_time_agents_help, real_time_seating},
    story::RealTimeStory,
};
