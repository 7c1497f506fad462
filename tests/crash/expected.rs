//! What the record of a match must be, whatever happened to its server: as if nothing had happened.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::Game;
use croupier_referee::{
    Effect, Event, Header, MatchState, Record, ReplayError, Reply, Request, Secrets, Seed,
    protocol::{WireForm, compose, http_request},
    read_records,
    realtime::{MoveStatus, RealTimeLine, replay_real_time},
    record::{self, Entry, TurnLine, read_records_of},
    replay,
};
use croupier_tests::guessing::guess;

use crate::{players::Told, seats::Kind};

/// How often the server of a match was interrupted.
pub(crate) fn interruptions(record: &str) -> usize {
    record.lines().filter(|line| line.contains("\"event\":\"resume\"")).count()
}

/// Checks the record of a match that is over: that it replays and is sealed, that it is the one of an uninterrupted match
/// but for the lines of interruptions, and that every byte that its players were told follows from it.
pub(crate) fn check(text: &str, seed: u64, told: &Told) {
    let record = &read_records(text.as_bytes()).unwrap()[0];
    assert!(record.is_sealed(), "{text}");
    let replayed = replay(record).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (header, id) = (replayed.header(), replayed.header().match_id());
    let seed = Seed::from_text(&seed.to_string()).unwrap();
    assert_eq!(plain(record), plain(&uninterrupted(header, seed)), "the match is another one: {text}");
    let form: WireForm = "gdl2".parse().unwrap();
    for role in header.roles().players() {
        let name = header.role_name(role);
        let mut messages: Vec<Vec<u8>> = Vec::new();
        for message in replayed.messages(role) {
            messages.push(http_request(&compose(header, message, form).unwrap(), name, form.headers));
        }
        for ((_, _, about), all) in told.iter().filter(|((_, to, _), _)| to == name) {
            assert_eq!(all.len(), 1, "{id}: {name} was told different things at {about}");
            let bytes = all.first().unwrap();
            let text = String::from_utf8_lossy(bytes);
            assert!(messages.contains(bytes), "{id}: {name} was told what does not follow: {text}");
        }
        let whole = told.keys().filter(|(_, to, _)| to == name).count();
        // STOP goes out once: a server that dies then does not repeat it to somebody who may have heard it.
        assert!(whole + 1 >= messages.len(), "{id}: {name} was told {whole} of {} messages", messages.len());
    }
}

/// The guesses of a player in the record of a match, by number, as the referee took them; the record replays.
pub(crate) fn guesses(kind: Kind, text: &str, of: &str) -> Vec<(u64, String)> {
    match kind {
        Kind::Turns => guesses_by(text, replay, |line| match line {
            TurnLine::Reply { turn, role, own_move: Some(own_move), .. } if role == of => {
                Some((u64::from(*turn), own_move.clone()))
            }
            _ => None,
        }),
        Kind::RealTime => guesses_by(text, replay_real_time, |line| match line {
            RealTimeLine::Move { role, id, status: MoveStatus::Legal, text: Some(own_move), .. }
                if role == of =>
            {
                Some((*id, own_move.clone()))
            }
            _ => None,
        }),
    }
}

fn guesses_by<K: record::Kind, R>(
    text: &str,
    replay: impl Fn(&Record<K>) -> Result<R, ReplayError>,
    guess: impl Fn(&K::Line) -> Option<(u64, String)>,
) -> Vec<(u64, String)> {
    let record = read_records_of::<K>(text.as_bytes()).unwrap().remove(0);
    replay(&record).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let lines = record.lines().iter();
    lines.filter_map(|line| if let Entry::Own(line) = &line.entry { guess(line) } else { None }).collect()
}

/// The events of a record without what an interruption changes: its own line, what hangs on the chain, times, and the
/// order in which replies of one turn came.
fn plain(record: &Record) -> Vec<Entry> {
    let mut entries: Vec<Entry> = record.lines().iter().map(|line| line.entry.clone()).collect();
    entries.retain(|entry| !matches!(entry, Entry::Own(TurnLine::Resume { .. }) | Entry::Seal { .. }));
    for entry in &mut entries {
        match entry {
            Entry::Ready { elapsed_ms, .. } => *elapsed_ms = Some(0),
            Entry::Own(TurnLine::Reply { elapsed_ms, .. }) => *elapsed_ms = 0,
            _ => {}
        }
    }
    let by = |entry: &Entry| match entry {
        Entry::Ready { role, .. } | Entry::Own(TurnLine::Reply { role, .. }) => Some(role.clone()),
        _ => None,
    };
    for run in entries.chunk_by_mut(|one, other| by(one).is_some() && by(other).is_some()) {
        run.sort_by_key(by);
    }
    entries
}

/// The same match in this process, with players that reply the same.
fn uninterrupted(header: &Arc<Header>, seed: Seed) -> Record {
    let game: Arc<Game> = Arc::clone(header.game());
    let header = Arc::new(Header::with_game(header.setup().clone(), game).unwrap());
    let mut state = MatchState::new(Arc::clone(&header), Secrets::from_seed(seed));
    let mut text = String::new();
    let mut pending = vec![Event::Begin];
    while let Some(event) = pending.pop() {
        let mut asked = BTreeMap::new();
        for effect in state.step(0, event) {
            match effect {
                Effect::Append(line) => text.push_str(&(line + "\n")),
                Effect::Send { role, message } => asked.extend(Request::of(&message).map(|to| (role, to))),
                Effect::Signal(_) | Effect::Finish { .. } => {}
            }
        }
        for (role, to) in asked.into_iter().rev() {
            let player: usize = header.role_name(role)[1..].parse().unwrap();
            let said = match to {
                Request::Start | Request::Reveal => "READY".to_owned(),
                Request::Play { turn } => guess(player, turn),
            };
            pending.push(Event::Reply { role, to, reply: Reply::Text(said) });
        }
    }
    read_records(text.as_bytes()).unwrap().remove(0)
}
