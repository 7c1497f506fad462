//! One request: read, look up, wait, answer.

use std::{
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, StatusCode},
    web::{Data, Payload},
};
use croupier_engine::Limits;
use croupier_referee::{
    Seed,
    protocol::{Incoming, Notice, READY, read_message},
};
use futures_util::StreamExt as _;
use tokio::{sync::watch, time};

use crate::{
    answer::{Progress, Question, Waiter, Word},
    clock,
    connections::Connection,
    library::Library,
    no_move::NoMove,
    seat::{ServedSeat, Task},
    table::{Begun, SeatKey, SeatTable},
    thinker::Thinkers,
};

/// Longest body of a request: what rules may have, and something around them.
const BODY_BYTES_MAX: usize = Limits::STANDARD.source_bytes + 4096;

/// Longest time for a body to arrive.
const BODY_MAX: Duration = Duration::from_secs(10);

/// How often it is looked whether a client that waits is still there.
const LOOK: Duration = Duration::from_millis(100);

/// The reply for an unknown match: one of the words that general game players use.
const BUSY: &str = "busy";

/// The reply if no move is known: general game players then reply `nil`.
const NO_MOVE: &str = "nil";

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) name: String,
    pub(crate) seed: Seed,
    pub(crate) table: SeatTable,
    pub(crate) library: Library,
    pub(crate) thinkers: Arc<Thinkers>,
}

/// A response: an HTTP status, and text. A referee's request is answered by one expression and nothing
/// after it, because strict referees reject more; the log says why.
type Reply = (StatusCode, String);

/// The client.
#[derive(Clone, Copy)]
struct Client<'r> {
    /// Which player the request is for, where one agent has several of one match.
    receiver: &'r str,
    connection: Option<&'r Connection>,
    received: Instant,
}

/// Answers any request.
pub(crate) async fn answer(request: HttpRequest, payload: Payload, context: Data<Context>) -> HttpResponse {
    let received = clock::now();
    let receiver =
        request.headers().get("Receiver").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let client = Client { receiver, connection: request.conn_data::<Connection>(), received };
    let (status, text) = if request.method() == Method::POST {
        match body(payload).await {
            Ok(bytes) => reply(&context, client, &bytes).await,
            Err(refusal) => refusal,
        }
    } else {
        (StatusCode::METHOD_NOT_ALLOWED, "this is a game player: messages are posted to it".to_owned())
    };
    let elapsed_ms = u64::try_from(received.elapsed().as_millis()).unwrap_or(u64::MAX);
    if status.is_success() {
        tracing::debug!(status = status.as_u16(), elapsed_ms, "answered");
    } else {
        tracing::warn!(status = status.as_u16(), elapsed_ms, "refused");
    }
    // A referee of 2006 may look for headers in the letters of 2006.
    let mut response = HttpResponse::build(status).content_type("text/acl").body(text);
    response.head_mut().set_camel_case_headers(true);
    response
}

/// The whole body within its bounds of size and time.
async fn body(mut payload: Payload) -> Result<Vec<u8>, Reply> {
    let read = async {
        let mut bytes = Vec::new();
        while let Some(chunk) = payload.next().await {
            let Ok(chunk) = chunk else {
                return Err((StatusCode::BAD_REQUEST, "the request body ended early".to_owned()));
            };
            if bytes.len() + chunk.len() > BODY_BYTES_MAX {
                let text = format!("the message is longer than {BODY_BYTES_MAX} bytes");
                return Err((StatusCode::PAYLOAD_TOO_LARGE, text));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    time::timeout(BODY_MAX, read).await.unwrap_or_else(|_| {
        let text = format!("the message did not arrive within {} seconds", BODY_MAX.as_secs());
        Err((StatusCode::REQUEST_TIMEOUT, text))
    })
}

async fn reply(context: &Context, client: Client<'_>, bytes: &[u8]) -> Reply {
    let message = match read_message(bytes, &Limits::STANDARD) {
        Ok(message) => message,
        Err(error) => {
            tracing::warn!(code = error.code(), bytes = bytes.len(), "cannot parse a message");
            return (StatusCode::BAD_REQUEST, error.to_string());
        }
    };
    let key = |match_id: &str| SeatKey::new(match_id, client.receiver);
    match message {
        Incoming::Info => {
            let status = if context.table.is_full() { BUSY } else { "available" };
            ok(&format!("((name {}) (status {status}))", context.name))
        }
        Incoming::Ping | Incoming::Preview { .. } => ok(READY),
        Incoming::Start { match_id, role, rules, notation, start_clock_s, play_clock_s } => {
            let task = Task {
                seed: context.seed.agent(&format!("{match_id}/{role}")),
                role,
                notation,
                start_clock: Duration::from_secs(start_clock_s),
                play_clock: Duration::from_secs(play_clock_s),
            };
            start(context, key(&match_id), &rules, task, client.received).await
        }
        Incoming::Play(notice) => match context.table.find(&key(&notice.match_id)) {
            Some(seat) => play(context, &seat, &notice, client).await,
            None => {
                tracing::warn!(
                    code = NoMove::UnknownMatch.code(),
                    "a move was requested for an unknown match"
                );
                ok(BUSY)
            }
        },
        Incoming::Stop(Notice { match_id, .. }) => {
            end(context, &key(&match_id), "stopped");
            ok("DONE")
        }
        Incoming::Abort { match_id } => {
            end(context, &key(&match_id), "aborted");
            ok("aborted")
        }
    }
}

fn ok(text: &str) -> Reply {
    (StatusCode::OK, text.to_owned())
}

fn end(context: &Context, key: &SeatKey, how: &str) {
    if let Some(seat) = context.table.end(key) {
        context.thinkers.forget(&seat);
        tracing::info!(match.id = %logged(&key.match_id), "{how}");
    }
}

/// An id in a form that is safe for logs: it cannot contain line breaks.
fn logged(match_id: &str) -> String {
    match_id.chars().map(|c| if c.is_ascii_graphic() { c } else { '?' }).take(64).collect()
}

/// Begins a match, and waits until its game is ready or the start clock is nearly over.
async fn start(context: &Context, key: SeatKey, rules: &str, task: Task, received: Instant) -> Reply {
    let start_deadline = received + task.start_clock;
    let Begun { seat, gone } = match context.table.begin(key.clone(), rules, task, &context.library) {
        Ok(begun) => begun,
        Err(why) => {
            tracing::warn!(match.id = %logged(&key.match_id), "match rejected: {why}");
            return ok(BUSY);
        }
    };
    for seat in gone {
        context.thinkers.forget(&seat);
        tracing::warn!(seat = seat.number, "match abandoned: its referee is overdue");
    }
    tracing::info!(match.id = %logged(&key.match_id), seat = seat.number, "a match begins");
    let clock = start_deadline.saturating_duration_since(clock::now());
    let deadline = start_deadline - seat.book().margin().of_way(clock);
    let compiled = context.library.compiled(&seat.game, start_deadline);
    let why = match time::timeout_at(deadline.into(), compiled).await {
        Ok(Ok(game)) if game.roles().players().any(|role| game.roles().name(role) == seat.role) => {
            return ok(READY);
        }
        Ok(Ok(_)) => NoMove::UnplayableRole,
        Ok(Err(why)) => why,
        // The compiler goes on; the first move may have to wait for it.
        Err(_) => return ok(READY),
    };
    tracing::warn!(match.id = %logged(&key.match_id), code = why.code(), "the match cannot be played");
    context.table.end(&key);
    ok(BUSY)
}

/// Requests a move, and answers with the best one found when the time is up.
async fn play(context: &Context, seat: &Arc<ServedSeat>, notice: &Notice, client: Client<'_>) -> Reply {
    let word = match notice.told(seat.notation, &Limits::STANDARD) {
        Ok(told) => told.map_or(Word::First, Word::Told),
        Err(error) => {
            tracing::warn!(code = error.code(), "cannot parse a message");
            Word::Unreadable
        }
    };
    let (turn, mut waiter) = match seat.ask(notice, word, client.received) {
        Question::Replied(text) => return ok(&text),
        Question::Asked(turn, waiter) => (turn, waiter),
    };
    let margin = seat.book().margin().of_way(seat.play_clock);
    let deadline = client.received + seat.play_clock.saturating_sub(margin);
    let found = found(context, seat, &mut waiter, client.connection, deadline).await;
    let text = match found {
        Progress::Done(text) | Progress::Legal(text) => seat.book().note_reply(turn, text),
        Progress::Repeated(text) => return ok(&text),
        Progress::Failed(why) => return no_move(turn, why),
        Progress::Nothing => return no_move(turn, NoMove::NoTime),
    };
    let elapsed_ms = u64::try_from(client.received.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::info!(seat = seat.number, turn, elapsed_ms, "moved");
    ok(&text)
}

fn no_move(turn: u32, why: NoMove) -> Reply {
    tracing::warn!(code = why.code(), turn, "no legal move is known");
    ok(NO_MOVE)
}

/// The result when the computation is done, or at the deadline.
///
/// When this future is dropped, because the connection broke, the waiter is removed, and the computation stops if it was the
/// last.
async fn found(
    context: &Context,
    seat: &Arc<ServedSeat>,
    waiter: &mut Waiter,
    connection: Option<&Connection>,
    deadline: Instant,
) -> Progress {
    let mut progress = waiter.progress.clone();
    let mut thinking = pin!(async {
        match context.library.compiled(&seat.game, deadline).await {
            Ok(game) => context.thinkers.wake(seat, game),
            Err(why) => return Progress::Failed(why),
        }
        finished(&mut progress).await
    });
    loop {
        let look = clock::now() + LOOK;
        match time::timeout_at(look.min(deadline).into(), &mut thinking).await {
            Ok(found) => return found,
            Err(_) if look >= deadline => return waiter.progress.borrow().clone(),
            Err(_) if connection.is_some_and(Connection::is_closed) => waiter.leave(),
            Err(_) => {}
        }
    }
}

/// The result when there will be no more.
async fn finished(progress: &mut watch::Receiver<Progress>) -> Progress {
    let found = progress.wait_for(Progress::is_final).await;
    found.map_or(Progress::Failed(NoMove::Over), |found| found.clone())
}
