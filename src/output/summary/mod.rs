//! What many matches or playouts were worth: means, intervals, distributions.

mod bounds;
mod cells;
mod tally;

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use croupier_engine::{ByPlayer, GoalValue, RoleId, Roles};
use croupier_games::GameFacts;
use serde::Serialize;

pub(crate) use self::{
    bounds::GoalBounds,
    cells::{MeanReport, PayoffEstimate, goal_cells, goal_interval, payoff_cells},
    tally::Tally,
};
use crate::output::columns::write_rows;

/// More distinct goal values than these are not listed one by one for people.
const LISTED_MAX: usize = 16;

/// What a player got in many matches.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Results<'r> {
    /// The mean goal; null if no match has a result.
    mean: Option<f64>,
    /// The 95 % confidence interval: least and greatest; null if there are too few matches.
    interval_95: Option<[f64; 2]>,
    /// How many matches had each goal value.
    distribution: &'r BTreeMap<i32, u64>,
    /// The same in the game's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    payoff: Option<PayoffEstimate<'r>>,
}

/// No goals yet for any player.
pub(crate) fn tallies(roles: &Roles) -> ByPlayer<Tally> {
    ByPlayer::from_fn(roles, |_| Tally::default())
}

/// What stands above means in a unit. A mean of wins and losses is no number of wins.
pub(crate) fn mean_title(unit: &str) -> String {
    match unit {
        "wins" => "mean (win 1, loss -1)".to_owned(),
        unit => format!("mean in {unit}"),
    }
}

/// A table of the players' mean goals, in the unit of the literature too if the game has one.
pub(crate) fn write_table(
    out: &mut dyn Write,
    roles: &Roles,
    facts: &GameFacts,
    tallies: &ByPlayer<Tally>,
) -> io::Result<()> {
    let mut rows = vec![vec!["role".to_owned(), "mean goal".to_owned(), "95 % interval".to_owned()]];
    if let Some(payoff) = &facts.payoff {
        rows[0].push(mean_title(&payoff.unit));
        rows[0].push("95 % interval".to_owned());
    }
    for (role, tally) in tallies.iter() {
        let Some(mean) = tally.mean() else { continue };
        let mut row = vec![facts.words.symbol_text(roles.name(role))];
        let bounds = tally.bounds();
        row.extend(goal_cells(mean, bounds));
        if let Some(payoff) = &facts.payoff {
            row.extend(payoff_cells(mean, bounds, payoff));
        }
        rows.push(row);
    }
    write_rows(out, &rows)
}

/// How often each goal value came, one line a player, if there are few enough to read.
pub(crate) fn write_distribution(
    out: &mut dyn Write,
    roles: &Roles,
    facts: &GameFacts,
    tallies: &ByPlayer<Tally>,
) -> io::Result<()> {
    for (role, tally) in tallies.iter() {
        let name = facts.words.symbol_text(roles.name(role));
        let count = tally.count();
        if count == 0 {
            continue;
        }
        if tally.0.len() > LISTED_MAX {
            let (least, most) = (tally.0.keys().next(), tally.0.keys().next_back());
            if let (Some(least), Some(most)) = (least, most) {
                writeln!(out, "{name}: {} different goals from {least} to {most}", tally.0.len())?;
            }
            continue;
        }
        let shares: Vec<String> =
            tally.0.iter().map(|(value, &times)| format!("{value} ({})", percent(times, count))).collect();
        writeln!(out, "{name}: goals {}", shares.join(", "))?;
    }
    Ok(())
}

/// Values by the names of the roles that they belong to.
pub(crate) fn by_name<T>(roles: &Roles, of: impl IntoIterator<Item = (RoleId, T)>) -> BTreeMap<String, T> {
    of.into_iter().map(|(role, value)| (roles.name(role).to_owned(), value)).collect()
}

/// The same facts as data, by the names of the roles.
pub(crate) fn results<'r>(
    roles: &Roles,
    facts: &'r GameFacts,
    tallies: &'r ByPlayer<Tally>,
) -> BTreeMap<String, Results<'r>> {
    let of_role = |(role, tally): (RoleId, &'r Tally)| {
        let (mean, bounds) = (tally.mean(), tally.bounds());
        let results = Results {
            mean: mean.map(|mean| mean.mean),
            interval_95: mean.and_then(|mean| goal_interval(mean, bounds)),
            distribution: &tally.0,
            payoff: facts
                .payoff
                .as_ref()
                .zip(mean)
                .map(|(payoff, mean)| PayoffEstimate::new(mean, bounds, payoff)),
        };
        (role, results)
    };
    by_name(roles, tallies.iter().map(of_role))
}

/// The range that the goals of all players are in.
pub(crate) fn bounds(tallies: &ByPlayer<Tally>) -> GoalBounds {
    GoalBounds::of(tallies.iter().flat_map(|(_, tally)| tally.0.keys().copied()))
}

/// What each player got, by the names of the roles; `None` if the match has no result.
pub(crate) fn goals(roles: &Roles, goals: Option<&ByPlayer<GoalValue>>) -> Option<BTreeMap<String, i32>> {
    goals.map(|goals| by_name(roles, goals.iter().map(|(role, goal)| (role, goal.value()))))
}

/// The same in the unit of the literature; `None` if the match has no result, or the game no unit of its own.
pub(crate) fn payoffs(
    roles: &Roles,
    facts: &GameFacts,
    goals: Option<&ByPlayer<GoalValue>>,
) -> Option<BTreeMap<String, f64>> {
    let (payoff, goals) = facts.payoff.as_ref().zip(goals)?;
    Some(by_name(roles, goals.iter().map(|(role, goal)| (role, payoff.payoff(f64::from(goal.value()))))))
}

/// The unit of the literature that payoffs are in, if the game has one.
pub(crate) fn unit(facts: &GameFacts) -> Option<&str> {
    facts.payoff.as_ref().map(|payoff| &*payoff.unit)
}

/// A share of a total as a percentage.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn percent(part: u64, total: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / total as f64)
}
