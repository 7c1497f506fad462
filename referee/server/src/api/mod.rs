//! The server's HTTP API: `/v1`.
//!
//! A handler decodes, asks [`may`], calls the referee or its store, and encodes. Its description in the OpenAPI document
//! is beside it and names the right that it needs, as `x-right`; a test sends every request as every kind of client.

mod document;
mod events;
mod games;
mod guests;
mod matches;
mod organisers;
mod players;
mod query;
mod ratings;
pub(crate) mod records;
mod seats;
mod service;
mod sessions;
mod tournaments;
mod watchers;

use std::{sync::Arc, time::Duration};

use actix_web::{HttpRequest, HttpResponse, web};
use croupier_referee::json_trouble;
use serde::{Serialize, de::DeserializeOwned};
use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use document::{completed, document, known_routes};
pub(crate) use query::demand_known_keys;

use crate::{
    drain::Drain,
    handle::MatchHandle,
    pages::{Posters, Screens, SeatAdvice},
    problem::{Problem, ProblemCode, Result},
    rates::Rates,
    referee::Referee,
    rights::{Actor, Operation, TokenDigest, may, shown},
    store::{StoredMatch, TokenKind},
    text,
};

/// What a handler answers.
type Answer = Result<HttpResponse>;

/// The state shared by handlers.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) referee: Arc<Referee>,
    /// The digest of the operator's token.
    pub(crate) operator: TokenDigest,
    pub(crate) drain: Drain,
    pub(crate) rates: Arc<Rates>,
    /// Whether requests come through a proxy that reports their origin.
    pub(crate) is_behind_proxy: bool,
    /// How long the body of a request may take to arrive.
    pub(crate) body: Duration,
    /// Open seats that one client may have at once.
    pub(crate) open_seats: u32,
    /// Tables that one client without a name may have at once; without any, only the operator and organisers open tables.
    pub(crate) open_tables: u32,
    /// Whether it speaks TLS.
    pub(crate) is_encrypted: bool,
    /// Whether everyone can read the metrics.
    pub(crate) has_open_metrics: bool,
    /// Pictures of the games.
    pub(crate) posters: Posters,
    /// What the seats of matches that run show.
    pub(crate) screens: Arc<Screens>,
    /// What the trainer says of them.
    pub(crate) advice: Arc<SeatAdvice>,
}

impl Context {
    /// The client of a request, identified by its token.
    async fn actor(&self, request: &HttpRequest) -> Result<Actor> {
        let Some(token) = shown(request) else { return Ok(Actor::Anybody) };
        if self.operator.is(&token) {
            return Ok(Actor::Operator);
        }
        Ok(match self.referee.store().bearer(token).await? {
            Some((TokenKind::Organiser, name)) => Actor::Organiser(name),
            Some((TokenKind::Player, name)) => Actor::Player(name),
            None => Actor::Bearer(token),
        })
    }

    /// The client of a request, if it may do this.
    pub(crate) async fn demand(&self, request: &HttpRequest, deed: Operation<'_>) -> Result<Actor> {
        let actor = self.actor(request).await?;
        may(&actor, shown(request).as_slice(), deed)?;
        Ok(actor)
    }

    /// A running or finished match.
    async fn stored(&self, id: &str) -> Result<StoredMatch> {
        let stored = self.referee.store().find(id).await?;
        stored.ok_or_else(|| Problem::absent("there is no such match"))
    }

    /// A match that runs here; an error with the location if it runs on another server of the same store.
    async fn running(&self, request: &HttpRequest, id: &str) -> Result<MatchHandle> {
        match self.referee.find(id) {
            Some(handle) => Ok(handle),
            None if self.stored(id).await?.outcome.is_some() => {
                Err(ProblemCode::Over.because("the match is over; its record is at /v1/matches/ID/record"))
            }
            None => Err(match self.referee.store().elsewhere(id).await? {
                Some(server) => Problem::elsewhere(&server, &request.uri().to_string()),
                None => Problem::full("the match will resume in a moment; try again"),
            }),
        }
    }
}

/// Parses a body. It is parsed only after the client's rights were checked.
fn decoded<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    text::demand_json(body)?;
    serde_json::from_slice(body).map_err(|error| {
        ProblemCode::BadJson.because(format!("invalid request body: {}", json_trouble(&error)))
    })
}

/// The response to a request that made something, with its address.
fn made(place: String, body: impl Serialize) -> HttpResponse {
    HttpResponse::Created().insert_header(("Location", place)).json(body)
}

/// The routes below `/v1`.
pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(service::routes)
        .service(service::health)
        .service(service::ready)
        .service(service::counters)
        .service(service::key)
        .service(games::index)
        .service(games::upload)
        .service(games::check)
        .service(games::text)
        .service(players::list)
        .service(players::register)
        .service(players::show)
        .service(players::remove)
        .service(players::seats)
        .service(ratings::list)
        .service(tournaments::list)
        .service(tournaments::create)
        .service(tournaments::show)
        .service(tournaments::results)
        .service(tournaments::end)
        .service(organisers::appoint)
        .service(organisers::dismiss)
        .service(matches::list)
        .service(matches::create)
        .service(matches::show)
        .service(matches::end)
        .service(records::record)
        .service(records::hand)
        .service(events::follow)
        .service(sessions::list)
        .service(sessions::open)
        .service(sessions::show)
        .service(sessions::command)
        .service(sessions::follow)
        .service(sessions::links)
        .service(sessions::session_record)
        .service(watchers::follow_hands)
        .service(watchers::earlier_hand)
        .service(guests::seat_frames)
        .service(guests::play)
        .service(guests::earlier)
        .service(guests::invitation)
        .service(guests::accept)
        .service(seats::connect)
        .service(seats::claim)
        .service(seats::next)
        .service(seats::say);
}

/// The response for unknown routes.
pub(crate) fn otherwise() -> actix_web::Route {
    web::to(service::nothing)
}
