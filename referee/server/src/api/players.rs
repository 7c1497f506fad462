//! Registered players: those who play under a name.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse, delete, get, post,
    web::{Bytes, Data, Path},
};
use croupier_referee::Digest;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until, timeout_at};
use utoipa::{IntoParams, ToSchema};

use super::{
    Answer, Context, decoded, made,
    query::{Asked, next},
    ratings::RatingView,
};
use crate::{
    clock, names,
    problem::{Problem, ProblemCode, Result},
    rights::{Operation, TokenDigest},
    seat::SeatSetup,
    setup::StoredSetup,
    store::StoredPlayer,
};

/// Players per page.
const PAGE_MAX: u32 = 200;

/// Maximum time that a poll for seats waits, and the interval at which changes by other servers are checked.
const POLL_MAX: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_secs(1);

/// A registered player.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlayerView {
    name: String,
    /// `pull` if it connects, `push` if the server calls it.
    kind: &'static str,
    created_ms: i64,
    /// By game; omitted in the list of all players.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ratings: Vec<RatingView>,
}

impl PlayerView {
    /// The address of a player is not public.
    fn of(stored: StoredPlayer) -> Self {
        let kind = if stored.address.is_some() { "push" } else { "pull" };
        Self { name: stored.name, kind, created_ms: stored.created_ms, ratings: Vec::new() }
    }
}

/// A page of players.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Players {
    players: Vec<PlayerView>,
    /// The value of `after` for the next page; absent on the last.
    next: Option<String>,
}

/// The page to return.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PlayersQuery {
    /// The value of `next` from the previous page.
    #[serde(default)]
    after: String,
}

/// Registered players
#[utoipa::path(params(PlayersQuery), responses((status = 200, body = Players)), extensions(("x-right" = json!("anybody"))))]
#[get("/players")]
pub(super) async fn list(context: Data<Context>, Asked(page): Asked<PlayersQuery>) -> Answer {
    let found = context.referee.store().players(&page.after, PAGE_MAX).await?;
    let next = next(&found, PAGE_MAX, |last| last.name.clone());
    let players = found.into_iter().map(PlayerView::of).collect();
    Ok(HttpResponse::Ok().json(Players { players, next }))
}

/// A player to register.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Registration {
    /// Its name: letters, digits and hyphens.
    name: String,
    /// Its address; absent if it connects.
    address: Option<String>,
    /// The dialect that it understands; by default `gdl2`.
    dialect: Option<String>,
}

/// A newly registered player.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Registered {
    name: String,
    /// The player's token, for every seat that it gets. It is shown only here.
    token: String,
}

/// Register a player
///
/// A player with an address is first sent `INFO`: a player that does not answer is not registered.
#[utoipa::path(
    request_body = Registration,
    responses((status = 201, body = Registered), (status = 409), (status = 422)),
    extensions(("x-right" = json!("organise")))
)]
#[post("/players")]
pub(super) async fn register(request: HttpRequest, context: Data<Context>, body: Bytes) -> Answer {
    let actor = context.demand(&request, Operation::Organise).await?;
    let Registration { name, address, dialect } = decoded(&body)?;
    names::demand("a player", &name)?;
    if context.referee.agents().full_name(&name).is_ok() {
        let detail = format!("'{name}' is the name of an agent of this server, which has its own ratings");
        return Err(ProblemCode::BadName.because(detail));
    }
    if let Some(address) = &address {
        let setup = SeatSetup::Push { address: address.clone(), dialect: dialect.clone() };
        context.referee.demand_answer(&name, &setup.seat(&name, context.referee.agents())?).await?;
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
        return Err(ProblemCode::Taken.because(format!("the player '{name}' already exists")));
    }
    Ok(made(format!("/v1/players/{name}"), Registered { name, token }))
}

/// One player, with its ratings; its matches are at `/v1/matches?player=NAME`
#[utoipa::path(
    responses((status = 200, body = PlayerView), (status = 404)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/players/{name}")]
pub(super) async fn show(context: Data<Context>, name: Path<String>) -> Answer {
    let player = context.referee.store().player(&name).await?;
    let player = player.ok_or_else(|| Problem::absent("there is no such player"))?;
    let ratings = context.referee.store().ratings_of(&name).await?;
    let ratings = ratings.into_iter().map(RatingView::from).collect();
    let shown = PlayerView { ratings, ..PlayerView::of(player) };
    Ok(HttpResponse::Ok().json(shown))
}

/// Unregister a player
///
/// Its matches continue and stay in the lists; its token remains valid only for seats that it already has.
#[utoipa::path(responses((status = 204), (status = 404)), extensions(("x-right" = json!("undo"))))]
#[delete("/players/{name}")]
pub(super) async fn remove(request: HttpRequest, context: Data<Context>, name: Path<String>) -> Answer {
    let player = context.referee.store().player(&name).await?;
    let creator = player.as_ref().map_or("", |player| &player.registered_by);
    context.demand(&request, Operation::Undo(creator)).await?;
    if player.is_none() || !context.referee.store().remove_player(&name).await? {
        return Err(Problem::absent("there is no such player"));
    }
    Ok(HttpResponse::NoContent().finish())
}

/// The client's current knowledge of a player's seats.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SeatsQuery {
    /// The value of `tag` from the previous response.
    tag: Option<String>,
}

/// A seat that is assigned to a player.
#[derive(Debug, Serialize, ToSchema)]
struct SeatView {
    #[serde(rename = "match")]
    match_id: String,
    role: String,
    /// The path of the seat, as `croupier join` takes it after the server's address.
    path: String,
}

/// A player's seats in matches that are not over.
#[derive(Debug, Serialize, ToSchema)]
struct Seats {
    seats: Vec<SeatView>,
    /// The value of `tag` for the next request.
    tag: String,
}

/// The seats that wait for a connecting player
///
/// All its seats in matches that are not over, the oldest first, each to be taken with the player's own token. With the `tag` of the
/// previous response, the server waits for a change, and answers 204 after half a minute without one.
#[utoipa::path(
    params(SeatsQuery),
    responses((status = 200, body = Seats), (status = 204), (status = 403)),
    extensions(("x-right" = json!("be")))
)]
#[get("/players/{name}/seats")]
pub(super) async fn seats(
    request: HttpRequest,
    context: Data<Context>,
    name: Path<String>,
    Asked(known): Asked<SeatsQuery>,
) -> Answer {
    context.demand(&request, Operation::Be(&name)).await?;
    let mut changes = context.referee.changes();
    let end = clock::now() + POLL_MAX;
    loop {
        changes.borrow_and_update();
        let seats = seats_of(&context, &name).await?;
        let paths: Vec<&str> = seats.iter().map(|seat| seat.path.as_str()).collect();
        let tag = Digest::of(paths.join("\n").as_bytes()).to_string();
        if known.tag.as_ref() != Some(&tag) {
            return Ok(HttpResponse::Ok().json(Seats { seats, tag }));
        }
        if clock::now() >= end || context.referee.is_leaving() {
            return Ok(HttpResponse::NoContent().finish());
        }
        let look = Instant::from_std(end.min(clock::now() + LOOK));
        if timeout_at(look, changes.changed()).await.is_ok_and(|changed| changed.is_err()) {
            sleep_until(look).await;
        }
    }
}

async fn seats_of(context: &Context, name: &str) -> Result<Vec<SeatView>> {
    let found = context.referee.store().seats_of(name).await?;
    let waits = |(_, role, setup): &(String, String, String)| {
        let setup = StoredSetup::read(setup).ok();
        setup.is_some_and(|setup| setup.seats.get(role).is_some_and(SeatSetup::waits_for_player))
    };
    let view = |(match_id, role, _): (String, String, String)| {
        let path = format!("/v1/matches/{match_id}/seats/{role}");
        SeatView { match_id, role, path }
    };
    Ok(found.into_iter().filter(waits).map(view).collect())
}
