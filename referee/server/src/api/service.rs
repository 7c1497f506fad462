//! What is asked of the server itself.

use actix_web::{
    HttpRequest, HttpResponse, Responder, ResponseError as _,
    http::{
        StatusCode,
        header::{ALLOW, HeaderValue},
    },
    web::Data,
};
use serde_json::json;

use super::{Context, ROUTES};
use crate::{
    metrics,
    problem::Problem,
    rights::{Deed, may},
};

pub(super) async fn routes() -> impl Responder {
    let routes =
        ROUTES.iter().map(|(method, path, what)| json!({ "method": method, "path": path, "what": what }));
    HttpResponse::Ok().json(json!({ "routes": routes.collect::<Vec<_>>() }))
}

pub(super) async fn health(context: Data<Context>) -> Result<HttpResponse, Problem> {
    context.referee.store().check().await?;
    Ok(HttpResponse::Ok().json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })))
}

pub(super) async fn ready(context: Data<Context>) -> Result<HttpResponse, Problem> {
    context.drain.refuse()?;
    context.referee.store().check().await?;
    Ok(HttpResponse::Ok().json(json!({ "status": "ready", "matches": context.referee.running() })))
}

pub(super) async fn metrics(request: HttpRequest, context: Data<Context>) -> Result<HttpResponse, Problem> {
    may(&context.actor(&request), Deed::Measure { is_open: context.has_open_metrics })?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(HttpResponse::Ok().content_type(kind).body(metrics::metrics().text()))
}

pub(super) async fn key(context: Data<Context>) -> impl Responder {
    HttpResponse::Ok().json(json!({ "algorithm": "ed25519", "public_key": context.referee.public_key() }))
}

/// What answers where no route does: the path is none, or it takes another method.
pub(super) async fn nothing(request: HttpRequest) -> HttpResponse {
    let pattern = request.match_pattern().unwrap_or_default();
    let routes = ROUTES.iter().filter(|(_, path, _)| *path == pattern);
    let allowed: Vec<&str> = routes.map(|(method, ..)| *method).collect();
    if allowed.is_empty() {
        return Problem::of_status(StatusCode::NOT_FOUND).error_response();
    }
    let mut response = Problem::of_status(StatusCode::METHOD_NOT_ALLOWED).error_response();
    let allowed = HeaderValue::try_from(allowed.join(", ")).expect("methods are words");
    response.headers_mut().insert(ALLOW, allowed);
    response
}
