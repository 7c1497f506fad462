//! What is asked of the server itself.

use actix_web::{HttpResponse, get, web::Data};
use serde_json::json;

use super::Context;
use crate::problem::Problem;

/// Where to find what
#[utoipa::path(tag = "server", responses((status = 200)), extensions(("x-right" = json!("anybody"))))]
#[get("")]
pub(super) async fn routes() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "openapi": "/openapi.json", "documentation": "/docs/" }))
}

/// Whether the server and its store answer
#[utoipa::path(tag = "server", responses((status = 200)), extensions(("x-right" = json!("anybody"))))]
#[get("/health")]
pub(super) async fn health(context: Data<Context>) -> Result<HttpResponse, Problem> {
    context.referee.store().check().await?;
    Ok(HttpResponse::Ok().json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })))
}

/// Counters for Prometheus
#[utoipa::path(tag = "server", responses((status = 200)), extensions(("x-right" = json!("anybody"))))]
#[get("/metrics")]
pub(super) async fn metrics(context: Data<Context>) -> HttpResponse {
    let text = format!(
        "# HELP croupier_matches_running Matches that run or wait for players.\n# TYPE croupier_matches_running gauge\n\
         croupier_matches_running {}\n",
        context.referee.running()
    );
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(text)
}

/// The public key that signs records and commitments
#[utoipa::path(tag = "server", responses((status = 200)), extensions(("x-right" = json!("anybody"))))]
#[get("/key")]
pub(super) async fn key(context: Data<Context>) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "algorithm": "ed25519", "public_key": context.referee.public_key() }))
}

pub(super) async fn nothing() -> Result<HttpResponse, Problem> {
    Err(Problem::absent("there is nothing here; /docs/ shows what there is"))
}
