//! The kinds of real-time players, as people write them.

use std::{fmt, str::FromStr, sync::Arc};

use croupier_engine::{Lifetime, RoleId, realtime::RealTimeGame};
use thiserror::Error;

use super::RealTimePlayer;
use crate::whole_number;

/// How a real-time player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RealTimeKind {
    /// Never moves.
    Wait,
    /// Moves at random, this often on average.
    Random {
        /// Microseconds between two of its moves.
        every_us: u64,
    },
    /// Plays the first legal move in canonical order, this often.
    FirstLegal {
        /// Microseconds between two of its moves.
        every_us: u64,
    },
    /// Looks for the best move and instant by random courses.
    Search {
        /// Whether it keeps a tree of its moves and observations, or evaluates each candidate on its own.
        has_tree: bool,
        /// Courses for each decision.
        iterations: u32,
        /// Matches in its belief.
        particles: u32,
        /// Microseconds between two moves of a player in a course.
        every_us: u64,
    },
}

/// Why a text names no kind of real-time player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RealTimeKindError {
    /// Unknown kind.
    #[error("unknown real-time player {0}; known players are wait, random, first-legal, mc and uct")]
    Unknown(String),
    /// An option that this kind does not have.
    #[error("{kind} has no option {option}; its options are {known}")]
    Option {
        /// The kind.
        kind: String,
        /// The given option.
        option: String,
        /// The known options.
        known: &'static str,
    },
    /// A value that an option cannot have.
    #[error("{option} is {value}, but must be {wanted}")]
    Value {
        /// The option.
        option: String,
        /// The given value.
        value: String,
        /// The accepted values.
        wanted: &'static str,
    },
}

/// A second, in microseconds.
const SECOND: u64 = 1_000_000;

impl RealTimeKind {
    /// Every kind with its options and a description.
    pub const HELP: [(&'static str, &'static str); 5] = [
        ("wait", "never moves"),
        ("random:every=1", "plays a random legal move, every second on average"),
        ("first-legal:every=1", "plays the first legal move, every second"),
        (
            "mc:iterations=500,particles=16,every=1",
            "evaluates each move at each relevant instant by random playouts",
        ),
        (
            "uct:iterations=2000,particles=16,every=1",
            "the same with a search tree over its next moves and observations",
        ),
    ];

    /// A player of this kind.
    #[must_use]
    pub fn player(self, game: Arc<RealTimeGame>, role: RoleId, seed: [u8; 32]) -> RealTimePlayer {
        RealTimePlayer::new(self, game, role, seed)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), RealTimeKindError> {
        let wrong =
            |wanted| RealTimeKindError::Value { option: option.to_owned(), value: value.to_owned(), wanted };
        let seconds = || {
            let lifetime = value.parse::<Lifetime>().ok().and_then(Lifetime::micros);
            lifetime.ok_or_else(|| wrong("a number of seconds above 0"))
        };
        let count = || {
            let number = whole_number(value).and_then(|number| u32::try_from(number).ok());
            let number = number.filter(|number| (1..=10_000_000).contains(number));
            number.ok_or_else(|| wrong("a number from 1 to 10000000"))
        };
        match (&mut *self, option) {
            (
                Self::Random { every_us } | Self::FirstLegal { every_us } | Self::Search { every_us, .. },
                "every",
            ) => *every_us = seconds()?,
            (Self::Search { iterations, .. }, "iterations") => *iterations = count()?,
            (Self::Search { particles, .. }, "particles") => *particles = count()?,
            _ => {
                let known = match self {
                    Self::Wait => "none",
                    Self::Random { .. } | Self::FirstLegal { .. } => "every",
                    Self::Search { .. } => "iterations, particles and every",
                };
                let (kind, option) = (self.name().to_owned(), option.to_owned());
                return Err(RealTimeKindError::Option { kind, option, known });
            }
        }
        Ok(())
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Random { .. } => "random",
            Self::FirstLegal { .. } => "first-legal",
            Self::Search { has_tree: false, .. } => "mc",
            Self::Search { has_tree: true, .. } => "uct",
        }
    }
}

impl FromStr for RealTimeKind {
    type Err = RealTimeKindError;

    fn from_str(text: &str) -> Result<Self, RealTimeKindError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let search =
            |has_tree, iterations| Self::Search { has_tree, iterations, particles: 16, every_us: SECOND };
        let mut kind = match name {
            "wait" => Self::Wait,
            "random" => Self::Random { every_us: SECOND },
            "first-legal" => Self::FirstLegal { every_us: SECOND },
            "mc" => search(false, 500),
            "uct" => search(true, 2000),
            _ => return Err(RealTimeKindError::Unknown(name.to_owned())),
        };
        for part in options.split(',').filter(|part| !part.is_empty()) {
            let (option, value) = part.split_once('=').unwrap_or((part, ""));
            kind.set(option, value)?;
        }
        Ok(kind)
    }
}

impl fmt::Display for RealTimeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let every = |every_us: &u64| {
            Lifetime::of_micros(*every_us).map_or_else(String::new, |every| every.to_string())
        };
        f.write_str(self.name())?;
        match self {
            Self::Wait => Ok(()),
            Self::Random { every_us } | Self::FirstLegal { every_us } => {
                write!(f, ":every={}", every(every_us))
            }
            Self::Search { iterations, particles, every_us, .. } => {
                write!(f, ":iterations={iterations},particles={particles},every={}", every(every_us))
            }
        }
    }
}
