//! What can be asked of the server over HTTP: `/v1`.

mod events;
mod games;
mod matches;
mod seats;
mod service;

use std::{sync::Arc, time::Duration};

use actix_web::{HttpRequest, http::Method, web};

use crate::{
    drain::Drain,
    live::MatchHandle,
    problem::Problem,
    rates::Rates,
    referee::Referee,
    rights::{Actor, TokenDigest, actor},
    store::StoredMatch,
};

/// What handlers share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) referee: Arc<Referee>,
    /// The digest of the operator's token.
    pub(crate) operator: TokenDigest,
    pub(crate) drain: Drain,
    pub(crate) rates: Rates,
    /// Whether requests come through a proxy that says whom they are from.
    pub(crate) is_behind_proxy: bool,
    /// How long the body of a request may take to arrive.
    pub(crate) body: Duration,
    /// Whether everybody sees what the server counts.
    pub(crate) has_open_metrics: bool,
}

impl Context {
    pub(crate) fn actor(&self, request: &HttpRequest) -> Actor {
        actor(request, &self.operator)
    }

    /// A match that runs or ran.
    async fn stored(&self, id: &str) -> Result<StoredMatch, Problem> {
        let stored = self.referee.store().find(id).await?;
        stored.ok_or_else(|| Problem::absent("there is no such match"))
    }

    /// A match that runs.
    async fn running(&self, id: &str) -> Result<MatchHandle, Problem> {
        match self.referee.find(id) {
            Some(handle) => Ok(handle),
            None => {
                self.stored(id).await?;
                Err(Problem::conflict("over", "the match is over; its record is at /v1/matches/ID/record"))
            }
        }
    }
}

/// Every route with its method and what it is for.
pub(crate) const ROUTES: &[(&str, &str, &str)] = &[
    ("GET", "/v1", "this list"),
    ("GET", "/v1/health", "whether the server and its store answer"),
    ("GET", "/v1/ready", "whether new matches are taken: 503 when the server is about to stop"),
    ("GET", "/v1/metrics", "counters for Prometheus (operator, unless the metrics are open)"),
    ("GET", "/v1/key", "the public key that signs records and commitments"),
    ("GET", "/v1/games", "the games of the catalogue"),
    ("GET", "/v1/games/{name}", "the rules of one of them"),
    ("POST", "/v1/games/check", "every finding about rules"),
    ("POST", "/v1/matches", "make a match (operator)"),
    ("GET", "/v1/matches", "matches, the youngest first"),
    ("GET", "/v1/matches/{id}", "one match"),
    ("DELETE", "/v1/matches/{id}", "end a match (operator)"),
    ("GET", "/v1/matches/{id}/record", "its record, after its end"),
    ("GET", "/v1/matches/{id}/events", "what spectators see, as server-sent events or JSON lines"),
    ("GET", "/v1/matches/{id}/seats/{role}", "the next frame of a seat (its token); ?after=N waits"),
    ("POST", "/v1/matches/{id}/seats/{role}", "a frame of a seat (its token)"),
    ("GET", "/v1/matches/{id}/seats/{role}/ws", "the same as a WebSocket (its token)"),
];

/// The routes.
pub(crate) fn routes(config: &mut web::ServiceConfig) {
    config.service(
        web::scope("/v1")
            .route("", web::get().to(service::routes))
            .route("/health", web::get().to(service::health))
            .route("/ready", web::get().to(service::ready))
            .route("/metrics", web::get().to(service::metrics))
            .route("/key", web::get().to(service::key))
            .route("/games", web::get().to(games::list))
            .route("/games/check", web::post().to(games::check))
            .route("/games/{name}", web::get().to(games::rules))
            .route("/matches", web::post().to(matches::create))
            .route("/matches", web::get().to(matches::list))
            .route("/matches/{id}", web::get().to(matches::show))
            .route("/matches/{id}", web::method(Method::DELETE).to(matches::end))
            .route("/matches/{id}/record", web::get().to(matches::record))
            .route("/matches/{id}/events", web::get().to(events::follow))
            .route("/matches/{id}/seats/{role}", web::get().to(seats::next))
            .route("/matches/{id}/seats/{role}", web::post().to(seats::say))
            .route("/matches/{id}/seats/{role}/ws", web::get().to(seats::connect)),
    );
    config.default_service(web::to(service::nothing));
}
