//! The matches that are being played.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use dashmap::DashMap;
use thiserror::Error;

use crate::{
    library::{Library, NoRoom},
    seat::{ServedSeat, Task},
};

/// Why a match is not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Refusal {
    /// The maximum number of matches is reached, and none is overdue.
    #[error("too many matches")]
    Full,
    /// The rules of all matches would take too much room.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
}

/// One role of one match.
///
/// Messages after START do not name their role; if one agent plays several roles in one match, the header
/// `Receiver` distinguishes them. An id is in lower case: a referee may spell it differently from message to message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SeatKey {
    pub(crate) match_id: Box<str>,
    receiver: Box<str>,
}

impl SeatKey {
    pub(crate) fn new(match_id: &str, receiver: &str) -> Self {
        Self { match_id: match_id.to_ascii_lowercase().into(), receiver: receiver.into() }
    }
}

/// The roles that are being played.
#[derive(Debug)]
pub(crate) struct SeatTable {
    seats: DashMap<SeatKey, Arc<ServedSeat>>,
    matches_max: usize,
    next_number: AtomicU64,
}

impl SeatTable {
    pub(crate) fn new(matches_max: usize) -> Self {
        Self { seats: DashMap::new(), matches_max, next_number: AtomicU64::new(0) }
    }

    /// The role of this key. Nothing of the table stays locked.
    pub(crate) fn find(&self, key: &SeatKey) -> Option<Arc<ServedSeat>> {
        self.seats.get(key).map(|seat| Arc::clone(&seat))
    }

    /// Whether another match would be refused.
    pub(crate) fn is_full(&self) -> bool {
        self.seats.len() >= self.matches_max && self.seats.iter().all(|seat| seat.overdue().is_none())
    }

    /// Begins a match, or finds the one that was begun by the same message.
    ///
    /// The same message after moves were requested restarts the match. If there is no room, the match whose
    /// referee has been overdue for longest is dropped.
    ///
    /// # Errors
    /// [`Refusal`].
    pub(crate) fn begin(
        &self,
        key: SeatKey,
        rules: &str,
        task: Task,
        library: &Library,
    ) -> Result<Begun, Refusal> {
        let game = library.game(rules)?;
        if let Some(seat) = self.find(&key) {
            let is_same = Arc::ptr_eq(&seat.game, &game) && seat.role == task.role;
            if is_same && !seat.book().has_begun() {
                return Ok(Begun { seat, gone: Vec::new() });
            }
        }
        let mut gone: Vec<_> = self.end(&key).into_iter().collect();
        if self.seats.len() >= self.matches_max {
            gone.push(self.give_up()?);
        }
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        let seat = Arc::new(ServedSeat::new(number, game, task));
        if let Some(before) = self.seats.insert(key, Arc::clone(&seat)) {
            before.end();
            gone.push(before);
        }
        Ok(Begun { seat, gone })
    }

    /// Ends the match whose referee has been overdue for longest.
    fn give_up(&self) -> Result<Arc<ServedSeat>, Refusal> {
        let overdue = self.seats.iter().filter_map(|seat| Some((seat.overdue()?, seat.key().clone())));
        let (_, longest) = overdue.max_by_key(|(late, _)| *late).ok_or(Refusal::Full)?;
        self.end(&longest).ok_or(Refusal::Full)
    }

    /// Frees a match at once; the seat, if there was one.
    pub(crate) fn end(&self, key: &SeatKey) -> Option<Arc<ServedSeat>> {
        let (_, seat) = self.seats.remove(key)?;
        seat.end();
        Some(seat)
    }

    /// Frees all matches.
    pub(crate) fn end_all(&self) {
        self.seats.iter().for_each(|seat| seat.end());
        self.seats.clear();
    }
}

/// A match that is played from now on.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) seat: Arc<ServedSeat>,
    /// Those that ended for it.
    pub(crate) gone: Vec<Arc<ServedSeat>>,
}
