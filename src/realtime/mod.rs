//! Real-time games at the command line: who sits where, matches in simulated time and by the clock, and their stories.

mod clock;
mod end;
mod status_line;
mod person;
mod seat;
mod series;
mod seat_spec;
mod story;

#[cfg(feature = "network")]
pub(crate) use self::person::{RealTimePerson, Typed};
pub(crate) use self::{
    end::EndReport,
    seat::RealTimePlayerSeat,
    seat_spec::{RealTimeSeatSpec, real_time_agents_help, real_time_seating},
    series::{RealTimeEnded, RealTimeSeries, RealTimeSettings},
    story::RealTimeStory,
};
