//! Limits on the size of a schedule, and the errors beyond them.

use thiserror::Error;

/// Maximum number of groups of entrants.
pub const GROUPS_MAX: usize = 10_000;

/// Maximum number of entrants.
pub const ENTRANTS_MAX: usize = 500;

/// Why there is no schedule for these entrants.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// There is no opponent.
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
    /// A game with one seat has no opponents.
    #[error("a game with one seat has no opponents to pair")]
    OneSeat,
}
