//! Ratings of everyone who has a name.

use actix_web::{HttpResponse, get, web::Data};
use croupier_results::RatingSystem;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Context, query::Asked};
use crate::{
    problem::{Problem, ProblemBody},
    store::StoredRating,
};

/// Ratings per page, by default and at most.
const PAGE: u32 = 50;
const PAGE_MAX: u32 = 200;

/// The ratings to return.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// The game.
    game: String,
    /// `weng-lin` (default) or `glicko2`.
    #[serde(default)]
    #[param(value_type = String)]
    system: RatingSystem,
    /// Page size: by default 50, at most 200.
    count: Option<u32>,
    /// The value of `next` from the previous page.
    after: Option<String>,
}

/// A rating in a game.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RatingView {
    /// A registered player, or an agent under the name it was given as.
    player: String,
    game: String,
    /// The number of rated matches.
    matches: i64,
    weng_lin: WengLinView,
    glicko2: Glicko2View,
}

/// By Weng and Lin, for any number of seats: initially 25 +- 8.3.
#[derive(Debug, Serialize, ToSchema)]
struct WengLinView {
    mu: f64,
    sigma: f64,
}

/// By Glickman, with each match as a rating period: initially 1500 +- 350.
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

/// A page of ratings.
#[derive(Debug, Serialize, ToSchema)]
struct RatingsView {
    ratings: Vec<RatingView>,
    /// The value of `after` for the next page; absent on the last.
    next: Option<String>,
}

/// Ratings in a game, the best first
///
/// A match that ended by the rules updates the ratings of its players once, when its end is stored.
#[utoipa::path(
    tag = "ratings",
    params(Page),
    responses((status = 200, body = RatingsView), (status = 422, body = ProblemBody)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/ratings")]
pub(super) async fn list(context: Data<Context>, Asked(page): Asked<Page>) -> Result<HttpResponse, Problem> {
    let Page { game, system, count, after } = page;
    let count = count.unwrap_or(PAGE).clamp(1, PAGE_MAX);
    let after = after.map(|cursor| place(&cursor)).transpose()?;
    let found = context.referee.store().ratings(&game, system, after, count).await?;
    let is_full = found.len() == count as usize;
    let next = found.last().filter(|_| is_full).map(|last| format!("{}~{}", last.value(system), last.player));
    let ratings = found.into_iter().map(RatingView::from).collect();
    Ok(HttpResponse::Ok().insert_header(("Cache-Control", "no-store")).json(RatingsView { ratings, next }))
}

/// The position in the list that a cursor represents.
fn place(cursor: &str) -> Result<(f64, String), Problem> {
    let parts = cursor.split_once('~').and_then(|(value, player)| Some((value.parse().ok()?, player)));
    let place = parts.filter(|(value, _): &(f64, &str)| value.is_finite());
    let place = place.map(|(value, player)| (value, player.to_owned()));
    place.ok_or_else(|| Problem::unfit("bad-cursor", "not a value that an earlier page returned as `next`"))
}
