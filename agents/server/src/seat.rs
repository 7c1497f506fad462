//! One role of one match, as data: its identity, what it was asked, and what it was told.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use croupier_referee::protocol::{Notation, Notice};

use crate::{
    answer::{Book, Question, Word},
    clock,
    library::SharedGame,
    transcript::Transcript,
};

/// The identity of a seat.
pub(crate) type SeatNumber = u64;

/// The content of START, and data derived from it.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) seed: [u8; 32],
    pub(crate) role: String,
    pub(crate) notation: Notation,
    pub(crate) start_clock: Duration,
    pub(crate) play_clock: Duration,
}

/// One role of one match. Between its messages it takes a few kilobytes and no thread.
#[derive(Debug)]
pub(crate) struct ServedSeat {
    pub(crate) number: SeatNumber,
    pub(crate) game: Arc<SharedGame>,
    pub(crate) role: String,
    pub(crate) seed: [u8; 32],
    pub(crate) notation: Notation,
    pub(crate) play_clock: Duration,
    book: Mutex<Book>,
    transcript: Mutex<Transcript>,
    /// When a referee that keeps to the clocks has spoken again.
    due: Mutex<Instant>,
    /// Set when the seat is no longer needed.
    is_over: AtomicBool,
    /// Whether the seat is with the thinkers.
    is_queued: AtomicBool,
}

/// Clocks that may pass until the next message: one for the other players, one for whatever holds a referee up.
const CLOCKS_MAX: u32 = 2;

/// The extra time: connecting, and reading rules.
const PATIENCE: Duration = Duration::from_secs(5);

impl ServedSeat {
    pub(crate) fn new(number: SeatNumber, game: Arc<SharedGame>, task: Task) -> Self {
        let Task { seed, role, notation, start_clock, play_clock } = task;
        Self {
            number,
            game,
            role,
            seed,
            notation,
            play_clock,
            book: Mutex::new(Book::new(play_clock)),
            transcript: Mutex::default(),
            due: Mutex::new(due(start_clock.max(play_clock))),
            is_over: AtomicBool::new(false),
            is_queued: AtomicBool::new(false),
        }
    }

    /// The messages; a thread that panicked while it had them cannot have left them half written.
    pub(crate) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the role did and was told. Lock the book first if both are needed.
    pub(crate) fn transcript(&self) -> MutexGuard<'_, Transcript> {
        self.transcript.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message that requests a move.
    pub(crate) fn ask(&self, notice: &Notice, word: Word, received: Instant) -> Question {
        *self.lock_due() = due(self.play_clock);
        let mut book = self.book();
        let turn = if notice.is_first() && notice.turn.is_none() { Some(0) } else { notice.turn };
        if let Some(turn) = turn.filter(|&turn| book.reply(turn).is_none())
            && let Some(executed) = self.executed(turn)
        {
            return Question::Replied(executed);
        }
        book.ask(notice, word, received)
    }

    /// The own move of a turn that is long past, in the notation of the match.
    fn executed(&self, turn: u32) -> Option<Arc<str>> {
        let transcript = self.transcript();
        let own_move = transcript.own_move(turn).filter(|_| turn < transcript.learned())?;
        Some(self.notation.print_term(own_move, &croupier_engine::Limits::STANDARD).into())
    }

    /// How long ago a referee that keeps to the clocks it announced would have spoken again; `None` if it need not
    /// have.
    pub(crate) fn overdue(&self) -> Option<Duration> {
        clock::now().checked_duration_since(*self.lock_due()).filter(|late| !late.is_zero())
    }

    fn lock_due(&self) -> MutexGuard<'_, Instant> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Whether the seat was not with the thinkers; from now on it is.
    pub(crate) fn enter_queue(&self) -> bool {
        !self.is_queued.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn leave_queue(&self) {
        self.is_queued.store(false, Ordering::Release);
    }
}

fn due(clock: Duration) -> Instant {
    clock::now() + clock * CLOCKS_MAX + PATIENCE
}
