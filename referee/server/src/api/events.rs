//! The spectators' view of a match: server-sent events, or JSON lines on request.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::ACCEPT,
    web::{Bytes, Data, Path},
};
use futures_util::stream;
use serde_json::json;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::Context;
use crate::{
    drain::Drain,
    feed::FeedEvent,
    metrics::{Counted, metrics},
    problem::Problem,
};

/// A spectator, from the first event to the end.
struct Spectator {
    first: Option<Arc<FeedEvent>>,
    events: Receiver<Arc<FeedEvent>>,
    is_lines: bool,
    is_over: bool,
    drain: Drain,
    /// The number of this spectator.
    _counted: Counted,
}

/// The events of a match for spectators, as they happen
///
/// Server-sent events, or JSON lines for clients that accept `application/x-ndjson`: `progress` first, `turn` after each turn, with
/// the joint move if the match is open, and `end`.
#[utoipa::path(
    responses((status = 200, content_type = "text/event-stream"), (status = 404), (status = 409)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/matches/{id}/events")]
pub(super) async fn follow(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    context.drain.refuse()?;
    let handle = context.running(&request, &id).await?;
    // Listened first, looked then: what happens in between is told twice rather than not at all.
    let events = handle.events.subscribe();
    let progress = handle.progress.borrow().clone();
    let first = json!({ "event": "progress", "status": progress.status, "turns": progress.turns });
    let accepts = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_lines = accepts.contains("ndjson");
    let spectator = Spectator {
        first: Some(Arc::new(FeedEvent::new(&first, false))),
        events,
        is_lines,
        is_over: false,
        drain: context.drain.clone(),
        _counted: Counted::in_gauge(&metrics().spectators),
    };
    let content_type = if is_lines { "application/x-ndjson" } else { "text/event-stream" };
    let body = stream::unfold(spectator, |mut spectator| async {
        let event = spectator.next().await?;
        Some((Ok::<_, actix_web::Error>(event), spectator))
    });
    Ok(HttpResponse::Ok()
        .content_type(content_type)
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

/// The last event, if the server is shutting down: the match resumes when it restarts.
fn draining() -> FeedEvent {
    FeedEvent::new(&json!({ "event": "draining" }), true)
}

impl Spectator {
    /// The next event, serialised; `None` after the last.
    async fn next(&mut self) -> Option<Bytes> {
        if self.is_over {
            return None;
        }
        let event = match self.first.take() {
            Some(first) => first,
            None => loop {
                let event = tokio::select! {
                    biased;
                    event = self.events.recv() => event,
                    () = self.drain.begun() => break Arc::new(draining()),
                };
                match event {
                    Ok(event) => break event,
                    // Whoever is too slow misses some and goes on.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            },
        };
        self.is_over = event.is_last;
        Some(if self.is_lines { event.line.clone() } else { event.sent.clone() })
    }
}
