//! The legal moves of seats that ask for them, worked out from the frames that the seat was shown and nothing else.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use croupier_engine::{ByPlayer, Game, RoleId};
use croupier_referee::{Header, ProvableMoves};
use serde_json::{Value, json};

use crate::context::ServerContext;

/// What the seats of a match know of their legal moves, as far as they asked.
#[derive(Debug)]
pub(crate) struct KnownToSeats {
    context: Arc<ServerContext>,
    header: Arc<Header>,
    /// The game as players have it, once somebody has asked: the referee's has no network, on which beliefs are worked out.
    game: OnceLock<Arc<Game>>,
    seats: ByPlayer<Mutex<Option<Box<dyn ProvableMoves>>>>,
}

impl KnownToSeats {
    /// Nobody has asked yet.
    pub(crate) fn new(header: &Arc<Header>, context: &Arc<ServerContext>) -> Self {
        let seats = ByPlayer::from_fn(header.roles(), |_| Mutex::new(None));
        Self { context: Arc::clone(context), header: Arc::clone(header), game: OnceLock::new(), seats }
    }

    /// A game for the beliefs of one seat: it shares no working memory with the referee's, nor with another seat's.
    pub(crate) fn own_game(&self) -> Arc<Game> {
        let line = self.header.rules_line();
        // Rules that the referee plays are those that players can play.
        let compiled = || self.context.library.game(line).unwrap_or_else(|_| Arc::clone(self.header.game()));
        Arc::new(self.game.get_or_init(compiled).fork())
    }

    /// A frame of a seat, the last of those that it was shown, with the legal moves if it asks for a move: `null` if what the
    /// seat was told does not prove them.
    ///
    /// The frames are its only source, so the answer cannot depend on anything that the seat was not told.
    pub(crate) fn with_legal(&self, role: RoleId, shown: &[Arc<str>]) -> Option<Value> {
        let mut frame: Value = serde_json::from_str(shown.last()?).ok()?;
        if frame["type"] != "play" {
            return Some(frame);
        }
        let mut seat = self.seats[role].lock().unwrap_or_else(PoisonError::into_inner);
        let known =
            seat.get_or_insert_with(|| self.context.library.agents.provable_moves(self.own_game(), role));
        let mut turn = 0;
        for text in shown {
            let told: Value = serde_json::from_str(text).ok()?;
            let Some(last_move) = told["last_move"].as_str().filter(|_| told["type"] == "play") else {
                continue;
            };
            turn += 1;
            if turn > known.turns() {
                let percepts: Vec<&str> =
                    told["percepts"].as_array()?.iter().filter_map(Value::as_str).collect();
                known.take(last_move, &percepts).ok()?;
            }
        }
        // Another request has gone on already: what was legal earlier is not worked out again.
        let moves = if known.turns() == turn { known.texts() } else { None };
        #[cfg(feature = "mutants")]
        let moves = crate::leaks::legal(role, shown).or(moves);
        frame["legal"] = json!(moves);
        Some(frame)
    }
}
