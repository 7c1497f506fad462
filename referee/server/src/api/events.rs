//! What spectators see of a match: server-sent events, or JSON lines for those who ask for them.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::ACCEPT,
    web::{Bytes, Data, Path},
};
use futures_util::stream;
use serde_json::json;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::Context;
use crate::{
    drain::Drain,
    metrics::{Counted, metrics},
    problem::Problem,
    rights::{Deed, may},
};

/// The last event, if the server is about to stop: the match goes on when it starts again.
const DRAINING: &str = r#"{"event":"draining"}"#;

/// A spectator, from the first event to the end.
struct Spectator {
    first: Option<Arc<str>>,
    events: Receiver<Arc<str>>,
    is_lines: bool,
    is_over: bool,
    drain: Drain,
    /// This spectator, among all.
    _counted: Counted,
}

pub(super) async fn follow(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    may(&context.actor(&request), Deed::Watch)?;
    context.drain.refuse()?;
    let handle = context.running(&id).await?;
    // Listened first, looked then: what happens in between is told twice rather than not at all.
    let events = handle.events.subscribe();
    let progress = handle.progress.borrow().clone();
    let first = json!({ "event": "progress", "status": progress.status, "turns": progress.turns });
    let accepts = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_lines = accepts.contains("ndjson");
    let spectator = Spectator {
        first: Some(first.to_string().into()),
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
        .insert_header(("Cache-Control", "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

impl Spectator {
    /// The next event as it is written; `None` after the last.
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
                    () = self.drain.begun() => break DRAINING.into(),
                };
                match event {
                    Ok(event) => break event,
                    // Whoever is too slow misses some and goes on.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            },
        };
        self.is_over = event.contains("\"event\":\"end\"") || *event == *DRAINING;
        let text = if self.is_lines { format!("{event}\n") } else { format!("data: {event}\n\n") };
        Some(text.into())
    }
}
