//! A session as everybody who may look at it sees it: the table, and nothing that is in anybody's hand.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::setup::Spectators;

/// The number of a seat at a table, from 1.
pub(crate) type SeatPlace = u32;

/// How far a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SessionStatus {
    /// It waits for people, and for its host to start it.
    Waiting,
    /// Match after match is played.
    Playing,
    /// The match that runs is played to its end, and no other begins.
    Paused,
    /// No other match will be played; the seed of the session and the records of its matches are open.
    Over,
}

/// Who has a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Occupant {
    /// Nobody yet.
    Free,
    /// A guest.
    Person,
    /// An agent of this server.
    Agent,
}

/// A seat of a session as everybody sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct SeatLine {
    pub(crate) place: SeatPlace,
    pub(crate) occupant: Occupant,
    /// What its guest is called, or the specification of its agent. Text, never markup.
    pub(crate) name: Option<String>,
    /// What it has won and lost so far, in the unit of the terms.
    pub(crate) total: f64,
    /// The chips that it has between matches, where the session has chips.
    pub(crate) stack: Option<u64>,
    /// Whether its guest sits out, or did not answer twice.
    pub(crate) is_away: bool,
    /// Whether whoever sits there goes when the match is over.
    pub(crate) is_leaving: bool,
    /// Whether it had the first role of the last match.
    pub(crate) has_button: bool,
    /// Whether it has nothing left, and can buy nothing.
    pub(crate) is_out: bool,
}

/// The match of a session that is being played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct HandLine {
    /// Which match of the session it is, from 1.
    pub(crate) index: u64,
    /// The match.
    #[serde(rename = "match")]
    pub(crate) match_id: String,
    /// The place of each role.
    pub(crate) roles: BTreeMap<String, SeatPlace>,
}

/// A match of a session that is over.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct HandResult {
    /// Which match of the session it was, from 1.
    pub(crate) index: u64,
    /// The match.
    #[serde(rename = "match")]
    pub(crate) match_id: String,
    /// The place of each role.
    pub(crate) roles: BTreeMap<String, SeatPlace>,
    /// By place, what it changed in the totals.
    pub(crate) changes: BTreeMap<SeatPlace, f64>,
}

/// What was agreed on for a session, in data and in words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TermsLine {
    /// In a sentence each: how seats rotate, what adds up, when it ends, blinds, what becomes of who is away.
    pub(crate) sentences: Vec<String>,
    /// What totals count: chips, points, wins.
    pub(crate) unit: String,
    /// The blinds of the next match, small and big.
    pub(crate) blinds: Option<[u64; 2]>,
    /// Milliseconds that everybody has for a move, in a game in turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) play_clock_ms: Option<u64>,
    /// Milliseconds that a guest may use beside the clock, in a game in turns; a match gives back a part of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bank_ms: Option<u64>,
    /// Milliseconds of game time per second, in a real-time game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) speed_permille: Option<u32>,
    /// What watchers see of a match while it runs.
    pub(crate) spectators: Spectators,
    /// Whether a guest is shown what it could believe.
    pub(crate) trainer: bool,
}

/// A session as everybody who may look at it sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct SessionView {
    pub(crate) id: String,
    /// Grows with every change: who has seen this one asks for the next.
    pub(crate) version: u64,
    /// The name of the game in the catalogue, if it has one.
    pub(crate) game: Option<String>,
    /// What the game is called.
    pub(crate) title: String,
    pub(crate) status: SessionStatus,
    /// The seats, in order.
    pub(crate) seats: Vec<SeatLine>,
    /// The place of the guest that is the host, if the role was handed on.
    pub(crate) host: Option<SeatPlace>,
    /// The match that is being played.
    pub(crate) hand: Option<HandLine>,
    /// How many matches are over.
    pub(crate) hands_played: u64,
    /// The last of them, the oldest first.
    pub(crate) hands: Vec<HandResult>,
    pub(crate) terms: TermsLine,
    /// Whether it ends when the match is over.
    pub(crate) is_ending: bool,
    /// Whether the next match waits for more seats that can be dealt in.
    pub(crate) lacks_seats: bool,
    /// Whether people can write to each other.
    pub(crate) has_chat: bool,
    /// Whether it is in the list of tables, where anybody may watch it.
    pub(crate) is_listed: bool,
    /// SHA-256 that binds the server to the seed of the session.
    pub(crate) commitment: String,
    /// The seed that every match was dealt from, once the session is over.
    pub(crate) seed: Option<String>,
    /// Why it is over, in a sentence.
    pub(crate) ending: Option<String>,
    pub(crate) created_ms: i64,
}

/// What somebody wrote at a table. It is kept in memory alone, and is in no record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ChatLine {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Who wrote it: a seat, or the host if it has none.
    pub(crate) place: Option<SeatPlace>,
    pub(crate) name: String,
    /// Text, never markup.
    pub(crate) text: String,
}
