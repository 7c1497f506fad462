//! What a role can believe of a match, as data: how likely each thing is that it cannot know, and what the numbers rest on.
//!
//! Agents work it out (`agents/trainer`), pictures draw it (`games-ii/picture/src/trainer`), and a referee passes it on. Fluents are
//! canonical printed terms, as everywhere in this package.

use serde::{Deserialize, Serialize};

/// What a role can believe before a turn of a match: a function of the rules, of what the role did and was told, of a model of the
/// others, and of a method, and of nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatBelief {
    /// The turn, counted from 0.
    pub turn: usize,
    /// What the numbers rest on.
    pub grounds: BeliefGrounds,
    /// How the others are taken to choose, in words: `uniform play`, `the blueprint`.
    pub model: String,
    /// How many states are possible; of a sample, how many are in it.
    pub states: usize,
    /// By turn, from 0 up to this one: how much the role did not know of the state, in bits.
    pub entropy_bits: Vec<f64>,
    /// Every fluent that may be true, in canonical order.
    pub likely: Vec<LikelyFact>,
    /// For each holder of several cards, what may be held together; in canonical order.
    pub held: Vec<HeldHands>,
    /// How the match ends if everybody checks and calls from here on; `None` where that was not played out.
    pub prospects: Option<Prospects>,
}

/// What a belief rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum BeliefGrounds {
    /// All histories that agree with what the role knows.
    Exact {
        /// How many there are.
        histories: u64,
    },
    /// Some of them, drawn at random.
    Sampled {
        /// How many.
        particles: usize,
        /// The number of equally heavy ones that would be as good.
        effective: f64,
    },
}

/// A fluent that may be true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LikelyFact {
    /// The fluent.
    pub fact: String,
    /// How likely it is.
    pub probability: f64,
    /// Whether it is proved to be true: a sample in which it always is proves nothing.
    pub is_proved: bool,
}

/// What somebody may hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldHands {
    /// The fluents of the holder, as whoever asked calls them: `(hand bob ?card)`.
    pub of: String,
    /// The hands that are possible, in canonical order.
    pub hands: Vec<LikelyHand>,
    /// How the hands became fewer: a step for the first turn before which something was held, and for each that changed what may be.
    pub steps: Vec<HeldStep>,
}

/// What was known of a hand before a turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldStep {
    /// The turn, counted from 0.
    pub turn: usize,
    /// How many hands were possible; of a sample, how many were in it.
    pub hands: usize,
    /// How much was not known of the hand, in bits.
    pub entropy_bits: f64,
}

/// What somebody may hold at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LikelyHand {
    /// The fluents that say so, in canonical order.
    pub facts: Vec<String>,
    /// How likely it is that these are true, and no others of the holder.
    pub probability: f64,
    /// How the match ends against it if everybody checks and calls from here on; `None` where that was not played out.
    pub prospects: Option<Prospects>,
}

/// How a match ends if everybody checks and calls from some turn on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prospects {
    /// How often it was played out.
    pub playouts: u64,
    /// Whether nothing was drawn in any of them, so that the shares are those of all that may follow.
    pub is_exact: bool,
    /// The goals that the role came to, in ascending order.
    pub goals: Vec<GoalShare>,
}

/// How often a goal was reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoalShare {
    /// The goal value.
    pub goal: i32,
    /// The share of the playouts, each as heavy as its state is likely.
    pub share: f64,
}
