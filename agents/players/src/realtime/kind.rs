//! The kinds of real-time players, as people write them.

use std::{fmt, str::FromStr, sync::Arc};

use croupier_engine::{Lifetime, RoleId, realtime::RealTimeGame};

use super::RealTimePlayer;
use crate::{
    KindError, KindHelp,
    kind_text::{demand_once, number_of},
    options::options,
};

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

/// The most iterations and particles.
const COUNT_MAX: u32 = 10_000_000;

/// A second, in microseconds.
const SECOND: u64 = 1_000_000;

impl RealTimeKind {
    /// Every kind there is.
    pub const HELP: &'static [KindHelp] = &[
        KindHelp::new("wait", &[], "never moves"),
        KindHelp::new("random", &["every=1"], "plays a random legal move, every second on average"),
        KindHelp::new("first-legal", &["every=1"], "plays the first legal move, every second"),
        KindHelp::new(
            "mc",
            &["iterations=500", "particles=16", "every=1"],
            "evaluates each move at each relevant instant by random playouts",
        ),
        KindHelp::new(
            "uct",
            &["iterations=2000", "particles=16", "every=1"],
            "the same with a search tree over its next moves and observations",
        ),
    ];

    /// A player of this kind.
    #[must_use]
    pub fn player(self, game: Arc<RealTimeGame>, role: RoleId, seed: [u8; 32]) -> RealTimePlayer {
        RealTimePlayer::new(self, game, role, seed)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), KindError> {
        let name = self.name();
        let seconds = || {
            let lifetime = value.parse::<Lifetime>().ok().and_then(Lifetime::micros);
            let bad = || KindError::BadSeconds { name, option: option.to_owned(), value: value.to_owned() };
            lifetime.ok_or_else(bad)
        };
        let count = || number_of(name, option, value, 1..=COUNT_MAX);
        match (&mut *self, option) {
            (
                Self::Random { every_us } | Self::FirstLegal { every_us } | Self::Search { every_us, .. },
                "every",
            ) => *every_us = seconds()?,
            (Self::Search { iterations, .. }, "iterations") => *iterations = count()?,
            (Self::Search { particles, .. }, "particles") => *particles = count()?,
            _ => {
                return Err(KindError::UnknownOption { name, option: option.to_owned(), known: Self::HELP });
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
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        let (name, written) = text.split_once(':').unwrap_or((text, ""));
        let search =
            |has_tree, iterations| Self::Search { has_tree, iterations, particles: 16, every_us: SECOND };
        let mut kind = match name {
            "wait" => Self::Wait,
            "random" => Self::Random { every_us: SECOND },
            "first-legal" => Self::FirstLegal { every_us: SECOND },
            "mc" => search(false, 500),
            "uct" => search(true, 2000),
            _ => return Err(KindError::UnknownName { name: name.to_owned(), known: Self::HELP }),
        };
        let options = options(written);
        demand_once(kind.name(), &options)?;
        for (option, value) in options {
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
