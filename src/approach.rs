//! Which of its ways a player decided in, as data.

use croupier_players::Approaches;
use serde_json::{Value, json};

/// Each way, why it was taken, and in how many decisions.
pub(crate) fn as_json(approaches: &Approaches) -> Value {
    approaches
        .iter()
        .map(|(approach, decisions)| {
            json!({ "approach": approach.name(), "why": approach.to_string(), "decisions": decisions })
        })
        .collect()
}
