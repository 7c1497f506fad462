//! Ratings of whoever has a name.

use actix_web::{
    HttpResponse, get,
    web::{Data, Query},
};
use croupier_results::RatingSystem;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Context;
use crate::{
    problem::{Problem, ProblemBody},
    store::StoredRating,
};

/// Ratings of one page, if nothing else is said, and at most.
const PAGE: u32 = 50;
const PAGE_MAX: u32 = 200;

/// Which ratings are wanted.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Page {
    /// The game.
    game: String,
    /// `weng-lin` if nothing is said, or `glicko2`.
    #[serde(default)]
    #[param(value_type = String)]
    system: RatingSystem,
    /// How many; 50 if nothing is said, 200 at most.
    count: Option<u32>,
    /// What the page before gave as `next`.
    after: Option<String>,
}

/// How good somebody is at a game.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RatingView {
    /// A registered player, or an agent as it was written.
    player: String,
    game: String,
    /// Matches that it is made of.
    matches: i64,
    weng_lin: WengLinView,
    glicko2: Glicko2View,
}

/// By Weng and Lin, for any number of seats: 25 +- 8.3 at the beginning.
#[derive(Debug, Serialize, ToSchema)]
struct WengLinView {
    mu: f64,
    sigma: f64,
}

/// By Glickman, each match a rating period: 1500 +- 350 at the beginning.
#[derive(Debug, Serialize, ToSchema)]
struct Glicko2View {
    rating: f64,
    deviation: f64,
    volatility: f64,
}

impl From<StoredRating> for RatingView {
    fn from(stored: StoredRating) -> Self {
        let StoredRating { pool, player, weng_lin, glicko2, matches } = stored;
        Self {
            player,
            game: pool,
            matches,
            weng_lin: WengLinView { mu: weng_lin.mu, sigma: weng_lin.sigma },
            glicko2: Glicko2View {
                rating: glicko2.rating,
                deviation: glicko2.deviation,
                volatility: glicko2.volatility,
            },
        }
    }
}

/// Ratings of a page.
#[derive(Debug, Serialize, ToSchema)]
struct RatingsView {
    ratings: Vec<RatingView>,
    /// What `after` is for the next page; nothing on the last.
    next: Option<String>,
}

/// Ratings in a game, the best first
///
/// A match that ended by the rules changes the ratings of those who sat there in the moment in which its end is stored, once.
#[utoipa::path(
    tag = "ratings",
    params(Page),
    responses((status = 200, body = RatingsView), (status = 422, body = ProblemBody)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/ratings")]
pub(super) async fn list(context: Data<Context>, page: Query<Page>) -> Result<HttpResponse, Problem> {
    let Page { game, system, count, after } = page.into_inner();
    let count = count.unwrap_or(PAGE).clamp(1, PAGE_MAX);
    let after = after.map(|cursor| place(&cursor)).transpose()?;
    let found = context.referee.store().ratings(&game, system, after, count).await?;
    let is_full = found.len() == count as usize;
    let next = found.last().filter(|_| is_full).map(|last| format!("{}~{}", last.value(system), last.player));
    let ratings = found.into_iter().map(RatingView::from).collect();
    Ok(HttpResponse::Ok().insert_header(("Cache-Control", "no-store")).json(RatingsView { ratings, next }))
}

/// The place in the list that a cursor means.
fn place(cursor: &str) -> Result<(f64, String), Problem> {
    let parts = cursor.split_once('~').and_then(|(value, player)| Some((value.parse().ok()?, player)));
    let place = parts.filter(|(value, _): &(f64, &str)| value.is_finite());
    let place = place.map(|(value, player)| (value, player.to_owned()));
    place.ok_or_else(|| Problem::unfit("bad-cursor", "not a value that an earlier page returned as `next`"))
}
