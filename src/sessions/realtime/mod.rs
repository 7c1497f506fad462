//! Real-time games at the command line: who sits where, matches in simulated time and by the clock, and their stories.

mod clock;
mod end;
mod status_line;
mod person;
mod occupant;
mod series;
mod seat_spec;
mod story;

pub(crate) use self::{
    end::EndReport,
    occupant::RealTimeOccupant,
    seat_spec::{
        RealTimeSeatSpec, real_time_agents_help, real_time_player, real_time_seating, real_time_spec,
        refuse_turns,
    },
    series::{REAL_TIME_UPDATES_MAX, RealTimeEnded, RealTimeSeries, RealTimeSettings},
    story::{RealTimeStory, clock_text},
};
