//! The pages of the server, for people with browsers: the lobby, games, tables, replays, tournaments.
//!
//! A handler asks the same functions as the JSON API, fills a struct of `croupier-pages` and sends what that writes. Errors are
//! [`Problem`]s as everywhere; a browser that asks for a page is shown one that says the same in words (`refusal.rs`).

mod advice;
mod assets;
mod catalogue;
mod followed;
mod forms;
mod invitations;
mod links;
mod next;
mod opening;
mod panels;
mod people;
mod posters;
mod reader;
mod replay;
mod screen;
mod screens;
mod seat_reader;
mod table;
pub(crate) mod watched;
mod timed_screen;
mod refusal;
mod written;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::HeaderValue,
    web::{FormConfig, ServiceConfig},
};
use askama::Template;
use croupier_pages::render;

pub(crate) use advice::SeatAdvice;
pub(crate) use posters::Posters;
pub(crate) use refusal::{refusal, wants_page};
pub(crate) use screens::Screens;

use crate::{
    application::BODY_BYTES_MAX,
    problem::{ProblemCode, Result},
};

/// The type of every page.
const HTML: &str = "text/html; charset=utf-8";

/// The policy of every page: it loads what this server has, and runs no script that stands in it.
pub(crate) const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'self'",
);

/// What may be kept for a year, since its address changes with its content.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// What a handler of a page answers.
type PageAnswer = Result<HttpResponse>;

/// A page.
fn page(page: &impl Template) -> PageAnswer {
    let html = render(page).map_err(|error| {
        tracing::error!(%error, "page");
        ProblemCode::Internal
    })?;
    Ok(HttpResponse::Ok().content_type(HTML).body(html))
}

/// Sends a browser on to another page after a form.
fn see_other(place: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header(("Location", place)).finish()
}

/// Whether a form was sent by the script of a page, which shows a part of a page instead of a whole one.
fn is_from_script(request: &HttpRequest) -> bool {
    request.headers().contains_key("HX-Request")
}

/// Every method and path of a page: metrics use them as labels.
pub(crate) const ROUTES: &[(&str, &str)] = &[
    ("GET", "/"),
    ("GET", "/assets/{version}/{name}"),
    ("GET", "/games"),
    ("POST", "/games/check"),
    ("GET", "/games/{name}"),
    ("GET", "/games/{name}/picture.svg"),
    ("GET", "/new"),
    ("POST", "/new"),
    ("GET", "/i/{token}"),
    ("POST", "/i/{token}"),
    ("GET", "/s/{id}"),
    ("GET", "/s/{id}/stream"),
    ("GET", "/s/{id}/next"),
    ("POST", "/s/{id}/move"),
    ("POST", "/s/{id}/do"),
    ("POST", "/s/{id}/say"),
    ("GET", "/s/{id}/hands/{index}"),
    ("GET", "/m/{id}"),
    ("GET", "/t/{id}"),
    ("GET", "/p/{name}"),
];

/// The pages.
pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .app_data(FormConfig::default().limit(BODY_BYTES_MAX))
        .service(assets::send)
        .service(catalogue::lobby)
        .service(catalogue::index)
        .service(written::check)
        .service(catalogue::show)
        .service(catalogue::picture)
        .service(opening::ask)
        .service(opening::open)
        .service(invitations::show)
        .service(invitations::accept)
        .service(table::show)
        .service(table::follow)
        .service(next::go_on)
        .service(forms::play)
        .service(forms::control)
        .service(forms::say)
        .service(replay::show)
        .service(replay::show_alone)
        .service(people::tournament)
        .service(people::player);
}
