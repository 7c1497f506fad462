//! Sessions as their hosts and watchers have them. Pages for people read the same functions.

use std::{fmt::Display, sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, get, post,
    web::{Bytes, Data, Path},
};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use tokio::{
    sync::watch,
    time::{interval, timeout},
};
use utoipa::{IntoParams, ToSchema};

use super::{Answer, Context, decoded, made, query::Asked};
use crate::{
    client::client,
    connections::Connection,
    drain::Drain,
    idempotency::Idempotency,
    metrics::{Counted, metrics},
    problem::{ProblemCode, Result},
    rates::network,
    rights::{Actor, Operation},
    session::{
        ChatLine, CommandAnswer, Guest, OpenedSession, SessionCommand, SessionHandle, SessionLinks,
        SessionRequest, SessionView,
    },
};

/// Maximum time that a poll waits for something new.
pub(super) const POLL_MAX: Duration = Duration::from_secs(30);

/// Interval of keep-alive comments in a stream.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);

impl Context {
    /// A session that runs here or is over; an error with the location if it runs on another server of the same store.
    pub(crate) async fn session(&self, request: &HttpRequest, id: &str) -> Result<SessionHandle> {
        let session = self.referee.session(id).await;
        session.map_err(|problem| problem.at(&request.uri().to_string()))
    }
}

/// Open a session
///
/// A table with seats, at which matches are played one after the other. Nobody sits at it but the agents that are asked for: each free seat has an
/// invitation. The host's token opens the controls, and no seat. With the header `Idempotency-Key: NAME`, repeating the same request opens
/// no other session, and returns the same response.
#[utoipa::path(
    request_body = SessionRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "key that makes the request idempotent: a repeated request gets the same response")),
    responses((status = 201, body = OpenedSession), (status = 409), (status = 422), (status = 503)),
    extensions(("x-right" = json!("table")))
)]
#[post("/sessions")]
pub(super) async fn open(request: HttpRequest, context: Data<Context>, body: Bytes) -> Answer {
    let creator = context.table_opener(&request).await?;
    context.drain.refuse()?;
    let asked: SessionRequest = decoded(&body)?;
    let idempotency = Idempotency::of(&request, &Actor::Anybody, &body)?
        .map(|idempotency| Idempotency { actor: creator.clone(), ..idempotency });
    if let Some(rules) = &asked.rules {
        context.referee.demand_game(rules, Connection::of(&request)).await?;
    }
    let opened = context.referee.open_session(asked, creator, idempotency).await?;
    Ok(made(format!("/v1/sessions/{}", opened.id), opened))
}

impl Context {
    /// Who opens a table: the operator and organisers by name, anybody else by address, who may have only so many.
    ///
    /// # Errors
    /// [`Problem`] if this client may not open one, or has as many as it may.
    pub(crate) async fn table_opener(&self, request: &HttpRequest) -> Result<String> {
        let actor = self.demand(request, Operation::OpenTable { is_open: self.open_tables > 0 }).await?;
        if matches!(actor, Actor::Operator | Actor::Organiser(_)) {
            return Ok(actor.name());
        }
        let creator = self.referee.digest_of_client(network(client(request, self.is_behind_proxy)));
        if self.referee.store().sessions_of(&creator).await? >= u64::from(self.open_tables) {
            return Err(ProblemCode::TooManyTables.into());
        }
        Ok(creator)
    }
}

/// Tables that anybody may watch.
#[derive(Debug, Serialize, ToSchema)]
struct Sessions {
    #[schema(value_type = Vec<SessionView>)]
    sessions: Vec<Arc<SessionView>>,
}

/// The sessions that anybody may watch, and that are not over
#[utoipa::path(responses((status = 200, body = Sessions)), extensions(("x-right" = json!("anybody"))))]
#[get("/sessions")]
pub(super) async fn list(context: Data<Context>) -> Answer {
    let mut sessions = context.referee.open_tables();
    sessions.sort_by(|one, other| (other.created_ms, &other.id).cmp(&(one.created_ms, &one.id)));
    Ok(HttpResponse::Ok().json(Sessions { sessions }))
}

/// What the client has seen.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SeenVersion {
    /// The version that was seen: the server waits for a later one, and answers 204 after half a minute.
    version: Option<u64>,
}

/// One session
///
/// The table as everybody sees it. Of a session that is not listed, a token of it is needed: of the host, of a seat, or of those who watch.
#[utoipa::path(
    params(SeenVersion),
    responses((status = 200, body = SessionView), (status = 204), (status = 403), (status = 404)),
    extensions(("x-right" = json!("look")))
)]
#[get("/sessions/{id}")]
pub(super) async fn show(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    Asked(seen): Asked<SeenVersion>,
) -> Answer {
    let session = context.session(&request, &id).await?;
    let guest = Guest::of_bearer(&request);
    let shown = session.look(&guest)?;
    if seen.version.is_none_or(|version| shown.version > version) {
        return Ok(HttpResponse::Ok().json(shown));
    }
    let mut views = session.view.clone();
    let later = timeout(POLL_MAX, views.wait_for(|view| Some(view.version) > seen.version));
    let later = tokio::select! {
        biased;
        later = later => later.map(|view| view.map(|view| Arc::clone(&view))),
        () = context.drain.begun() => return Err(ProblemCode::Draining.into()),
    };
    match later {
        Ok(Ok(_)) => Ok(HttpResponse::Ok().json(session.look(&guest)?)),
        Ok(Err(_)) if session.is_over() => Ok(HttpResponse::NoContent().finish()),
        Ok(Err(_)) => Err(ProblemCode::Interrupted.into()),
        Err(_) => Ok(HttpResponse::NoContent().finish()),
    }
}

/// A session as it changes
///
/// Server-sent events: `session` with the whole table, whenever it has changed, and `chat` with each line that is written. The stream begins with how
/// everything is.
#[utoipa::path(
    responses((status = 200, content_type = "text/event-stream"), (status = 403), (status = 404)),
    extensions(("x-right" = json!("look")))
)]
#[get("/sessions/{id}/events")]
pub(super) async fn follow(request: HttpRequest, context: Data<Context>, id: Path<String>) -> Answer {
    context.drain.refuse()?;
    let session = context.session(&request, &id).await?;
    session.look(&Guest::of_bearer(&request))?;
    let onlooker = Onlooker {
        views: session.view.clone(),
        chat: session.chat.clone(),
        told: 0,
        is_first: true,
        is_over: false,
        drain: context.drain.clone(),
        _counted: Counted::in_gauge(&metrics().spectators),
    };
    let body = stream::unfold(onlooker, |mut onlooker| async {
        let bytes = onlooker.next().await?;
        Some((Ok::<_, actix_web::Error>(bytes), onlooker))
    });
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

/// Who follows a session.
struct Onlooker {
    views: watch::Receiver<Arc<SessionView>>,
    chat: watch::Receiver<Arc<[ChatLine]>>,
    /// The number of the last line of chat that was told.
    told: u64,
    is_first: bool,
    is_over: bool,
    drain: Drain,
    /// The number of those who watch.
    _counted: Counted,
}

impl Onlooker {
    /// The next events; `None` after the last.
    async fn next(&mut self) -> Option<Bytes> {
        if self.is_over {
            return None;
        }
        if !std::mem::take(&mut self.is_first) {
            let mut ticks = interval(HEARTBEAT);
            ticks.tick().await;
            tokio::select! {
                changed = self.views.changed() => if changed.is_err() { return None },
                changed = self.chat.changed() => if changed.is_err() { return None },
                _ = ticks.tick() => return Some(Bytes::from_static(b": \n\n")),
                () = self.drain.begun() => return None,
            }
        }
        let view = Arc::clone(&self.views.borrow_and_update());
        let lines = Arc::clone(&self.chat.borrow_and_update());
        self.is_over = self.views.has_changed().is_err();
        let mut text = event("session", Some(view.version), &view);
        for line in lines.iter().filter(|line| line.number > self.told) {
            text.push_str(&event("chat", None::<u64>, line));
        }
        self.told = lines.last().map_or(self.told, |line| line.number);
        Some(text.into())
    }
}

/// An event of a stream.
pub(super) fn event(name: &str, id: Option<impl Display>, data: &impl Serialize) -> String {
    let id = id.map_or(String::new(), |id| format!("id: {id}\n"));
    let data = serde_json::to_string(data).expect("a view is JSON");
    format!("event: {name}\n{id}data: {data}\n\n")
}

/// Ask something of a session
///
/// What hosts and guests can ask for: each needs the token of the host, or of the seat that it names. 409 with the code `not-now` says why a
/// session does not allow it as it is now. With the header `Idempotency-Key: NAME` a request that comes again does nothing new, and gets the same response.
#[utoipa::path(
    request_body = SessionCommand,
    params(("Idempotency-Key" = Option<String>, Header, description = "key that makes the request idempotent: a repeated request gets the same response")),
    responses((status = 200, body = CommandAnswer), (status = 403), (status = 409)),
    extensions(("x-right" = json!("look")))
)]
#[post("/sessions/{id}")]
pub(super) async fn command(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    body: Bytes,
) -> Answer {
    let session = context.session(&request, &id).await?;
    let guest = Guest::of_bearer(&request);
    session.look(&guest)?;
    let command: SessionCommand = decoded(&body)?;
    let key = Idempotency::of(&request, &Actor::Anybody, &body)?.map(|idempotency| idempotency.key);
    let done = context.referee.ask_session(&session, &guest, command, key).await?;
    Ok(HttpResponse::Ok().json(done))
}

/// The links of a session
///
/// For its host: the token of the open invitation of each seat that has one, and that of those who watch. A link is the address of this server,
/// `/i/` and the token.
#[utoipa::path(
    responses((status = 200, body = SessionLinks), (status = 403), (status = 404)),
    extensions(("x-right" = json!("host")))
)]
#[get("/sessions/{id}/links")]
pub(super) async fn links(request: HttpRequest, context: Data<Context>, id: Path<String>) -> Answer {
    let session = context.session(&request, &id).await?;
    let links = context.referee.links(&session, &Guest::of_bearer(&request))?;
    Ok(HttpResponse::Ok().json(links))
}

/// The record of a session
///
/// JSON lines: the session and the records of its matches, each before the line that says that it is over. `croupier replay --verify` proves from them
/// that no match was dropped, doubled, swapped or altered. It is there when the session is over.
#[utoipa::path(
    responses((status = 200, content_type = "application/x-ndjson"), (status = 403), (status = 404), (status = 409)),
    extensions(("x-right" = json!("look")))
)]
#[get("/sessions/{id}/record")]
pub(super) async fn session_record(request: HttpRequest, context: Data<Context>, id: Path<String>) -> Answer {
    let session = context.session(&request, &id).await?;
    session.look(&Guest::of_bearer(&request))?;
    let record = context.referee.session_record(&session).await?;
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").body(record))
}
