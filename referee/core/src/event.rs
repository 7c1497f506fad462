//! The events that can happen to a match, and the effects that it produces, as closed lists.

use croupier_engine::{ByPlayer, GameError, GoalValue, RoleId};

use crate::{chance::Nonce, digest::Digest, header::Clocks, view::Message};

/// A message that expects a reply, and the timer that limits the wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Request {
    /// The START message.
    Start,
    /// The REVEAL message: the nonce that the player committed to.
    Reveal,
    /// The PLAY message of one turn.
    Play {
        /// The turn, from 0.
        turn: u32,
    },
}

impl Request {
    /// What a message requests; `None` for one that expects no reply.
    #[must_use]
    pub fn of(message: &Message) -> Option<Self> {
        match message {
            Message::Start { .. } => Some(Self::Start),
            Message::Reveal { .. } => Some(Self::Reveal),
            Message::Play { turn, .. } => Some(Self::Play { turn: *turn }),
            Message::Stop { .. } | Message::Abort { .. } => None,
        }
    }

    /// How long a player has for its reply, in milliseconds.
    #[must_use]
    pub fn clock_ms(self, clocks: Clocks) -> u64 {
        match self {
            // Whoever can get ready in that time can say one number more in as much again.
            Self::Start | Self::Reveal => clocks.start_ms,
            Self::Play { .. } => clocks.play_ms,
        }
    }
}

/// Why there is no reply to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// None came in time.
    Timeout,
    /// The player could not be reached.
    ConnectError,
    /// The player closed the connection before its reply was whole, as a program does that fails.
    Closed,
    /// The reply is longer than a reply may be.
    TooLarge,
    /// The reply is not text of the protocol.
    Malformed,
    /// The player answered START by `busy`: it plays elsewhere.
    Busy,
    /// A player of this process failed, by an error of its own.
    PlayerError,
    /// The referee was interrupted while it waited, and could not ask the player again, who would have taken the
    /// message for another turn.
    Interrupted,
}

impl Failure {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Timeout,
        Self::ConnectError,
        Self::Closed,
        Self::TooLarge,
        Self::Malformed,
        Self::Busy,
        Self::PlayerError,
        Self::Interrupted,
    ];

    /// Whether a player that answers START with this cannot play: a match that needs it does not begin.
    #[must_use]
    pub fn is_absence(self) -> bool {
        matches!(self, Self::Busy | Self::ConnectError | Self::Closed)
    }

    /// The word for it in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::ConnectError => "connect_error",
            Self::Closed => "closed",
            Self::TooLarge => "too_large",
            Self::Malformed => "malformed",
            Self::Busy => "busy",
            Self::PlayerError => "player_error",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What became of a request to one player, before anyone judged it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The player wrote this.
    Text(String),
    /// The player is ready, and adds this to the seed of the match if it takes nonces in the clear; not ready to anything
    /// but START.
    Ready(Nonce),
    /// The player is ready, and commits to a nonce if the match takes commitments; not ready to anything but START.
    Committed(Digest),
    /// The nonce that the player committed to; nothing else is a reply to REVEAL.
    Revealed(Nonce),
    /// It wrote nothing that can be read.
    Failed(Failure),
}

/// The recorded status of a reply to PLAY.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplyStatus {
    /// A legal move.
    Legal,
    /// A ground term that is not a legal move.
    Illegal,
    /// Nothing to read.
    Failed(Failure),
}

impl ReplyStatus {
    /// The word for it in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Illegal => "illegal",
            Self::Failed(failure) => failure.as_str(),
        }
    }
}

/// What can happen to a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The match is to begin; anything before it but [`Event::Abort`] is ignored, and so is a second one.
    Begin,
    /// A player replied, or its connection failed.
    ///
    /// The first reply to the pending request counts, on arrival. A second reply, a reply to an earlier
    /// or later request, and a reply from a role without a player are ignored and leave no trace in the record.
    Reply {
        /// The player's role.
        role: RoleId,
        /// The request that it answers.
        to: Request,
        /// The reply, or the reason why there is none.
        reply: Reply,
    },
    /// A [`Timer`] ran out; ignored if it is not the current request's.
    Deadline {
        /// The role whose timer it was.
        of: Request,
    },
    /// The referee resumes after an interruption. The pending request gets its full clock again; the driver decides which
    /// players to ask again, with [`MatchState::asked`](crate::MatchState::asked).
    Resume {
        /// The number of the resuming referee: each is higher than the one before.
        epoch: u64,
    },
    /// Someone ends the match.
    Abort,
    /// A required player cannot be reached, so the match must not begin; ignored once the first moves have been requested.
    ///
    /// The driver decides whether a match needs all its players: instead it may tell the match that the player
    /// failed, and have moves substituted.
    Void {
        /// The player's role.
        role: RoleId,
        /// Why the player cannot be reached.
        failure: Failure,
    },
}

/// An action that a match requests. Effects must be carried out in order, each before the next one starts.
///
/// Every line that a message depends on is appended before the message is sent, so a driver that makes
/// each line durable before it continues never tells anyone something that a crash could undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<M = Message, S = Timer, O = Outcome> {
    /// Append this line, and a newline, to the record.
    Append(String),
    /// Send a message to a player; in matches in turns to each role at most one for each turn.
    Send {
        /// The receiver.
        role: RoleId,
        /// The message.
        message: M,
    },
    /// Something for the driver alone: a timer in matches in turns, a new state in real time.
    Signal(S),
    /// The match is over; nothing follows.
    Finish {
        /// How it ended.
        outcome: O,
    },
}

/// When to give [`Event::Deadline`]. A match has at most one timer of interest: the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Which request it is for.
    pub of: Request,
    /// When, on the clock that [`step`](crate::MatchState::step) is given.
    pub at_ms: u64,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By the rules.
    Terminal {
        /// Joint moves played.
        turns: u32,
        /// The goal of each player.
        goals: ByPlayer<GoalValue>,
    },
    /// It was not over when the limit of turns was reached.
    TurnLimit {
        /// Joint moves played.
        turns: u32,
    },
    /// The rules give it no sensible continuation.
    GameError {
        /// Joint moves played before that.
        turns: u32,
        /// The role that the rules fail for, if it is a matter of one.
        role: Option<RoleId>,
        /// The problem in the rules.
        error: GameError,
    },
    /// Someone ended it.
    Aborted {
        /// Joint moves played before that.
        turns: u32,
    },
    /// The match never began, because a player could not be reached.
    Void {
        /// The player's role.
        role: RoleId,
        /// Why the player could not be reached.
        failure: Failure,
    },
    /// Nothing was dealt, because players did not disclose the nonces that they had committed to: the match is lost for
    /// them.
    Withheld {
        /// Who withheld a nonce, in the order of the rules, and what came instead. There is at least one.
        by: Vec<(RoleId, Failure)>,
    },
}

impl Outcome {
    /// Joint moves played.
    #[must_use]
    pub fn turns(&self) -> u32 {
        match self {
            Self::Terminal { turns, .. }
            | Self::TurnLimit { turns }
            | Self::GameError { turns, .. }
            | Self::Aborted { turns } => *turns,
            Self::Void { .. } | Self::Withheld { .. } => 0,
        }
    }

    /// The goals, if the match ended by the rules.
    #[must_use]
    pub fn goals(&self) -> Option<&ByPlayer<GoalValue>> {
        match self {
            Self::Terminal { goals, .. } => Some(goals),
            Self::TurnLimit { .. }
            | Self::GameError { .. }
            | Self::Aborted { .. }
            | Self::Void { .. }
            | Self::Withheld { .. } => None,
        }
    }

    /// The word for it in records.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            Self::Terminal { .. } => "terminal",
            Self::TurnLimit { .. } => "turn_limit",
            Self::GameError { .. } => "game_error",
            Self::Aborted { .. } => "aborted",
            Self::Void { .. } => "void",
            Self::Withheld { .. } => "withheld",
        }
    }
}
