//! The player's part in the deal: a nonce that nobody learns before everybody is committed to theirs.

use std::collections::BTreeMap;

use croupier_referee::{Nonce, Seed};
use serde_json::{Value, json};

/// The nonce of a seat in one match.
pub(super) struct Part {
    role: String,
    nonce: Nonce,
    commitment: String,
}

impl Part {
    /// The part of whoever plays a role with a seed: the same again for the same seed, so who comes back can still
    /// disclose it.
    pub(super) fn new(seed: [u8; 32], match_id: &str, role: &str) -> Self {
        let nonce = Nonce(Seed::from_bytes(seed).agent(&format!("nonce/{match_id}")));
        let commitment = nonce.commitment(match_id, role).to_string();
        Self { role: role.to_owned(), nonce, commitment }
    }

    /// What is said to be ready.
    pub(super) fn ready(&self) -> Value {
        json!({ "type": "ready", "commitment": self.commitment })
    }

    /// The answer to what all have committed to.
    ///
    /// # Errors
    /// If it is not this nonce that was committed to for the seat.
    pub(super) fn reveal(&self, commitments: &BTreeMap<String, String>) -> Result<Value, String> {
        if commitments.get(&self.role) != Some(&self.commitment) {
            let named = &self.role;
            return Err(format!(
                "another program has committed to a nonce for {named}, and only that one can reveal it; \
                 who joins again with the same --seed can go on"
            ));
        }
        Ok(json!({ "type": "reveal", "nonce": hex::encode(self.nonce.0) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_back_with_its_seed_reveals_the_nonce_that_it_committed_to_and_nobody_else_does() {
        let part = Part::new([1; 32], "m1", "alice");
        let commitments = |of: &Part| BTreeMap::from([("alice".to_owned(), of.commitment.clone())]);
        let again = Part::new([1; 32], "m1", "alice");
        assert_eq!(part.ready(), again.ready());
        assert_eq!(again.reveal(&commitments(&part)), part.reveal(&commitments(&part)));
        assert!(part.reveal(&commitments(&part)).is_ok());
        let others = [Part::new([2; 32], "m1", "alice"), Part::new([1; 32], "m2", "alice")];
        for other in others {
            assert_ne!(other.nonce, part.nonce);
            assert!(other.reveal(&commitments(&part)).is_err());
        }
    }
}
