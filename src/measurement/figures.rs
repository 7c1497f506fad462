//! What a strategy is worth, in words and as JSON: the part that does not depend on how it was found out.

use std::collections::BTreeMap;

use croupier_games::Payoff;
use croupier_solvers::{Evaluation, PlayerValue};
use serde::Serialize;

use crate::arguments::source::Source;

/// What a strategy is worth in some game.
pub(crate) struct Figures<'f> {
    pub(crate) source: &'f Source,
    /// By player, the name of its role as the rules write it.
    pub(crate) roles: Vec<&'f str>,
    pub(crate) evaluation: &'f Evaluation,
    /// By player, its information sets, if they are known.
    pub(crate) information_sets: Vec<u64>,
}

/// What a strategy is worth, in goal values.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FiguresReport<'f> {
    game: &'f str,
    #[serde(flatten)]
    distance: Distance,
    roles: BTreeMap<&'f str, RoleReport>,
}

/// How far a strategy is from an equilibrium.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Distance {
    /// The sum of the gains.
    nash_conv: f64,
    /// Their mean.
    exploitability: f64,
}

/// The same in the game's unit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PayoffReport<'f> {
    unit: &'f str,
    #[serde(flatten)]
    distance: Distance,
}

/// What a strategy is worth to one role, in goal values.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RoleReport {
    #[serde(flatten)]
    worth: WorthReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    information_sets: Option<u64>,
    /// The same in the game's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    payoff: Option<WorthReport>,
}

/// What a strategy is worth.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WorthReport {
    /// Expected under the strategy.
    value: f64,
    /// Expected of a best response.
    best_response: f64,
    /// Their difference.
    gain: f64,
}

impl<'f> Figures<'f> {
    fn payoff(&self) -> Option<&'f Payoff> {
        self.source.facts.payoff.as_ref()
    }

    /// Goal values per unit of the literature; 1 without one.
    pub(crate) fn scale(&self) -> f64 {
        self.payoff().map_or(1.0, |payoff| payoff.scale.abs())
    }

    /// The unit of the literature, or that of goals.
    pub(crate) fn unit(&self) -> &str {
        self.source.facts.unit()
    }

    /// A goal value in the unit of the literature.
    pub(crate) fn value(&self, goal: f64) -> f64 {
        self.payoff().map_or(goal, |payoff| payoff.payoff(goal))
    }

    /// A table with a row for each player.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let words = &self.source.facts.words;
        let mut rows = vec![["role", "value", "best response", "gain"].map(str::to_owned).to_vec()];
        if self.payoff().is_some() {
            let unit = self.unit();
            rows[0].extend(["value", "best response", "gain"].map(|what| format!("{what} in {unit}")));
        }
        for (role, found) in self.roles.iter().zip(&self.evaluation.players) {
            let mut row = vec![words.symbol_text(role)];
            row.extend([found.value, found.best_response, found.gain()].map(|goal| format!("{goal:.3}")));
            if self.payoff().is_some() {
                let values = [found.value, found.best_response].map(|goal| self.value(goal));
                row.extend(values.map(|value| format!("{value:.4}")));
                row.push(format!("{:.4}", found.gain() / self.scale()));
            }
            rows.push(row);
        }
        rows
    }

    /// How exploitable the strategy is.
    pub(crate) fn exploitability_line(&self) -> String {
        let (goals, players) = (self.evaluation.exploitability(), self.evaluation.players.len());
        let mut line = format!("exploitability (NashConv / {players}): {goals:.4} goals");
        if self.payoff().is_some() {
            line += &format!(", {:.4} {}", goals / self.scale(), self.unit());
        }
        line
    }

    /// The same as data.
    pub(crate) fn report(&self) -> FiguresReport<'f> {
        let players = self.evaluation.players.iter().enumerate();
        let roles = players.map(|(player, found)| {
            let &PlayerValue { value, best_response } = found;
            let payoff = self.payoff().map(|payoff| WorthReport {
                value: payoff.payoff(value),
                best_response: payoff.payoff(best_response),
                gain: found.gain() / self.scale(),
            });
            let worth = WorthReport { value, best_response, gain: found.gain() };
            let information_sets = self.information_sets.get(player).copied();
            (self.roles[player], RoleReport { worth, information_sets, payoff })
        });
        FiguresReport { game: &self.source.name, distance: self.distance(1.0), roles: roles.collect() }
    }

    /// The same in the unit of the literature, if the game has one.
    pub(crate) fn payoff_report(&self) -> Option<PayoffReport<'f>> {
        self.payoff().map(|payoff| PayoffReport { unit: &payoff.unit, distance: self.distance(self.scale()) })
    }

    fn distance(&self, scale: f64) -> Distance {
        Distance {
            nash_conv: self.evaluation.nash_conv() / scale,
            exploitability: self.evaluation.exploitability() / scale,
        }
    }
}
