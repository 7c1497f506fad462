//! What goes over the wire between the referee and a player that connects to it: JSON, one object a frame.

use std::sync::Arc;

use croupier_referee::{Header, LastTurn, Message};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message to a seat.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Told<'m> {
    Start {
        #[serde(rename = "match")]
        match_id: &'m str,
        role: &'m str,
        rules: &'m str,
        dialect: &'static str,
        start_clock_ms: u64,
        play_clock_ms: u64,
        commitment: &'m str,
    },
    Play {
        turn: u32,
        last_move: Option<&'m str>,
        percepts: &'m [Arc<str>],
        deadline_ms: u64,
    },
    Stop {
        turn: u32,
        last_move: Option<&'m str>,
        percepts: &'m [Arc<str>],
    },
    Abort,
}

/// A message from a seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Said {
    /// It is ready, and may add to the seed.
    Ready {
        /// 64 hexadecimal digits.
        nonce: Option<String>,
    },
    /// Its move in a turn.
    Move {
        /// The turn for which the move was requested.
        turn: u32,
        /// A term.
        #[serde(rename = "move")]
        own_move: String,
    },
}

/// A message as a frame: the same bytes for the same message, whenever it is sent.
pub(crate) fn frame(header: &Header, commitment: &str, message: &Message) -> Arc<str> {
    let clocks = header.clocks();
    let told = match message {
        Message::Start { match_id, role, rules, .. } => Told::Start {
            match_id,
            role,
            rules,
            dialect: "gdl2",
            start_clock_ms: clocks.start_ms,
            play_clock_ms: clocks.play_ms,
            commitment,
        },
        Message::Play { turn, last, .. } => {
            let (last_move, percepts) = parts(last.as_ref());
            Told::Play { turn: *turn, last_move, percepts, deadline_ms: clocks.play_ms }
        }
        Message::Stop { turn, last, .. } => {
            let (last_move, percepts) = parts(last.as_ref());
            Told::Stop { turn: *turn, last_move, percepts }
        }
        Message::Abort { .. } => Told::Abort,
    };
    serde_json::to_string(&told).expect("texts and numbers are JSON").into()
}

fn parts(last: Option<&LastTurn>) -> (Option<&str>, &[Arc<str>]) {
    match last {
        Some(last) => (Some(&last.own_move), &last.percepts),
        None => (None, &[]),
    }
}
