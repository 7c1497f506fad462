//! The effects of [mutants](croupier_referee::mutant) on a server; compiled only for tests.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use actix_web::HttpResponseBuilder;
use croupier_engine::RoleId;
use croupier_referee::{
    Digest, MatchState, Message, OwnTurn, Seed,
    mutant::{Mutant, is_on},
};
use dashmap::{DashMap, DashSet};
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt as _, net::TcpStream, time::sleep};

use crate::clock;

/// Bytes from which a message counts as long.
const LONG: usize = 600;

static MESSAGES: AtomicU64 = AtomicU64::new(0);
static IN_FLIGHT: AtomicUsize = AtomicUsize::new(0);
static LAST_MS: Mutex<i64> = Mutex::new(0);
static LAST_BODY: Mutex<String> = Mutex::new(String::new());
static REPLIED: Mutex<Vec<RoleId>> = Mutex::new(Vec::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Symbols in the letters in which any rules of this process wrote them first, by the same in small letters.
fn letters() -> &'static DashMap<String, String> {
    static LETTERS: std::sync::OnceLock<DashMap<String, String>> = std::sync::OnceLock::new();
    LETTERS.get_or_init(DashMap::new)
}

fn pool() -> &'static DashMap<String, TcpStream> {
    static POOL: std::sync::OnceLock<DashMap<String, TcpStream>> = std::sync::OnceLock::new();
    POOL.get_or_init(DashMap::new)
}

/// The legal moves of the true states of matches, by match and role.
fn legal_moves() -> &'static DashMap<(String, RoleId), Vec<String>> {
    static LEGAL: std::sync::OnceLock<DashMap<(String, RoleId), Vec<String>>> = std::sync::OnceLock::new();
    LEGAL.get_or_init(DashMap::new)
}

fn pages() -> &'static DashMap<String, Vec<Arc<str>>> {
    static PAGES: std::sync::OnceLock<DashMap<String, Vec<Arc<str>>>> = std::sync::OnceLock::new();
    PAGES.get_or_init(DashMap::new)
}

/// What becomes of the id of a match that is made, and of what it is made of.
pub(crate) fn made(id: String, rules: &str, seed: &Seed) -> String {
    read_rules(rules);
    log_setup(&id, seed);
    self::id(id, seed)
}

/// Remembers how rules write their symbols.
fn read_rules(rules: &str) {
    if is_on(Mutant::LettersSeenFirst) {
        for symbol in rules.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';')) {
            letters().entry(symbol.to_lowercase()).or_insert_with(|| symbol.to_owned());
        }
    }
}

/// Keeps what is legal for a role that is asked for a move.
pub(crate) fn keep_legal(role: RoleId, state: &MatchState) {
    if is_on(Mutant::LegalMovesOfState)
        && let Some(legal) = state.legal()
    {
        let header = state.header();
        let texts =
            legal[role].iter().map(|own_move| header.game().move_text(*own_move).to_string()).collect();
        legal_moves().insert((header.match_id().to_owned(), role), texts);
    }
}

/// The legal moves of the true state, for a seat that was shown these frames.
pub(crate) fn legal(role: RoleId, shown: &[Arc<str>]) -> Option<Vec<String>> {
    let start: Value = serde_json::from_str(shown.first()?).ok()?;
    let id = start["match"].as_str()?.to_owned();
    legal_moves().get(&(id, role)).map(|texts| texts.clone())
}

/// A message that says more than it should.
pub(crate) fn message(mut message: Message) -> Message {
    let last = match &mut message {
        Message::Play { last: Some(last), .. } | Message::Stop { last: Some(last), .. } => last,
        _ => return message,
    };
    if is_on(Mutant::OrderOfHashes) {
        let unordered: DashSet<Arc<str>> = last.percepts.drain(..).collect();
        last.percepts.extend(unordered);
    }
    if is_on(Mutant::LettersSeenFirst) {
        last.percepts.iter_mut().for_each(|percept| *percept = in_first_letters(percept));
    }
    if is_on(Mutant::TermsInLog) {
        let OwnTurn { own_move, percepts } = last;
        tracing::info!(%own_move, ?percepts, "told");
    }
    message
}

fn in_first_letters(percept: &str) -> Arc<str> {
    let words = percept.split(' ').map(|word| {
        let symbol = word.trim_matches(['(', ')']);
        match letters().get(symbol) {
            Some(first) => word.replace(symbol, &first),
            None => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ").into()
}

/// A request that says more than it should.
pub(crate) fn request(bytes: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8(bytes).unwrap_or_default();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
    let mut head = head.to_owned();
    let mut body = body.to_owned();
    let now_ms = clock::unix_ms();
    let passed_ms = now_ms - std::mem::replace(&mut *locked(&LAST_MS), now_ms);
    let count = MESSAGES.fetch_add(1, Ordering::Relaxed);
    let before = std::mem::replace(&mut *locked(&LAST_BODY), body.clone());
    for (mutant, line) in [
        (Mutant::DateHeader, format!("\r\nDate: {now_ms}")),
        (Mutant::CounterHeader, format!("\r\nX-Request-Id: {count}")),
        (Mutant::DurationHeader, format!("\r\nServer-Timing: turn;dur={passed_ms}")),
    ] {
        if is_on(mutant) {
            head.push_str(&line);
        }
    }
    if is_on(Mutant::StaleBytes) && before.len() > body.len() {
        body.push_str(before.get(body.len()..).unwrap_or_default());
    }
    if is_on(Mutant::LengthOfNeighbour) {
        head = head.replace(&format!("Length: {}", body.len()), &format!("Length: {}", before.len()));
    }
    if is_on(Mutant::ChunkedWhenLarge) && body.len() > LONG {
        head = head.replace(&format!("Content-Length: {}", body.len()), "Transfer-Encoding: chunked");
        body = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    }
    let mut bytes = format!("{head}\r\n\r\n").into_bytes();
    if is_on(Mutant::Compression) {
        // One stored block of deflate.
        let length = u16::try_from(body.len()).unwrap_or(u16::MAX);
        bytes = format!("{head}\r\nContent-Encoding: deflate\r\n\r\n").into_bytes();
        bytes.push(1);
        bytes.extend(length.to_le_bytes());
        bytes.extend((!length).to_le_bytes());
    }
    bytes.extend(body.into_bytes());
    bytes
}

/// A connection of another role to the same address, if it is still open.
pub(crate) fn pooled(address: &str) -> Option<TcpStream> {
    if !is_on(Mutant::PooledConnection) {
        return None;
    }
    pool().remove(address).map(|(_, stream)| stream)
}

/// Keeps a connection for others.
pub(crate) fn keep(address: &str, stream: TcpStream) {
    if is_on(Mutant::PooledConnection) {
        pool().insert(address.to_owned(), stream);
    }
}

/// Sends a part of a long message; what is left of it.
pub(crate) async fn part_sent<'m>(stream: &mut TcpStream, message: &'m [u8]) -> &'m [u8] {
    if !is_on(Mutant::TwoWrites) || message.len() <= LONG {
        return message;
    }
    let (first, rest) = message.split_at(message.len() / 2);
    if stream.write_all(first).await.is_err() {
        return message;
    }
    sleep(Duration::from_millis(20)).await;
    rest
}

/// A message is on its way.
pub(crate) fn depart() {
    IN_FLIGHT.fetch_add(1, Ordering::SeqCst);
}

/// The reply to a message is there: whether to send it again because others are slow.
pub(crate) async fn arrive(role: RoleId) -> bool {
    IN_FLIGHT.fetch_sub(1, Ordering::SeqCst);
    if is_on(Mutant::OrderOfReplies) {
        let mut replied = locked(&REPLIED);
        replied.retain(|other| *other != role);
        replied.push(role);
    }
    if !is_on(Mutant::RetryWhenOthersAreSlow) {
        return false;
    }
    sleep(Duration::from_millis(20)).await;
    IN_FLIGHT.load(Ordering::SeqCst) > 0
}

/// The place of a role in the order of sending.
pub(crate) fn place(role: RoleId) -> Option<usize> {
    is_on(Mutant::OrderOfReplies).then(|| locked(&REPLIED).iter().position(|other| *other == role)).flatten()
}

/// An id that is not drawn.
fn id(id: String, seed: &Seed) -> String {
    if is_on(Mutant::IdFromSeed) { Digest::of(&seed.to_bytes()).to_string()[..24].to_owned() } else { id }
}

/// What a setup looks like to whoever debugs it.
fn log_setup(id: &str, seed: &Seed) {
    if is_on(Mutant::SeedInLog) {
        tracing::debug!(%id, seed = %hex::encode(seed.to_bytes()), "a match is made");
    }
}

/// An event for spectators that says more than it should.
pub(crate) fn event(mut event: Value, line: &Value) -> Value {
    if is_on(Mutant::StateHashInFeed) && line["event"] == "turn" {
        event["state"] = line["state"].clone();
    }
    if is_on(Mutant::LegalCountInFeed) && line["event"] == "turn" {
        event["legal"] = json!(line["moves"].to_string().len());
    }
    event
}

/// An event before its turn is over.
pub(crate) fn early_event(line: &str) -> Option<Value> {
    let line: Value = serde_json::from_str(line).ok()?;
    let is_reply = is_on(Mutant::FeedAheadOfTurn) && line["event"] == "reply";
    let event = json!({ "event": "turn", "turn": line["turn"], "moves": { "": line["move"] } });
    is_reply.then_some(event)
}

/// Headers over what nobody sees.
pub(crate) fn headers(response: &mut HttpResponseBuilder, record: &str) {
    if is_on(Mutant::EntityTag) {
        response.insert_header(("ETag", format!("\"{}\"", Digest::of(record.as_bytes()))));
    }
    if is_on(Mutant::LastModified) {
        response.insert_header(("Last-Modified", clock::unix_ms().to_string()));
    }
}

/// What a refusal quotes.
pub(crate) fn quoted(record: &str) -> Option<String> {
    is_on(Mutant::TextOfFailure).then(|| format!("not over: {record}"))
}

/// What metrics count beside what everybody knows.
pub(crate) fn counted(lines: usize) -> String {
    if is_on(Mutant::HiddenMetrics) { format!("croupier_lines_written {lines}\n") } else { String::new() }
}

/// The page of a seat as whoever asked first has got it.
pub(crate) fn page(id: &str, after: usize, frames: &[Arc<str>]) -> Option<Vec<Arc<str>>> {
    is_on(Mutant::PageOfAnotherSeat)
        .then(|| pages().entry(format!("{id} {after}")).or_insert_with(|| frames.to_vec()).clone())
}
