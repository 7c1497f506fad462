//! Whether a session was played as its record says.
//!
//! The state machine runs on the events of the record again. When a match is over, its record must be there, once, and be that of
//! the match that the session had at that place: its id, its place and the digest of the record before it, its rules, who
//! played which role, its seed. The record is replayed; its goals, and what its last state says that everybody has left, must be
//! those of the event. So no match can be dropped, doubled, swapped or altered, stacks follow from last states, and all
//! seeds from the one that the session was bound to when it opened.

use std::collections::BTreeMap;

use croupier_referee::{
    Digest, SealCheck, SealKey, Seed,
    record::{is_public_key, is_signed_session},
};

use crate::{
    event::{MatchOver, SessionEvent},
    match_record::{MatchRecord, PlayedMatch},
    order::{MatchGame, MatchOrder},
    reading::{SessionFile, SessionRecordError, SessionRecordProblem},
    record::{SessionClosing, SessionEntry},
    state::{SessionStage, SessionState},
    terms::SessionTerms,
};

/// A session that its record gave back.
#[derive(Clone, Debug)]
pub struct VerifiedSession {
    /// The session after its last event.
    pub session: SessionState,
    /// How many records of matches were verified.
    pub matches: usize,
    /// How many matches with a result are known by their event alone, since the session says that they have no record.
    pub unrecorded: usize,
    /// What the seal of the session says. It is missing if the session is not over; then its seed is not known, and the seeds of
    /// matches were not compared with it.
    pub seal: SealCheck,
}

/// Verifies a session and all its matches.
///
/// # Errors
/// [`SessionRecordError`] for the first thing that is not as it was played.
pub fn verify_session(file: &SessionFile) -> Result<VerifiedSession, SessionRecordError> {
    let last = file.lines.last().map_or(1, |line| line.number);
    let at = |line: usize| move |problem| SessionRecordError { line, problem };
    let seed = revealed(file);
    let session = match &seed {
        Some(seed) => SessionState::open(file.terms.clone(), seed.clone()),
        None => SessionState::open_sealed(file.terms.clone(), file.commitment, file.opening),
    };
    let session = session.map_err(|error| at(1)(error.into()))?;
    if session.commitment() != file.commitment {
        return Err(at(last)(SessionRecordProblem::Commitment));
    }
    let mut audit = Audit::new(session, records_by_index(file)?, seed);
    let mut head = file.opening;
    for line in &file.lines {
        if line.line.prev != head || line.line.session != file.terms.id {
            return Err(at(line.number)(SessionRecordProblem::Chain));
        }
        audit.entry(&line.line.entry, head).map_err(at(line.number))?;
        head = head.followed_by(line.text.as_bytes());
    }
    audit.finish()
}

/// The seed, if the record reveals one.
fn revealed(file: &SessionFile) -> Option<Seed> {
    file.lines.iter().find_map(|line| match &line.line.entry {
        SessionEntry::Closing(SessionClosing::Seed { seed }) => Seed::from_text(seed).ok(),
        _ => None,
    })
}

/// The records of the matches by their place in the session.
fn records_by_index(file: &SessionFile) -> Result<BTreeMap<u64, &MatchRecord>, SessionRecordError> {
    let mut records = BTreeMap::new();
    for record in &file.records {
        let setup = record.setup();
        let at = |problem| SessionRecordError { line: record.number, problem };
        let Some(place) = setup.session.filter(|place| place.id == file.terms.id) else {
            return Err(at(SessionRecordProblem::Foreign { match_id: setup.match_id.to_owned() }));
        };
        let index = place.index;
        if records.insert(index, record).is_some() {
            return Err(at(SessionRecordProblem::Doubled { index }));
        }
    }
    Ok(records)
}

/// A session that is being played again, and the records that are not used up yet.
struct Audit<'f> {
    session: SessionState,
    records: BTreeMap<u64, &'f MatchRecord>,
    seed: Option<Seed>,
    /// The match before, whose game the next one may share.
    before: Option<PlayedMatch>,
    /// The seals of the matches, and of the session: they must be of one key.
    seals: Vec<(u64, SealCheck)>,
    seal: SealCheck,
    unrecorded: usize,
}

impl<'f> Audit<'f> {
    fn new(session: SessionState, records: BTreeMap<u64, &'f MatchRecord>, seed: Option<Seed>) -> Self {
        let seal = SealCheck::Missing;
        Self { session, records, seed, before: None, seals: Vec::new(), seal, unrecorded: 0 }
    }

    /// Takes a line that follows lines of this chain value.
    fn entry(&mut self, entry: &SessionEntry, head: Digest) -> Result<(), SessionRecordProblem> {
        if self.seal != SealCheck::Missing {
            return Err(SessionRecordProblem::AfterSeal);
        }
        match entry {
            SessionEntry::Event(event) => {
                if let SessionEvent::MatchOver(over) = event {
                    self.match_over(over)?;
                }
                self.session.step(event)?;
                return Ok(());
            }
            SessionEntry::Closing(_) if self.session.stage() != SessionStage::Over => {
                return Err(SessionRecordProblem::NotOver);
            }
            SessionEntry::Closing(SessionClosing::Seed { .. }) => {}
            SessionEntry::Closing(SessionClosing::Seal { head: sealed, public_key, signature }) => {
                let is_this = *sealed == head;
                let own = self.seed.as_ref().map(SealKey::from_seed);
                self.seal = seal(head, public_key, signature, own)
                    .filter(|_| is_this)
                    .ok_or(SessionRecordProblem::Seal)?;
            }
        }
        Ok(())
    }

    /// Compares a match that is over with its record.
    fn match_over(&mut self, over: &MatchOver) -> Result<(), SessionRecordProblem> {
        // An event of another match is refused by the session itself.
        let Some(order) = self.session.running().filter(|order| order.index == over.index) else {
            return Ok(());
        };
        let Some(digest) = over.record else {
            self.unrecorded += usize::from(over.goals.is_some());
            return Ok(());
        };
        let index = over.index;
        let record = self.records.remove(&index).ok_or(SessionRecordProblem::Missing { index })?;
        let altered = |what: Option<&'static str>| match what {
            Some(what) => Err(SessionRecordProblem::Altered { index, what }),
            None => Ok(()),
        };
        altered(if digest == Digest::of(&record.bytes) { None } else { Some("the digest") })?;
        altered(differing_header(self.session.terms(), order, record))?;
        let replayed = record
            .replay(self.before.as_ref())
            .map_err(|error| SessionRecordProblem::Replay { index, error: Box::new(error) })?;
        altered(differing_result(self.session.terms(), over, &replayed))?;
        let is_dealt_so = self.seed.is_none() || replayed.seed() == Some(&order.seed);
        altered(if is_dealt_so { None } else { Some("the seed") })?;
        self.seals.push((index, replayed.seal()));
        self.before = Some(replayed);
        Ok(())
    }

    fn finish(self) -> Result<VerifiedSession, SessionRecordError> {
        let running = self.session.running().map(|order| order.index);
        if let Some((_, record)) = self.records.iter().find(|&(&index, _)| running != Some(index)) {
            let match_id = record.setup().match_id.to_owned();
            let problem = SessionRecordProblem::Foreign { match_id };
            return Err(SessionRecordError { line: record.number, problem });
        }
        let first = self.seals.first().map(|(_, seal)| *seal);
        let expected = if self.seal == SealCheck::Missing { first } else { Some(self.seal) };
        if let Some(&(index, _)) = self.seals.iter().find(|(_, seal)| Some(*seal) != expected) {
            let problem = SessionRecordProblem::Altered { index, what: "the key" };
            return Err(SessionRecordError { line: 1, problem });
        }
        let Self { session, seals, seal, unrecorded, .. } = self;
        Ok(VerifiedSession { session, matches: seals.len(), unrecorded, seal })
    }
}

/// What of a record's first line is not what the session had at this place.
fn differing_header(terms: &SessionTerms, order: &MatchOrder, record: &MatchRecord) -> Option<&'static str> {
    let setup = record.setup();
    let has_rules = match &order.game {
        MatchGame::Same => terms.rules == Some(Digest::of(setup.rules.as_bytes())),
        MatchGame::Member(member) => member.rules().is_ok_and(|rules| rules == setup.rules),
    };
    let checks = [
        ("the id", setup.match_id == order.match_id),
        ("the place", setup.session == Some(&order.place)),
        // Records name players by role, whatever the order of the roles.
        ("who played", by_role(setup.players) == by_role(&order.players())),
        ("the rules", has_rules),
    ];
    checks.into_iter().find(|(_, is_so)| !is_so).map(|(what, _)| what)
}

fn by_role(players: &[(String, String)]) -> BTreeMap<&str, &str> {
    players.iter().map(|(role, player)| (role.as_str(), player.as_str())).collect()
}

/// What of an event is not how the match ended.
fn differing_result(terms: &SessionTerms, over: &MatchOver, replayed: &PlayedMatch) -> Option<&'static str> {
    let goals = replayed.goals();
    if goals != over.goals {
        return Some("the goals");
    }
    let family = terms.session.family.as_ref().filter(|_| goals.is_some())?;
    let left = |fluents: &[String]| -> BTreeMap<String, u64> {
        fluents.iter().filter_map(|fluent| family.read.read(fluent)).collect()
    };
    (left(&replayed.last()) != left(&over.last)).then_some("what everybody has left")
}

/// What a signature of the chain says; `None` if it is not that of its key.
fn seal(head: Digest, public_key: &str, signature: &str, own: Option<SealKey>) -> Option<SealCheck> {
    let (mut key, mut signed) = ([0; 32], [0; 64]);
    hex::decode_to_slice(public_key, &mut key).ok()?;
    hex::decode_to_slice(signature, &mut signed).ok()?;
    if !is_public_key(&key) || !is_signed_session(head, &key, &signed) {
        return None;
    }
    match own.is_some_and(|own| own.public_key() == key) {
        true => Some(SealCheck::FromSeed),
        false => Some(SealCheck::Signed { public_key: key }),
    }
}
