//! Recomputing a real-time match from its record: instants and moves in, every other line out and compared.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use croupier_engine::{RoleId, realtime::TimedState};
use thiserror::Error;

use super::{
    Notice, RealTimeEffect, RealTimeEnd, RealTimeEvent, RealTimeHeader, RealTimeMatch, RealTimeRecord,
    ledger::RealTimeLedger,
    reader::{Entry, Line},
};
use crate::{
    chance::Seed,
    digest::Digest,
    header::HeaderError,
    match_state::Secrets,
    record::nonce,
    replay::{Difference, Seal, SealCheck},
};

/// A state that a replayed match was in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayUpdate {
    /// The instant of the update that made it; the first state is of instant 0 and has no moves.
    pub at_us: u64,
    /// Who played what in it, by the names of the roles.
    pub moves: Vec<(String, String)>,
    /// The state.
    pub state: TimedState,
}

/// A real-time match that its record gave back.
#[derive(Clone, Debug)]
pub struct RealTimeReplay {
    header: Arc<RealTimeHeader>,
    updates: Vec<ReplayUpdate>,
    notices: Vec<(RoleId, Notice)>,
    end: Option<RealTimeEnd>,
    seal: SealCheck,
    seed: Option<Seed>,
}

/// Why a real-time record does not replay.
#[derive(Clone, Debug, Error)]
pub enum RealTimeReplayError {
    /// The first line describes no match that can be played.
    #[error("line {line}: {error}")]
    Header {
        /// The line in the file.
        line: usize,
        /// The problem.
        #[source]
        error: HeaderError,
    },
    /// A derived value differs.
    #[error(transparent)]
    Difference(#[from] Difference),
}

impl RealTimeReplay {
    /// The header of the match.
    #[must_use]
    pub fn header(&self) -> &Arc<RealTimeHeader> {
        &self.header
    }

    /// The first state and every one after it.
    #[must_use]
    pub fn updates(&self) -> &[ReplayUpdate] {
        &self.updates
    }

    /// The notices to players, in order.
    #[must_use]
    pub fn notices(&self) -> &[(RoleId, Notice)] {
        &self.notices
    }

    /// How the match ended; `None` if the record was cut off before.
    #[must_use]
    pub fn end(&self) -> Option<&RealTimeEnd> {
        self.end.as_ref()
    }

    /// The result of checking the seal.
    #[must_use]
    pub fn seal(&self) -> SealCheck {
        self.seal
    }

    /// The seed, if the record is of a match that is over.
    #[must_use]
    pub fn seed(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }
}

/// Recomputes a match and compares every line with its record. One that is cut off after any line replays as well.
///
/// # Errors
/// [`RealTimeReplayError`] for the first line and field that the record's own inputs do not give.
pub fn replay_real_time(record: &RealTimeRecord) -> Result<RealTimeReplay, RealTimeReplayError> {
    let header = header_of(record, None)?;
    replay_with(record, header)
}

/// A real-time match that resumes where its record was cut off.
#[derive(Debug)]
pub struct ResumedRealTime {
    /// The match.
    pub machine: RealTimeMatch,
    /// The notices to players that the existing lines imply, in order.
    pub notices: Vec<(RoleId, Notice)>,
    /// The effects that are still to be carried out.
    pub effects: Vec<RealTimeEffect>,
    /// The instant of the last line, in microseconds, at which game time resumes. Moves that were held and not judged yet are
    /// in no line; their players send them again.
    pub at_us: u64,
}

/// Brings a match back from the lines that are there of its record, with the secrets that it was made with.
///
/// # Errors
/// [`RealTimeReplayError`] for the first line and field that this match would not have written.
pub fn resume_real_time(
    record: &RealTimeRecord,
    header: &Arc<RealTimeHeader>,
    secrets: Secrets,
) -> Result<ResumedRealTime, RealTimeReplayError> {
    let mut lockstep = Lockstep::new(RealTimeMatch::new(Arc::clone(header), secrets));
    for (index, line) in record.lines.iter().enumerate() {
        lockstep.follow(line, &record.lines[index..])?;
    }
    lockstep.take_notices();
    let at_us = record.lines.iter().filter_map(|line| line.entry.at_us()).max().unwrap_or(0);
    let Lockstep { machine, pending, notices, .. } = lockstep;
    Ok(ResumedRealTime { machine, notices, effects: pending.into(), at_us })
}

/// Replays the records of a file one after another; a game is compiled once for records in a row that share it.
pub fn replay_all_real_time(
    records: &[RealTimeRecord],
) -> impl Iterator<Item = Result<RealTimeReplay, RealTimeReplayError>> {
    let mut last: Option<Arc<RealTimeHeader>> = None;
    records.iter().map(move |record| {
        let header = header_of(record, last.as_deref())?;
        last = Some(Arc::clone(&header));
        replay_with(record, header)
    })
}

/// The match that a genesis describes, with the game of another one if that is the same.
fn header_of(
    record: &RealTimeRecord,
    other: Option<&RealTimeHeader>,
) -> Result<Arc<RealTimeHeader>, RealTimeReplayError> {
    let first = &record.lines[0];
    let rules_digest = Digest::of(record.setup().rules.as_bytes());
    if rules_digest != record.game_digest {
        return Err(difference(
            first,
            "game.sha256",
            &rules_digest.to_string(),
            &record.game_digest.to_string(),
        )
        .into());
    }
    let setup = record.setup().clone();
    let header = match other {
        Some(other) if other.setup().rules == setup.rules && other.setup().strictness == setup.strictness => {
            RealTimeHeader::with_game(setup, Arc::clone(other.game()))
        }
        _ => RealTimeHeader::compile(setup),
    };
    header.map(Arc::new).map_err(|error| RealTimeReplayError::Header { line: first.number, error })
}

fn replay_with(
    record: &RealTimeRecord,
    header: Arc<RealTimeHeader>,
) -> Result<RealTimeReplay, RealTimeReplayError> {
    let (ledger, seed) = ledger(record, &header)?;
    let machine = RealTimeMatch::with_ledger(Arc::clone(&header), ledger);
    let mut lockstep = Lockstep::new(machine);
    let mut seal = SealCheck::Missing;
    for (index, line) in record.lines.iter().enumerate() {
        if let Entry::Seal { .. } = line.entry {
            seal = lockstep.check_seal(line, seed.as_ref())?;
            continue;
        }
        lockstep.follow(line, &record.lines[index..])?;
    }
    lockstep.take_notices();
    let is_over = record.lines.iter().any(|line| matches!(line.entry, Entry::End { .. }));
    let end = lockstep.machine.end().filter(|_| is_over).cloned();
    let Lockstep { notices, updates, .. } = lockstep;
    Ok(RealTimeReplay { header, updates, notices, end, seal, seed })
}

/// The ledger of the machine: with the seed that the record reveals, or otherwise with the recorded draws.
fn ledger(
    record: &RealTimeRecord,
    header: &RealTimeHeader,
) -> Result<(RealTimeLedger, Option<Seed>), Difference> {
    let mut draws = BTreeMap::new();
    for line in &record.lines {
        match &line.entry {
            Entry::Reveal { seed, nonce: found } => {
                let expected = nonce(seed);
                if expected != *found {
                    return Err(difference(line, "nonce", &hex::encode(expected), &hex::encode(found)));
                }
                return Ok((RealTimeLedger::unsealed(header, seed.clone()), Some(seed.clone())));
            }
            Entry::Draw { update, index } => {
                draws.insert(*update, *index);
            }
            _ => {}
        }
    }
    Ok((RealTimeLedger::recorded(record.commitment, draws), None))
}

/// A machine that is fed from a record, and its effects that have not yet been compared with a line.
struct Lockstep {
    machine: RealTimeMatch,
    pending: VecDeque<RealTimeEffect>,
    notices: Vec<(RoleId, Notice)>,
    updates: Vec<ReplayUpdate>,
}

impl Lockstep {
    fn new(machine: RealTimeMatch) -> Self {
        Self { machine, pending: VecDeque::new(), notices: Vec::new(), updates: Vec::new() }
    }

    /// Has the machine write the line that is recorded here; `rest` begins with it.
    fn follow(&mut self, line: &Line, rest: &[Line]) -> Result<(), Difference> {
        let expected = match self.next_line() {
            Some(expected) => expected,
            None => {
                self.feed(rest);
                self.next_line()
                    .ok_or_else(|| difference(line, "event", "nothing at this instant", line.entry.event()))?
            }
        };
        Difference::between_texts(&expected, &line.text, (line.number, line.entry.update()))
            .map_or(Ok(()), Err)
    }

    /// Gives the machine what led to the first of some lines.
    fn feed(&mut self, rest: &[Line]) {
        let Some(first) = rest.first() else { return };
        let close = |at_us: u64| RealTimeEvent::Close { at_us };
        match &first.entry {
            Entry::Genesis => self.step(RealTimeEvent::Begin),
            Entry::Ready { is_late: true, .. } | Entry::Nonce { is_late: true, .. } => {
                self.step(RealTimeEvent::Late);
            }
            Entry::Ready { role, commitment, .. } => {
                if let Some(role) = self.machine.header().roles().find(role) {
                    self.step(RealTimeEvent::Ready { role, commitment: *commitment });
                }
            }
            Entry::Nonce { role, nonce, .. } => {
                if let Some(role) = self.machine.header().roles().find(role) {
                    self.step(RealTimeEvent::Reveal { role, nonce: *nonce });
                }
            }
            Entry::Move { at_us, .. } => {
                let instant = *at_us;
                // What expired before is a line of its own, so the moves of this instant can go in at once.
                for line in rest {
                    let Entry::Move { at_us, arrived_us, role, id, text } = &line.entry else { break };
                    let Some(role) = self.machine.header().roles().find(role).filter(|_| *at_us == instant)
                    else {
                        break;
                    };
                    self.step(RealTimeEvent::Move {
                        role,
                        id: *id,
                        text: text.clone().unwrap_or_default(),
                        at_us: *arrived_us,
                        not_before_us: Some(instant),
                    });
                }
                self.step(close(instant));
            }
            Entry::Update { at_us, .. } => self.step(close(*at_us)),
            Entry::Pause { at_us, lasted_us } => {
                self.step(RealTimeEvent::Pause { at_us: *at_us, lasted_us: *lasted_us });
            }
            Entry::End { at_us, status } if status == "aborted" => {
                self.step(RealTimeEvent::Abort { at_us: *at_us })
            }
            Entry::End { at_us, .. } => self.step(close(*at_us)),
            Entry::Draw { .. } | Entry::Reveal { .. } | Entry::Seal { .. } => {}
        }
    }

    fn step(&mut self, event: RealTimeEvent) {
        let effects = self.machine.step(event);
        self.pending.extend(effects);
    }

    /// The next line that the machine wrote and nothing was compared with; notices before it are kept.
    fn next_line(&mut self) -> Option<String> {
        self.take_notices();
        match self.pending.pop_front() {
            Some(RealTimeEffect::Append(line)) => Some(line),
            _ => None,
        }
    }

    fn take_notices(&mut self) {
        while let Some(effect) =
            self.pending.pop_front_if(|effect| !matches!(effect, RealTimeEffect::Append(_)))
        {
            match effect {
                RealTimeEffect::Tell { role, notice } => self.notices.push((role, notice)),
                RealTimeEffect::Updated { at_us, moves, state } => {
                    self.updates.push(ReplayUpdate { at_us, moves, state });
                }
                RealTimeEffect::Append(_) | RealTimeEffect::Finish(_) => {}
            }
        }
    }

    fn check_seal(&mut self, line: &Line, seed: Option<&Seed>) -> Result<SealCheck, Difference> {
        if let Some(expected) = self.next_line() {
            let place = (line.number, None);
            return Err(Difference::between_texts(&expected, &line.text, place)
                .unwrap_or_else(|| difference(line, "event", "another line", "seal")));
        }
        let (Some(seed), Some(_)) = (seed, self.machine.end()) else {
            return Err(difference(line, "event", "reveal", "seal"));
        };
        let Entry::Seal { head, public_key, signature } = &line.entry else {
            return Err(difference(line, "event", "seal", line.entry.event()));
        };
        let expected = self.machine.chain_head();
        let seal = Seal { prev: line.prev, head: *head, public_key, signature };
        seal.check(expected, seed)
            .map_err(|wrong| difference(line, wrong.field, &wrong.expected, &wrong.found))
    }
}

fn difference(line: &Line, field: &str, expected: &str, found: &str) -> Difference {
    Difference {
        line: line.number,
        turn: line.entry.update(),
        field: field.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    }
}
