//! Which of its ways a player came to its decisions in, and why not in a better one.

use std::fmt;

use croupier_solvers::DealError;

use crate::{SearchMethod, kind::method_name};

/// A way in which a player that has several comes to a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// By an equilibrium of the tree of all histories.
    Equilibrium {
        /// Histories that the tree may have.
        histories_max: u64,
    },
    /// By a blueprint of the game.
    Blueprint,
    /// By a strategy of earlier work.
    Kept,
    /// By the tree of moves that all deals share, solved on sampled deals.
    Deals {
        /// Turns of the players' moves in it.
        nodes: usize,
    },
    /// By subgames, solved one after the other.
    Subgames {
        /// Histories that one may have.
        histories_max: u32,
    },
    /// By search.
    Search(SearchMethod, Unsolved),
}

/// Why a decision is not by a solution of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// Time was up before there was a strategy.
    NotInTime,
    /// There are more histories than allowed.
    TooLarge {
        /// Those allowed.
        histories_max: u64,
        /// Why it is not solved by deals.
        by_deals: Undealt,
    },
    /// The rules fail in some state.
    Rules,
    /// The solution says nothing about this information set: a line of play that it never meets.
    Unmet,
}

/// Why a game is not solved by deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undealt {
    /// The options rule it out.
    Off,
    /// Nothing in it is chance.
    NoChance,
    /// The game is no deal followed by moves.
    Unfit(DealError),
}

/// How often a player decided in which way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approaches(Vec<(Approach, u64)>);

impl Approach {
    /// A word for it; that of a search is the name of the player that searches so.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Equilibrium { .. } => "equilibrium",
            Self::Blueprint => "blueprint",
            Self::Kept => "kept",
            Self::Deals { .. } => "deals",
            Self::Subgames { .. } => "subgames",
            Self::Search(method, _) => method_name(*method),
        }
    }
}

/// Why this way.
impl fmt::Display for Approach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equilibrium { histories_max } => {
                write!(f, "the game has at most {histories_max} histories, so all of them are solved")
            }
            Self::Blueprint => write!(f, "the game is too large to solve, and there is a blueprint of it"),
            Self::Kept => write!(
                f,
                "the game is too large to solve, and earlier work on it came further than this player's"
            ),
            Self::Deals { nodes } => write!(
                f,
                "the game is too large to solve, but all deals share one tree of {nodes} turns, which is solved on sampled deals"
            ),
            Self::Subgames { histories_max } => write!(
                f,
                "the game is too large to solve, but {histories_max} histories cover most of it from the first decision on"
            ),
            Self::Search(_, unsolved) => unsolved.fmt(f),
        }
    }
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInTime => write!(f, "there was no time to solve the game"),
            Self::TooLarge { histories_max, by_deals } => {
                write!(f, "the game has more than {histories_max} histories, and {by_deals}")
            }
            Self::Rules => write!(f, "the rules fail in some state, so the game cannot be solved"),
            Self::Unmet => write!(f, "the solution of the game does not cover this line of play"),
        }
    }
}

impl fmt::Display for Undealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => write!(f, "deals=0 rules out sampled deals"),
            Self::NoChance => write!(f, "nothing in it is chance"),
            Self::Unfit(error) => error.fmt(f),
        }
    }
}

impl Approaches {
    /// Counts a decision.
    pub(crate) fn note(&mut self, approach: Approach) {
        self.add_times(approach, 1);
    }

    /// Adds the decisions of another player, or another match.
    pub fn add(&mut self, other: &Self) {
        for &(approach, decisions) in &other.0 {
            self.add_times(approach, decisions);
        }
    }

    /// Each way with the number of decisions, in the order of the first of them.
    pub fn iter(&self) -> impl Iterator<Item = (Approach, u64)> {
        self.0.iter().copied()
    }

    fn add_times(&mut self, approach: Approach, decisions: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == approach) {
            Some((_, count)) => *count += decisions,
            None => self.0.push((approach, decisions)),
        }
    }
}
