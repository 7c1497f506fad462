//! What was said to whom in each match, and how long everything took.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde::Serialize;
use tokio::sync::watch;

use super::{latency::Latencies, rules, schedule::ReplySchedule};

/// What happens beside the matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Phase {
    /// Nothing: these figures count.
    Plain,
    /// The server is down or resumes its matches, or spectators connect: these figures are those of the change.
    Changing,
    /// Spectators watch.
    Watched,
}

/// Latencies of one phase.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PhaseFigures {
    /// From the last reply of a turn at the socket to the next message at the socket.
    pub(super) play_overhead_ms: Latencies,
    /// From the instant at which that reply was due to the same message.
    pub(super) play_delay_ms: Latencies,
    /// How much later than due replies were sent.
    pub(super) generator_lateness_ms: Latencies,
}

/// Counts of what must not happen.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Messages that said something else than the rules and the moves do.
    pub(super) altered: AtomicU64,
    /// Messages that came again in other words.
    pub(super) contradicted: AtomicU64,
    /// Replies that this process sent after the clock, for which the server is not to be blamed.
    pub(super) own_late: AtomicU64,
}

/// All matches as their players see them.
#[derive(Debug)]
pub(super) struct LoadedMatches {
    pub(super) schedule: watch::Sender<Option<ReplySchedule>>,
    pub(super) play_clock: Duration,
    pub(super) faults: Faults,
    matches: Mutex<BTreeMap<String, Arc<Track>>>,
    phase: AtomicU8,
    figures: Mutex<[PhaseFigures; 3]>,
    /// Players that have been told START, that have replied, and that have been told STOP.
    pub(super) started: AtomicU32,
    pub(super) replies: AtomicU64,
    pub(super) stopped: AtomicU32,
    last_start: Mutex<Option<Instant>>,
    /// How many matches have not been heard of since the server was killed, and when the last of the others was.
    silent: Mutex<(u32, Option<Instant>)>,
}

/// One match as its players see it.
#[derive(Debug)]
pub(super) struct Track {
    /// By the order in which they began.
    pub(super) number: u32,
    is_silent: AtomicBool,
    seats: Mutex<[SeatTrack; 2]>,
}

#[derive(Clone, Debug, Default)]
struct SeatTrack {
    /// The last message, without what is the same in all of them.
    last: Option<(u32, String)>,
    /// The last two replies, by their turn.
    sent: [Option<(u32, Instant)>; 2],
    is_stopped: bool,
}

/// A message that asks for a move, or tells of the end.
#[derive(Clone, Debug)]
pub(super) struct ReceivedMessage {
    pub(super) turn: u32,
    /// The own last move and the percepts.
    pub(super) text: String,
    pub(super) at: Instant,
}

impl LoadedMatches {
    pub(super) fn new(play_clock: Duration) -> Arc<Self> {
        Arc::new(Self {
            schedule: watch::Sender::new(None),
            play_clock,
            faults: Faults::default(),
            matches: Mutex::default(),
            phase: AtomicU8::new(Phase::Plain as u8),
            figures: Mutex::default(),
            started: AtomicU32::new(0),
            replies: AtomicU64::new(0),
            stopped: AtomicU32::new(0),
            last_start: Mutex::default(),
            silent: Mutex::default(),
        })
    }

    /// A match that was heard of, or that is heard of for the first time now.
    pub(super) fn track(&self, id: &str) -> Arc<Track> {
        let mut matches = hold(&self.matches);
        if let Some(known) = matches.get(id) {
            return Arc::clone(known);
        }
        let number = u32::try_from(matches.len()).unwrap_or(u32::MAX);
        let track = Arc::new(Track { number, is_silent: AtomicBool::new(false), seats: Mutex::default() });
        matches.insert(id.to_owned(), Arc::clone(&track));
        track
    }

    /// Every match with its number.
    pub(super) fn all(&self) -> Vec<(String, u32)> {
        hold(&self.matches).iter().map(|(id, track)| (id.clone(), track.number)).collect()
    }

    /// From now on every match is waited for that is not over.
    pub(super) fn fall_silent(&self) {
        let mut count = 0;
        for track in hold(&self.matches).values() {
            if hold(&track.seats).iter().any(|seat| !seat.is_stopped) {
                track.is_silent.store(true, Ordering::Relaxed);
                count += 1;
            }
        }
        *hold(&self.silent) = (count, None);
    }

    /// How many matches have not been heard of since then, and when the last of the others was.
    pub(super) fn silent(&self) -> (u32, Option<Instant>) {
        *hold(&self.silent)
    }

    pub(super) fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    pub(super) fn is_in(&self, phase: Phase) -> bool {
        self.phase.load(Ordering::Relaxed) == phase as u8
    }

    fn measure(&self, note: impl FnOnce(&mut PhaseFigures)) {
        let phase = usize::from(self.phase.load(Ordering::Relaxed));
        note(&mut hold(&self.figures)[phase]);
    }

    pub(super) fn figures(&self, phase: Phase) -> PhaseFigures {
        hold(&self.figures)[phase as usize].clone()
    }

    /// A player was told START.
    pub(super) fn start(&self, at: Instant) {
        self.started.fetch_add(1, Ordering::Relaxed);
        let mut last = hold(&self.last_start);
        *last = Some(last.map_or(at, |last| last.max(at)));
    }

    /// When the last player was told START.
    pub(super) fn last_start(&self) -> Option<Instant> {
        *hold(&self.last_start)
    }

    /// A player was told PLAY, or STOP: checks what it was told, and measures how long that took.
    pub(super) fn tell(&self, track: &Track, seat: usize, message: &ReceivedMessage, is_end: bool) {
        let count = |counter: &AtomicU64| {
            counter.fetch_add(1, Ordering::Relaxed);
        };
        if message.text != rules::told(track.number, seat, message.turn) {
            count(&self.faults.altered);
        }
        if track.is_silent.swap(false, Ordering::Relaxed) {
            let mut silent = hold(&self.silent);
            *silent = (silent.0.saturating_sub(1), Some(message.at));
        }
        let mut seats = hold(&track.seats);
        let own = &mut seats[seat];
        if let Some((turn, text)) = &own.last
            && *turn == message.turn
            && !is_end
        {
            if *text != message.text {
                count(&self.faults.contradicted);
            }
            return;
        }
        own.last = Some((message.turn, message.text.clone()));
        if is_end && !own.is_stopped {
            own.is_stopped = true;
            self.stopped.fetch_add(1, Ordering::Relaxed);
        }
        let Some(last) = message.turn.checked_sub(1) else { return };
        let sent = seats.iter().filter_map(|seat| seat.sent(last)).max();
        let schedule = *self.schedule.borrow();
        if let (Some(sent), Some(schedule)) = (sent, schedule) {
            let due = schedule.due(track.number, last);
            self.measure(|figures| {
                figures.play_overhead_ms.add(message.at.saturating_duration_since(sent));
                figures.play_delay_ms.add(message.at.saturating_duration_since(due));
            });
        }
    }

    /// A player replies now.
    pub(super) fn reply(
        &self,
        track: &Track,
        seat: usize,
        message: &ReceivedMessage,
        due: Instant,
        now: Instant,
    ) {
        let own = &mut hold(&track.seats)[seat];
        let place = &mut own.sent[message.turn as usize % 2];
        if place.is_none_or(|(turn, _)| turn != message.turn) {
            self.replies.fetch_add(1, Ordering::Relaxed);
        }
        *place = Some((message.turn, now));
        if now.saturating_duration_since(message.at) > self.play_clock {
            self.faults.own_late.fetch_add(1, Ordering::Relaxed);
        }
        self.measure(|figures| figures.generator_lateness_ms.add(now.saturating_duration_since(due)));
    }
}

impl Track {
    /// When the last of both replies of a turn was sent.
    pub(super) fn last_sent(&self, turn: u32) -> Option<Instant> {
        hold(&self.seats).iter().filter_map(|seat| seat.sent(turn)).max()
    }
}

impl SeatTrack {
    fn sent(&self, turn: u32) -> Option<Instant> {
        self.sent[turn as usize % 2].filter(|(sent, _)| *sent == turn).map(|(_, at)| at)
    }
}

/// The value behind a lock; one that panicked left nothing half done that matters here.
pub(super) fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
