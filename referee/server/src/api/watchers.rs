//! The matches of a session as programs that watch get them: what the pages of watchers are made of, by the session's policy.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse, get,
    web::{Bytes, Data, Path},
};
use futures_util::stream;
use serde_json::json;
use tokio::{
    sync::watch,
    time::{Interval, interval},
};

use super::{
    Answer, Context,
    guests::EarlierHand,
    sessions::{HEARTBEAT, event},
};
use crate::{
    board::View,
    drain::Drain,
    metrics::{Counted, metrics},
    pages::watched::{WatchedTables, of_earlier},
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    session::{Guest, SessionHandle, handle::PlayedHand},
    setup::Spectators,
};

fn sealed() -> Problem {
    ProblemCode::Held
        .because("those who watch this session are shown results only: they are in the session itself")
}

/// The matches of a session as those who watch see them
///
/// Server-sent events, when the session's policy for spectators says so: `hand` when the stream comes to a match, with its `hand`, counted from 1, and its
/// `match`; `frame` with what all players are told alike, as the frames of a seat; and `over` when the match is over. The `start` frame has rules with a role
/// of a player who is told just that. The id of an event is `HAND-FRAMES`: with it in `Last-Event-ID`, a stream goes on after that frame if the match is
/// still played. Matches that went by unseen are at `hands/N`. 409 if those who watch are shown results only.
#[utoipa::path(
    params(("Last-Event-ID" = Option<String>, Header, description = "the id of the last event that was read")),
    responses((status = 200, content_type = "text/event-stream"), (status = 403), (status = 404), (status = 409)),
    extensions(("x-right" = json!("look")))
)]
#[get("/sessions/{id}/hands/events")]
pub(super) async fn follow_hands(request: HttpRequest, context: Data<Context>, id: Path<String>) -> Answer {
    context.drain.refuse()?;
    let session = context.session(&request, &id).await?;
    let policy = session.look(&Guest::of_bearer(&request))?.terms.spectators;
    if policy == Spectators::Sealed {
        return Err(sealed());
    }
    let read = request.headers().get("Last-Event-ID").and_then(|id| ReadFrames::of(id.to_str().ok()?));
    let watcher = TableWatcher {
        tables: Arc::clone(&context.screens.watched),
        referee: Arc::clone(&context.referee),
        policy,
        hands: session.hand.clone(),
        read: read.unwrap_or_default(),
        watched: None,
        heartbeat: interval(HEARTBEAT),
        drain: context.drain.clone(),
        _counted: Counted::in_gauge(&metrics().spectators),
    };
    let body = stream::unfold(watcher, |mut watcher| async {
        let bytes = watcher.next().await?;
        Some((Ok::<_, actix_web::Error>(bytes), watcher))
    });
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

/// A match of a session that is over, as those who watch saw it
///
/// Every frame of it, when the session's policy for spectators shows any. 409 if it is still played, or if those who watch are shown results only.
#[utoipa::path(
    responses((status = 200, body = EarlierHand), (status = 403), (status = 404), (status = 409)),
    extensions(("x-right" = json!("look")))
)]
#[get("/sessions/{id}/hands/{hand}")]
pub(super) async fn earlier_hand(
    request: HttpRequest,
    context: Data<Context>,
    path: Path<(String, u64)>,
) -> Answer {
    let (id, index) = path.into_inner();
    let session = context.session(&request, &id).await?;
    let told = public_frames(&context.referee, &session, &Guest::of_bearer(&request), index).await?;
    Ok(HttpResponse::Ok().json(told))
}

async fn public_frames(
    referee: &Arc<Referee>,
    session: &SessionHandle,
    guest: &Guest,
    index: u64,
) -> Result<EarlierHand> {
    let policy = session.look(guest)?.terms.spectators;
    let told = referee.frames_for_watchers(session, guest, index).await?;
    Ok(of_earlier(&told, policy).ok_or_else(sealed)?.into())
}

/// How far a stream was read: the id of its last event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ReadFrames {
    hand: u64,
    frames: usize,
}

impl ReadFrames {
    fn of(id: &str) -> Option<Self> {
        let (hand, frames) = id.trim().split_once('-')?;
        Some(Self { hand: hand.parse().ok()?, frames: frames.parse().ok()? })
    }

    fn id(self) -> String {
        format!("{}-{}", self.hand, self.frames)
    }
}

/// Who follows the matches of a session.
struct TableWatcher {
    tables: Arc<WatchedTables>,
    referee: Arc<Referee>,
    policy: Spectators,
    hands: watch::Receiver<Option<PlayedHand>>,
    read: ReadFrames,
    /// The frames of the match that is followed; none between two.
    watched: Option<watch::Receiver<View>>,
    heartbeat: Interval,
    drain: Drain,
    /// The number of those who watch.
    _counted: Counted,
}

impl TableWatcher {
    /// The next events; `None` after the last.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let text = match &mut self.watched {
                Some(frames) => {
                    let view = frames.borrow_and_update().clone();
                    self.told(&view)
                }
                None => self.begin(),
            };
            if !text.is_empty() {
                return Some(text.into());
            }
            tokio::select! {
                changed = changed(&mut self.watched) => if changed.is_err() { self.watched = None },
                changed = self.hands.changed(), if self.watched.is_none() => changed.ok()?,
                _ = self.heartbeat.tick() => return Some(Bytes::from_static(b": \n\n")),
                () = self.drain.begun() => return None,
            }
        }
    }

    /// Comes to the match that is played, if it was not read to its end.
    fn begin(&mut self) -> String {
        let Some(hand) = self.hands.borrow_and_update().clone() else { return String::new() };
        let is_new = hand.index > self.read.hand;
        // One that was read to its end has no frames any more.
        if hand.index < self.read.hand || (!is_new && self.read.frames == usize::MAX) {
            return String::new();
        }
        let Some(frames) = hand.for_watchers() else { return String::new() };
        self.watched = Some(self.tables.follow(&self.referee.runtime, &hand.id, frames, self.policy));
        if is_new {
            self.read = ReadFrames { hand: hand.index, frames: 0 };
        }
        let told = json!({ "hand": hand.index, "match": hand.id });
        event("hand", Some(self.read.id()), &told)
    }

    /// The frames that are new, and the end.
    fn told(&mut self, view: &View) -> String {
        let mut text = String::new();
        for frame in view.after(self.read.frames) {
            self.read.frames += 1;
            text.push_str(&format!("event: frame\nid: {}\ndata: {frame}\n\n", self.read.id()));
        }
        if view.is_over {
            text.push_str(&event("over", Some(self.read.id()), &json!({ "hand": self.read.hand })));
            self.read.frames = usize::MAX;
        }
        if view.is_over || view.is_interrupted {
            self.watched = None;
        }
        text
    }
}

/// Waits for a change of what is followed; for ever if nothing is.
async fn changed(watched: &mut Option<watch::Receiver<View>>) -> Result<(), watch::error::RecvError> {
    match watched {
        Some(frames) => frames.changed().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::ReadFrames;

    #[test]
    fn an_event_says_how_far_the_stream_was_read() {
        let read = ReadFrames { hand: 3, frames: 14 };
        assert_eq!(ReadFrames::of(&read.id()), Some(read));
        for nonsense in ["", "3", "3-", "-1-2", "a-b", "3-4-5"] {
            assert_eq!(ReadFrames::of(nonsense), None, "{nonsense}");
        }
    }
}
