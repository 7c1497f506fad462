//! Ratings by name and game, as stored: exactly, in both systems.

use std::collections::{BTreeMap, BTreeSet};

use croupier_results::{Glicko2, RatingSystem, Ratings, WengLin};
use sqlx::{AnyConnection, AssertSqlSafe, Row as _, any::AnyRow};

use super::{Result, Store};
use crate::outcome::MatchOutcome;

/// A rating in a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredRating {
    /// The game.
    pub(crate) pool: String,
    /// A registered player, or an agent under the name it was given as.
    pub(crate) player: String,
    pub(crate) weng_lin: WengLin,
    pub(crate) glicko2: Glicko2,
    /// The number of rated matches.
    pub(crate) matches: i64,
}

/// What is read of a rating.
const RATING: &str = "SELECT pool, player, mu, sigma, glicko, deviation, volatility, matches FROM rating";

impl StoredRating {
    /// The rating of a row of [`RATING`].
    fn of(row: &AnyRow) -> Self {
        Self {
            pool: row.get(0),
            player: row.get(1),
            weng_lin: WengLin { mu: row.get(2), sigma: row.get(3) },
            glicko2: Glicko2 { rating: row.get(4), deviation: row.get(5), volatility: row.get(6) },
            matches: row.get(7),
        }
    }

    /// The number by which it stands in the list.
    pub(crate) fn value(&self, system: RatingSystem) -> f64 {
        match system {
            RatingSystem::WengLin => self.weng_lin.mu,
            RatingSystem::Glicko2 => self.glicko2.rating,
        }
    }
}

impl Store {
    /// Ratings in a game behind one, the best first, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn ratings(
        &self,
        pool: &str,
        system: RatingSystem,
        after: Option<(f64, String)>,
        count: u32,
    ) -> Result<Vec<StoredRating>> {
        let by = match system {
            RatingSystem::WengLin => "mu",
            RatingSystem::Glicko2 => "glicko",
        };
        let (value, player) = after.unwrap_or((f64::MAX, String::new()));
        let rows = sql!(
            fetch_all(&self.pool),
            AssertSqlSafe(format!(
                "{RATING} WHERE pool = $1 AND ({by} < $2 OR ({by} = $2 AND player > $3))
             ORDER BY {by} DESC, player LIMIT $4"
            )),
            [pool, value, player, i64::from(count)]
        )?;
        Ok(rows.iter().map(StoredRating::of).collect())
    }

    /// The ratings of a player, by game.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn ratings_of(&self, player: &str) -> Result<Vec<StoredRating>> {
        let rows = sql!(
            fetch_all(&self.pool),
            AssertSqlSafe(format!("{RATING} WHERE player = $1 ORDER BY pool")),
            [player]
        )?;
        Ok(rows.iter().map(StoredRating::of).collect())
    }
}

/// Whoever is rated, in a game.
type Rated = (String, String);

/// What a match says of those who sat there.
struct Comparison {
    players: Vec<Rated>,
    goals: Vec<i32>,
}

/// Takes matches into the ratings of those who sit there, one after the other. Matches that are not rated, ended neither by the
/// rules nor because somebody withheld a nonce, or have a seat without a name change nothing.
///
/// All ratings are locked first, in their order, and are the last that is locked: servers that end matches of the same
/// players wait for each other, and never in a circle.
pub(super) async fn take_in(connection: &mut AnyConnection, matches: &[String]) -> Result<(), sqlx::Error> {
    let mut comparisons = Vec::new();
    for id in matches {
        comparisons.extend(comparison(connection, id).await?);
    }
    let keys: BTreeSet<&Rated> = comparisons.iter().flat_map(|one| &one.players).collect();
    let mut known = Vec::new();
    for (pool, player) in &keys {
        known.push(lock(connection, pool, player).await?);
    }
    let places: BTreeMap<&Rated, usize> = keys.into_iter().zip(0..).collect();
    let mut weng_lin = Ratings::WengLin(known.iter().map(|one| Some(one.weng_lin)).collect());
    let mut glicko2 = Ratings::Glicko2(known.iter().map(|one| Some(one.glicko2)).collect());
    for Comparison { players, goals } in &comparisons {
        let seats: Vec<usize> = players.iter().map(|player| places[player]).collect();
        weng_lin.take_match(&seats, goals);
        glicko2.take_match(&seats, goals);
        seats.iter().for_each(|seat| known[*seat].matches += 1);
    }
    let (Ratings::WengLin(weng_lin), Ratings::Glicko2(glicko2)) = (weng_lin, glicko2) else { return Ok(()) };
    for ((rated, weng_lin), glicko2) in known.iter_mut().zip(weng_lin).zip(glicko2) {
        rated.weng_lin = weng_lin.unwrap_or_default();
        rated.glicko2 = glicko2.unwrap_or_default();
        write(connection, rated).await?;
    }
    Ok(())
}

/// What a match says of those who sat there, if it says something of them.
async fn comparison(connection: &mut AnyConnection, id: &str) -> Result<Option<Comparison>, sqlx::Error> {
    let row = sql!(
        fetch_optional(&mut *connection),
        "SELECT rating_pool, outcome FROM match
         WHERE id = $1 AND rating_pool IS NOT NULL AND status IN ('terminal', 'withheld')",
        [id]
    )?;
    let Some(row) = row else { return Ok(None) };
    let (pool, outcome): (String, Option<String>) = (row.get(0), row.get(1));
    let goals = outcome.and_then(|text| MatchOutcome::read(&text).goals).unwrap_or_default();
    let seats = sql!(
        fetch_all(&mut *connection),
        "SELECT role, player FROM seat WHERE match = $1 ORDER BY role",
        [id]
    )?;
    let sat = |row: &AnyRow| {
        let (role, player): (&str, Option<String>) = (row.get(0), row.get(1));
        Some(((pool.clone(), player?), *goals.get(role)?))
    };
    let Some(sat) = seats.iter().map(sat).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let (players, goals): (Vec<Rated>, Vec<i32>) = sat.into_iter().unzip();
    let different = players.iter().collect::<BTreeSet<_>>().len();
    // Whoever sits in two seats, or alone, is compared with nobody.
    Ok((different == players.len() && different > 1).then_some(Comparison { players, goals }))
}

/// The rating of somebody, which nobody else changes before this transaction ends.
async fn lock(connection: &mut AnyConnection, pool: &str, player: &str) -> Result<StoredRating, sqlx::Error> {
    let (new, glicko2) = (WengLin::default(), Glicko2::default());
    let row = sql!(
        fetch_one(&mut *connection),
        "INSERT INTO rating (pool, player, mu, sigma, glicko, deviation, volatility, matches)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 0)
         ON CONFLICT (pool, player) DO UPDATE SET matches = rating.matches
         RETURNING pool, player, mu, sigma, glicko, deviation, volatility, matches",
        [pool, player, new.mu, new.sigma, glicko2.rating, glicko2.deviation, glicko2.volatility]
    )?;
    Ok(StoredRating::of(&row))
}

async fn write(connection: &mut AnyConnection, rated: &StoredRating) -> Result<(), sqlx::Error> {
    sql!(
        execute(&mut *connection),
        "UPDATE rating SET mu = $3, sigma = $4, glicko = $5, deviation = $6, volatility = $7, matches = $8
         WHERE pool = $1 AND player = $2",
        [
            &rated.pool,
            &rated.player,
            rated.weng_lin.mu,
            rated.weng_lin.sigma,
            rated.glicko2.rating,
            rated.glicko2.deviation,
            rated.glicko2.volatility,
            rated.matches
        ]
    )?;
    Ok(())
}
