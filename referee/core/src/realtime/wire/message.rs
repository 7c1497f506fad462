//! What referee and player say to each other in a real-time match.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Limits, stages::syntax};

use super::{
    NUMBER_MAX,
    error::{WireError, part},
};
use crate::{
    chance::Nonce,
    digest::Digest,
    header::MATCH_ID_BYTES_MAX,
    realtime::{MoveStatus, Notice, RealTimeHeader},
};

/// A message from the referee to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealTimeMessage {
    /// The description of the match; it begins when its players are ready.
    Start {
        /// Id of the match.
        match_id: String,
        /// The receiver's role.
        role: String,
        /// The rules, in prefix syntax on one line.
        rules: String,
        /// Instants of moves are rounded up to whole ticks, in microseconds.
        tick_us: u64,
        /// How the match is run.
        opening: Opening,
        /// What game time is now, in microseconds.
        now_us: u64,
    },
    /// What all players have committed to: the receiver is to disclose its nonce.
    Reveal {
        /// By role, in hexadecimal digits.
        commitments: BTreeMap<String, String>,
        /// The referee's signature of that, in hexadecimal digits, if it has a key.
        signature: Option<String>,
    },
    /// Game time runs.
    Clock {
        /// The current game time, in microseconds.
        now_us: u64,
    },
    /// Somebody moved, or the player sees something.
    Event {
        /// The instant in microseconds.
        at_us: u64,
        /// The part that the player may know.
        seen: Seen,
    },
    /// What became of a move of the player.
    Received {
        /// The player's name for the move.
        id: u64,
        /// The instant at which it counted, in microseconds.
        at_us: u64,
        /// The instant at which it arrived, in microseconds.
        arrived_us: u64,
        /// How it was judged.
        status: MoveStatus,
    },
    /// The match is over.
    Stop {
        /// The instant in microseconds.
        at_us: u64,
        /// The goal of each player by name, if the match ended by the rules.
        goals: Option<BTreeMap<String, i32>>,
    },
}

/// How a match is run, beyond what its record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// How much game time passes in a second of the clock, in milliseconds.
    pub speed_permille: u32,
    /// Time to get ready, in milliseconds.
    pub start_clock_ms: u64,
    /// What binds the referee to the seed, in hexadecimal digits.
    pub commitment: Option<String>,
    /// The referee's signature of that and the key that checks it, in hexadecimal digits; only in JSON.
    pub signed: Option<[String; 2]>,
}

/// The part of an update that a player may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// With full sight: who moved what.
    Moves(BTreeMap<String, String>),
    /// Otherwise: the player's own move and percepts.
    Percepts {
        /// Its own move, if it moved.
        own_move: Option<String>,
        /// Its percepts, in canonical order.
        percepts: Vec<String>,
    },
}

/// A message from a player to the referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealTimeSaid {
    /// It has read the rules.
    Ready {
        /// Its commitment to a nonce, if it makes one.
        commitment: Option<Digest>,
    },
    /// The nonce that it committed to.
    Reveal {
        /// The nonce.
        nonce: Nonce,
    },
    /// It moves. The same id again is the same move again.
    Move {
        /// The player's name for the move.
        id: u64,
        /// The move as written.
        text: String,
        /// The instant until which the referee is to hold it, in microseconds.
        not_before_us: Option<u64>,
    },
}

impl RealTimeMessage {
    /// What a player is told before its match.
    #[must_use]
    pub fn start(header: &RealTimeHeader, role: &str, opening: Opening) -> Self {
        let setup = header.setup();
        let rules = syntax::print_description(&header.game().rules().written().description);
        Self::Start {
            match_id: setup.match_id.clone(),
            role: role.to_owned(),
            rules: rules.split_ascii_whitespace().collect::<Vec<&str>>().join(" "),
            tick_us: setup.tick_us,
            opening,
            now_us: 0,
        }
    }

    /// The wire form of a notice, which contains nothing else.
    #[must_use]
    pub fn of(header: &RealTimeHeader, notice: &Notice) -> Self {
        match notice {
            Notice::Reveal { commitments } => Self::Reveal {
                commitments: commitments
                    .iter()
                    .map(|(role, digest)| (role.clone(), digest.to_string()))
                    .collect(),
                signature: None,
            },
            Notice::Start => Self::Clock { now_us: 0 },
            Notice::Event { at_us, own_move, percepts } => {
                let moves = header.game().has_full_sight().then(|| moves_in(header, percepts)).flatten();
                let told = || Seen::Percepts {
                    own_move: own_move.as_deref().map(str::to_owned),
                    percepts: percepts.iter().map(|percept| percept.to_string()).collect(),
                };
                Self::Event { at_us: *at_us, seen: moves.map_or_else(told, Seen::Moves) }
            }
            Notice::Received { id, at_us, arrived_us, status } => {
                Self::Received { id: *id, at_us: *at_us, arrived_us: *arrived_us, status: *status }
            }
            Notice::Stop { at_us, goals } => Self::Stop {
                at_us: *at_us,
                goals: goals.as_ref().map(|goals| goals.iter().cloned().collect()),
            },
        }
    }

    /// The notice that a message brings to the player of a role; `None` for one that comes before the match.
    #[must_use]
    pub fn notice(&self, role: &str) -> Option<Notice> {
        Some(match self {
            Self::Start { .. } => return None,
            Self::Reveal { commitments, .. } => {
                let listed = commitments.iter();
                let listed = listed.filter_map(|(role, text)| Some((role.clone(), Digest::from_hex(text)?)));
                Notice::Reveal { commitments: listed.collect() }
            }
            Self::Clock { .. } => Notice::Start,
            Self::Event { at_us, seen: Seen::Moves(moves) } => {
                let mut percepts: Vec<Arc<str>> =
                    moves.iter().map(|(role, played)| format!("(did {role} {played})").into()).collect();
                percepts.sort_unstable();
                let own_move = moves.get(role).map(|played| played.as_str().into());
                Notice::Event { at_us: *at_us, own_move, percepts }
            }
            Self::Event { at_us, seen: Seen::Percepts { own_move, percepts } } => Notice::Event {
                at_us: *at_us,
                own_move: own_move.as_deref().map(Arc::from),
                percepts: percepts.iter().map(|percept| percept.as_str().into()).collect(),
            },
            Self::Received { id, at_us, arrived_us, status } => {
                Notice::Received { id: *id, at_us: *at_us, arrived_us: *arrived_us, status: *status }
            }
            Self::Stop { at_us, goals } => {
                Notice::Stop { at_us: *at_us, goals: goals.clone().map(|goals| goals.into_iter().collect()) }
            }
        })
    }

    /// The message itself, if everything in it can be: terms are ground, numbers in their bounds.
    pub(super) fn checked(self, limits: &Limits) -> Result<Self, WireError> {
        match &self {
            Self::Start { match_id, role, rules, tick_us, opening, now_us } => {
                check_id("START", match_id)?;
                check_term("START", "the role", role, limits)?;
                let speed = u64::from(opening.speed_permille);
                check_numbers("START", &[*tick_us, speed, opening.start_clock_ms, *now_us])?;
                let is_hex =
                    |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit()) && !text.is_empty();
                if rules.is_empty() || *tick_us == 0 || speed == 0 {
                    return Err(part("START", "the rules, the tick or the speed"));
                }
                if !opening.commitment.as_deref().is_none_or(is_hex) {
                    return Err(part("START", "the commitment"));
                }
            }
            Self::Reveal { commitments, .. } => {
                if !commitments.values().all(|text| Digest::from_hex(text).is_some()) {
                    return Err(part("REVEAL", "a commitment"));
                }
                for role in commitments.keys() {
                    check_term("REVEAL", "a role", role, limits)?;
                }
            }
            Self::Clock { now_us } => check_numbers("CLOCK", &[*now_us])?,
            Self::Event { at_us, seen } => {
                check_numbers("EVENT", &[*at_us])?;
                for term in seen.terms() {
                    check_term("EVENT", "a term", term, limits)?;
                }
            }
            Self::Received { id, at_us, arrived_us, .. } => {
                check_numbers("RECEIVED", &[*id, *at_us, *arrived_us])?;
            }
            Self::Stop { at_us, goals } => {
                check_numbers("STOP", &[*at_us])?;
                for role in goals.iter().flat_map(BTreeMap::keys) {
                    check_term("STOP", "a role", role, limits)?;
                }
            }
        }
        Ok(self)
    }
}

impl Seen {
    fn terms(&self) -> Vec<&str> {
        match self {
            Self::Moves(moves) => {
                moves.iter().flat_map(|(role, played)| [role.as_str(), played.as_str()]).collect()
            }
            Self::Percepts { own_move, percepts } => {
                own_move.as_deref().into_iter().chain(percepts.iter().map(String::as_str)).collect()
            }
        }
    }
}

impl RealTimeSaid {
    /// The same, if its numbers are in their bounds. Whether the move is a term is for the match to judge.
    pub(super) fn checked(self) -> Result<Self, WireError> {
        match &self {
            Self::Ready { .. } | Self::Reveal { .. } => {}
            Self::Move { id, not_before_us, .. } => {
                check_numbers("MOVE", &[*id, not_before_us.unwrap_or(0)])?
            }
        }
        Ok(self)
    }
}

/// The moves that percepts of full sight describe; `None` for other percepts.
fn moves_in(header: &RealTimeHeader, percepts: &[Arc<str>]) -> Option<BTreeMap<String, String>> {
    let roles = header.roles();
    let of_percept = |percept: &Arc<str>| {
        let inside = percept.strip_prefix("(did ")?.strip_suffix(')')?;
        let mut named = roles.all().map(|role| roles.name(role));
        named.find_map(|role| {
            Some((role.to_owned(), inside.strip_prefix(role)?.strip_prefix(' ')?.to_owned()))
        })
    };
    percepts.iter().map(of_percept).collect()
}

pub(super) fn check_id(kind: &'static str, id: &str) -> Result<(), WireError> {
    let is_word = id.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let is_id = is_word && (1..=MATCH_ID_BYTES_MAX).contains(&id.len());
    if is_id { Ok(()) } else { Err(part(kind, "the match id")) }
}

fn check_term(kind: &'static str, what: &'static str, text: &str, limits: &Limits) -> Result<(), WireError> {
    let term = syntax::read_ground_term(text, limits).map_err(|_| part(kind, what))?;
    if syntax::print_term(&term) == text { Ok(()) } else { Err(part(kind, what)) }
}

fn check_numbers(kind: &'static str, numbers: &[u64]) -> Result<(), WireError> {
    let is_exact = numbers.iter().all(|&number| number <= NUMBER_MAX);
    if is_exact { Ok(()) } else { Err(part(kind, "a number above 2^53 - 1")) }
}
