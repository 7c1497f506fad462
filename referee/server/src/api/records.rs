//! Records, which are there for everybody once a match is over.

use actix_web::{
    HttpRequest, HttpResponse, get,
    web::{Data, Path},
};

use super::Context;
use crate::{
    problem::{Problem, ProblemBody},
    rights::Deed,
};

/// The record of a match, after its end
///
/// One JSON object a line, with the seed and the server's signature; `croupier replay --verify` checks it.
#[utoipa::path(
    tag = "matches",
    responses((status = 200, content_type = "application/x-ndjson"), (status = 409, body = ProblemBody)),
    extensions(("x-right" = json!("over")))
)]
#[get("/matches/{id}/record")]
pub(super) async fn record(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    let stored = context.stored(&id).await?;
    let is_over = stored.outcome.is_some() && context.referee.find(&id).is_none();
    #[cfg(feature = "mutants")]
    if !is_over && let Some(text) = crate::leaks::quoted(&context.referee.store().record(&id).await?) {
        return Err(Problem::conflict("running", text));
    }
    context.demand(&request, Deed::Review { is_over }).await?;
    let text = context.referee.store().record(&id).await?;
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").body(text))
}
