//! The matches that are being played.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use dashmap::DashMap;
use tokio::sync::watch;

use crate::{
    answer::{Book, Progress},
    clock,
    thinker::{Shared, Task, Turn, think},
};

/// A match that nobody has spoken of for this long, its clocks apart, is given up by its referee.
const IDLE_MAX: Duration = Duration::from_secs(3600);

/// The stack of a thread that thinks.
const STACK_BYTES: usize = 8 << 20;

/// One match: what asks its thread, and what that thread shares.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) task: Task,
    pub(crate) shared: Arc<Shared>,
    pub(crate) ready: watch::Receiver<Progress>,
    turns: Sender<Turn>,
    last_message: Mutex<Instant>,
}

impl Seat {
    /// Gives a turn to the thread; it is gone only if the player panicked.
    pub(crate) fn ask(&self, turn: Turn) {
        // Who waits for the progress sees that its sender is gone.
        let _ = self.turns.send(turn);
    }

    pub(crate) fn note_message(&self) {
        *self.last_message.lock().unwrap_or_else(PoisonError::into_inner) = clock::now();
    }

    fn is_idle(&self) -> bool {
        let last = *self.last_message.lock().unwrap_or_else(PoisonError::into_inner);
        last.elapsed() > IDLE_MAX + self.task.play_clock * 2
    }

    fn end(&self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}

/// Why a match is not begun.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// There are as many as may be.
    Full,
    /// The system gives no thread.
    NoThread(io::Error),
}

/// One role of one match.
///
/// Messages after START do not say which role they are for; where one agent plays several in one match, the header
/// `Receiver` tells them apart. An id is in lower case: a referee may spell it differently from message to message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SeatKey {
    pub(crate) match_id: String,
    receiver: String,
}

impl SeatKey {
    pub(crate) fn new(match_id: &str, receiver: &str) -> Self {
        Self { match_id: match_id.to_ascii_lowercase(), receiver: receiver.to_owned() }
    }
}

/// The roles that are being played.
#[derive(Debug)]
pub(crate) struct Table {
    seats: DashMap<SeatKey, Arc<Seat>>,
    matches_max: usize,
}

impl Table {
    pub(crate) fn new(matches_max: usize) -> Self {
        Self { seats: DashMap::new(), matches_max }
    }

    /// The role of this key. Nothing of the table stays locked.
    pub(crate) fn find(&self, key: &SeatKey) -> Option<Arc<Seat>> {
        let seat = self.seats.get(key).map(|seat| Arc::clone(&seat))?;
        seat.note_message();
        Some(seat)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.seats.len() >= self.matches_max
    }

    /// Begins a match, or finds the one that was begun by the same message.
    ///
    /// # Errors
    /// [`Refusal`].
    pub(crate) fn begin(&self, key: SeatKey, task: Task) -> Result<Arc<Seat>, Refusal> {
        if let Some(seat) = self.find(&key) {
            if (&seat.task.rules, &seat.task.role) == (&task.rules, &task.role) {
                return Ok(seat);
            }
            self.end(&key);
        }
        if self.is_full() {
            self.seats.retain(|_, seat| {
                !seat.is_idle() || {
                    seat.end();
                    false
                }
            });
        }
        if self.is_full() {
            return Err(Refusal::Full);
        }
        let seat = seat(task).map_err(Refusal::NoThread)?;
        if let Some(before) = self.seats.insert(key, Arc::clone(&seat)) {
            before.end();
        }
        Ok(seat)
    }

    /// Frees a match at once; whether there was one.
    pub(crate) fn end(&self, key: &SeatKey) -> bool {
        let removed = self.seats.remove(key);
        removed.as_ref().inspect(|(_, seat)| seat.end()).is_some()
    }

    /// Frees all matches.
    pub(crate) fn end_all(&self) {
        self.seats.iter().for_each(|seat| seat.end());
        self.seats.clear();
    }
}

fn seat(task: Task) -> io::Result<Arc<Seat>> {
    let (turns, asked) = mpsc::channel();
    let (ready, readiness) = watch::channel(Progress::Nothing);
    let shared =
        Arc::new(Shared { book: Mutex::new(Book::new(task.play_clock)), is_over: AtomicBool::new(false) });
    let (own_task, own_shared) = (task.clone(), Arc::clone(&shared));
    thread::Builder::new()
        .name("match".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || think(&own_task, &own_shared, &ready, &asked))?;
    Ok(Arc::new(Seat { task, shared, ready: readiness, turns, last_message: Mutex::new(clock::now()) }))
}
