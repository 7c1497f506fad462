//! Sessions as their guests have them: links, the frames of a seat, moves.

use std::time::{Duration, Instant};

use actix_web::{
    HttpRequest, HttpResponse, get, post,
    web::{Bytes, Data, Path},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::timeout;
use utoipa::{IntoParams, ToSchema};

use super::{Answer, Context, decoded, query::Asked, sessions::POLL_MAX};
use crate::{
    clock,
    idempotency::Idempotency,
    problem::{Problem, ProblemCode, Result},
    receipt::Receipt,
    rights::Actor,
    session::{
        Accepted, EarlierFrames, Guest, InvitationView, OwnFrames, OwnMove, SeatPlace, SessionHandle, ToMove,
    },
};

/// What a link opens
///
/// Nobody is seated by asking.
#[utoipa::path(
    responses((status = 200, body = InvitationView), (status = 404), (status = 409)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/invitations/{token}")]
pub(super) async fn invitation(request: HttpRequest, context: Data<Context>, token: Path<String>) -> Answer {
    let opened = context.referee.invitation(&token).await;
    let opened = opened.map_err(|problem| problem.at(&request.uri().to_string()))?;
    Ok(HttpResponse::Ok().json(opened))
}

/// What somebody says who accepts an invitation.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Acceptance {
    /// What the guest is called, at most 40 characters.
    #[serde(default)]
    name: String,
}

/// Exchange a link for what it opens
///
/// An invitation is exchanged once, for the token of its seat, which is made then: neither the host nor who opened the session knows it. With the
/// header `Idempotency-Key`, of at least 32 characters that nobody can guess, the same request gets the same token again.
#[utoipa::path(
    request_body = Acceptance,
    params(("Idempotency-Key" = Option<String>, Header, description = "key that makes the request idempotent: at least 32 characters that nobody can guess")),
    responses((status = 200, body = Accepted), (status = 404), (status = 409), (status = 422)),
    extensions(("x-right" = json!("anybody")))
)]
#[post("/invitations/{token}")]
pub(super) async fn accept(
    request: HttpRequest,
    context: Data<Context>,
    token: Path<String>,
    body: Bytes,
) -> Answer {
    let said: Acceptance = if body.is_empty() { Acceptance::default() } else { decoded(&body)? };
    let key = Idempotency::of(&request, &Actor::Anybody, &body)?.map(|idempotency| idempotency.key);
    let accepted = context.referee.accept(&token, &said.name, key.as_deref()).await;
    let accepted = accepted.map_err(|problem| problem.at(&request.uri().to_string()))?;
    Ok(HttpResponse::Ok().json(accepted))
}

/// What a guest has read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ReadFrames {
    /// The match of the session that the frames are of; of another one, all frames are answered.
    #[serde(default)]
    hand: u64,
    /// The number of its frames that were read.
    #[serde(default)]
    after: usize,
    /// The turn for which the client knows that a move is awaited of it.
    moving: Option<u32>,
}

/// The frames of a guest.
#[derive(Debug, Serialize, ToSchema)]
struct GuestFrames {
    /// The match of the session.
    hand: u64,
    /// Its id.
    #[serde(rename = "match")]
    match_id: String,
    /// The value of `after` for the next request.
    after: usize,
    /// Frames with `type` `start`, `play`, `stop` or `abort`, or those of a real-time match, as those of a seat of a match.
    #[schema(value_type = Vec<Object>)]
    frames: Vec<Value>,
    /// Whether this was the last frame of the match.
    over: bool,
    /// What the guest has to do now; null in real time, where nobody is asked.
    to_move: Option<MoveAsked>,
    /// What game time is now, in microseconds, once it runs in a real-time match.
    #[serde(skip_serializing_if = "Option::is_none")]
    now_us: Option<u64>,
}

/// A move that is awaited of a guest.
#[derive(Debug, Serialize, ToSchema)]
struct MoveAsked {
    turn: u32,
    /// The legal moves in canonical order, or null if what the seat was told does not prove them.
    legal: Option<Vec<String>>,
    /// The moves that may be legal, as far as the seat can work that out; the same, if they are proved.
    possible: Vec<String>,
    /// Milliseconds until its clock is over, and its time bank begins.
    clock_ms: u64,
    /// Milliseconds until its time bank is over too, and a move is played for it.
    until_ms: u64,
}

impl MoveAsked {
    fn of(to_move: &ToMove) -> Option<Self> {
        let now = clock::now();
        let left = |at: Option<Instant>| {
            let left = at.map_or(Duration::ZERO, |at| at.saturating_duration_since(now));
            u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
        };
        Some(Self {
            turn: to_move.turn?,
            legal: to_move.legal.clone(),
            possible: to_move.possible.clone(),
            clock_ms: left(to_move.clock_until),
            until_ms: left(to_move.until),
        })
    }
}

/// The next frames of a guest
///
/// What its seat was told in the match that is being played, after the first `after` frames; if there is nothing new, and nothing new to do, the
/// server waits, and answers 204 after half a minute. A move of which there is only one is played for it.
#[utoipa::path(
    params(ReadFrames),
    responses((status = 200, body = GuestFrames), (status = 204), (status = 403), (status = 409)),
    extensions(("x-right" = json!("sit")))
)]
#[get("/sessions/{id}/seats/{place}")]
pub(super) async fn seat_frames(
    request: HttpRequest,
    context: Data<Context>,
    path: Path<(String, SeatPlace)>,
    Asked(read): Asked<ReadFrames>,
) -> Answer {
    let (id, place) = path.into_inner();
    let session = context.session(&request, &id).await?;
    let guest = Guest::of_bearer(&request);
    let news = timeout(POLL_MAX, news(&session, &guest, place, &read));
    tokio::select! {
        biased;
        news = news => match news {
            Ok(news) => Ok(HttpResponse::Ok().json(news?)),
            Err(_) => Ok(HttpResponse::NoContent().finish()),
        },
        () = context.drain.begun() => Err(ProblemCode::Draining.into()),
    }
}

/// What is new for a guest, as soon as there is something.
async fn news(
    session: &SessionHandle,
    guest: &Guest,
    place: SeatPlace,
    read: &ReadFrames,
) -> Result<GuestFrames> {
    let mut hands = session.hand.clone();
    let mut is_left = false;
    loop {
        hands.mark_unchanged();
        let mut own = match session.frames(guest, place) {
            Ok(own) => own,
            // Its next match is waited for.
            Err(problem) if problem.code() == ProblemCode::NoHand => {
                if session.is_over() {
                    return Err(interrupted(session));
                }
                hands.changed().await.map_err(|_| interrupted(session))?;
                continue;
            }
            Err(problem) => return Err(problem),
        };
        if let Some(news) = own_news(&mut own, read) {
            return Ok(news);
        }
        if is_left {
            return Err(interrupted(session));
        }
        // The last frame may come just before the session is left: it is looked for once more.
        is_left = tokio::select! {
            changed = own.frames.changed() => changed.is_err() && hands.changed().await.is_err(),
            changed = own.to_move.changed() => changed.is_err() && hands.changed().await.is_err(),
            changed = hands.changed() => changed.is_err(),
        };
    }
}

fn interrupted(session: &SessionHandle) -> Problem {
    if session.is_over() {
        ProblemCode::Over.because("the session is over")
    } else {
        ProblemCode::Interrupted.into()
    }
}

/// What a guest has not read yet.
fn own_news(own: &mut OwnFrames, read: &ReadFrames) -> Option<GuestFrames> {
    let after = if own.index == read.hand { read.after } else { 0 };
    // What is looked at here counts as seen: a copy of a receiver has seen no more than its original, which would never wait.
    let view = own.frames.borrow_and_update();
    let to_move = MoveAsked::of(&own.to_move.borrow_and_update());
    let is_other = to_move.as_ref().is_some_and(|asked| Some(asked.turn) != read.moving);
    if view.frames.len() <= after && !is_other {
        return None;
    }
    let unread = view.after(after).iter();
    let frames = unread.filter_map(|frame| serde_json::from_str(frame).ok()).collect();
    Some(GuestFrames {
        hand: own.index,
        match_id: own.match_id.clone(),
        after: view.frames.len(),
        frames,
        over: view.is_over,
        to_move,
        now_us: own.game_time.borrow().map(|time| time.now_us()),
    })
}

/// A move of a guest.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GuestMove {
    /// The match of the session.
    hand: u64,
    /// The turn for which the move is awaited; in real time, the number of frames that the guest has seen.
    turn: u32,
    /// A term.
    #[serde(rename = "move")]
    own_move: String,
}

/// Move as a guest
///
/// 204 means that the move is durable: it counts, whatever happens to the server. The same move again gets the same answer; of two different ones
/// for the same turn the first counts, and the other is answered by 409 with the code `late`. A move that is known to be illegal is refused.
///
/// In real time a move is answered when it is judged: the same move from a guest that has seen as much is one move.
#[utoipa::path(
    request_body = GuestMove,
    responses((status = 202), (status = 204), (status = 403), (status = 409), (status = 422), (status = 503)),
    extensions(("x-right" = json!("sit")))
)]
#[post("/sessions/{id}/seats/{place}")]
pub(super) async fn play(
    request: HttpRequest,
    context: Data<Context>,
    path: Path<(String, SeatPlace)>,
    body: Bytes,
) -> Answer {
    let (id, place) = path.into_inner();
    let session = context.session(&request, &id).await?;
    let guest = Guest::of_bearer(&request);
    session.demand_seat(&guest, place)?;
    let GuestMove { hand, turn, own_move } = decoded(&body)?;
    let own = OwnMove { index: hand, turn, text: own_move };
    Ok(match timeout(POLL_MAX, session.play(&guest, place, own)).await {
        Ok(Ok(Receipt::Kept)) => HttpResponse::NoContent().finish(),
        Ok(Err(problem)) => return Err(problem),
        Ok(Ok(Receipt::Held)) | Err(_) => HttpResponse::Accepted().finish(),
    })
}

/// All frames of a guest, or of those who watch, in one match.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EarlierHand {
    /// The match.
    #[serde(rename = "match")]
    match_id: String,
    /// That of the guest; for those who watch, of a player who is told only what all players are told alike.
    role: String,
    #[schema(value_type = Vec<Object>)]
    frames: Vec<Value>,
}

impl From<EarlierFrames> for EarlierHand {
    fn from(EarlierFrames { match_id, role, frames, .. }: EarlierFrames) -> Self {
        let frames = frames.iter().filter_map(|frame| serde_json::from_str(frame).ok()).collect();
        Self { match_id, role, frames }
    }
}

/// What a guest was told in an earlier match
///
/// Every frame of its seat in a match of the session that is over, for whoever had the token of the seat then.
#[utoipa::path(
    responses((status = 200, body = EarlierHand), (status = 403), (status = 404), (status = 409)),
    extensions(("x-right" = json!("sit")))
)]
#[get("/sessions/{id}/seats/{place}/hands/{hand}")]
pub(super) async fn earlier(
    request: HttpRequest,
    context: Data<Context>,
    path: Path<(String, SeatPlace, u64)>,
) -> Answer {
    let (id, place, index) = path.into_inner();
    let session = context.session(&request, &id).await?;
    let guest = Guest::of_bearer(&request);
    let earlier = context.referee.earlier_frames(&session, &guest, place, index).await?;
    Ok(HttpResponse::Ok().json(EarlierHand::from(earlier)))
}
