//! What is asked of the server itself.

use actix_web::{HttpResponse, Responder, web::Data};
use serde_json::json;

use super::{Context, ROUTES};
use crate::problem::Problem;

pub(super) async fn routes() -> impl Responder {
    let routes =
        ROUTES.iter().map(|(method, path, what)| json!({ "method": method, "path": path, "what": what }));
    HttpResponse::Ok().json(json!({ "routes": routes.collect::<Vec<_>>() }))
}

pub(super) async fn health(context: Data<Context>) -> Result<HttpResponse, Problem> {
    context.referee.store().check().await?;
    Ok(HttpResponse::Ok().json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })))
}

pub(super) async fn metrics(context: Data<Context>) -> impl Responder {
    let text = format!(
        "# HELP croupier_matches_running Matches that run or wait for players.\n# TYPE croupier_matches_running gauge\n\
         croupier_matches_running {}\n",
        context.referee.running()
    );
    #[cfg(feature = "mutants")]
    let text = text + &crate::leaks::counted(context.referee.lines_written().await);
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(text)
}

pub(super) async fn key(context: Data<Context>) -> impl Responder {
    HttpResponse::Ok().json(json!({ "algorithm": "ed25519", "public_key": context.referee.public_key() }))
}

pub(super) async fn nothing() -> Result<HttpResponse, Problem> {
    Err(Problem::absent("there is nothing here; GET /v1 lists what there is"))
}
