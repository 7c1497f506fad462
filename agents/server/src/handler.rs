//! One request: read, look up, wait, answer.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, StatusCode},
    web::{Data, Payload},
};
use croupier_engine::Limits;
use croupier_players::PlayerKind;
use croupier_referee::{
    Seed,
    protocol::{Incoming, Notation, Notice, READY, read_message},
};
use futures_util::StreamExt as _;
use tokio::{sync::watch, time};

use crate::{
    answer::{Progress, Question},
    clock,
    table::{Refusal, Seat, SeatKey, Table},
    thinker::{Task, Turn},
};

/// Longest body of a request: what rules may have, and something around them.
const BODY_BYTES_MAX: usize = Limits::STANDARD.source_bytes + 4096;

/// Longest time for a body to arrive.
const BODY_MAX: Duration = Duration::from_secs(10);

/// What all requests share.
pub(crate) struct Context {
    pub(crate) name: String,
    pub(crate) kind: PlayerKind,
    pub(crate) seed: Seed,
    pub(crate) table: Table,
}

/// What is answered: a status of HTTP, and text whose first expression counts.
type Reply = (StatusCode, String);

/// Answers any request.
pub(crate) async fn answer(request: HttpRequest, payload: Payload, context: Data<Context>) -> HttpResponse {
    let received = clock::now();
    let receiver =
        request.headers().get("Receiver").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (status, text) = if request.method() == Method::POST {
        match body(payload).await {
            Ok(bytes) => reply((&context, receiver), &bytes, received).await,
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
                return Err((StatusCode::BAD_REQUEST, "the body of the request broke off".to_owned()));
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

async fn reply((context, receiver): (&Context, &str), bytes: &[u8], received: Instant) -> Reply {
    let message = match read_message(bytes, &Limits::STANDARD) {
        Ok(message) => message,
        Err(error) => {
            tracing::warn!(code = error.code(), bytes = bytes.len(), "a message cannot be read");
            return (StatusCode::BAD_REQUEST, error.to_string());
        }
    };
    let ok = |text: &str| (StatusCode::OK, text.to_owned());
    match message {
        Incoming::Info => {
            let status = if context.table.is_full() { "busy" } else { "available" };
            ok(&format!("((name {}) (status {status}))", context.name))
        }
        Incoming::Ping | Incoming::Preview { .. } => ok(READY),
        Incoming::Start { match_id, role, rules, notation, start_clock_s, play_clock_s } => {
            let play_clock = Duration::from_secs(play_clock_s);
            let seed = context.seed.agent(&format!("{match_id}/{role}"));
            let task = Task { kind: context.kind.clone(), seed, rules, role, notation, play_clock };
            let deadline = received + Duration::from_secs(start_clock_s);
            start(context, SeatKey::new(&match_id, receiver), task, deadline).await
        }
        Incoming::Play(notice) => match context.table.find(&SeatKey::new(&notice.match_id, receiver)) {
            Some(seat) => play(&seat, &notice, received).await,
            None => {
                tracing::warn!(code = "unknown-match", "a move is asked for in no match that is played here");
                ok("busy ; there is no such match here: it begins with START")
            }
        },
        Incoming::Stop(Notice { match_id, .. }) => {
            log_end("stopped", &match_id, context.table.end(&SeatKey::new(&match_id, receiver)));
            ok("DONE")
        }
        Incoming::Abort { match_id } => {
            log_end("aborted", &match_id, context.table.end(&SeatKey::new(&match_id, receiver)));
            ok("aborted")
        }
    }
}

fn log_end(how: &str, match_id: &str, was_played: bool) {
    if was_played {
        tracing::info!(match.id = %logged(match_id), "{how}");
    }
}

/// An id as a log can hold it: whoever chose it cannot write lines of their own.
fn logged(match_id: &str) -> String {
    match_id.chars().map(|c| if c.is_ascii_graphic() { c } else { '?' }).take(64).collect()
}

/// Begins a match, and waits until its game is ready or the start clock is nearly over.
async fn start(context: &Context, key: SeatKey, task: Task, start_deadline: Instant) -> Reply {
    let seat = match context.table.begin(key.clone(), task) {
        Ok(seat) => seat,
        Err(Refusal::Full) => {
            tracing::warn!(code = "full", "a match is refused: there are as many as may be");
            return (StatusCode::OK, "busy ; as many matches are played here as may be".to_owned());
        }
        Err(Refusal::NoThread(error)) => {
            tracing::error!(%error, "a match is refused: there is no thread for it");
            return (StatusCode::OK, "busy ; there is no thread for another match".to_owned());
        }
    };
    tracing::info!(match.id = %logged(&key.match_id), "a match begins");
    let clock = start_deadline.saturating_duration_since(clock::now());
    let margin = seat.shared.book().margin().of_way(clock);
    let mut ready = seat.ready.clone();
    match finished(&mut ready, start_deadline - margin).await {
        Progress::Failed(code) => {
            context.table.end(&key);
            (StatusCode::OK, format!("busy ; this match cannot be played: {code}"))
        }
        // The thread goes on with the rules; the first move may have to wait for it.
        Progress::Done(_) | Progress::Legal(_) | Progress::Nothing => (StatusCode::OK, READY.to_owned()),
    }
}

/// Asks for a move, and answers with the best there is when the time is up.
async fn play(seat: &Arc<Seat>, notice: &Notice, received: Instant) -> Reply {
    let told = match notice.told(seat.task.notation, &Limits::STANDARD) {
        Ok(told) => told,
        Err(error) => {
            tracing::warn!(code = error.code(), "a message cannot be read");
            return (StatusCode::BAD_REQUEST, error.to_string());
        }
    };
    // The guard is gone before anything is waited for.
    let question = seat.shared.book().question(notice);
    let (turn, mut progress) = match question {
        Question::Replied(text) => return (StatusCode::OK, text.to_string()),
        Question::Pending(turn, progress) => (turn, progress),
        Question::New(turn, sender, progress) => {
            seat.ask(Turn { turn, is_numbered: notice.turn.is_some(), told, received, progress: sender });
            (turn, progress)
        }
    };
    let play_clock = seat.task.play_clock;
    let margin = seat.shared.book().margin().of_way(play_clock);
    let found = finished(&mut progress, received + play_clock.saturating_sub(margin)).await;
    let text = match found {
        Progress::Done(text) | Progress::Legal(text) => text,
        Progress::Failed(code) => return no_move(seat.task.notation, code),
        Progress::Nothing => return no_move(seat.task.notation, "no-time"),
    };
    let text = seat.shared.book().note_reply(turn, text);
    tracing::info!(
        turn,
        elapsed_ms = u64::try_from(received.elapsed().as_millis()).unwrap_or(u64::MAX),
        "moved"
    );
    (StatusCode::OK, text.to_string())
}

/// What is said where no move is known: players of general games say `nil` then.
fn no_move(notation: Notation, code: &'static str) -> Reply {
    let text = match notation {
        Notation::Prefix => format!("nil ; no move: {code}"),
        Notation::Infix => "nil".to_owned(),
    };
    (StatusCode::OK, text)
}

/// What a thread has found when it is done, or at the deadline, or when it is gone.
async fn finished(progress: &mut watch::Receiver<Progress>, deadline: Instant) -> Progress {
    let is_final = |progress: &Progress| matches!(progress, Progress::Done(_) | Progress::Failed(_));
    let waited = time::timeout_at(deadline.into(), progress.wait_for(is_final)).await;
    let found = waited.ok().and_then(Result::ok).map(|found| found.clone());
    found.unwrap_or_else(|| progress.borrow().clone())
}
