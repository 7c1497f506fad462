//! Recomputing a real-time match from its record: instants and moves in, every other line out and compared.

use std::sync::Arc;

use croupier_engine::RoleId;

use super::{
    Notice, RealTime, RealTimeEffect, RealTimeEnd, RealTimeEvent, RealTimeHeader, RealTimeLine,
    RealTimeMatch, RealTimeRecord, ReplayUpdate,
};
use crate::{
    chance::Seed,
    digest::Digest,
    event::Failure,
    record::{Entry, Ledger, RecordLine, Secrets},
    replay::{
        Difference, Machine, ReplayError, Resumed, SealCheck, Verified, each_replayed, header_of,
        resume_match, verify,
    },
};

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
/// [`ReplayError`] for the first line and field that the record's own inputs do not give.
pub fn replay_real_time(record: &RealTimeRecord) -> Result<RealTimeReplay, ReplayError> {
    replay_with(record, header_of(record, None)?)
}

/// The same for the match after another one, whose game is not compiled again if it is the same.
///
/// # Errors
/// As [`replay_real_time`].
pub fn replay_real_time_after(
    before: &RealTimeReplay,
    record: &RealTimeRecord,
) -> Result<RealTimeReplay, ReplayError> {
    replay_with(record, header_of(record, Some(&before.header))?)
}

/// Replays the records of a file one after another; a game is compiled once for records in a row that share it.
pub fn replay_all_real_time(
    records: &[RealTimeRecord],
) -> impl Iterator<Item = Result<RealTimeReplay, ReplayError>> {
    each_replayed(records, replay_with)
}

fn replay_with(record: &RealTimeRecord, header: Arc<RealTimeHeader>) -> Result<RealTimeReplay, ReplayError> {
    let verified = verify::<RealTimeMatch>(record, &header)?;
    let Verified { told, signals, outcome, seal, seed, .. } = verified;
    Ok(RealTimeReplay { header, updates: signals, notices: told, end: outcome, seal, seed })
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
/// [`Difference`] for the first line and field that this match would not have written.
pub fn resume_real_time(
    record: &RealTimeRecord,
    header: &Arc<RealTimeHeader>,
    secrets: Secrets,
) -> Result<ResumedRealTime, Difference> {
    let Resumed { machine, told: mut notices, mut effects } = resume_match(record, header, secrets)?;
    // What stands before the next line was told already.
    while let Some(effect) = effects.pop_front_if(|effect| !matches!(effect, RealTimeEffect::Append(_))) {
        if let RealTimeEffect::Send { role, message } = effect {
            notices.push((role, message));
        }
    }
    let at_us = record.lines().iter().filter_map(|line| instant(&line.entry)).max().unwrap_or(0);
    Ok(ResumedRealTime { machine, notices, effects: effects.into(), at_us })
}

/// The instant that a line is of, in microseconds.
fn instant(entry: &Entry<RealTime>) -> Option<u64> {
    match entry {
        Entry::Own(line) => Some(line.at_us()),
        _ => None,
    }
}

impl Machine for RealTimeMatch {
    type Kind = RealTime;
    type Message = Notice;
    type Signal = ReplayUpdate;
    type Outcome = RealTimeEnd;

    fn with_ledger(header: Arc<RealTimeHeader>, ledger: Ledger) -> Self {
        Self::with_ledger(header, ledger)
    }

    fn outcome(&self) -> Option<&RealTimeEnd> {
        self.end()
    }

    fn chain_head(&self) -> Option<Digest> {
        self.chain_head()
    }

    fn feed(&mut self, lines: &[RecordLine<RealTime>]) -> Vec<RealTimeEffect> {
        let Some(first) = lines.first() else { return Vec::new() };
        let header = Arc::clone(self.header());
        let of_role = |role: &str| header.roles().find(role);
        let event = match &first.entry {
            Entry::Genesis(_) => Some(RealTimeEvent::Begin),
            Entry::Ready { failure: Some(_), .. } => Some(RealTimeEvent::Late),
            Entry::Nonce { revealed: Err(Failure::Timeout), .. } => Some(RealTimeEvent::Late),
            Entry::Ready { role, commitment, .. } => {
                of_role(role).map(|role| RealTimeEvent::Ready { role, commitment: *commitment })
            }
            Entry::Nonce { role, revealed, .. } => {
                of_role(role).map(|role| RealTimeEvent::Reveal { role, nonce: revealed.ok() })
            }
            Entry::Own(RealTimeLine::Move { at_us, .. }) => return self.feed_moves(*at_us, lines),
            Entry::Own(RealTimeLine::Pause { at_us, lasted_us }) => {
                Some(RealTimeEvent::Pause { at_us: *at_us, lasted_us: *lasted_us })
            }
            Entry::Own(RealTimeLine::End { at_us, status, .. }) if status == "aborted" => {
                Some(RealTimeEvent::Abort { at_us: *at_us })
            }
            Entry::Own(RealTimeLine::Update { at_us, .. } | RealTimeLine::End { at_us, .. }) => {
                Some(RealTimeEvent::Close { at_us: *at_us })
            }
            Entry::Draw { .. } | Entry::Reveal { .. } | Entry::Seal { .. } => None,
        };
        event.map_or_else(Vec::new, |event| self.step(event))
    }

    fn out_of_place(&self, line: &RecordLine<RealTime>) -> Difference {
        let expected =
            if matches!(line.entry, Entry::Seal { .. }) { "reveal" } else { "nothing at this instant" };
        Difference::new(line, "event", expected, line.entry.event())
    }
}

impl RealTimeMatch {
    /// Gives the match the moves that the first of these lines record, which are all those of an instant: what expired
    /// before is a line of its own.
    fn feed_moves(&mut self, instant: u64, lines: &[RecordLine<RealTime>]) -> Vec<RealTimeEffect> {
        let mut effects = Vec::new();
        for line in lines {
            let Entry::Own(RealTimeLine::Move { at_us, arrived_us, role, id, text, .. }) = &line.entry else {
                break;
            };
            let role = self.header().roles().find(role).filter(|_| *at_us == instant);
            let Some(role) = role else { break };
            effects.extend(self.step(RealTimeEvent::Move {
                role,
                id: *id,
                text: text.clone().unwrap_or_default(),
                at_us: *arrived_us,
                not_before_us: Some(instant),
            }));
        }
        effects.extend(self.step(RealTimeEvent::Close { at_us: instant }));
        effects
    }
}
