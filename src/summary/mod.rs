//! What many matches or playouts were worth: means, intervals, distributions.

mod bounds;
mod cells;
mod tally;

use std::{io, io::Write};

use croupier_engine::{ByPlayer, GoalValue, RoleId, Roles};
use croupier_games::GameFacts;
use serde_json::{Value, json};

pub(crate) use self::{
    bounds::GoalBounds,
    cells::{cells, goal_cells, goal_interval, payoff_cells, payoff_interval},
    tally::Tally,
};
use crate::columns::write_rows;

/// More distinct goal values than these are not listed one by one for people.
const LISTED_MAX: usize = 16;

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

/// The same facts as data, by the names of the roles.
pub(crate) fn as_json(roles: &Roles, facts: &GameFacts, tallies: &ByPlayer<Tally>) -> Value {
    let of_role = |tally: &Tally| {
        let mean = tally.mean();
        let mut object = json!({
            "mean": mean.map(|mean| mean.mean),
            "interval_95": mean.and_then(|mean| goal_interval(mean, tally.bounds())),
            "distribution": tally.0.iter().map(|(value, times)| (value.to_string(), json!(times)))
                .collect::<serde_json::Map<_, _>>(),
        });
        if let (Some(payoff), Some(mean)) = (&facts.payoff, mean) {
            object["payoff"] = json!({
                "unit": payoff.unit,
                "mean": payoff.payoff(mean.mean),
                "interval_95": payoff_interval(mean, tally.bounds(), payoff),
            });
        }
        object
    };
    tallies
        .iter()
        .map(|(role, tally)| (roles.name(role).to_owned(), of_role(tally)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The range that the goals of all players are in.
pub(crate) fn bounds(tallies: &ByPlayer<Tally>) -> GoalBounds {
    GoalBounds::of(tallies.iter().flat_map(|(_, tally)| tally.0.keys().copied()))
}

/// What each player got, by the names of the roles: null if the match has no result.
pub(crate) fn goals_json(roles: &Roles, goals: Option<&ByPlayer<GoalValue>>) -> Value {
    by_player(roles, goals, |goal| json!(goal.value()))
}

/// The same in the unit of the literature: null if the match has no result, or the game no unit of its own.
pub(crate) fn payoffs_json(roles: &Roles, facts: &GameFacts, goals: Option<&ByPlayer<GoalValue>>) -> Value {
    let Some(payoff) = &facts.payoff else { return Value::Null };
    by_player(roles, goals, |goal| json!(payoff.payoff(f64::from(goal.value()))))
}

/// The unit of the literature that payoffs are in, if the game has one.
pub(crate) fn unit_json(facts: &GameFacts) -> Value {
    json!(facts.payoff.as_ref().map(|payoff| &payoff.unit))
}

fn by_player(
    roles: &Roles,
    goals: Option<&ByPlayer<GoalValue>>,
    value: impl Fn(GoalValue) -> Value,
) -> Value {
    let Some(goals) = goals else { return Value::Null };
    let of_role = |(role, goal): (RoleId, &GoalValue)| (roles.name(role).to_owned(), value(*goal));
    goals.iter().map(of_role).collect::<serde_json::Map<_, _>>().into()
}

/// A share of a total as a percentage.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn percent(part: u64, total: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / total as f64)
}
