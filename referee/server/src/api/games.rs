//! Games: those of the catalogue, and rules to be checked.

use actix_web::{HttpResponse, Responder, web::Path};
use croupier_games::{catalogue, find};
use serde_json::json;

use crate::{
    findings::{Findings, findings},
    problem::Problem,
};

pub(super) async fn list() -> impl Responder {
    let games = catalogue().iter().map(|entry| {
        let title = entry.facts().map(|facts| facts.title).unwrap_or_default();
        json!({ "name": entry.name, "title": title })
    });
    HttpResponse::Ok().json(json!({ "games": games.collect::<Vec<_>>() }))
}

pub(super) async fn rules(name: Path<String>) -> Result<HttpResponse, Problem> {
    let entry = find(&name).ok_or_else(|| Problem::absent("there is no such game"))?;
    Ok(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(entry.rules))
}

pub(super) async fn check(rules: String) -> impl Responder {
    let Findings { list, is_sound } = findings(&rules);
    HttpResponse::Ok().json(json!({ "playable": is_sound, "findings": list }))
}
