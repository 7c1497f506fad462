//! Players that are registered: whoever plays under a name.

use actix_web::{
    HttpRequest, HttpResponse, delete, get, post,
    web::{Bytes, Data, Path, Query},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Context, decoded};
use crate::{
    clock, names,
    problem::{Problem, ProblemBody},
    rights::{Deed, TokenDigest},
    seat::SeatSetup,
    store::StoredPlayer,
};

/// Players of one page.
const PAGE_MAX: u32 = 200;

/// A player that is registered.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlayerView {
    name: String,
    /// `pull` if it connects, `push` if it is called.
    kind: &'static str,
    created_ms: i64,
}

impl PlayerView {
    /// Where a player is called is its own business.
    fn of(stored: StoredPlayer) -> Self {
        let kind = if stored.address.is_some() { "push" } else { "pull" };
        Self { name: stored.name, kind, created_ms: stored.created_ms }
    }
}

/// Players of a page.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Players {
    players: Vec<PlayerView>,
    /// What `after` is for the next page; nothing on the last.
    next: Option<String>,
}

/// Which page of the list is wanted.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Page {
    /// What the page before gave as `next`.
    #[serde(default)]
    after: String,
}

/// Players that are registered
#[utoipa::path(tag = "players", params(Page), responses((status = 200, body = Players)), extensions(("x-right" = json!("anybody"))))]
#[get("/players")]
pub(super) async fn list(context: Data<Context>, page: Query<Page>) -> Result<HttpResponse, Problem> {
    let found = context.referee.store().players(&page.after, PAGE_MAX).await?;
    let is_full = found.len() == PAGE_MAX as usize;
    let next = found.last().filter(|_| is_full).map(|last| last.name.clone());
    let players = found.into_iter().map(PlayerView::of).collect();
    Ok(HttpResponse::Ok().json(Players { players, next }))
}

/// A player to be registered.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Registration {
    /// What it is to be called: letters, digits and hyphens.
    name: String,
    /// Where it is called; nothing if it connects.
    address: Option<String>,
    /// The messages that it knows: `gdl2` if nothing is said.
    dialect: Option<String>,
}

/// A player that was registered.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Registered {
    name: String,
    /// The player's token, for every seat that it gets. It is shown here, and never again.
    token: String,
}

/// Register a player
///
/// A player that is called is asked first whether it is there (`INFO`): nobody is called who does not answer.
#[utoipa::path(
    tag = "players",
    request_body = Registration,
    responses((status = 201, body = Registered), (status = 409, body = ProblemBody), (status = 422, body = ProblemBody)),
    security(("token" = [])),
    extensions(("x-right" = json!("organise")))
)]
#[post("/players")]
pub(super) async fn register(
    request: HttpRequest,
    context: Data<Context>,
    body: Bytes,
) -> Result<HttpResponse, Problem> {
    let actor = context.demand(&request, Deed::Organise).await?;
    let Registration { name, address, dialect } = decoded(&body)?;
    names::demand("a player", &name)?;
    if let Some(address) = &address {
        let setup = SeatSetup::Push { address: address.clone(), dialect: dialect.clone() };
        context.referee.demand_answer(&name, &setup.seat(&name)?).await?;
    }
    let player = StoredPlayer {
        name: name.clone(),
        address,
        dialect,
        registered_by: actor.name(),
        created_ms: clock::unix_ms(),
    };
    let token = context.referee.fresh_token()?;
    if !context.referee.store().register_player(&player, TokenDigest::of(&token)).await? {
        return Err(Problem::conflict("taken", format!("there is a player '{name}' already")));
    }
    Ok(HttpResponse::Created()
        .insert_header(("Location", format!("/v1/players/{name}")))
        .insert_header(("Cache-Control", "no-store"))
        .json(Registered { name, token }))
}

/// One player; its matches are at `/v1/matches?player=NAME`
#[utoipa::path(
    tag = "players",
    responses((status = 200, body = PlayerView), (status = 404, body = ProblemBody)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/players/{name}")]
pub(super) async fn show(context: Data<Context>, name: Path<String>) -> Result<HttpResponse, Problem> {
    let player = context.referee.store().player(&name).await?;
    let player = player.ok_or_else(|| Problem::absent("there is no such player"))?;
    Ok(HttpResponse::Ok().json(PlayerView::of(player)))
}

/// Take a player off the list
///
/// Its matches go on and stay in the lists; its token is worth nothing from now on but in seats that it has.
#[utoipa::path(
    tag = "players",
    responses((status = 204), (status = 404, body = ProblemBody)),
    security(("token" = [])),
    extensions(("x-right" = json!("undo")))
)]
#[delete("/players/{name}")]
pub(super) async fn remove(
    request: HttpRequest,
    context: Data<Context>,
    name: Path<String>,
) -> Result<HttpResponse, Problem> {
    let absent = || Problem::absent("there is no such player");
    let player = context.referee.store().player(&name).await?;
    let creator = player.as_ref().map_or("", |player| &player.registered_by);
    context.demand(&request, Deed::Undo(creator)).await?;
    if player.is_none() || !context.referee.store().remove_player(&name).await? {
        return Err(absent());
    }
    Ok(HttpResponse::NoContent().finish())
}
