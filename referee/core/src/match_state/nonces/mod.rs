//! What players add to the seed: commitments first, and nonces when all commitments are there.
//!
//! Nobody is asked for a nonce before everybody has answered START or the clock has run out: from then on all
//! commitments are fixed, and each player that committed is told all of them.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use croupier_engine::RoleId;

use super::{MatchPhase, MatchState};
use crate::{
    chance::Nonce,
    digest::Digest,
    event::{Effect, Failure, Reply, Request},
    header::Nonces,
    view::Message,
};

/// The nonce and the commitment in an answer to START, as far as the match takes them.
pub(super) fn given(rule: Nonces, reply: &Reply) -> (Option<Nonce>, Option<Digest>) {
    match (rule, reply) {
        (Nonces::Clear, Reply::Ready(nonce)) => (Some(*nonce), None),
        (Nonces::Committed, Reply::Committed(commitment)) => (None, Some(*commitment)),
        _ => (None, None),
    }
}

/// The nonce in an answer to REVEAL: only the one that was committed to.
pub(super) fn revealed(
    match_id: &str,
    role_name: &str,
    commitment: Option<&Digest>,
    reply: &Reply,
) -> Result<Nonce, Failure> {
    match reply {
        Reply::Revealed(nonce) => opened(match_id, role_name, commitment, *nonce),
        Reply::Failed(failure) => Err(*failure),
        Reply::Text(_) | Reply::Ready(_) | Reply::Committed(_) => Err(Failure::Malformed),
    }
}

/// A nonce, if it is the one that was committed to.
pub(crate) fn opened(
    match_id: &str,
    role_name: &str,
    commitment: Option<&Digest>,
    nonce: Nonce,
) -> Result<Nonce, Failure> {
    let fits = commitment == Some(&nonce.commitment(match_id, role_name));
    if fits { Ok(nonce) } else { Err(Failure::Malformed) }
}

/// All nonces, or who withheld one.
pub(crate) fn all(
    revealed: &BTreeMap<RoleId, Result<Nonce, Failure>>,
) -> Result<BTreeMap<RoleId, Nonce>, Vec<(RoleId, Failure)>> {
    let withheld = revealed.iter().filter_map(|(&role, revealed)| Some((role, revealed.err()?)));
    let withheld: Vec<_> = withheld.collect();
    if withheld.is_empty() {
        Ok(revealed.iter().filter_map(|(&role, revealed)| Some((role, revealed.ok()?))).collect())
    } else {
        Err(withheld)
    }
}

impl MatchState {
    /// What a player was told when all commitments were there; `None` before, and for a player that made none.
    #[must_use]
    pub fn reveal_message(&self, role: RoleId) -> Option<Message> {
        let is_fixed = !matches!(self.phase, MatchPhase::Created | MatchPhase::Starting { .. });
        if !is_fixed || !self.commitments.contains_key(&role) {
            return None;
        }
        let name = |role: RoleId| self.header.role_name(role).to_owned();
        Some(Message::Reveal {
            match_id: self.header.match_id().to_owned(),
            commitments: self.commitments.iter().map(|(&role, &digest)| (name(role), digest)).collect(),
        })
    }

    /// Tells each player that committed to a nonce what all have committed to, and asks for its nonce.
    pub(super) fn ask_for_nonces(&mut self) {
        self.phase = MatchPhase::Revealing { sent_ms: self.now_ms, revealed: BTreeMap::new() };
        let roles: Vec<RoleId> = self.commitments.keys().copied().collect();
        let sent =
            roles.iter().filter_map(|&role| Some(Effect::Send { role, message: self.reveal_message(role)? }));
        let sent: Vec<Effect> = sent.collect();
        self.effects.extend(sent);
        self.arm_timer(Request::Reveal);
    }
}
