//! What a reply means to a match that it reaches: awaited, the same again, or none that counts any more.

use croupier_engine::RoleId;

use super::{MatchPhase, MatchState, PlayerAnswer, reply};
use crate::{
    event::{Reply, Request},
    header::GRACE_MS,
};

/// What a reply means to the match that it reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is waited for.
    Awaited,
    /// The role gave this reply already, and it is in the record: a repetition changes nothing.
    Repeated,
    /// The role gave another reply, or its time was over: this one does not count.
    Late,
    /// Nobody asked for it yet.
    Early,
}

impl MatchState {
    /// What a reply of a player means to the match now.
    #[must_use]
    pub fn standing(&self, role: RoleId, to: Request, reply: &Reply) -> Standing {
        let Some((now, _)) = self.request() else {
            return if self.outcome().is_some() { self.past(role, to, reply) } else { Standing::Early };
        };
        if now < to {
            return Standing::Early;
        }
        if now > to {
            return self.past(role, to, reply);
        }
        if self.awaited().contains(&role) {
            return Standing::Awaited;
        }
        let MatchPhase::Playing(pending) = &self.phase else { return self.past(role, to, reply) };
        let read = reply::read_move(self.header.game(), &pending.legal[role], reply.clone());
        let is_same = match &pending.answers[role] {
            PlayerAnswer::Awaited => false,
            PlayerAnswer::Move(own_move) => read.legal_move == Some(*own_move),
            PlayerAnswer::NoLegalMove(slip) => slip.status == read.status && slip.said == read.text,
        };
        if is_same { Standing::Repeated } else { Standing::Late }
    }

    /// Whether a reply that comes now is too late to be anything but a timeout.
    #[must_use]
    pub fn is_late(&self, now_ms: u64) -> bool {
        self.request().is_some_and(|(request, sent_ms)| {
            now_ms.saturating_sub(sent_ms) > request.clock_ms(self.header.clocks()) + GRACE_MS
        })
    }

    /// The same for a request that the match no longer waits for this role with.
    fn past(&self, role: RoleId, to: Request, reply: &Reply) -> Standing {
        let Request::Play { turn } = to else {
            let is_ready = self.conducts[role].not_ready.is_none();
            return if is_ready { Standing::Repeated } else { Standing::Late };
        };
        let played = usize::try_from(turn).ok().and_then(|turn| self.own[role].turns.get(turn));
        let said = reply::canonical_reply(reply.clone(), self.header.game().limits()).ok();
        match (played, said) {
            (Some(played), Some(said)) if *played.own_move == *said => Standing::Repeated,
            _ => Standing::Late,
        }
    }
}
