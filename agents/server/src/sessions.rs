//! The players that stay in memory between the messages of their matches.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{seat::SeatNumber, session::Session};

/// Sessions that wait for their next turn, no more than a fixed number: the one that waited longest goes.
///
/// A match whose session was dropped recreates it from its transcript, and continues identically: a player's choices do not
/// depend on earlier questions.
#[derive(Debug)]
pub(crate) struct Sessions {
    waiting: Mutex<VecDeque<(SeatNumber, Box<Session>)>>,
    max: usize,
}

impl Sessions {
    /// No sessions, and room for `max`.
    pub(crate) fn new(max: usize) -> Self {
        Self { waiting: Mutex::default(), max }
    }

    /// The session of a seat, if it is here.
    pub(crate) fn take(&self, seat: SeatNumber) -> Option<Box<Session>> {
        let mut waiting = self.lock();
        let place = waiting.iter().position(|(of, _)| *of == seat)?;
        waiting.remove(place).map(|(_, session)| session)
    }

    /// Keeps a session for the next turn of its seat.
    pub(crate) fn put(&self, seat: SeatNumber, session: Box<Session>) {
        let mut waiting = self.lock();
        waiting.push_back((seat, session));
        let oldest = if waiting.len() > self.max { waiting.pop_front() } else { None };
        // What is dropped is dropped without the lock.
        drop(waiting);
        drop(oldest);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(SeatNumber, Box<Session>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
