//! Matches in turns follow a record.

use std::sync::Arc;

use super::{Difference, lockstep::Machine};
use crate::{
    digest::Digest,
    event::{Effect, Event, Failure, Outcome, Reply, ReplyStatus, Request, Timer},
    header::Header,
    match_state::{MatchState, READY},
    record::{Entry, Ledger, RecordLine, TurnLine, Turns},
    view::Message,
};

impl Machine for MatchState {
    type Kind = Turns;
    type Message = Message;
    type Signal = Timer;
    type Outcome = Outcome;

    fn with_ledger(header: Arc<Header>, ledger: Ledger) -> Self {
        Self::with_ledger(header, ledger)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome()
    }

    fn chain_head(&self) -> Option<Digest> {
        self.chain_head()
    }

    fn feed(&mut self, lines: &[RecordLine]) -> Vec<Effect> {
        let event = lines.first().and_then(|line| event_of(self.header(), &line.entry));
        let Some((event, elapsed_ms)) = event else { return Vec::new() };
        let sent_ms = self.request().map_or(0, |(_, sent_ms)| sent_ms);
        self.step(sent_ms.saturating_add(elapsed_ms), event)
    }

    fn out_of_place(&self, line: &RecordLine) -> Difference {
        let names = || {
            let awaited = self.awaited();
            let names: Vec<&str> = awaited.iter().map(|&role| self.header().role_name(role)).collect();
            format!("one of {}", names.join(", "))
        };
        let wrong_event = |expected| Difference::new(line, "event", expected, line.entry.event());
        match (self.request(), &line.entry) {
            (Some((Request::Start, _)), Entry::Ready { role, .. })
            | (Some((Request::Reveal, _)), Entry::Nonce { role, .. }) => {
                Difference::new(line, "role", &names(), role)
            }
            (Some((Request::Start, _)), _) => wrong_event("ready"),
            (Some((Request::Reveal, _)), _) => wrong_event("nonce"),
            (Some((Request::Play { turn: asked }, _)), Entry::Own(TurnLine::Reply { turn, role, .. })) => {
                match asked == *turn {
                    true => Difference::new(line, "role", &names(), role),
                    false => Difference::new(line, "turn", &asked.to_string(), &turn.to_string()),
                }
            }
            (Some((Request::Play { .. }, _)), _) => wrong_event("reply"),
            (None, _) => wrong_event("seal"),
        }
    }
}

/// The event that a line of a record came from, if it came from one and is not derived.
fn event_of(header: &Header, entry: &Entry) -> Option<(Event, u64)> {
    let reply_event = |role: &str, to, reply| {
        let role = header.roles().find(role)?;
        Some(Event::Reply { role, to, reply })
    };
    match entry {
        Entry::Genesis(_) => Some((Event::Begin, 0)),
        Entry::Ready { role, failure, elapsed_ms, nonce, commitment } => {
            let reply = match (failure, nonce, commitment) {
                (Some(failure), ..) => Reply::Failed(*failure),
                (None, Some(nonce), _) => Reply::Ready(*nonce),
                (None, None, Some(commitment)) => Reply::Committed(*commitment),
                (None, None, None) => Reply::Text(READY.to_owned()),
            };
            Some((reply_event(role, Request::Start, reply)?, elapsed_ms.unwrap_or(0)))
        }
        Entry::Nonce { role, revealed, elapsed_ms } => {
            let reply = revealed.map_or_else(Reply::Failed, Reply::Revealed);
            Some((reply_event(role, Request::Reveal, reply)?, elapsed_ms.unwrap_or(0)))
        }
        Entry::Own(TurnLine::Resume { epoch }) => Some((Event::Resume { epoch: *epoch }, 0)),
        Entry::Own(TurnLine::Reply { turn, role, status, own_move, elapsed_ms }) => {
            let reply = match (status, own_move) {
                (ReplyStatus::Failed(failure), _) => Reply::Failed(*failure),
                (ReplyStatus::Legal | ReplyStatus::Illegal, text) => {
                    Reply::Text(text.clone().unwrap_or_default())
                }
            };
            Some((reply_event(role, Request::Play { turn: *turn }, reply)?, *elapsed_ms))
        }
        Entry::Own(TurnLine::End { status, role, error, .. }) => match status.as_str() {
            "aborted" => Some((Event::Abort, 0)),
            "void" => {
                let (role, error) = (role.as_deref()?, error.as_deref()?);
                let failure = Failure::ALL.into_iter().find(|failure| failure.as_str() == error)?;
                Some((Event::Void { role: header.roles().find(role)?, failure }, 0))
            }
            _ => None,
        },
        Entry::Draw { .. }
        | Entry::Own(TurnLine::Substitute { .. } | TurnLine::Turn { .. })
        | Entry::Reveal { .. }
        | Entry::Seal { .. } => None,
    }
}
