//! Real-time matches by the clock: game time runs as the clock does, or so many times faster.

use std::{io, sync::Arc, thread, time::Duration};

use croupier_engine::RoleId;
use croupier_referee::{
    Secrets,
    realtime::{
        Notice, Plan, RealTimeEffect, RealTimeEnd, RealTimeEvent, RealTimeHeader, RealTimeMatch,
        RealTimeSeat, ReplayUpdate,
    },
};

use super::{
    RealTimePlayerSeat,
    person::{RealTimePerson, Typed},
};
use crate::{clock, interrupt::Interrupt};

/// How often it is looked whether somebody typed, and the time is shown anew.
const SLICE: Duration = Duration::from_millis(20);

/// How often the time is shown, in slices.
const SLICES_SHOWN: u32 = 5;

/// A match by the clock after its end.
pub(super) struct ClockedMatch {
    pub(super) record: Vec<u8>,
    /// Every state there was.
    pub(super) updates: Vec<ReplayUpdate>,
    pub(super) end: RealTimeEnd,
}

/// Everybody at the table of a match by the clock.
struct Table<'t> {
    machine: RealTimeMatch,
    agents: &'t mut [(RoleId, RealTimePlayerSeat)],
    plans: Vec<Plan>,
    person: Option<RealTimePerson>,
    /// Whether the person's terminal can no longer be read or written.
    has_lost_person: bool,
    moves_sent: u64,
    record: Vec<u8>,
    updates: Vec<ReplayUpdate>,
    end: Option<RealTimeEnd>,
}

/// Plays a match by the clock. It is aborted if a signal comes, or the person at the terminal leaves or loses it.
pub(super) fn run_by_clock(
    header: &Arc<RealTimeHeader>,
    secrets: Secrets,
    agents: &mut [(RoleId, RealTimePlayerSeat)],
    person: Option<RealTimePerson>,
    speed: f64,
    interrupt: &Interrupt,
) -> ClockedMatch {
    let plans = agents.iter().map(|_| Plan::Wait).collect();
    let machine = RealTimeMatch::new(Arc::clone(header), secrets);
    let mut table = Table {
        machine,
        agents,
        plans,
        person,
        has_lost_person: false,
        moves_sent: 0,
        record: Vec::new(),
        updates: Vec::new(),
        end: None,
    };
    let begun = clock::now();
    let mut slices = 0_u32;
    table.step(0, RealTimeEvent::Begin);
    loop {
        if let Some(end) = table.end.take() {
            return ClockedMatch { record: table.record, updates: table.updates, end };
        }
        let now_us = game_time(begun.elapsed(), speed);
        table.catch_up(now_us);
        if interrupt.is_raised() || table.has_lost_person || table.take_typed(now_us) {
            table.step(now_us, RealTimeEvent::Abort { at_us: now_us });
            continue;
        }
        if slices.is_multiple_of(SLICES_SHOWN)
            && table.end.is_none()
            && let Some(person) = &mut table.person
        {
            let shown = person.show(now_us);
            table.keep_person(shown);
        }
        slices = slices.wrapping_add(1);
        if table.end.is_none() {
            thread::sleep(SLICE);
        }
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

impl Table<'_> {
    /// Gives the match an event, and does what it wants done.
    fn step(&mut self, now_us: u64, event: RealTimeEvent) {
        for effect in self.machine.step(event) {
            match effect {
                RealTimeEffect::Append(line) => {
                    self.record.extend_from_slice(line.as_bytes());
                    self.record.push(b'\n');
                }
                RealTimeEffect::Send { role, message: notice } => self.tell(now_us, role, &notice),
                RealTimeEffect::Signal(ReplayUpdate { at_us, moves, state }) => {
                    self.updates.push(ReplayUpdate { at_us, moves, state });
                }
                RealTimeEffect::Finish { outcome: end } => self.end = Some(end),
            }
        }
    }

    /// Lets the person go whose terminal is gone: the match is aborted, and its record kept.
    fn keep_person<T>(&mut self, told: io::Result<T>) -> Option<T> {
        if told.is_err() {
            self.person = None;
            self.has_lost_person = true;
        }
        told.ok()
    }

    fn tell(&mut self, now_us: u64, role: RoleId, notice: &Notice) {
        if let Some(person) = self.person.as_mut().filter(|person| person.role == role) {
            let heard = person.hear(notice);
            self.keep_person(heard);
        }
        for ((of, agent), plan) in self.agents.iter_mut().zip(&mut self.plans) {
            if *of == role {
                *plan = agent.plan(now_us, Some(notice)).after(now_us);
            }
        }
    }

    /// Lets everything happen that was due until now, each at its instant.
    fn catch_up(&mut self, now_us: u64) {
        while self.end.is_none() {
            let due = self.plans.iter().filter_map(Plan::at_us).chain(self.machine.next_us()).min();
            let Some(due) = due.filter(|&due| due <= now_us) else { break };
            for index in 0..self.plans.len() {
                if self.plans[index].at_us() != Some(due) {
                    continue;
                }
                let role = self.agents[index].0;
                match std::mem::replace(&mut self.plans[index], Plan::Wait) {
                    Plan::Move { text, at_us } => {
                        let id = self.next_id();
                        let not_before_us = None;
                        self.step(due, RealTimeEvent::Move { role, id, text, at_us, not_before_us });
                    }
                    Plan::Think { .. } => self.plans[index] = self.agents[index].1.plan(due, None).after(due),
                    Plan::Wait | Plan::Leave => {}
                }
            }
            self.step(due, RealTimeEvent::Close { at_us: due });
        }
        if self.end.is_none() {
            self.step(now_us, RealTimeEvent::Close { at_us: now_us });
        }
    }

    fn next_id(&mut self) -> u64 {
        self.moves_sent += 1;
        self.moves_sent - 1
    }

    /// Plays what was typed; whether the person leaves.
    fn take_typed(&mut self, now_us: u64) -> bool {
        let Some(person) = self.person.as_mut().filter(|_| self.end.is_none()) else { return false };
        let role = person.role;
        let typed = person.typed();
        match self.keep_person(typed).flatten() {
            Some(Typed::Quit) => true,
            Some(Typed::Move(text)) => {
                let id = self.next_id();
                let (at_us, not_before_us) = (now_us + 1, None);
                self.step(now_us, RealTimeEvent::Move { role, id, text, at_us, not_before_us });
                false
            }
            None => false,
        }
    }
}
