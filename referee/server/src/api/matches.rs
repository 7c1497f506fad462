//! Creates, shows and ends matches.

use actix_web::{
    HttpRequest, HttpResponse, delete, get, post,
    web::{Bytes, Data, Path},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    Answer, Context, decoded, made,
    query::{Asked, instant, next, page_size},
};
use crate::{
    connections::Connection, handle::Command, idempotency::Idempotency, match_view::MatchView,
    referee::Created, rights::Operation, setup::MatchRequest, store::Wanted,
};

/// Create a match
///
/// It starts when all players that connect are there. With the header `Idempotency-Key: NAME`, repeating the same request creates no
/// other match, and returns the same response.
#[utoipa::path(
    request_body = MatchRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "key that makes the request idempotent: a repeated request gets the same response")),
    responses((status = 201, body = Created), (status = 422), (status = 503)),
    extensions(("x-right" = json!("organise")))
)]
#[post("/matches")]
pub(super) async fn create(request: HttpRequest, context: Data<Context>, body: Bytes) -> Answer {
    let actor = context.demand(&request, Operation::Organise).await?;
    context.drain.refuse()?;
    let asked: MatchRequest = decoded(&body)?;
    let idempotency = Idempotency::of(&request, &actor, &body)?;
    if let Some(rules) = &asked.rules {
        context.referee.demand_game(rules, Connection::of(&request)).await?;
    }
    let created = context.referee.create_once(asked, actor.name(), idempotency).await?;
    Ok(made(format!("/v1/matches/{}", created.id), created))
}

/// A filter for matches, and the page to return.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct MatchesQuery {
    /// Page size: by default 50, at most 200.
    count: Option<u32>,
    /// The value of `next` from the previous page.
    before: Option<String>,
    /// Only matches of this game.
    game: Option<String>,
    /// Only matches with this player or agent.
    player: Option<String>,
    /// Only matches with this status, such as `running`.
    status: Option<String>,
}

/// A page of matches.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Matches {
    matches: Vec<MatchView>,
    /// The value of `before` for the next page; absent on the last.
    next: Option<String>,
}

/// Matches, the newest first
#[utoipa::path(
    params(MatchesQuery),
    responses((status = 200, body = Matches), (status = 422)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/matches")]
pub(super) async fn list(context: Data<Context>, Asked(page): Asked<MatchesQuery>) -> Answer {
    let MatchesQuery { count, before, game, player, status } = page;
    let (count, before) = (page_size(count), before.as_deref().map(instant).transpose()?);
    let wanted = Wanted { game, player, status };
    let found = context.referee.store().list(&wanted, before, count).await?;
    let next = next(&found, count, |last| format!("{}-{}", last.created_ms, last.id));
    let matches =
        found.iter().map(|stored| MatchView::of(stored, context.referee.find(&stored.id).as_ref())).collect();
    Ok(HttpResponse::Ok().json(Matches { matches, next }))
}

/// One match
#[utoipa::path(responses((status = 200, body = MatchView), (status = 404)), extensions(("x-right" = json!("anybody"))))]
#[get("/matches/{id}")]
pub(super) async fn show(context: Data<Context>, id: Path<String>) -> Answer {
    let stored = context.stored(&id).await?;
    let mut view = MatchView::of(&stored, context.referee.find(&id).as_ref());
    view.name_players(context.referee.store().players_of(&id).await?);
    let mut response = HttpResponse::Ok();
    #[cfg(feature = "mutants")]
    crate::leaks::headers(&mut response, &context.referee.store().record(&id).await?);
    Ok(response.json(view))
}

/// End a match early
///
/// Its seed is revealed, and its record says that it was aborted.
#[utoipa::path(responses((status = 202), (status = 404), (status = 409)), extensions(("x-right" = json!("undo"))))]
#[delete("/matches/{id}")]
pub(super) async fn end(request: HttpRequest, context: Data<Context>, id: Path<String>) -> Answer {
    let stored = context.referee.store().find(&id).await?;
    context.demand(&request, Operation::Undo(stored.as_ref().map_or("", |stored| &stored.creator))).await?;
    match context.running(&request, &id).await {
        // A match that has just ended needs no command.
        Ok(handle) => drop(handle.commands.send(Command::Abort).await),
        Err(problem) if problem.is_temporary() => context.referee.end_standing(&id).await?,
        Err(problem) => return Err(problem),
    }
    Ok(HttpResponse::Accepted().finish())
}
