//! The decisions of a role in a match that is over, as data: what the best player of the game would have done, and what each move
//! was worth, from what the role knew at the time.

use serde::{Deserialize, Serialize};

/// The decisions of a role in a match. Nothing that the role did not know at the time of a decision counts for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeatReview {
    /// Those in which the role had a choice, in the order of the match.
    pub decisions: Vec<ReviewedDecision>,
    /// By turn, from 0 on: how much the role did not know of the state, in bits. It ends early where no belief could be worked out.
    pub entropy_bits: Vec<f64>,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewedDecision {
    /// The turn, counted from 0.
    pub turn: usize,
    /// The move that was played, as a term.
    pub played: String,
    /// What the role was certain of, as fluents in canonical order: words for moves may depend on it.
    pub certain: Vec<String>,
    /// What the shares of the moves are of, in a word: `equilibrium`, `blueprint`, or the method of a search.
    pub approach: String,
    /// What the goals of the moves rest on.
    pub grounds: ReviewGrounds,
    /// How the others are taken to have chosen before, in words.
    pub model: String,
    /// The legal moves, in canonical order.
    pub moves: Vec<ReviewedMove>,
    /// What the move that was played gave up against the best one, in goal values; never negative. `None` if it was not worked out.
    pub given_up: Option<f64>,
    /// The standard error of that, if it rests on playouts.
    pub error: Option<f64>,
}

/// What the value of a move rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum ReviewGrounds {
    /// All histories that agree with what the role knew, and all that may follow.
    Exact {
        /// How many agree.
        histories: u64,
    },
    /// Playouts from histories that agree with what the role knew, in which everybody goes by the same strategy from there on.
    Playouts {
        /// For each move.
        playouts: u32,
        /// How many histories they were drawn from.
        histories: u64,
    },
    /// A search.
    Search {
        /// Its iterations, all moves together.
        iterations: u32,
    },
}

/// A legal move of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewedMove {
    /// The move, as a term.
    pub term: String,
    /// How likely the best player makes it; `None` if that player does not know its own mixture.
    pub share: Option<f64>,
    /// The mean goal after it; `None` if it was not worked out.
    pub goal: Option<f64>,
}
