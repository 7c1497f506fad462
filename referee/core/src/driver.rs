//! A driver in one process and in simulated time: seats are asked, and report how long they took.
//!
//! Nothing here waits. A seat may compute for as long as it likes and report any time; only the report decides whether it
//! was late, so the same seats and seed give the same bytes on any machine.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use croupier_engine::{ByPlayer, RoleId, State};

use crate::{
    conduct::Conduct,
    event::{Effect, Event, Failure, Outcome, Reply, Timer},
    header::Header,
    match_state::{MatchState, Secrets},
    view::Message,
};

/// Who or what chooses the moves of one role.
pub trait Seat {
    /// Answers a message: START with `READY`, PLAY with a move. Replies to STOP and ABORT are ignored.
    fn receive(&mut self, message: &Message) -> SeatReply;
}

/// The reply of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatReply {
    /// A reply, or the lack of one.
    Reply {
        /// The reply, or the reason why there is none.
        reply: Reply,
        /// How long it took in simulated time.
        elapsed_ms: u64,
    },
    /// The match is to be aborted, as when a person leaves.
    Leave,
}

impl SeatReply {
    /// A reply that took no time.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Reply { reply: Reply::Text(text.into()), elapsed_ms: 0 }
    }

    /// No reply, reported at once; a reply after the deadline also becomes [`Failure::Timeout`].
    #[must_use]
    pub fn failed(failure: Failure) -> Self {
        Self::Reply { reply: Reply::Failed(failure), elapsed_ms: 0 }
    }
}

impl SeatReply {
    fn elapsed_ms(&self) -> u64 {
        match self {
            Self::Reply { elapsed_ms, .. } => *elapsed_ms,
            Self::Leave => 0,
        }
    }
}

/// A match after its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The record: lines that end with newlines.
    pub record: Vec<u8>,
    /// How it ended.
    pub outcome: Outcome,
    /// How every player answered.
    pub conducts: ByPlayer<Conduct>,
    /// The state that ended it, if it ended by the rules.
    pub last: Option<State>,
}

/// Plays a match to its end.
///
/// Seats of one turn are asked in the order of the rules; their replies arrive in the order of their times, and
/// in the order of the rules if these are equal. `observe` gets every message before its receiver.
pub fn run_match<S: Seat + ?Sized>(
    header: &Arc<Header>,
    secrets: Secrets,
    seats: &mut ByPlayer<Box<S>>,
    mut observe: impl FnMut(RoleId, &Message),
) -> Played {
    let mut state = MatchState::new(Arc::clone(header), secrets);
    let mut record = Vec::new();
    let mut effects = state.step(0, Event::Begin);
    loop {
        let mut replies: Vec<(u64, RoleId, SeatReply)> = Vec::new();
        let mut deadline_ms = u64::MAX;
        for effect in effects {
            match effect {
                Effect::Append(line) => {
                    record.extend_from_slice(line.as_bytes());
                    record.push(b'\n');
                }
                Effect::Send { role, message } => {
                    observe(role, &message);
                    let reply = seats[role].receive(&message);
                    replies.push((reply.elapsed_ms(), role, reply));
                }
                Effect::Signal(Timer { at_ms, .. }) => deadline_ms = at_ms,
                Effect::Finish { outcome } => {
                    let (conducts, last) = (state.conducts().clone(), state.last_state().cloned());
                    return Played { record, outcome, conducts, last };
                }
            }
        }
        replies.sort_by_key(|&(elapsed_ms, role, _)| (elapsed_ms, role));
        effects = deliver(&mut state, replies, deadline_ms);
    }
}

/// Gives the match what happens until it has been answered by all: replies, or the deadline.
fn deliver(state: &mut MatchState, replies: Vec<(u64, RoleId, SeatReply)>, deadline_ms: u64) -> Vec<Effect> {
    let (request, sent_ms) = state.request().expect("a match that waits for nothing has finished");
    let mut effects = Vec::new();
    for (elapsed_ms, role, reply) in replies {
        let at_ms = sent_ms.saturating_add(elapsed_ms);
        effects.extend(match reply {
            SeatReply::Leave => state.step(at_ms, Event::Abort),
            SeatReply::Reply { .. } if at_ms > deadline_ms => break,
            SeatReply::Reply { reply, .. } => state.step(at_ms, Event::Reply { role, to: request, reply }),
        });
    }
    if state.request().is_some_and(|(waiting, _)| waiting == request) {
        effects.extend(state.step(deadline_ms, Event::Deadline { of: request }));
    }
    effects
}
