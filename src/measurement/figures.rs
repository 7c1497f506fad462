//! What a strategy is worth, in words and as JSON: the part that does not depend on how it was found out.

use croupier_games::Payoff;
use croupier_solvers::{Evaluation, PlayerValue};
use serde_json::{Map, Value, json};

use crate::source::Source;

/// What a strategy is worth in some game.
pub(crate) struct Figures<'f> {
    pub(crate) source: &'f Source,
    /// By player, the name of its role as the rules write it.
    pub(crate) roles: Vec<&'f str>,
    pub(crate) evaluation: &'f Evaluation,
}

impl Figures<'_> {
    fn payoff(&self) -> Option<&Payoff> {
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

    /// The same as JSON: `roles`, `nash_conv` and `exploitability` in goals, and the latter in `payoff` too if the game has
    /// a unit of its own.
    pub(crate) fn as_json(&self) -> Value {
        let roles: Map<String, Value> =
            self.roles.iter().zip(&self.evaluation.players).map(|role| self.role_json(role)).collect();
        let far = |scale: f64| {
            json!({
                "nash_conv": self.evaluation.nash_conv() / scale,
                "exploitability": self.evaluation.exploitability() / scale,
            })
        };
        let mut object = far(1.0);
        let payoff = self.payoff().map(|payoff| {
            let mut object = far(self.scale());
            object["unit"] = json!(payoff.unit);
            object
        });
        object["game"] = json!(self.source.name);
        object["payoff"] = json!(payoff);
        object["roles"] = json!(roles);
        object
    }

    fn role_json(&self, role: (&&str, &PlayerValue)) -> (String, Value) {
        let found = role.1;
        let mut object = json!({
            "value": found.value,
            "best_response": found.best_response,
            "gain": found.gain(),
        });
        if self.payoff().is_some() {
            object["payoff"] = json!({
                "value": self.value(found.value),
                "best_response": self.value(found.best_response),
                "gain": found.gain() / self.scale(),
            });
        }
        ((*role.0).to_owned(), object)
    }
}
