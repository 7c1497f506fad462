//! Games: the catalogue, uploaded games, and checks of rules.

use actix_web::{
    HttpRequest, HttpResponse, get, post,
    web::{Bytes, Data, Path},
};
use croupier_games::{catalogue, find, real_time_catalogue};
use croupier_referee::Digest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Answer, Context, decoded, made};
use crate::{
    checking::SMALL_BYTES_MAX,
    clock,
    connections::Connection,
    findings::{Finding, Findings},
    names,
    problem::{Problem, ProblemCode},
    rights::Operation,
    store::StoredGame,
};

/// A game that a match can name.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GameView {
    name: String,
    title: Option<String>,
    /// Who uploaded it; absent for a game of the catalogue.
    uploaded_by: Option<String>,
}

/// Every game that a match can name
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Games {
    games: Vec<GameView>,
}

/// Games of the catalogue and uploaded games
#[utoipa::path(responses((status = 200, body = Games)), extensions(("x-right" = json!("anybody"))))]
#[get("/games")]
pub(super) async fn index(context: Data<Context>) -> Answer {
    let built_in = catalogue().iter().chain(real_time_catalogue()).map(|entry| GameView {
        name: entry.name.to_owned(),
        title: entry.facts().map(|facts| facts.title).ok(),
        uploaded_by: None,
    });
    let uploaded = context.referee.store().uploads().await?.into_iter();
    let uploaded =
        uploaded.map(|game| GameView { name: game.name, title: None, uploaded_by: Some(game.uploaded_by) });
    Ok(HttpResponse::Ok().json(Games { games: built_in.chain(uploaded).collect() }))
}

/// A game to upload.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Upload {
    /// Its name: letters, digits and hyphens.
    name: String,
    /// Its rules in GDL or GDL-II.
    rules: String,
}

/// Upload a game
///
/// The rules are checked, and all findings are returned. Uploading the same game under the same name again has no effect.
#[utoipa::path(
    request_body = Upload,
    responses((status = 201, body = FindingsView), (status = 422)),
    extensions(("x-right" = json!("organise")))
)]
#[post("/games")]
pub(super) async fn upload(request: HttpRequest, context: Data<Context>, body: Bytes) -> Answer {
    let actor = context.demand(&request, Operation::Organise).await?;
    let Upload { name, rules } = decoded(&body)?;
    names::demand("a game", &name)?;
    let taken = || ProblemCode::Taken.because(format!("the name is already taken by another game '{name}'"));
    if find(&name).is_some() {
        return Err(taken());
    }
    let Findings { list, .. } = context.referee.take_in(&rules, Connection::of(&request)).await?;
    if !context.referee.is_real_time(&rules) {
        context.referee.measure(rules.clone()).await?;
    }
    let digest = Digest::of(rules.as_bytes()).to_string();
    let game = StoredGame { name: name.clone(), digest, uploaded_by: actor.name() };
    if !context.referee.store().upload(&game, &rules, clock::unix_ms()).await? {
        return Err(taken());
    }
    Ok(made(format!("/v1/games/{name}"), FindingsView { playable: true, findings: list }))
}

/// The rules of a game
#[utoipa::path(
    responses((status = 200, content_type = "text/plain"), (status = 404)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/games/{name}")]
pub(super) async fn text(context: Data<Context>, name: Path<String>) -> Answer {
    let rules = context.referee.rules(&name).await?;
    let rules = rules.ok_or_else(|| Problem::absent("there is no such game"))?;
    Ok(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(rules))
}

/// The findings about rules.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FindingsView {
    /// Whether the rules can be played, as far as the text shows.
    playable: bool,
    findings: Vec<Finding>,
}

/// Every finding about rules
///
/// Rules of more than 16 KiB need a token: that of the operator, an organiser or a player. A check takes at most 5 seconds
/// of processor time, and ends when the client closes the connection.
#[utoipa::path(
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = FindingsView), (status = 401), (status = 422)),
    security((), ("token" = [])),
    extensions(("x-right" = json!("anybody")))
)]
#[post("/games/check")]
pub(super) async fn check(request: HttpRequest, context: Data<Context>, rules: String) -> Answer {
    context.demand(&request, Operation::Check { is_small: rules.len() <= SMALL_BYTES_MAX }).await?;
    let Findings { list, is_playable } =
        context.referee.checks.findings(rules, Connection::of(&request)).await?;
    Ok(HttpResponse::Ok().json(FindingsView { playable: is_playable, findings: list }))
}
