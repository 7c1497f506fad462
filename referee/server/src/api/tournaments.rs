//! Creates, shows and ends tournaments.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse, delete, get, post,
    web::{Bytes, Data, Path},
};
use croupier_referee::Seed;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    Answer, Context, decoded, made,
    query::{Asked, instant, next, page_size},
};
use crate::{
    connections::Connection,
    idempotency::Idempotency,
    problem::{Problem, ProblemCode, Result},
    rights::Operation,
    store::StoredTournament,
    tournament::TournamentRequest,
    tournament_view::{TournamentView, WholeTournament},
};

/// Fixtures per page.
const FIXTURES: u32 = 500;

impl Context {
    async fn tournament(&self, id: &str) -> Result<StoredTournament> {
        let stored = self.referee.store().tournament(id).await?;
        stored.ok_or_else(|| Problem::absent("there is no such tournament"))
    }

    /// A tournament with its table, and its fixtures from a place on.
    pub(crate) async fn whole_tournament(&self, id: &str, after: u64) -> Result<WholeTournament> {
        let (store, stored) = (self.referee.store(), self.tournament(id).await?);
        let fixtures = store.fixtures(id, after, FIXTURES).await?;
        let next = next(&fixtures, FIXTURES, |last| last.fixture.index + 1);
        let table = self.referee.tables.table(store, &stored).await?;
        table.read(move |table| WholeTournament::of(&stored, table, &fixtures, next)).await?
    }
}

/// A newly created tournament.
#[derive(Debug, Serialize, ToSchema)]
struct Made {
    id: String,
}

/// Create a tournament
///
/// It starts at once. Entrants are registered players and agents of the server; a player that connects asks
/// `/v1/players/NAME/seats` which seats wait for it, and takes them with its own token. With the header `Idempotency-Key: NAME`,
/// repeating the same request creates no other tournament.
#[utoipa::path(
    request_body = TournamentRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "key that makes the request idempotent: a repeated request gets the same response")),
    responses((status = 201, body = Made), (status = 422), (status = 503)),
    extensions(("x-right" = json!("organise")))
)]
#[post("/tournaments")]
pub(super) async fn create(request: HttpRequest, context: Data<Context>, body: Bytes) -> Answer {
    let actor = context.demand(&request, Operation::Organise).await?;
    let asked: TournamentRequest = decoded(&body)?;
    let idempotency = Idempotency::of(&request, &actor, &body)?;
    if let Some(rules) = &asked.rules {
        context.referee.demand_game(rules, Connection::of(&request)).await?;
    }
    let id = context.referee.organise_once(asked, actor.name(), idempotency).await?;
    Ok(made(format!("/v1/tournaments/{id}"), Made { id }))
}

/// The page to return.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TournamentsQuery {
    /// Page size: by default 50, at most 200.
    count: Option<u32>,
    /// The value of `next` from the previous page.
    before: Option<String>,
}

/// A page of tournaments.
#[derive(Debug, Serialize, ToSchema)]
struct Tournaments {
    tournaments: Vec<TournamentView>,
    /// The value of `before` for the next page; absent on the last.
    next: Option<String>,
}

/// Tournaments, the newest first
#[utoipa::path(
    params(TournamentsQuery),
    responses((status = 200, body = Tournaments), (status = 422)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/tournaments")]
pub(super) async fn list(context: Data<Context>, Asked(page): Asked<TournamentsQuery>) -> Answer {
    let TournamentsQuery { count, before } = page;
    let (count, before) = (page_size(count), before.as_deref().map(instant).transpose()?);
    let found = context.referee.store().tournaments(before, count).await?;
    let next = next(&found, count, |last| format!("{}-{}", last.created_ms, last.id));
    let tournaments = found.iter().map(TournamentView::of).collect::<Result<_, _>>()?;
    Ok(HttpResponse::Ok().json(Tournaments { tournaments, next }))
}

/// The page of fixtures to return.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Fixtures {
    /// The value of `next` from the previous page.
    #[serde(default)]
    after: u64,
}

/// One tournament: its standings, and its matches
///
/// The standings count a match when all matches on its deal, and all before it, are over.
#[utoipa::path(
    params(Fixtures),
    responses((status = 200, body = WholeTournament), (status = 404)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/tournaments/{id}")]
pub(super) async fn show(context: Data<Context>, id: Path<String>, Asked(page): Asked<Fixtures>) -> Answer {
    Ok(HttpResponse::Ok().json(context.whole_tournament(&id, page.after).await?))
}

/// The results of a tournament that count so far
///
/// JSON lines in the format of `croupier tournament --results`: a header, and a line for each match. The header includes the seed
/// once the tournament is over.
#[utoipa::path(
    responses((status = 200, content_type = "application/x-ndjson"), (status = 404)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/tournaments/{id}/results")]
pub(super) async fn results(context: Data<Context>, id: Path<String>) -> Answer {
    let (store, stored) = (context.referee.store(), context.tournament(&id).await?);
    let request = TournamentRequest::of(&stored)?;
    let secrets = if stored.is_over() { store.secrets_of_tournament(&id).await? } else { None };
    let seed = secrets.map(|(_, seed)| Seed::from_bytes(seed).reveal());
    let table = context.referee.tables.table(store, &stored).await?;
    let referee = Arc::clone(&context.referee);
    let text = table.read(move |table| {
        let heading = request.heading(&stored.game_digest, &table.schedule, seed, referee.agents());
        let mut text = serde_json::to_string(&heading).expect("plain data is JSON");
        for result in &table.results {
            text.push('\n');
            text.push_str(&serde_json::to_string(result).expect("plain data is JSON"));
        }
        text.push('\n');
        text
    });
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").body(text.await?))
}

/// End a tournament early
///
/// Its running matches are ended, and no others are created.
#[utoipa::path(responses((status = 202), (status = 404), (status = 409)), extensions(("x-right" = json!("undo"))))]
#[delete("/tournaments/{id}")]
pub(super) async fn end(request: HttpRequest, context: Data<Context>, id: Path<String>) -> Answer {
    let stored = context.referee.store().tournament(&id).await?;
    context.demand(&request, Operation::Undo(stored.as_ref().map_or("", |stored| &stored.creator))).await?;
    if stored.is_none() {
        return Err(Problem::absent("there is no such tournament"));
    }
    if !context.referee.store().abort_tournament(&id).await? {
        return Err(ProblemCode::Over.because("the tournament is over"));
    }
    context.referee.change();
    Ok(HttpResponse::Accepted().finish())
}
