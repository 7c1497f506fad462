//! How large a schedule may be, and why there is none.

use thiserror::Error;

/// More groups of entrants than these are refused.
pub const GROUPS_MAX: usize = 10_000;

/// More entrants than these are refused.
pub const ENTRANTS_MAX: usize = 500;

/// Why there is no schedule for these entrants.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// Nobody is there to be played against.
    #[error("one player has no opponents in a game with {seats} seats")]
    Alone {
        /// Seats of the game.
        seats: usize,
    },
    /// A round robin would be too long.
    #[error("{entrants} players form more than {GROUPS_MAX} groups of {seats}")]
    TooManyGroups {
        /// How many take part.
        entrants: usize,
        /// Seats of the game.
        seats: usize,
    },
    /// A Swiss round needs a different entrant in each seat.
    #[error("{entrants} players cannot fill the {seats} seats of one match of a Swiss tournament")]
    TooFewEntrants {
        /// How many take part.
        entrants: usize,
        /// Seats of the game.
        seats: usize,
    },
    /// Pairing them would take too long.
    #[error("{entrants} players are too many for a Swiss tournament: limit {ENTRANTS_MAX}")]
    TooManyEntrants {
        /// How many take part.
        entrants: usize,
    },
    /// In a game for one nobody meets anybody.
    #[error("a game with one seat has no opponents to pair")]
    OneSeat,
}
