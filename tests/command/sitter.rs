//! One seat of a server, as a program over HTTP has it.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{thread, time::Instant};

use croupier_referee::Nonce;
use serde_json::{Value, json};

use crate::server::{PATIENCE, Server};

/// A seat of a match of a server, with its token.
pub(crate) struct Sitter<'s> {
    pub(crate) server: &'s Server,
    pub(crate) path: String,
    pub(crate) token: String,
}

impl<'s> Sitter<'s> {
    /// The seat of a role in a match.
    pub(crate) fn new(server: &'s Server, match_id: &str, role: &str, token: &str) -> Self {
        Self { server, path: format!("/v1/matches/{match_id}/seats/{role}"), token: token.to_owned() }
    }

    /// The frame of a number, once it is there.
    #[expect(clippy::disallowed_methods, reason = "how long a frame is waited for is real time")]
    pub(crate) fn frame(&self, number: usize) -> Value {
        let begun = Instant::now();
        let path = format!("{}?after={number}", self.path);
        let mut last = (0, String::new());
        while begun.elapsed() < PATIENCE {
            last = self.server.ask("GET", &path, Some(&self.token), None);
            if last.0 == 200 {
                let answer: Value = serde_json::from_str(&last.1).unwrap();
                if let Some(frame) = answer["frames"].get(0) {
                    return frame.clone();
                }
            }
        }
        panic!("no frame {number} at {} after {PATIENCE:?}: {last:?}", self.path)
    }

    pub(crate) fn say(&self, frame: &Value) -> (u16, String) {
        self.server.ask("POST", &self.path, Some(&self.token), Some(frame))
    }

    /// Says that it is ready, and commits to a nonce.
    pub(crate) fn commit(&self, nonce: Nonce) -> (u16, String) {
        let start = self.frame(0);
        let (id, role) = (start["match"].as_str().unwrap(), start["role"].as_str().unwrap());
        self.say(&json!({ "type": "ready", "commitment": nonce.commitment(id, role).to_string() }))
    }

    /// Discloses a nonce.
    pub(crate) fn reveal(&self, nonce: Nonce) -> (u16, String) {
        self.say(&json!({ "type": "reveal", "nonce": hex::encode(nonce.0) }))
    }
}

/// Lets the players of all seats connect: a match begins when all of them are there.
pub(crate) fn connect(sitters: &[Sitter<'_>]) {
    thread::scope(|scope| {
        for sitter in sitters {
            scope.spawn(|| sitter.frame(0));
        }
    });
}
