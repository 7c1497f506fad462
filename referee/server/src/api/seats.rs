//! Seats whose players connect: frames by long poll or over a WebSocket, the same either way.

use std::{sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Bytes, Data, Path, Payload, Query},
};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, Session};
use croupier_engine::RoleId;
use croupier_referee::{Failure, Nonce, Reply, Request, match_state::REPLY_BYTES_MAX};
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::json;
use tokio::{
    sync::watch,
    time::{interval, timeout},
};

use super::Context;
use crate::{
    board::View,
    frame::Said,
    live::{Command, MatchHandle},
    problem::Problem,
    rights::{Deed, may},
};

/// Longest time that a poll waits for a frame.
const POLL_MAX: Duration = Duration::from_secs(30);

/// Between two signs of life on a WebSocket.
const PING: Duration = Duration::from_secs(15);

/// Longest frame that is read, in bytes.
const FRAME_BYTES_MAX: usize = REPLY_BYTES_MAX + 1_024;

/// A seat that somebody may sit in.
struct Seated {
    handle: MatchHandle,
    role: RoleId,
}

async fn seated(request: &HttpRequest, context: &Context, id: &str, role: &str) -> Result<Seated, Problem> {
    let absent = || Problem::absent("there is no such seat, or nobody connects to it");
    let handle = context.running(id).await?;
    let role = handle
        .header
        .roles()
        .find(role)
        .filter(|role| handle.tokens.get(*role).is_some())
        .ok_or_else(absent)?;
    let token = handle.tokens[role].ok_or_else(absent)?;
    may(&context.actor(request), Deed::Sit(&token))?;
    Ok(Seated { handle, role })
}

impl Seated {
    async fn join(&self) {
        // A match that is just over needs nobody.
        let _ = self.handle.commands.send(Command::Joined { role: self.role }).await;
    }

    /// Gives the match what a player said.
    async fn say(&self, bytes: &[u8]) -> Result<(), Problem> {
        let bad = |what: &str| Problem::unfit("bad-frame", what);
        if bytes.len() > FRAME_BYTES_MAX {
            return Err(bad("a frame has at most 65 KiB"));
        }
        let said: Said = serde_json::from_slice(bytes).map_err(|_| {
            bad("a frame is {\"type\":\"ready\"} or {\"type\":\"move\",\"turn\":N,\"move\":TERM}")
        })?;
        let (to, reply) = match said {
            Said::Ready { nonce: None } => (Request::Start, Reply::Text("READY".to_owned())),
            Said::Ready { nonce: Some(text) } => {
                let nonce = Nonce::from_hex(&text).ok_or_else(|| bad("a nonce is 64 hexadecimal digits"))?;
                (Request::Start, Reply::Ready(nonce))
            }
            Said::Move { turn, own_move } if own_move.len() > REPLY_BYTES_MAX => {
                (Request::Play { turn }, Reply::Failed(Failure::TooLarge))
            }
            Said::Move { turn, own_move } => (Request::Play { turn }, Reply::Text(own_move)),
        };
        let sent = self.handle.commands.send(Command::Reply { role: self.role, to, reply }).await;
        sent.map_err(|_| Problem::conflict("over", "the match is over"))
    }
}

/// How far whoever polls has read.
#[derive(Debug, Deserialize)]
pub(super) struct Read {
    /// The number of frames that were read.
    #[serde(default)]
    after: usize,
}

pub(super) async fn next(
    request: HttpRequest,
    context: Data<Context>,
    place: Path<(String, String)>,
    read: Query<Read>,
) -> Result<HttpResponse, Problem> {
    let seated = seated(&request, &context, &place.0, &place.1).await?;
    let mut view = seated.handle.boards[seated.role].follow();
    seated.join().await;
    let more = view.wait_for(|view| view.frames.len() > read.after || view.is_over);
    let view = match timeout(POLL_MAX, more).await {
        Ok(Ok(view)) => view.clone(),
        Ok(Err(_)) => return Err(Problem::conflict("over", "the match is over")),
        Err(_) => return Ok(HttpResponse::NoContent().finish()),
    };
    let shown = view.after(read.after).to_vec();
    #[cfg(feature = "mutants")]
    let shown = crate::leaks::page(&place.0, read.after, shown);
    let frames = shown.iter().filter_map(|frame| serde_json::from_str(frame).ok());
    let frames: Vec<serde_json::Value> = frames.collect();
    Ok(HttpResponse::Ok()
        .insert_header(("Cache-Control", "no-store"))
        .json(json!({ "after": view.frames.len(), "frames": frames, "over": view.is_over })))
}

pub(super) async fn say(
    request: HttpRequest,
    context: Data<Context>,
    place: Path<(String, String)>,
    body: Bytes,
) -> Result<HttpResponse, Problem> {
    let seated = seated(&request, &context, &place.0, &place.1).await?;
    seated.say(&body).await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(super) async fn connect(
    request: HttpRequest,
    context: Data<Context>,
    place: Path<(String, String)>,
    body: Payload,
) -> Result<HttpResponse, actix_web::Error> {
    let seated = seated(&request, &context, &place.0, &place.1).await?;
    let view = seated.handle.boards[seated.role].follow();
    let (response, session, messages) = actix_ws::handle(&request, body)?;
    let messages = messages
        .max_frame_size(FRAME_BYTES_MAX)
        .aggregate_continuations()
        .max_continuation_size(FRAME_BYTES_MAX);
    actix_rt::spawn(async move {
        seated.join().await;
        converse(&seated, view, session, messages).await;
    });
    Ok(response)
}

/// Tells a player what its seat is told, and the match what the player says, until one of them is gone.
async fn converse(
    seated: &Seated,
    mut view: watch::Receiver<View>,
    mut session: Session,
    mut messages: AggregatedMessageStream,
) {
    let mut shown = 0;
    let mut ping = interval(PING);
    loop {
        let (frames, is_over) = unseen(&mut view, &mut shown);
        for frame in frames {
            if session.text(frame.to_string()).await.is_err() {
                return;
            }
        }
        if is_over {
            break;
        }
        tokio::select! {
            changed = view.changed() => if changed.is_err() { break },
            message = messages.next() => match message {
                Some(Ok(AggregatedMessage::Text(text))) => {
                    if let Err(problem) = seated.say(text.as_bytes()).await {
                        let told = json!({ "type": "problem", "detail": problem.to_string() });
                        if session.text(told.to_string()).await.is_err() {
                            return;
                        }
                    }
                }
                Some(Ok(AggregatedMessage::Ping(bytes))) => {
                    if session.pong(&bytes).await.is_err() {
                        return;
                    }
                }
                Some(Ok(AggregatedMessage::Binary(_) | AggregatedMessage::Pong(_))) => {}
                Some(Ok(AggregatedMessage::Close(_)) | Err(_)) | None => return,
            },
            _ = ping.tick() => if session.ping(b"").await.is_err() { return },
        }
    }
    // Whoever is gone needs no farewell.
    let _ = session.close(None).await;
}

/// The frames of a seat that were not shown on this connection, and whether others will come.
fn unseen(view: &mut watch::Receiver<View>, shown: &mut usize) -> (Vec<Arc<str>>, bool) {
    let view = view.borrow_and_update();
    let frames = view.after(*shown).to_vec();
    *shown += frames.len();
    (frames, view.is_over)
}
