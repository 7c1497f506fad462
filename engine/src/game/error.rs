//! Everything that can go wrong when a game is built or run.

use thiserror::Error;

use crate::{
    diagnostic::{Diagnostic, Severity, Span},
    ground::GroundError,
    limits::LimitError,
};

/// Why a text could not be compiled to a game.
#[derive(Clone, Debug, Error)]
pub enum CompileError {
    /// The rules have errors; at least one diagnostic is an error.
    #[error("the rules have errors: {}", first_error(.0))]
    Rules(Vec<Diagnostic>),
    /// The rules have lifetimes: they describe a real-time game; use [`RealTimeGame`](crate::realtime::RealTimeGame).
    #[error("these rules have lifetimes: they describe a real-time game, not a turn-based one")]
    RealTime,
    /// A real-time game was requested, but the rules have no lifetimes.
    #[error("these rules have no lifetimes: they describe a turn-based game, not a real-time one")]
    TurnBased,
    /// The rules passed the checks, but computing the facts that hold in every state, or the initial
    /// state, failed.
    #[error("the rules cannot be evaluated: {0}")]
    Evaluation(#[from] GameError),
}

impl CompileError {
    /// The problems in the text, each finding with its code and location; empty for an error that is neither a
    /// finding of the checks nor a limit.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Rules(found) => found.clone(),
            Self::RealTime | Self::TurnBased => Vec::new(),
            Self::Evaluation(error) => error.to_diagnostic().into_iter().collect(),
        }
    }
}

fn first_error(diagnostics: &[Diagnostic]) -> String {
    let mut errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let first = errors.next().map_or_else(String::new, ToString::to_string);
    match errors.count() {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}

/// A state for which the rules do not define a valid result, or one that exceeds the limits.
///
/// The message describes the rules but never identifies the state, because it may reach a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// A role has no legal move in a state that is not terminal.
    #[error("the rules give {role} no legal move in a state that is not terminal")]
    NoLegalMove {
        /// Name of the role.
        role: String,
    },
    /// A player has no goal in a terminal state.
    #[error("the rules give {role} no goal in a terminal state")]
    NoGoal {
        /// Name of the role.
        role: String,
    },
    /// A player has several goals in a terminal state, and the rules are read strictly.
    #[error("the rules give {role} several goals in one terminal state: {}", .values.join(", "))]
    SeveralGoals {
        /// Name of the role.
        role: String,
        /// The values as printed, in canonical order.
        values: Vec<String>,
    },
    /// A goal that is not a whole number, or in the strict reading one that is not from 0 to 100.
    #[error("the rules give {role} the goal {value}, which is not a whole number{}", range(value))]
    GoalOutOfRange {
        /// Name of the role.
        role: String,
        /// The value as printed.
        value: String,
    },
    /// A network was given a state that no play from the initial state can reach, and that has fluents unknown
    /// to the network.
    #[error("the state has a fluent that no match can reach; only the lifted reasoner accepts it")]
    OutOfReach,
    /// A network was requested, but the game cannot be compiled to one.
    #[error("the rules cannot be compiled to a network: {0}")]
    Ground(#[from] GroundError),
    /// A bound of [`Limits`](crate::Limits) was reached.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl GameError {
    /// The limit that was reached, if that is the error.
    #[must_use]
    pub fn limit(&self) -> Option<&LimitError> {
        match self {
            Self::Limit(limit) | Self::Ground(GroundError { limit }) => Some(limit),
            Self::NoLegalMove { .. }
            | Self::NoGoal { .. }
            | Self::SeveralGoals { .. }
            | Self::GoalOutOfRange { .. }
            | Self::OutOfReach => None,
        }
    }

    /// The role that the rules fail for, if it is a matter of one.
    #[must_use]
    pub fn role(&self) -> Option<&str> {
        match self {
            Self::NoLegalMove { role }
            | Self::NoGoal { role }
            | Self::SeveralGoals { role, .. }
            | Self::GoalOutOfRange { role, .. } => Some(role),
            Self::Limit(_) | Self::Ground(_) | Self::OutOfReach => None,
        }
    }

    /// The code under which [`analysis`](crate::analysis) reports an error in play.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoLegalMove { .. } => "no-legal-move",
            Self::NoGoal { .. } => "no-goal",
            Self::SeveralGoals { .. } => "several-goals",
            Self::GoalOutOfRange { .. } => "goal-out-of-range",
            Self::Limit(LimitError::Turns { .. }) => "endless-playout",
            Self::Limit(_) | Self::Ground(_) | Self::OutOfReach => "limit-in-play",
        }
    }

    /// A limit that was reached before the first move, as a finding about the rule that exceeded it; `None` for other
    /// errors. If no rule is known, the location is the start of the text.
    #[must_use]
    pub fn to_diagnostic(&self) -> Option<Diagnostic> {
        let limit = self.limit()?;
        let span = limit.rule().map_or(Span::new(0, 0), |rule| rule.span);
        let finding = Diagnostic::new("limit-in-evaluation", Severity::Error, span, self.to_string());
        Some(finding.with_help(limit.cure()))
    }
}

/// A text that is not a ground term, or not a move or percept of this game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TermError {
    /// The text cannot be parsed as one ground term.
    #[error("not a ground term: {0}")]
    Malformed(String),
    /// A bound of [`Limits`](crate::Limits) was reached.
    #[error(transparent)]
    Limit(#[from] GameError),
}

/// Why a move was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The text cannot be parsed as one ground term.
    #[error("not a move: {0}")]
    Malformed(String),
    /// A term that is not among the legal moves.
    #[error("{text} is not a legal move of {role} here")]
    NotLegal {
        /// Name of the role.
        role: String,
        /// The move in canonical form, truncated to 200 bytes.
        text: String,
    },
    /// The state is terminal, or the rules fail in it.
    #[error(transparent)]
    Game(#[from] GameError),
    /// There are no moves in a terminal state.
    #[error("the match is over: nobody can move")]
    Terminal,
}

/// What a goal has to be besides a whole number, if the value is one.
fn range(value: &str) -> &'static str {
    if value.parse::<i32>().is_ok() { " from 0 to 100" } else { "" }
}
