//! Games: those of the catalogue, and rules to be checked.

use actix_web::{HttpResponse, Responder, web::Path};
use croupier_engine::{Limits, Severity, Strictness, stages::check::check_text};
use croupier_games::{catalogue, find};
use serde_json::{Value, json};

use crate::problem::Problem;

/// What there is to say about rules.
pub(crate) struct Findings {
    /// One object a finding.
    pub(crate) list: Vec<Value>,
    /// Whether they can be played.
    pub(crate) is_sound: bool,
}

/// Every finding about rules, as players of this server would be refused or warned.
pub(crate) fn findings(rules: &str) -> Findings {
    let (checked, found) = check_text(rules, Strictness::Compatible, &Limits::STANDARD);
    let list = found.iter().map(|finding| {
        let before = &rules[..(finding.span.start as usize).min(rules.len())];
        json!({
            "code": finding.code,
            "severity": match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            "message": finding.message,
            "line": before.matches('\n').count() + 1,
        })
    });
    Findings { list: list.collect(), is_sound: checked.is_some() }
}

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
