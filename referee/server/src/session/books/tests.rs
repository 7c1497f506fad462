//! What follows from a journal, and that nothing else does.

use std::collections::BTreeMap;

use croupier_games::{GameFacts, SessionRules};
use croupier_referee::Digest;
use croupier_session::{MatchOver, SessionTerms};

use super::*;
use crate::setup::Spectators;

/// The index of the match that is ordered first.
const FIRST: u64 = 1;

fn origin(seats: usize) -> SessionOrigin {
    let roles: Vec<String> = (0..seats).map(|number| format!("r{number}")).collect();
    let terms = SessionTerms {
        id: "s".to_owned(),
        game: "a game".to_owned(),
        rules: Some(Digest::of(b"rules")),
        roles,
        seats,
        payoff: None,
        session: SessionRules::default(),
    };
    let setup = SessionSetup {
        terms,
        game: None,
        words: None,
        title: "a game".to_owned(),
        unit: "points".to_owned(),
        play_clock_ms: 1_000,
        bank_ms: 1_000,
        agent_clock_ms: 1_000,
        break_ms: 0,
        speed_permille: Some(1_000),
        spectators: Spectators::Sealed,
        hides_something: true,
        has_chat: false,
        trainer: false,
        is_listed: false,
        table: "s".to_owned(),
    };
    SessionOrigin {
        id: "s".to_owned(),
        setup,
        facts: Arc::new(GameFacts::unknown("a game")),
        seed: Seed::from_bytes([7; 32]),
        created_ms: 1,
        host: TokenDigest::of("host"),
        watch: TokenDigest::of("watch"),
    }
}

fn happened(what: SessionEvent) -> JournalEntry {
    JournalEntry::Happened { what }
}

fn invited(place: SeatPlace, number: u64, renews_from: Option<u64>) -> JournalEntry {
    let token = TokenDigest::of(&format!("invitation {number}")).to_hex();
    JournalEntry::Invited { place, number, token, until_ms: 9, renews_from }
}

fn keyed(place: SeatPlace, key: &str) -> JournalEntry {
    JournalEntry::Keyed { place, key: TokenDigest::of(key).to_hex() }
}

fn sits(place: SeatPlace) -> JournalEntry {
    let holder = SeatHolder::Person { name: format!("guest {place}") };
    happened(SessionEvent::SeatTaken { seat: SeatNumber(place), holder })
}

fn over(index: u64, first: i64) -> JournalEntry {
    let goals = BTreeMap::from([("r0".to_owned(), first), ("r1".to_owned(), 100 - first)]);
    let record = Some(Digest::of(&index.to_le_bytes()));
    happened(SessionEvent::MatchOver(MatchOver { index, goals: Some(goals), last: Vec::new(), record }))
}

/// A table of two guests that has begun.
fn begun() -> Vec<JournalEntry> {
    vec![
        happened(SessionEvent::Tick { now_ms: 5 }),
        invited(1, 1, None),
        invited(2, 2, None),
        sits(1),
        keyed(1, "one"),
        sits(2),
        keyed(2, "two"),
        happened(SessionEvent::Started),
    ]
}

fn books_of(entries: &[JournalEntry]) -> SessionBooks {
    let mut books = SessionBooks::open(origin(2)).expect("sound terms");
    for entry in entries {
        // As the store gives it back.
        let entry = serde_json::from_str(&entry.line()).expect("an entry");
        books.take(&entry).unwrap_or_else(|refusal| panic!("{entry:?}: {refusal}"));
    }
    books
}

/// The matches, up to the tenth, that a key opens in a seat.
fn opened(books: &SessionBooks, place: SeatPlace, key: &str) -> Vec<u64> {
    let digest = TokenDigest::of(key);
    let opens = |index: &u64| books.keys().of_hand(place, *index).is_some_and(|own| own.is(&digest));
    (1..10).filter(opens).collect()
}

#[test]
fn a_journal_gives_the_same_session_whenever_it_is_read() {
    let mut entries = begun();
    entries.extend([over(FIRST, 100), over(2, 30), happened(SessionEvent::Ended)]);
    for length in 0..=entries.len() {
        let (one, other) = (books_of(&entries[..length]), books_of(&entries[..length]));
        assert_eq!(one.view(None), other.view(None), "after {length} entries");
        assert_eq!((one.entries(), one.keys()), (length as u64, other.keys()));
    }
}

#[test]
fn a_refused_entry_changes_nothing() {
    let mut books = books_of(&begun());
    let before = books.view(None);
    assert!(books.take(&happened(SessionEvent::Started)).is_err());
    assert!(books.take(&over(7, 100)).is_err());
    assert_eq!(books.view(None), before);
}

#[test]
fn results_tell_what_each_seat_won_whatever_its_role_was() {
    let mut entries = begun();
    entries.extend([over(FIRST, 100), over(2, 30)]);
    let view = books_of(&entries).view(None);
    let changes: Vec<Vec<f64>> =
        view.hands.iter().map(|hand| hand.changes.values().copied().collect()).collect();
    // In the second match the roles have moved on.
    assert_eq!(changes, [vec![100.0, 0.0], vec![70.0, 30.0]]);
    assert_eq!(view.seats.iter().map(|seat| seat.total).collect::<Vec<_>>(), [170.0, 30.0]);
    assert_eq!((view.seed, view.hands_played), (None, 2), "the seed stays secret");
}

#[test]
fn a_key_opens_no_match_before_it_was_made_and_none_after_it_was_replaced() {
    let mut entries = begun();
    assert_eq!(opened(&books_of(&entries), 1, "one"), (1..10).collect::<Vec<_>>());
    // A new link, asked for in the middle of a match, replaces the key when the match is over.
    entries.push(happened(SessionEvent::LinkAsked { seat: SeatNumber(1) }));
    assert_eq!(opened(&books_of(&entries), 1, "one"), (1..10).collect::<Vec<_>>());
    entries.push(over(FIRST, 50));
    let books = books_of(&entries);
    assert_eq!((opened(&books, 1, "one"), books.renewal_from(1)), (vec![1], 2));
    assert!(books.keys().of_seat(1).is_none(), "nobody has the seat until the link is opened");
    entries.extend([invited(1, 3, Some(2)), keyed(1, "again")]);
    let books = books_of(&entries);
    assert_eq!((opened(&books, 1, "one"), opened(&books, 1, "again")), (vec![1], (2..10).collect()));
    // Somebody else in the seat sees nothing of what was dealt before.
    entries.push(happened(SessionEvent::Kicked { seat: SeatNumber(1) }));
    assert_eq!(
        opened(&books_of(&entries), 1, "again"),
        (2..10).collect::<Vec<_>>(),
        "until the match is over"
    );
    entries.push(over(2, 50));
    assert_eq!(books_of(&entries).uninvited(), [1]);
    entries.extend([invited(1, 4, None), keyed(1, "newcomer"), sits(1)]);
    let books = books_of(&entries);
    assert_eq!((opened(&books, 1, "again"), opened(&books, 1, "newcomer")), (vec![2], (3..10).collect()));
    assert_eq!(opened(&books, 2, "two"), (1..10).collect::<Vec<_>>(), "others keep theirs");
}

#[test]
fn the_host_is_whoever_the_role_was_handed_to_and_that_opens_no_seat() {
    let mut entries = begun();
    let host = |books: &SessionBooks| *books.keys().of_host();
    assert!(host(&books_of(&entries)).is(&TokenDigest::of("host")));
    entries.push(happened(SessionEvent::HostHanded { seat: SeatNumber(2) }));
    let books = books_of(&entries);
    assert!(host(&books).is(&TokenDigest::of("two")));
    assert!((1..=2).all(|place| opened(&books, place, "host").is_empty()));
}

#[test]
fn the_seed_is_told_when_the_session_is_over_and_is_the_one_that_was_committed_to() {
    let mut entries = begun();
    entries.extend([happened(SessionEvent::Ended), over(FIRST, 50)]);
    let books = books_of(&entries);
    let view = books.view(None);
    assert_eq!(view.status, SessionStatus::Over);
    assert_eq!(view.seed, Some(Seed::from_bytes([7; 32]).reveal()));
    let terms = &books.origin().setup.terms;
    assert_eq!(view.commitment, terms.commitment(&Seed::from_bytes([7; 32])).to_string());
    assert!(books.uninvited().is_empty(), "nobody is invited any more");
}

#[test]
fn the_last_answers_are_remembered() {
    let mut entries = begun();
    entries.extend((0..2_000).map(|number| JournalEntry::Answered {
        request: format!("host/{number}"),
        digest: "digest".to_owned(),
        done: CommandAnswer::default(),
    }));
    let books = books_of(&entries);
    assert!(books.answer("host/0").is_none() && books.answer("host/1999").is_some());
    assert_eq!(books.answers.len(), ANSWERS_MAX);
}
