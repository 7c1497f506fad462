//! The events of a real-time match, and its effects.

use std::sync::Arc;

use croupier_engine::{
    ByPlayer, GoalValue, RoleId,
    realtime::{RealTimeError, TimedState},
};

use crate::{
    chance::Nonce,
    digest::Digest,
    event::{Effect, Failure},
};

/// The events of a real-time match. An instant before the last update counts as that of the last update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealTimeEvent {
    /// The match begins, at instant 0; anything before it but [`Self::Abort`] is ignored.
    Begin,
    /// A player is ready, before game time begins in a match whose players may commit to nonces; ignored otherwise.
    Ready {
        /// The player's role.
        role: RoleId,
        /// Its commitment to a nonce, if it makes one.
        commitment: Option<Digest>,
    },
    /// A player that was asked for the nonce that it had committed to has answered.
    Reveal {
        /// The player's role.
        role: RoleId,
        /// What it said, if that was a nonce.
        nonce: Option<Nonce>,
    },
    /// The time to get ready, or to disclose nonces, is over; ignored once game time has begun.
    Late,
    /// A player sent a move. It is judged when its instant is closed.
    Move {
        /// The player's role.
        role: RoleId,
        /// The player's name for the move, by which it recognises the acknowledgement. A move with an id that was used before is a repeat of the
        /// same move, and is ignored.
        id: u64,
        /// The move as written.
        text: String,
        /// When it arrived, in microseconds of game time.
        at_us: u64,
        /// The instant until which it is held, if that is later.
        not_before_us: Option<u64>,
    },
    /// Everything up to this instant, and at it, has arrived: moves and expiries until then become updates.
    Close {
        /// The instant in microseconds.
        at_us: u64,
    },
    /// Game time was paused at this instant while the driver's clock went on.
    Pause {
        /// The instant in microseconds.
        at_us: u64,
        /// For how long, in microseconds of the clock.
        lasted_us: u64,
    },
    /// Someone ends the match, at this instant.
    Abort {
        /// The instant in microseconds.
        at_us: u64,
    },
}

/// An action that a real-time match requests, in order. The first state comes at the start.
pub type RealTimeEffect = Effect<Notice, ReplayUpdate, RealTimeEnd>;

/// A state of a match, and what led to it: for observers who may see everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayUpdate {
    /// The instant of the update that made it; the first state is of instant 0 and has no moves.
    pub at_us: u64,
    /// Who played what in it, by the names of the roles.
    pub moves: Vec<(String, String)>,
    /// The state.
    pub state: TimedState,
}

/// A notice to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// What all players have committed to: the receiver is to disclose its nonce.
    Reveal {
        /// By role, in the order of the rules.
        commitments: Vec<(String, Digest)>,
    },
    /// The match has begun, at instant 0.
    Start,
    /// The player moved, or sees something.
    Event {
        /// When.
        at_us: u64,
        /// The player's own move at that instant.
        own_move: Option<Arc<str>>,
        /// Its percepts, in canonical order.
        percepts: Vec<Arc<str>>,
    },
    /// What became of a move that the player sent.
    Received {
        /// The player's name for the move.
        id: u64,
        /// The instant at which it counted.
        at_us: u64,
        /// The instant of arrival: earlier if the move was held, or rounded up to a tick.
        arrived_us: u64,
        /// How it was judged.
        status: MoveStatus,
    },
    /// The match is over.
    Stop {
        /// When.
        at_us: u64,
        /// The goal of each player by name, if the match ended by the rules.
        goals: Option<Vec<(String, i32)>>,
    },
}

/// How a move was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveStatus {
    /// It was legal, and played.
    Legal,
    /// A ground term that is not a legal move then.
    Illegal,
    /// Nothing that reads as a term.
    Malformed,
    /// Another move of the same role came first at the same instant.
    Second,
}

impl MoveStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Legal, Self::Illegal, Self::Malformed, Self::Second];

    /// The word for it in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Illegal => "illegal",
            Self::Malformed => "malformed",
            Self::Second => "second",
        }
    }
}

/// How, and when, a real-time match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealTimeEnd {
    /// The instant, in microseconds of game time.
    pub at_us: u64,
    /// How many updates there were.
    pub updates: u32,
    /// How it ended.
    pub outcome: RealTimeOutcome,
}

/// How a real-time match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealTimeOutcome {
    /// By the rules.
    Terminal {
        /// The goal of each player.
        goals: ByPlayer<GoalValue>,
    },
    /// Nothing can ever happen again: nothing expires, and nobody has a legal move.
    Stalled,
    /// It was not over when the limit of updates was reached.
    UpdateLimit,
    /// It was not over when the limit of game time was reached.
    TimeLimit,
    /// `random` had legal moves after each of too many moves in a row, and no time passed.
    EndlessChance,
    /// The rules give it no sensible continuation.
    GameError(RealTimeError),
    /// Someone ended it.
    Aborted,
    /// Nothing was dealt, because players did not disclose the nonces that they had committed to: the match is lost for
    /// them.
    Withheld {
        /// Who withheld a nonce, in the order of the rules, and what came instead.
        by: Vec<(RoleId, Failure)>,
    },
}

impl RealTimeOutcome {
    /// The goals, if the match ended by the rules.
    #[must_use]
    pub fn goals(&self) -> Option<&ByPlayer<GoalValue>> {
        match self {
            Self::Terminal { goals } => Some(goals),
            _ => None,
        }
    }

    /// The word for it in records.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            Self::Terminal { .. } => "terminal",
            Self::Stalled => "stalled",
            Self::UpdateLimit => "update_limit",
            Self::TimeLimit => "time_limit",
            Self::EndlessChance => "endless_chance",
            Self::GameError(_) => "game_error",
            Self::Aborted => "aborted",
            Self::Withheld { .. } => "withheld",
        }
    }
}
