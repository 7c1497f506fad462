//! A seat of a session, and what it holds between matches.

use serde::Serialize;

use crate::event::{SeatHolder, SeatNumber};

/// A seat of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionSeat {
    /// Its number.
    pub number: SeatNumber,
    /// Who sits there.
    pub holder: Option<SeatHolder>,
    /// Whether they are away.
    pub is_away: bool,
    /// Whether they go when the running match is over; in a session until one is left, when they have nothing left.
    pub leaves: bool,
    /// What the seat holds between matches, in a session of a family. What it has brought into the running match is not here but
    /// in [`stake`](Self::stake).
    pub stack: u64,
    /// What the seat has brought into the running match.
    pub stake: u64,
    /// How many matches with a result it played.
    pub matches: u64,
    /// The sum of their goals.
    pub goals: i64,
    /// How many of them it won: those in which it alone had the highest goal.
    pub wins: u64,
    /// How often it has begun, in a session of a family: once, and once more for each rebuy.
    pub buy_ins: u64,
    /// The match in which it lost what it had left, if it has nothing.
    pub out_in: Option<u64>,
    /// Whether it is to get a new link when the running match is over.
    pub(crate) is_link_due: bool,
}

impl SessionSeat {
    pub(crate) fn free(number: SeatNumber) -> Self {
        Self {
            number,
            holder: None,
            is_away: false,
            leaves: false,
            stack: 0,
            stake: 0,
            matches: 0,
            goals: 0,
            wins: 0,
            buy_ins: 0,
            out_in: None,
            is_link_due: false,
        }
    }

    /// What the seat has at all, in a session of a family.
    #[must_use]
    pub fn holds(&self) -> u64 {
        self.stack.saturating_add(self.stake)
    }
}
