//! What a role is told: the one function that the wire, a seat's page and a replay all call.

use std::{fmt, sync::Arc};

use croupier_engine::RoleId;

use crate::{digest::Digest, header::Header};

/// What one role did and was told in one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTurn {
    /// The move that was executed for it, which is a substitute if its reply was not a legal move in time.
    pub own_move: Arc<str>,
    /// Its percepts, as a set: order and repetition are irrelevant.
    pub percepts: Vec<Arc<str>>,
}

/// Everything that one role knows besides the [`Header`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnHistory {
    /// The role whose knowledge it is.
    pub role: RoleId,
    /// Every turn so far.
    pub turns: Vec<OwnTurn>,
}

impl OwnHistory {
    /// What `role` knows before the first move.
    #[must_use]
    pub fn initial(role: RoleId) -> Self {
        Self { role, turns: Vec::new() }
    }
}

/// When a role is told something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The match begins.
    Start,
    /// A request for a move.
    Play,
    /// The match is over.
    Stop,
    /// The match ends without a result.
    Abort,
}

/// A message to a player. Prints in the standard dialect of GDL-II.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `(START id role (rules) startclock playclock)`, to be answered by `READY`.
    Start {
        /// Id of the match.
        match_id: String,
        /// Name of the receiver's role.
        role: String,
        /// The rules on one line: [`Header::rules_line`].
        rules: Arc<str>,
        /// Whole seconds from START to the first PLAY, rounded down.
        start_clock_s: u64,
        /// Whole seconds for each reply, rounded down so that who trusts it is never late.
        play_clock_s: u64,
    },
    /// `(REVEAL id ((role commitment) ...))`, to be answered by the nonce that the receiver committed to; only for players
    /// that did, who connect.
    Reveal {
        /// Id of the match.
        match_id: String,
        /// By role in the order of the rules, what each contributing player has committed to.
        commitments: Vec<(String, Digest)>,
    },
    /// `(PLAY id turn lastmove (percepts))`, in turn 0 `(PLAY id 0 NIL NIL)`, to be answered by a move.
    Play {
        /// Id of the match.
        match_id: String,
        /// The turn for which a move is requested, from 0.
        turn: u32,
        /// The turn before, whose percepts are without repetition and in canonical order; `None` in turn 0.
        last: Option<OwnTurn>,
    },
    /// `(STOP id turn lastmove (percepts))`.
    Stop {
        /// Id of the match.
        match_id: String,
        /// How many turns were played.
        turn: u32,
        /// The last of them; `None` if there was none.
        last: Option<OwnTurn>,
    },
    /// `(ABORT id)`.
    Abort {
        /// Id of the match.
        match_id: String,
    },
}

/// What a role is told at one moment of a match.
///
/// It depends only on the header and on the role's own moves and percepts: in two histories that
/// a role cannot tell apart it gets equal messages.
///
/// # Panics
/// If the role is of a game with more roles.
#[must_use]
pub fn message(header: &Header, own: &OwnHistory, moment: Moment) -> Message {
    let match_id = header.match_id().to_owned();
    let turn = u32::try_from(own.turns.len()).unwrap_or(u32::MAX);
    match moment {
        Moment::Start => Message::Start {
            match_id,
            role: header.role_name(own.role).to_owned(),
            rules: Arc::clone(header.rules_line()),
            start_clock_s: header.clocks().start_ms / 1000,
            play_clock_s: header.clocks().play_ms / 1000,
        },
        Moment::Play => Message::Play { match_id, turn, last: own.turns.last().map(in_order) },
        Moment::Stop => Message::Stop { match_id, turn, last: own.turns.last().map(in_order) },
        Moment::Abort => Message::Abort { match_id },
    }
}

/// The turn as its role is told it: percepts in canonical order, without repetition.
fn in_order(turn: &OwnTurn) -> OwnTurn {
    let mut percepts = turn.percepts.clone();
    percepts.sort_unstable();
    percepts.dedup();
    #[cfg(feature = "mutants")]
    if crate::mutant::is_on(crate::mutant::Mutant::UnsortedPercepts) {
        percepts.reverse();
    }
    OwnTurn { own_move: Arc::clone(&turn.own_move), percepts }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { match_id, role, rules, start_clock_s, play_clock_s } => {
                write!(f, "(START {match_id} {role} ({rules}) {start_clock_s} {play_clock_s})")
            }
            Self::Reveal { match_id, commitments } => {
                let listed = commitments.iter().map(|(role, digest)| format!("({role} {digest})"));
                write!(f, "(REVEAL {match_id} ({}))", listed.collect::<Vec<_>>().join(" "))
            }
            Self::Play { match_id, turn, last } => write_turn(f, "PLAY", match_id, *turn, last.as_ref()),
            Self::Stop { match_id, turn, last } => write_turn(f, "STOP", match_id, *turn, last.as_ref()),
            Self::Abort { match_id } => write!(f, "(ABORT {match_id})"),
        }
    }
}

fn write_turn(
    f: &mut fmt::Formatter<'_>,
    kind: &str,
    match_id: &str,
    turn: u32,
    last: Option<&OwnTurn>,
) -> fmt::Result {
    match last {
        None => write!(f, "({kind} {match_id} {turn} NIL NIL)"),
        Some(OwnTurn { own_move, percepts }) => {
            write!(f, "({kind} {match_id} {turn} {own_move} ({}))", percepts.join(" "))
        }
    }
}
