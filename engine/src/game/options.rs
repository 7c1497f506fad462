//! How a text is read and evaluated.

use super::Backend;
use crate::{diagnostic::Strictness, limits::Limits};

/// The state in which `sees` is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerceptReading {
    /// The old state and the joint move (Thielscher, AAAI 2010): the default.
    OldState,
    /// Only the new state (Stanford, 2017).
    NewState,
}

/// How a text is read and evaluated.
///
/// ```
/// use croupier_engine::{Game, Options, Strictness};
///
/// // No rule gives a goal: the strict reading rejects what the compatible reading warns about.
/// let rules = "(role me) (legal me wait) (<= terminal (true over)) (next over)";
/// assert!(!Game::compile(rules, &Options::PLAY)?.warnings.is_empty());
/// assert!(Game::compile(rules, &Options { strictness: Strictness::Strict, ..Options::PLAY }).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bounds on text and work.
    pub limits: Limits,
    /// Whether departures from the specification are rejected.
    pub strictness: Strictness,
    /// The state in which `sees` is evaluated.
    pub percepts: PerceptReading,
    /// The engine that evaluates the game.
    pub backend: Backend,
}

impl Options {
    /// The options for playing matches: compatible reading, standard limits, percepts from the old state.
    pub const PLAY: Self = Self {
        limits: Limits::STANDARD,
        strictness: Strictness::Compatible,
        percepts: PerceptReading::OldState,
        backend: Backend::Auto,
    };
}
