//! Before game time begins: players commit to nonces, and disclose them when all commitments are fixed.

use std::collections::BTreeMap;

use croupier_engine::RoleId;

use super::{Notice, RealTimeMatch, RealTimeOutcome, machine::RealTimePhase};
use crate::{
    chance::Nonce,
    digest::Digest,
    event::Failure,
    match_state::{all, opened},
    record::Entry,
};

/// What players said before game time.
#[derive(Debug, Default)]
pub(super) struct Opening {
    /// Who is ready, or was not in time; with its commitment.
    ready: BTreeMap<RoleId, Option<Digest>>,
    /// What became of the nonces, once everybody is ready.
    revealed: Option<BTreeMap<RoleId, Result<Nonce, Failure>>>,
}

/// What is waited for before game time begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// Players are to get ready.
    Ready,
    /// Players are to disclose their nonces.
    Nonces,
}

impl RealTimeMatch {
    /// What is waited for, if game time has not begun but the match has.
    #[must_use]
    pub fn awaited(&self) -> Option<Awaited> {
        let RealTimePhase::Opening(opening) = &self.phase else { return None };
        Some(if opening.revealed.is_none() { Awaited::Ready } else { Awaited::Nonces })
    }

    pub(super) fn ready(&mut self, role: RoleId, commitment: Option<Digest>) {
        self.note_ready(role, None, commitment);
        self.open();
    }

    fn note_ready(&mut self, role: RoleId, failure: Option<Failure>, commitment: Option<Digest>) {
        let is_player = self.header.roles().players().any(|player| player == role);
        let RealTimePhase::Opening(opening) = &mut self.phase else { return };
        if !is_player || opening.revealed.is_some() || opening.ready.contains_key(&role) {
            return;
        }
        opening.ready.insert(role, commitment);
        let role = self.header.roles().name(role).to_owned();
        self.append(&Entry::Ready { role, failure, elapsed_ms: None, nonce: None, commitment });
    }

    pub(super) fn reveal(&mut self, role: RoleId, nonce: Option<Nonce>) {
        let RealTimePhase::Opening(opening) = &self.phase else { return };
        let commitment = opening.ready.get(&role).copied().flatten();
        let (match_id, name) = (&self.header.setup().match_id, self.header.roles().name(role));
        let found = nonce.ok_or(Failure::Malformed);
        let found = found.and_then(|nonce| opened(match_id, name, commitment.as_ref(), nonce));
        self.note_nonce(role, found);
        self.open();
    }

    fn note_nonce(&mut self, role: RoleId, found: Result<Nonce, Failure>) {
        let RealTimePhase::Opening(opening) = &mut self.phase else { return };
        let has_committed = opening.ready.get(&role).is_some_and(Option::is_some);
        let Some(revealed) = opening.revealed.as_mut().filter(|_| has_committed) else { return };
        if revealed.contains_key(&role) {
            return;
        }
        revealed.insert(role, found);
        let role = self.header.roles().name(role).to_owned();
        self.append(&Entry::Nonce { role, revealed: found, elapsed_ms: None });
    }

    /// Whoever is waited for is late.
    pub(super) fn late(&mut self) {
        let awaited = self.awaited();
        let players: Vec<RoleId> = self.header.roles().players().collect();
        for role in players {
            match awaited {
                Some(Awaited::Ready) => self.note_ready(role, Some(Failure::Timeout), None),
                Some(Awaited::Nonces) => self.note_nonce(role, Err(Failure::Timeout)),
                None => {}
            }
        }
        self.open();
    }

    /// Goes on when nobody is waited for: asks for nonces, or begins game time, or ends the match if one is withheld.
    fn open(&mut self) {
        let players = self.header.roles().players().count();
        let RealTimePhase::Opening(opening) = &mut self.phase else { return };
        let commitments: BTreeMap<RoleId, Digest> =
            opening.ready.iter().filter_map(|(&role, &commitment)| Some((role, commitment?))).collect();
        match &opening.revealed {
            None if opening.ready.len() < players => {}
            None if commitments.is_empty() => self.start(),
            None => {
                opening.revealed = Some(BTreeMap::new());
                let name = |role: &RoleId| self.header.roles().name(*role).to_owned();
                let listed: Vec<_> = commitments.iter().map(|(role, &digest)| (name(role), digest)).collect();
                for &role in commitments.keys() {
                    self.tell(role, Notice::Reveal { commitments: listed.clone() });
                }
            }
            Some(revealed) if revealed.len() < commitments.len() => {}
            Some(revealed) => match all(revealed) {
                Ok(nonces) => {
                    let roles = self.header.roles();
                    let nonces: Vec<_> =
                        nonces.iter().map(|(&role, &nonce)| (roles.name(role), nonce)).collect();
                    self.ledger.join(&nonces);
                    self.start();
                }
                Err(by) => self.finish(RealTimeOutcome::Withheld { by }),
            },
        }
    }
}
