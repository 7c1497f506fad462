//! How matches end in the store: noted once, with everything that follows from it in the same transaction.
//!
//! Rows are locked in the same order by everybody: tournaments, fixtures, deals, ratings, each kind in ascending order.

use std::collections::BTreeMap;

use croupier_results::MatchResult;
use sqlx::{AnyConnection, Row as _};

use super::{count, number, ratings};
use crate::outcome::MatchOutcome;

/// The end of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending<'w> {
    pub(super) id: &'w str,
    pub(super) status: &'w str,
    /// How it ended, as JSON.
    pub(super) outcome: &'w str,
}

/// A deal of a tournament.
pub(super) type Deal = (String, i64);

/// Notes how matches ended, each if that was not noted before; with it the results of tournaments, and the ratings of players.
///
/// A match on a deal that others play too is rated when all of them are over: who won tells of their cards.
pub(super) async fn end(
    connection: &mut AnyConnection,
    mut endings: Vec<Ending<'_>>,
) -> Result<(), sqlx::Error> {
    endings.sort_unstable_by_key(|ending| ending.id);
    let mut to_rate = Vec::new();
    let mut of_tournaments: BTreeMap<String, Vec<Ending<'_>>> = BTreeMap::new();
    for ending in endings {
        let row = sql!(
            fetch_optional(&mut *connection),
            "UPDATE match SET status = $1, outcome = $2 WHERE id = $3 AND outcome IS NULL
             RETURNING rating_pool, tournament",
            [ending.status, ending.outcome, ending.id]
        )?;
        let Some(row) = row else { continue };
        match row.get::<Option<String>, _>(1) {
            Some(tournament) => of_tournaments.entry(tournament).or_default().push(ending),
            None if row.get::<Option<String>, _>(0).is_some() => to_rate.push(ending.id.to_owned()),
            None => {}
        }
    }
    let mut deals = BTreeMap::new();
    for (tournament, endings) in &of_tournaments {
        sql!(
            execute(&mut *connection),
            "UPDATE tournament SET live = live - $1 WHERE id = $2",
            [number(endings.len() as u64), tournament]
        )?;
    }
    for (tournament, endings) in of_tournaments {
        for ending in endings {
            if let Some(deal) = note_result(connection, &ending).await? {
                *deals.entry((tournament.clone(), deal)).or_insert(0) += 1;
            }
        }
    }
    to_rate.append(&mut close_deals(connection, deals).await?);
    ratings::take_in(connection, &to_rate).await
}

/// Notes the result of a match of a tournament; its deal.
async fn note_result(
    connection: &mut AnyConnection,
    ending: &Ending<'_>,
) -> Result<Option<i64>, sqlx::Error> {
    let row = sql!(
        fetch_optional(&mut *connection),
        "SELECT place, seats, deal, roles FROM fixture JOIN tournament ON tournament.id = fixture.tournament
         WHERE match = $1 AND result IS NULL",
        [ending.id]
    )?;
    let Some(row) = row else { return Ok(None) };
    let seats: Vec<usize> = serde_json::from_str(&row.get::<String, _>(1)).unwrap_or_default();
    let roles: Vec<String> = serde_json::from_str(&row.get::<String, _>(3)).unwrap_or_default();
    let result =
        serde_json::to_string(&result(count(&row, 0), seats, &roles, ending)).expect("plain data is JSON");
    sql!(execute(&mut *connection), "UPDATE fixture SET result = $1 WHERE match = $2", [result, ending.id])?;
    Ok(Some(row.get(2)))
}

/// A match that is over, as a line of results.
fn result(index: u64, seats: Vec<usize>, roles: &[String], ending: &Ending<'_>) -> MatchResult {
    let MatchOutcome { conduct, goals, turns, .. } = MatchOutcome::read(ending.outcome);
    let reasons = |role: &String| conduct.get(role).map(|own| own.substituted.clone()).unwrap_or_default();
    let reasons: Vec<BTreeMap<String, u64>> = roles.iter().map(reasons).collect();
    MatchResult {
        index,
        match_id: ending.id.to_owned(),
        seats,
        status: ending.status.to_owned(),
        turns,
        goals: goals.and_then(|goals| roles.iter().map(|role| goals.get(role).copied()).collect()),
        no_moves: reasons.iter().map(|reasons| reasons.values().sum()).collect(),
        reasons: Some(reasons),
        looked_up: None,
        record_end: None,
    }
}

/// Counts down the matches of deals that are not over; the matches of those deals of which none is left.
pub(super) async fn close_deals(
    connection: &mut AnyConnection,
    ended: BTreeMap<Deal, i64>,
) -> Result<Vec<String>, sqlx::Error> {
    let mut closed = Vec::new();
    for ((tournament, number), count) in ended {
        let row = sql!(
            fetch_optional(&mut *connection),
            "UPDATE deal SET open = open - $1 WHERE tournament = $2 AND number = $3 RETURNING open",
            [count, &tournament, number]
        )?;
        if row.is_some_and(|row| row.get::<i64, _>(0) == 0) {
            closed.push((tournament, number));
        }
    }
    let mut matches = Vec::new();
    for (tournament, number) in closed {
        let rows = sql!(
            fetch_all(&mut *connection),
            "SELECT match FROM fixture WHERE tournament = $1 AND deal = $2 AND match IS NOT NULL ORDER BY place",
            [tournament, number]
        )?;
        matches.extend(rows.iter().map(|row| row.get::<String, _>(0)));
    }
    Ok(matches)
}

#[cfg(test)]
mod tests;
