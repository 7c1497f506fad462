//! Matches: made, shown, ended, and their records.

use actix_web::{
    HttpRequest, HttpResponse, Responder,
    web::{Data, Json, Path, Query},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Context;
use crate::{
    live::Command,
    problem::Problem,
    referee::{MatchRequest, public},
    rights::{Deed, may},
};

/// Matches of one page, if nothing else is said, and at most.
const PAGE: u32 = 50;
const PAGE_MAX: u32 = 200;

pub(super) async fn create(
    request: HttpRequest,
    context: Data<Context>,
    body: Json<MatchRequest>,
) -> Result<HttpResponse, Problem> {
    may(&context.actor(&request), Deed::Run)?;
    let created = context.referee.create(body.into_inner()).await?;
    let place = format!("/v1/matches/{}", created.id);
    Ok(HttpResponse::Created()
        .insert_header(("Location", place))
        .insert_header(("Cache-Control", "no-store"))
        .json(created))
}

/// Which page of the list is wanted.
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    count: Option<u32>,
    /// What the page before gave as `next`.
    before: Option<String>,
}

pub(super) async fn list(
    request: HttpRequest,
    context: Data<Context>,
    page: Query<Page>,
) -> Result<impl Responder, Problem> {
    may(&context.actor(&request), Deed::Watch)?;
    let count = page.count.unwrap_or(PAGE).clamp(1, PAGE_MAX);
    let before = page.before.as_deref().map(|cursor| {
        let (ms, id) = cursor.split_once('-')?;
        Some((ms.parse().ok()?, id.to_owned()))
    });
    let before = match before {
        Some(None) => return Err(Problem::unfit("bad-cursor", "this is not what a page gave as `next`")),
        Some(some) => some,
        None => None,
    };
    let found = context.referee.store().list(before, count).await?;
    let full = found.len() as u32 == count;
    let next = found.last().filter(|_| full).map(|last| format!("{}-{}", last.created_ms, last.id));
    let shown = found.iter().map(|stored| public(stored, context.referee.find(&stored.id).as_ref()));
    Ok(HttpResponse::Ok().json(json!({ "matches": shown.collect::<Vec<Value>>(), "next": next })))
}

pub(super) async fn show(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    may(&context.actor(&request), Deed::Watch)?;
    let stored = context.stored(&id).await?;
    let live = context.referee.find(&id);
    let mut response = HttpResponse::Ok();
    response.insert_header(("Cache-Control", "no-store"));
    #[cfg(feature = "mutants")]
    crate::leaks::headers(&mut response, &context.referee.store().record(&id).await?);
    Ok(response.json(public(&stored, live.as_ref())))
}

pub(super) async fn end(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    may(&context.actor(&request), Deed::Run)?;
    let handle = context.running(&id).await?;
    // A match that has just ended needs no command.
    let _ = handle.commands.send(Command::Abort).await;
    Ok(HttpResponse::Accepted().finish())
}

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
    may(&context.actor(&request), Deed::Review { is_over })?;
    let text = context.referee.store().record(&id).await?;
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").body(text))
}
