//! Real-time matches by the clock: game time runs as the clock does, or so many times faster.

use std::{sync::Arc, thread, time::Duration};

use croupier_engine::{ByPlayer, RoleId};
use croupier_referee::{
    Secrets,
    realtime::{RealTimeDriver, RealTimeHeader, RealTimePlayed, Watched},
};

use super::RealTimeOccupant;
use crate::sessions::{clock, interrupt::Interrupt};

/// How often it is looked whether somebody typed, and the time is shown anew.
const SLICE: Duration = Duration::from_millis(20);

/// Plays a match by the clock. It is aborted if a signal comes, or a person at the terminal leaves or loses it.
pub(super) fn run_by_clock(
    header: &Arc<RealTimeHeader>,
    secrets: Secrets,
    seats: &mut ByPlayer<Box<RealTimeOccupant>>,
    speed: f64,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(Watched<'_>),
) -> RealTimePlayed {
    let people: Vec<RoleId> =
        seats.iter().filter(|(_, seat)| seat.is_person()).map(|(role, _)| role).collect();
    let mut driver = RealTimeDriver::begin(header, secrets, seats, watch);
    let begun = clock::now();
    loop {
        let now_us = game_time(begun.elapsed(), speed);
        while let Some(due_us) = driver.due_us().filter(|&due_us| due_us <= now_us) {
            driver.reach(due_us);
        }
        if driver.due_us().is_none() {
            return driver.played();
        }
        driver.reach(now_us);
        if interrupt.is_raised() {
            driver.leave();
            continue;
        }
        people.iter().for_each(|&role| driver.ask(role, None));
        thread::sleep(SLICE);
    }
}

/// Microseconds of game time.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a positive number of microseconds"
)]
fn game_time(elapsed: Duration, speed: f64) -> u64 {
    (elapsed.as_secs_f64() * speed * 1e6) as u64
}
