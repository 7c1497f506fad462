//! The legal moves of seats that ask for them, worked out from the frames that the seat was shown and nothing else.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_engine::{ByPlayer, Game, RoleId};
use croupier_referee::{Agents, ProvableMoves};
use serde_json::{Value, json};

/// What the seats of a match know of their legal moves, as far as they asked.
#[derive(Debug)]
pub(crate) struct KnownToSeats {
    game: Arc<Game>,
    agents: Arc<dyn Agents>,
    seats: ByPlayer<Mutex<Option<Box<dyn ProvableMoves>>>>,
}

impl KnownToSeats {
    /// Nobody has asked yet.
    pub(crate) fn new(game: &Arc<Game>, agents: &Arc<dyn Agents>) -> Self {
        let seats = ByPlayer::from_fn(game.roles(), |_| Mutex::new(None));
        Self { game: Arc::clone(game), agents: Arc::clone(agents), seats }
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
        // A game of its own: it shares no working memory with the referee's.
        let known = seat.get_or_insert_with(|| self.agents.provable_moves(Arc::new(self.game.fork()), role));
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
