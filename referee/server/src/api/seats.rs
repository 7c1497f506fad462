//! Seats whose players connect: the same frames by long poll or over a WebSocket.

use std::{sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, get, post,
    web::{Bytes, Data, Path, Payload},
};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason, Session};
use croupier_engine::RoleId;
use croupier_referee::{
    Digest, Failure, Nonce, Nonces, Reply, Request, match_state::REPLY_BYTES_MAX,
    realtime::wire::RealTimeSaid,
};
use futures_util::{FutureExt as _, StreamExt as _, stream::FuturesUnordered};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    sync::watch,
    time::{interval, timeout},
};
use utoipa::{IntoParams, ToSchema};

use super::{Answer, Context, query::Asked};
use crate::{
    board::View,
    client::client,
    clock,
    frame::Said,
    handle::{Command, MatchHandle, Timing},
    idempotency::Idempotency,
    problem::{Problem, ProblemCode, Result},
    rates::network,
    receipt::{Owed, Receipt, Receipts},
    rights::{Actor, Operation, TokenDigest, may, shown},
    setup::StoredSetup,
    store::{SeatClaim, SeatTaken},
};

/// Maximum time that a poll waits for a frame.
const POLL_MAX: Duration = Duration::from_secs(30);

/// Interval of keep-alive messages on a WebSocket.
const PING: Duration = Duration::from_secs(15);

/// Messages of one connection that wait for their receipts; further ones are not read before.
const PENDING_MAX: usize = 64;

/// Maximum size of a frame, in bytes.
const FRAME_BYTES_MAX: usize = REPLY_BYTES_MAX + 1_024;

/// A seat that the client may take.
struct Seated {
    handle: MatchHandle,
    role: RoleId,
}

async fn seated(request: &HttpRequest, context: &Context, id: &str, role: &str) -> Result<Seated> {
    let handle = context.running(request, id).await?;
    let place = handle.roles.find(role).filter(|place| handle.tokens.get(*place).is_some());
    let token = place.and_then(|place| Some((place, handle.tokens[place]?)));
    let (role, token) = token.ok_or_else(no_seat)?;
    may(&Actor::Anybody, shown(request).as_slice(), Operation::Sit(&token))?;
    Ok(Seated { handle, role })
}

fn no_seat() -> Problem {
    Problem::absent("there is no such seat, or it is not one to connect to")
}

impl Seated {
    async fn join(&self) {
        // A match that is just over needs nobody.
        let _ = self.handle.commands.send(Command::Joined { role: self.role }).await;
    }

    /// Passes a player's message to the match; where its receipt arrives.
    async fn say(&self, bytes: &[u8]) -> Result<(About, Receipts)> {
        let (owed, receipts) = Owed::new();
        let (about, command) = match self.handle.timing {
            Timing::Turns => self.reply(bytes, owed)?,
            Timing::RealTime => (About::default(), self.in_real_time(bytes, owed)?),
        };
        let sent = self.handle.commands.send(command).await;
        sent.map_err(|_| self.gone())?;
        Ok((about, receipts))
    }

    /// What became of a message.
    async fn receipt(&self, receipts: Receipts) -> Result<Receipt> {
        receipts.await.unwrap_or_else(|_| Err(self.gone()))
    }

    /// Why the match is no longer here.
    fn gone(&self) -> Problem {
        if self.handle.boards[self.role].is_over() {
            ProblemCode::Over.because("the match is over")
        } else {
            ProblemCode::Interrupted.into()
        }
    }

    /// A player's message in a real-time match, which has just arrived.
    fn in_real_time(&self, bytes: &[u8], owed: Owed) -> Result<Command> {
        let (role, at) = (self.role, clock::now());
        let said = RealTimeSaid::read_json(bytes);
        Ok(match said.map_err(|error| ProblemCode::BadFrame.because(error.to_string()))? {
            RealTimeSaid::Ready { commitment } => Command::Ready { role, commitment, owed },
            RealTimeSaid::Reveal { nonce } => Command::Revealed { role, nonce, owed },
            RealTimeSaid::Move { id, text, not_before_us } => {
                Command::Moved { role, id, text, not_before_us, at, owed }
            }
        })
    }

    /// A player's message in a turn-based match.
    fn reply(&self, bytes: &[u8], owed: Owed) -> Result<(About, Command)> {
        let bad = |what: &str| ProblemCode::BadFrame.because(what);
        let nonce =
            |text: &str| Nonce::from_hex(text).ok_or_else(|| bad("a nonce must be 64 hexadecimal digits"));
        if bytes.len() > FRAME_BYTES_MAX {
            return Err(bad("a frame can have at most 65 KiB"));
        }
        let said: Said = serde_json::from_slice(bytes).map_err(|_| {
            bad("a frame must be {\"type\":\"ready\"}, with \"commitment\":HEX if you like, {\"type\":\"reveal\",\"nonce\":HEX} \
                 or {\"type\":\"move\",\"turn\":N,\"move\":TERM}")
        })?;
        let (to, reply) = match said {
            Said::Ready { nonce: Some(_), .. } if self.handle.nonces != Nonces::Clear => {
                return Err(bad(
                    "a nonce is not taken before everybody has committed to theirs: say {\"type\":\"ready\",\"commitment\":HEX}, \
                     and the nonce when you are told `reveal`",
                ));
            }
            // On a deal that others play too it decides nothing: all of them are to have the same cards.
            Said::Ready { nonce: Some(text), .. } if !self.handle.shares_deal => {
                (Request::Start, Reply::Ready(nonce(&text)?))
            }
            Said::Ready { commitment: Some(text), .. } => {
                let commitment = Digest::from_hex(&text)
                    .ok_or_else(|| bad("a commitment must be 64 hexadecimal digits"))?;
                (Request::Start, Reply::Committed(commitment))
            }
            Said::Ready { .. } => (Request::Start, Reply::Text("READY".to_owned())),
            Said::Reveal { nonce: text } => (Request::Reveal, Reply::Revealed(nonce(&text)?)),
            Said::Move { turn, own_move } if own_move.len() > REPLY_BYTES_MAX => {
                (Request::Play { turn }, Reply::Failed(Failure::TooLarge))
            }
            Said::Move { turn, own_move } => (Request::Play { turn }, Reply::Text(own_move)),
        };
        let (of, turn) = match to {
            Request::Start => ("ready", None),
            Request::Reveal => ("reveal", None),
            Request::Play { turn } => ("move", Some(turn)),
        };
        let about = About { of: Some(of), turn };
        Ok((about, Command::Reply { role: self.role, to, reply, owed: Some(owed) }))
    }
}

/// What a message of a player was about; in a real-time match the frame `received` says that, once the move was judged.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct About {
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
}

/// What is said on a WebSocket of a message: keys in alphabetical order.
#[derive(Serialize)]
struct Acknowledgement {
    #[serde(flatten)]
    refused: Option<Refused>,
    #[serde(flatten)]
    about: About,
    #[serde(rename = "type")]
    of_type: &'static str,
}

/// Why a message does not count.
#[derive(Serialize)]
struct Refused {
    code: ProblemCode,
    detail: String,
}

impl Acknowledgement {
    /// What is said once it is known what became of a message; nothing of one that is held.
    fn of(about: About, receipt: Result<Receipt>) -> Option<String> {
        let (of_type, refused) = match receipt {
            Ok(Receipt::Held) => return None,
            Ok(Receipt::Kept) => ("received", None),
            Err(problem) => ("problem", Some(Refused { code: problem.code(), detail: problem.to_string() })),
        };
        let said = Self { refused, about, of_type };
        Some(serde_json::to_string(&said).expect("texts and numbers are JSON"))
    }
}

/// How far the client has read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Read {
    /// The number of frames read.
    #[serde(default)]
    after: usize,
    /// Whether a `play` frame, if it is the last, gets `legal`: the legal moves in canonical order, or null if what the seat
    /// was told does not prove them.
    #[serde(default)]
    legal: bool,
}

/// What a WebSocket is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Wants {
    /// Whether `play` frames get `legal`, as those of a poll do.
    #[serde(default)]
    legal: bool,
}

impl Seated {
    /// The last of these frames, as this seat is shown it, with its legal moves where it has to choose.
    async fn with_legal(&self, shown: Vec<Arc<str>>) -> Option<Value> {
        let known = Arc::clone(self.handle.known.as_ref()?);
        let role = self.role;
        tokio::task::spawn_blocking(move || known.with_legal(role, &shown)).await.ok().flatten()
    }
}

/// The next frames of a seat
///
/// Everything that the seat was told after the first `after` frames. If there is nothing yet, the server waits for the next frame, and answers
/// 204 after half a minute. The same frames remain available when the match is over.
#[utoipa::path(
    params(Read),
    responses((status = 200, body = Frames), (status = 204), (status = 403)),
    extensions(("x-right" = json!("sit")))
)]
#[get("/matches/{id}/seats/{role}")]
pub(super) async fn next(
    request: HttpRequest,
    context: Data<Context>,
    place: Path<(String, String)>,
    Asked(read): Asked<Read>,
) -> Answer {
    let (id, role) = place.into_inner();
    let seated = match found(&request, &context, &id, &role).await? {
        Found::Remembered(frames) => return Ok(frames_with(&frames, read.after, true, None)),
        Found::Seated(seated) => seated,
    };
    let mut view = seated.handle.boards[seated.role].follow();
    seated.join().await;
    let is_news = |view: &View| view.frames.len() > read.after || view.is_over || view.is_interrupted;
    let more = view.wait_for(is_news);
    let more = timeout(POLL_MAX, more);
    let view = tokio::select! {
        biased;
        more = more => more,
        () = context.drain.begun() => return Err(ProblemCode::Draining.into()),
    };
    let view = match view {
        Ok(Ok(view)) => view.clone(),
        Ok(Err(_)) => return Err(ProblemCode::Interrupted.into()),
        Err(_) if !seated.handle.tenure.is_held() => return Err(ProblemCode::Interrupted.into()),
        Err(_) => return Ok(HttpResponse::NoContent().finish()),
    };
    let is_known = view.is_over || view.frames.len() > read.after;
    if !is_known || !seated.handle.tenure.is_held() {
        return Err(ProblemCode::Interrupted.into());
    }
    #[cfg(feature = "mutants")]
    if let Some(page) = crate::leaks::page(&id, read.after, view.after(read.after)) {
        return Ok(frames_with(&page, 0, view.is_over, None));
    }
    let last = match read.legal && view.frames.len() > read.after {
        true => seated.with_legal(view.frames.clone()).await,
        false => None,
    };
    Ok(frames_with(&view.frames, read.after, view.is_over, last))
}

/// Frames of a seat.
#[derive(Debug, Serialize, ToSchema)]
struct Frames {
    /// The value of `after` for the next request.
    after: usize,
    /// Frames with `type` `start`, `reveal`, `play`, `stop` or `abort`.
    #[schema(value_type = Vec<Object>)]
    frames: Vec<Value>,
    /// Whether this was the last frame.
    over: bool,
}

/// The frames after the first `after`, with more in the last of them if there is.
fn frames_with(frames: &[Arc<str>], after: usize, over: bool, last: Option<Value>) -> HttpResponse {
    let unread = frames.get(after..).unwrap_or_default();
    let mut unread: Vec<Value> = unread.iter().filter_map(|frame| serde_json::from_str(frame).ok()).collect();
    if let (Some(place), Some(last)) = (unread.last_mut(), last) {
        *place = last;
    }
    let body = Frames { after: frames.len(), frames: unread, over };
    HttpResponse::Ok().json(body)
}

/// A seat that somebody asks for.
enum Found {
    /// Of a match that runs.
    Seated(Seated),
    /// All frames of one that is over.
    Remembered(Arc<[Arc<str>]>),
}

async fn found(request: &HttpRequest, context: &Context, id: &str, role: &str) -> Result<Found> {
    if let Some(frames) = remembered(request, context, id, role).await? {
        return Ok(Found::Remembered(frames));
    }
    match seated(request, context, id, role).await {
        // The match has ended between the two questions.
        Err(over) if over.code() == ProblemCode::Over => {
            Ok(Found::Remembered(remembered(request, context, id, role).await?.ok_or(over)?))
        }
        seated => Ok(Found::Seated(seated?)),
    }
}

/// What a seat was told in a finished match, recomputed from its record; `None` if the match is running.
async fn remembered(
    request: &HttpRequest,
    context: &Context,
    id: &str,
    role: &str,
) -> Result<Option<Arc<[Arc<str>]>>> {
    if context.referee.find(id).is_some() {
        return Ok(None);
    }
    let stored = context.stored(id).await?;
    if stored.outcome.is_none() {
        return Ok(None);
    }
    let setup: StoredSetup = serde_json::from_str(&stored.setup).map_err(|_| no_seat())?;
    let token = setup.tokens.get(role).and_then(|text| TokenDigest::from_hex(text)).ok_or_else(no_seat)?;
    may(&Actor::Anybody, shown(request).as_slice(), Operation::Sit(&token))?;
    Ok(Some(context.referee.told(id, role, &setup).await?))
}

/// Claim an open seat
///
/// The first client to ask gets it, with its token. A client with the token of a registered player plays under its name. With the
/// header `Idempotency-Key: NAME`, the same client gets the same token again.
#[utoipa::path(
    params(("Idempotency-Key" = Option<String>, Header, description = "key that makes the request idempotent: a repeated request gets the same response")),
    responses((status = 201, body = Claimed), (status = 409)),
    extensions(("x-right" = json!("anybody")))
)]
#[post("/matches/{id}/seats/{role}/claim")]
pub(super) async fn claim(
    request: HttpRequest,
    context: Data<Context>,
    place: Path<(String, String)>,
) -> Answer {
    let (id, role) = place.into_inner();
    context.running(&request, &id).await?;
    let actor = context.actor(&request).await?;
    let player = if let Actor::Player(name) = &actor { Some(name.as_str()) } else { None };
    let by = match &actor {
        // A token that is nobody's is no name: whoever shows one is one of those at its address.
        Actor::Anybody | Actor::Bearer(_) => {
            context.referee.digest_of_client(network(client(&request, context.is_behind_proxy)))
        }
        Actor::Operator | Actor::Organiser(_) | Actor::Player(_) => actor.name(),
    };
    let seats_max = if actor == Actor::Operator { u32::MAX } else { context.open_seats };
    let key = Idempotency::of(&request, &actor, &[])?.map(|asked| asked.key);
    let claim = SeatClaim { id: &id, role: &role, player, by, key, seats_max };
    match context.referee.store().take_seat(&claim).await? {
        SeatTaken::Own => {}
        SeatTaken::Other => {
            return Err(ProblemCode::Taken.because("there is no such open seat, or it is already taken"));
        }
        SeatTaken::TooMany => {
            let detail = format!(
                "you have {seats_max} open seats in matches that are not over, which is the limit; play those first"
            );
            return Err(ProblemCode::TooManySeats.because(detail));
        }
    }
    let token = context.referee.seat_token(&id, &role);
    Ok(HttpResponse::Created().json(Claimed { token }))
}

/// A claimed seat.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Claimed {
    /// The token of the seat. It is shown only here.
    token: String,
}

/// Send a message as a seat
///
/// 204 means that the message is durable: it counts, whatever happens to the server. The same message again gets the same answer.
///
/// 202 means that it has arrived and is not durable yet: in a real-time match, until the frame `received` tells that it was judged; with the
/// cadence `fixed`, until the clock of the turn has run out. 409 with the code `late` means that it does not count, and with `early` that it was not asked for
/// yet. 503 means that it may be lost: send it again after `Retry-After` seconds.
///
/// In a real-time match a move is `{"type":"move","id":N,"move":TERM}`, with `not_before_us` if it should be held.
#[utoipa::path(
    request_body = Said,
    responses((status = 202), (status = 204), (status = 403), (status = 409), (status = 503)),
    extensions(("x-right" = json!("sit")))
)]
#[post("/matches/{id}/seats/{role}")]
pub(super) async fn say(
    request: HttpRequest,
    context: Data<Context>,
    place: Path<(String, String)>,
    body: Bytes,
) -> Answer {
    let seated = seated(&request, &context, &place.0, &place.1).await?;
    let (_, receipts) = seated.say(&body).await?;
    Ok(match timeout(POLL_MAX, seated.receipt(receipts)).await {
        Ok(Ok(Receipt::Kept)) => HttpResponse::NoContent().finish(),
        Ok(Err(problem)) => return Err(problem),
        Ok(Ok(Receipt::Held)) | Err(_) => HttpResponse::Accepted().finish(),
    })
}

/// A seat over a WebSocket
///
/// The same frames in both directions, one per text message. When the match is over, all its frames are sent, and the WebSocket
/// is closed.
///
/// A message that is durable is answered by
/// `{"type":"received","of":"move","turn":N}`, or with `"of":"ready"` or `"of":"reveal"`, as 204 does; one that does not count by a frame with the type `problem` and
/// the code. If the match is interrupted, the connection is closed with the code 1013: connect again.
#[utoipa::path(
    params(Wants),
    responses((status = 101), (status = 403), (status = 409)),
    extensions(("x-right" = json!("sit")))
)]
#[get("/matches/{id}/seats/{role}/ws")]
pub(super) async fn connect(
    request: HttpRequest,
    context: Data<Context>,
    place: Path<(String, String)>,
    wants: Asked<Wants>,
    body: Payload,
) -> Result<HttpResponse, actix_web::Error> {
    let has_legal = wants.0.legal;
    let seated = match found(&request, &context, &place.0, &place.1).await? {
        Found::Seated(seated) => seated,
        Found::Remembered(frames) => {
            let (response, mut session, _) = actix_ws::handle(&request, body)?;
            actix_rt::spawn(async move {
                for frame in frames.iter() {
                    // Whoever is gone needs no frames.
                    if session.text(frame.to_string()).await.is_err() {
                        return;
                    }
                }
                let _ = session.close(None).await;
            });
            return Ok(response);
        }
    };
    context.drain.refuse()?;
    let drain = context.drain.clone();
    let view = seated.handle.boards[seated.role].follow();
    let (response, session, messages) = actix_ws::handle(&request, body)?;
    let messages = messages
        .max_frame_size(FRAME_BYTES_MAX)
        .aggregate_continuations()
        .max_continuation_size(FRAME_BYTES_MAX);
    actix_rt::spawn(async move {
        seated.join().await;
        let left = session.clone();
        tokio::select! {
            () = converse(&seated, view, session, messages, has_legal) => {}
            () = drain.begun() => {
                // Whoever is gone needs no farewell.
                let _ = left.close(Some(CloseReason::from(CloseCode::Restart))).await;
            }
        }
    });
    Ok(response)
}

/// Passes messages between a player and its match until one of them is gone.
async fn converse(
    seated: &Seated,
    mut view: watch::Receiver<View>,
    mut session: Session,
    mut messages: AggregatedMessageStream,
    has_legal: bool,
) {
    let mut shown = 0;
    let mut ping = interval(PING);
    let mut pending = FuturesUnordered::new();
    loop {
        let view_now = unseen(&mut view, &mut shown);
        let mut told = Vec::new();
        // A receipt that is given with frames comes before them.
        while let Some(Some((about, receipt))) = pending.next().now_or_never() {
            told.extend(Acknowledgement::of(about, receipt));
        }
        told.extend(view_now.frames.iter().map(ToString::to_string));
        if has_legal && !view_now.frames.is_empty() {
            let frames = view.borrow().after(0)[..shown].to_vec();
            let last = seated.with_legal(frames).await.map(|frame| frame.to_string());
            told.splice(told.len() - usize::from(last.is_some()).., last);
        }
        if view_now.is_interrupted || !seated.handle.tenure.is_held() {
            // Whoever is gone needs no farewell.
            let _ = session.close(Some(CloseReason::from(CloseCode::Again))).await;
            return;
        }
        for text in told {
            if session.text(text).await.is_err() {
                return;
            }
        }
        if view_now.is_over {
            break;
        }
        tokio::select! {
            changed = view.changed() => if changed.is_err() { break },
            Some((about, receipt)) = pending.next(), if !pending.is_empty() => {
                if let Some(frame) = Acknowledgement::of(about, receipt)
                    && session.text(frame).await.is_err()
                {
                    return;
                }
            }
            message = messages.next(), if pending.len() < PENDING_MAX => match message {
                Some(Ok(AggregatedMessage::Text(text))) => {
                    let said = seated.say(text.as_bytes()).await;
                    pending.push(async move {
                        match said {
                            Ok((about, receipts)) => (about, seated.receipt(receipts).await),
                            Err(problem) => (About::default(), Err(problem)),
                        }
                    });
                }
                Some(Ok(AggregatedMessage::Ping(bytes))) => if session.pong(&bytes).await.is_err() { return },
                Some(Ok(AggregatedMessage::Binary(_) | AggregatedMessage::Pong(_))) => {}
                Some(Ok(AggregatedMessage::Close(_)) | Err(_)) | None => return,
            },
            _ = ping.tick() => if session.ping(b"").await.is_err() { return },
        }
    }
    // Whoever is gone needs no farewell.
    let _ = session.close(None).await;
}

/// The frames of a seat that were not sent on this connection yet, and whether more will come.
fn unseen(view: &mut watch::Receiver<View>, shown: &mut usize) -> View {
    let view = view.borrow_and_update();
    let frames = view.after(*shown).to_vec();
    *shown += frames.len();
    View { frames, ..*view }
}
