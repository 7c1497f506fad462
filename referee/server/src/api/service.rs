//! Requests about the server itself.

use actix_web::{
    HttpRequest, HttpResponse, ResponseError as _, get,
    http::{
        StatusCode,
        header::{ALLOW, HeaderValue},
    },
    web::Data,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Answer, Context, known_routes};
use crate::{
    metrics::metrics,
    problem::{Problem, ProblemCode},
    rights::Operation,
};

/// Where the API is described.
#[derive(Debug, Serialize, ToSchema)]
struct Index {
    /// A page on which requests are tried out, where this build has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<&'static str>,
    openapi: &'static str,
}

/// An index of the routes
#[utoipa::path(responses((status = 200, body = Index)), extensions(("x-right" = json!("anybody"))))]
#[get("")]
pub(super) async fn routes() -> HttpResponse {
    HttpResponse::Ok().json(Index {
        documentation: cfg!(feature = "cluster").then_some("/docs/"),
        openapi: "/openapi.json",
    })
}

/// A server that responds.
#[derive(Debug, Serialize, ToSchema)]
struct Health {
    /// `ok`.
    status: &'static str,
    version: &'static str,
}

/// Whether the server and its store respond
#[utoipa::path(responses((status = 200, body = Health)), extensions(("x-right" = json!("anybody"))))]
#[get("/health")]
pub(super) async fn health(context: Data<Context>) -> Answer {
    context.referee.store().check().await?;
    Ok(HttpResponse::Ok().json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") }))
}

/// A server that accepts matches.
#[derive(Debug, Serialize, ToSchema)]
struct Ready {
    /// Matches that run or wait.
    matches: usize,
    /// `ready`.
    status: &'static str,
}

/// Whether new matches are accepted: 503 while the server is shutting down, and while its store takes nothing
#[utoipa::path(responses((status = 200, body = Ready), (status = 503)), extensions(("x-right" = json!("anybody"))))]
#[get("/ready")]
pub(super) async fn ready(context: Data<Context>) -> Answer {
    context.drain.refuse()?;
    context.referee.store().check().await?;
    if !context.referee.is_store_sound() {
        return Err(ProblemCode::Store.into());
    }
    Ok(HttpResponse::Ok().json(Ready { matches: context.referee.running(), status: "ready" }))
}

/// Metrics for Prometheus
///
/// For the operator, unless the server publishes them.
#[utoipa::path(
    responses((status = 200, content_type = "application/openmetrics-text")),
    extensions(("x-right" = json!("operate")))
)]
#[get("/metrics")]
pub(super) async fn counters(request: HttpRequest, context: Data<Context>) -> Answer {
    context.demand(&request, Operation::Measure { is_open: context.has_open_metrics }).await?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let text = metrics().text();
    #[cfg(feature = "mutants")]
    let text = text + &crate::leaks::counted(context.referee.lines_written().await);
    Ok(HttpResponse::Ok().content_type(kind).body(text))
}

/// A public key.
#[derive(Debug, Serialize, ToSchema)]
struct Key {
    /// `ed25519`.
    algorithm: &'static str,
    /// 64 hexadecimal digits.
    public_key: String,
}

/// The public key that signs records and commitments
#[utoipa::path(responses((status = 200, body = Key)), extensions(("x-right" = json!("anybody"))))]
#[get("/key")]
pub(super) async fn key(context: Data<Context>) -> HttpResponse {
    HttpResponse::Ok().json(Key { algorithm: "ed25519", public_key: context.referee.public_key() })
}

/// The response if no route matches: the path is unknown, or the method is not allowed.
pub(super) async fn nothing(request: HttpRequest) -> HttpResponse {
    let pattern = request.match_pattern().unwrap_or_default();
    let mut allowed: Vec<&str> =
        known_routes().iter().filter(|route| route.path == pattern).map(|route| route.method).collect();
    if allowed.contains(&"GET") {
        allowed.push("HEAD");
    }
    if allowed.is_empty() {
        return Problem::of_status(StatusCode::NOT_FOUND).error_response();
    }
    let mut response = Problem::of_status(StatusCode::METHOD_NOT_ALLOWED).error_response();
    let allowed = HeaderValue::try_from(allowed.join(", ")).expect("methods are words");
    response.headers_mut().insert(ALLOW, allowed);
    response
}
