//! Ratings of everyone who has a name.

use actix_web::{HttpResponse, get, web::Data};
use croupier_results::RatingSystem;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    Answer, Context,
    query::{Asked, next, page_size},
};
use crate::{
    problem::{ProblemCode, Result},
    store::StoredRating,
};

/// The ratings to return.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RatingsQuery {
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
    params(RatingsQuery),
    responses((status = 200, body = RatingsView), (status = 422)),
    extensions(("x-right" = json!("anybody")))
)]
#[get("/ratings")]
pub(super) async fn list(context: Data<Context>, Asked(page): Asked<RatingsQuery>) -> Answer {
    let RatingsQuery { game, system, count, after } = page;
    let (count, after) = (page_size(count), after.as_deref().map(place).transpose()?);
    let found = context.referee.store().ratings(&game, system, after, count).await?;
    let next = next(&found, count, |last| format!("{}~{}", last.value(system), last.player));
    let ratings = found.into_iter().map(RatingView::from).collect();
    Ok(HttpResponse::Ok().json(RatingsView { ratings, next }))
}

/// The position in the list that a cursor represents.
fn place(cursor: &str) -> Result<(f64, String)> {
    let parts =
        cursor.split_once('~').and_then(|(value, player)| Some((value.parse().ok()?, player.to_owned())));
    parts.filter(|(value, _): &(f64, _)| value.is_finite()).ok_or_else(|| ProblemCode::BadCursor.into())
}
