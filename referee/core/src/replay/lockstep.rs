//! The match machine and a record, line by line.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use croupier_engine::ByPlayer;

use crate::{
    conduct::Conduct,
    event::{Effect, Event, Failure, Outcome, Reply, ReplyStatus, Request},
    header::Header,
    match_state::{Ledger, MatchState, READY, Secrets},
    record::{Entry, Record, RecordLine, nonce},
    replay::{Difference, Seal, SealCheck},
    view::Message,
};

/// The information in a record besides its lines.
pub(super) struct Verified {
    pub(super) messages: ByPlayer<Vec<Message>>,
    pub(super) outcome: Option<Outcome>,
    pub(super) conducts: ByPlayer<Conduct>,
    pub(super) seal: SealCheck,
}

/// A machine that is fed from a record, and its effects that have not yet been compared with a line.
struct Lockstep {
    machine: MatchState,
    pending: VecDeque<Effect>,
    messages: ByPlayer<Vec<Message>>,
}

pub(super) fn verify(record: &Record, header: &Arc<Header>) -> Result<Verified, Difference> {
    let machine = MatchState::with_ledger(Arc::clone(header), ledger(record, header)?);
    let mut lockstep = Lockstep::new(machine);
    let mut seal = SealCheck::Missing;
    for line in record.lines() {
        if let Entry::Seal { .. } = &line.entry {
            seal = lockstep.check_seal(line, record)?;
            continue;
        }
        lockstep.follow(line)?;
    }
    lockstep.take_messages();
    let is_over = record.lines().iter().any(|line| matches!(line.entry, Entry::End { .. }));
    let outcome = lockstep.machine.outcome().filter(|_| is_over).cloned();
    let conducts = lockstep.machine.conducts().clone();
    Ok(Verified { messages: lockstep.messages, outcome, conducts, seal })
}

/// The machine of a record that was cut off, with its effects after the last existing line.
pub(super) fn resume(
    record: &Record,
    header: &Arc<Header>,
    secrets: Secrets,
) -> Result<(MatchState, Vec<Effect>), Difference> {
    let mut lockstep = Lockstep::new(MatchState::new(Arc::clone(header), secrets));
    record.lines().iter().try_for_each(|line| lockstep.follow(line))?;
    Ok((lockstep.machine, lockstep.pending.into()))
}

/// The ledger of the machine: with the seed that the record reveals, or otherwise with the recorded draws.
fn ledger(record: &Record, header: &Header) -> Result<Ledger, Difference> {
    let mut draws = BTreeMap::new();
    for line in record.lines() {
        match &line.entry {
            Entry::Reveal { seed, nonce: found } => {
                let expected = nonce(seed);
                if expected != *found {
                    let (expected, found) = (hex::encode(expected), hex::encode(found));
                    return Err(Difference::new(line, "nonce", &expected, &found));
                }
                return Ok(Ledger::unsealed(header, seed.clone()));
            }
            Entry::Draw { turn, index, .. } => {
                draws.insert((*turn, None), *index);
            }
            Entry::Substitute { turn, role, index, .. } => {
                draws.insert((*turn, Some(role.clone())), *index);
            }
            _ => {}
        }
    }
    Ok(Ledger::recorded(record.genesis().commitment, draws))
}

impl Lockstep {
    fn new(machine: MatchState) -> Self {
        let messages = ByPlayer::from_fn(machine.header().roles(), |_| Vec::new());
        Self { machine, pending: VecDeque::new(), messages }
    }

    /// Has the machine write the line that is recorded here.
    fn follow(&mut self, line: &RecordLine) -> Result<(), Difference> {
        let expected = match self.next_line() {
            Some(expected) => expected,
            None => self.feed(line)?,
        };
        Difference::between(&expected, line).map_or(Ok(()), Err)
    }

    /// The next line that the machine wrote and nothing was compared with; messages before it are kept.
    fn next_line(&mut self) -> Option<String> {
        self.take_messages();
        match self.pending.pop_front() {
            Some(Effect::Append(line)) => Some(line),
            Some(Effect::Send { .. } | Effect::ArmTimer { .. } | Effect::Finish { .. }) | None => None,
        }
    }

    /// Carries out the machine's effects up to its next line.
    fn take_messages(&mut self) {
        while let Some(effect) = self.pending.pop_front_if(|effect| !matches!(effect, Effect::Append(_))) {
            if let Effect::Send { role, message } = effect {
                self.messages[role].push(message);
            }
        }
    }

    /// Gives the machine the event that `line` records; returns the line that it writes about it.
    fn feed(&mut self, line: &RecordLine) -> Result<String, Difference> {
        if let Some((event, elapsed_ms)) = event_of(self.machine.header(), &line.entry) {
            let sent_ms = self.machine.request().map_or(0, |(_, sent_ms)| sent_ms);
            let effects = self.machine.step(sent_ms.saturating_add(elapsed_ms), event);
            self.pending.extend(effects);
        }
        self.next_line().ok_or_else(|| self.out_of_place(line))
    }

    /// The event that the machine expects instead of `line`.
    fn out_of_place(&self, line: &RecordLine) -> Difference {
        let names = || {
            let awaited = self.machine.awaited();
            let names: Vec<&str> =
                awaited.iter().map(|&role| self.machine.header().role_name(role)).collect();
            format!("one of {}", names.join(", "))
        };
        let wrong_event = |expected| Difference::new(line, "event", expected, line.entry.event());
        match (self.machine.request(), &line.entry) {
            (Some((Request::Start, _)), Entry::Ready { role, .. }) => {
                Difference::new(line, "role", &names(), role)
            }
            (Some((Request::Start, _)), _) => wrong_event("ready"),
            (Some((Request::Reveal, _)), Entry::Nonce { role, .. }) => {
                Difference::new(line, "role", &names(), role)
            }
            (Some((Request::Reveal, _)), _) => wrong_event("nonce"),
            (Some((Request::Play { turn: asked }, _)), Entry::Reply { turn, .. }) if asked != *turn => {
                Difference::new(line, "turn", &asked.to_string(), &turn.to_string())
            }
            (Some((Request::Play { .. }, _)), Entry::Reply { role, .. }) => {
                Difference::new(line, "role", &names(), role)
            }
            (Some((Request::Play { .. }, _)), _) => wrong_event("reply"),
            (None, _) => wrong_event("seal"),
        }
    }

    fn check_seal(&mut self, line: &RecordLine, record: &Record) -> Result<SealCheck, Difference> {
        if let Some(expected) = self.next_line() {
            let difference = Difference::between(&expected, line);
            return Err(difference.unwrap_or_else(|| self.out_of_place(line)));
        }
        if self.machine.outcome().is_none() {
            return Err(self.out_of_place(line));
        }
        let revealed = record.lines().iter().find_map(|line| match &line.entry {
            Entry::Reveal { seed, .. } => Some(seed),
            _ => None,
        });
        let Some(seed) = revealed else {
            return Err(Difference::new(line, "event", "reveal", "seal"));
        };
        let Entry::Seal { head, public_key, signature } = &line.entry else {
            return Err(self.out_of_place(line));
        };
        let seal = Seal { prev: line.prev, head: *head, public_key, signature };
        let checked = seal.check(self.machine.chain_head(), seed);
        checked.map_err(|wrong| Difference::new(line, wrong.field, &wrong.expected, &wrong.found))
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
        Entry::Resume { epoch } => Some((Event::Resume { epoch: *epoch }, 0)),
        Entry::Ready { role, failure, elapsed_ms, nonce, commitment } => {
            let reply = match (failure, nonce, commitment) {
                (Some(failure), ..) => Reply::Failed(*failure),
                (None, Some(nonce), _) => Reply::Ready(*nonce),
                (None, None, Some(commitment)) => Reply::Committed(*commitment),
                (None, None, None) => Reply::Text(READY.to_owned()),
            };
            Some((reply_event(role, Request::Start, reply)?, *elapsed_ms))
        }
        Entry::Nonce { role, revealed, elapsed_ms } => {
            let reply = revealed.map_or_else(Reply::Failed, Reply::Revealed);
            Some((reply_event(role, Request::Reveal, reply)?, *elapsed_ms))
        }
        Entry::Reply { turn, role, status, own_move, elapsed_ms } => {
            let reply = match (status, own_move) {
                (ReplyStatus::Failed(failure), _) => Reply::Failed(*failure),
                (ReplyStatus::Legal | ReplyStatus::Illegal, text) => {
                    Reply::Text(text.clone().unwrap_or_default())
                }
            };
            Some((reply_event(role, Request::Play { turn: *turn }, reply)?, *elapsed_ms))
        }
        Entry::End { status, role, error, .. } => match status.as_str() {
            "aborted" => Some((Event::Abort, 0)),
            "void" => {
                let (role, error) = (role.as_deref()?, error.as_deref()?);
                let failure = Failure::ALL.into_iter().find(|failure| failure.as_str() == error)?;
                Some((Event::Void { role: header.roles().find(role)?, failure }, 0))
            }
            _ => None,
        },
        Entry::Draw { .. }
        | Entry::Substitute { .. }
        | Entry::Turn { .. }
        | Entry::Reveal { .. }
        | Entry::Seal { .. } => None,
    }
}
