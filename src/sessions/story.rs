//! A match told in words, turn by turn: as it was, or as one role saw it.

use std::{io, io::Write};

use croupier_engine::{ByPlayer, Game, GoalValue, Percepts, RoleId, Roles};
use croupier_games::{Drawn, GameFacts, Scene, Words};
use croupier_referee::{Outcome, Replay, ReplayTurn};
use croupier_table::scene_of_state;

use crate::sessions::{conduct::absence, terminal::Stream};

/// Columns of the players of a story that no terminal shows.
const COLUMNS: usize = 100;

/// Columns that the table in a story is indented by.
const INDENT: usize = 9;

/// The move of a role that has nothing to do, by the custom of the language. It is not worth a word.
const IDLE: &str = "noop";

/// A game and the words for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Story<'s> {
    pub(crate) game: &'s Game,
    pub(crate) facts: &'s GameFacts,
}

impl<'s> Story<'s> {
    /// The story of a replay. Its turns have the ids of the game that the replay compiled, and of no other.
    pub(crate) fn of(replayed: &'s Replay, facts: &'s GameFacts) -> Self {
        Self { game: replayed.header().game(), facts }
    }

    fn words(&self) -> &'s Words {
        &self.facts.words
    }

    /// The name of a role in words.
    pub(crate) fn role(&self, role: RoleId) -> String {
        self.words().symbol_text(self.game.roles().name(role))
    }

    /// One turn as it was: what everyone played, and if asked what that changed on the table.
    pub(crate) fn write_turn(
        &self,
        out: &mut dyn Write,
        turn: &ReplayTurn,
        has_changes: bool,
    ) -> io::Result<()> {
        writeln!(out, "turn {:>2}  {}", turn.turn, self.turn_text(turn, has_changes))
    }

    /// The same without its number.
    pub(crate) fn turn_text(&self, turn: &ReplayTurn, has_changes: bool) -> String {
        let before = scene_of_state(self.game, self.facts, &turn.state);
        let moves = turn.joint_move.moves().iter();
        let played = moves.filter_map(|(role, &id)| {
            let term = self.game.move_text(id);
            (&*term != IDLE)
                .then(|| format!("{}: {}", self.role(role), self.words().move_text_in(&term, &before)))
        });
        let mut text = join(played, "nothing happens");
        let changes = match has_changes {
            true => self.facts.changes(&before, &scene_of_state(self.game, self.facts, &turn.successor)),
            false => Vec::new(),
        };
        if !changes.is_empty() {
            text.push_str(&format!(" ({})", changes.join("; ")));
        }
        text
    }

    /// One turn as a role knows it: its own move, and what it was told, in the words that fit what it knew before. `None` if it
    /// did nothing and saw nothing.
    pub(crate) fn seen_turn(&self, turn: &ReplayTurn, role: RoleId, before: &Scene) -> Option<String> {
        self.seen_text(turn, role, before).map(|text| format!("turn {:>2}  {text}", turn.turn))
    }

    /// The same without its number.
    pub(crate) fn seen_text(&self, turn: &ReplayTurn, role: RoleId, before: &Scene) -> Option<String> {
        let own = self.game.move_text(turn.joint_move.of(role));
        let percepts = &turn.percepts[role];
        // Who is told of the own move need not be told of it twice.
        let name = self.game.roles().name(role);
        let is_told = self.game.percept_terms(percepts).iter().any(|term| tells_of(term, name, &own));
        let own =
            (&*own != IDLE && !is_told).then(|| format!("plays {}", self.words().move_text_in(&own, before)));
        let seen = self.percept_lines(percepts, before);
        let seen = (!seen.is_empty()).then(|| format!("sees: {}", seen.join("; ")));
        let parts: Vec<String> = own.into_iter().chain(seen).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// What a role was told in one turn, each percept in the words that fit what it knew before; what has no words is
    /// bookkeeping.
    pub(crate) fn percept_lines(&self, percepts: &Percepts, before: &Scene) -> Vec<String> {
        let terms = self.game.percept_terms(percepts);
        let lines = terms.iter().map(|term| self.words().percept_text_in(term, before));
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// What is on the table, below the turn that led to it.
    pub(crate) fn write_table(&self, out: &mut dyn Write, table: &Drawn) -> io::Result<()> {
        let width = Stream::Output.width().map_or(COLUMNS, |width| width.saturating_sub(INDENT));
        for line in table.text(width).lines() {
            writeln!(out, "{:INDENT$}{line}", "")?;
        }
        writeln!(out)
    }

    /// How a match ended, for somebody who knows this of its end.
    pub(crate) fn outcome(&self, outcome: Option<&Outcome>, end: &Scene) -> String {
        match outcome {
            None => "the record ends here, before the match was over".to_owned(),
            Some(Outcome::Terminal { goals, .. }) => goals_text(self.facts, self.game.roles(), goals, end),
            Some(Outcome::TurnLimit { turns }) => {
                format!("stopped without goals at the limit of {}", turns_text(*turns))
            }
            Some(Outcome::GameError { turns, error, .. }) => {
                format!("stopped after {}: {error}", turns_text(*turns))
            }
            Some(Outcome::Aborted { turns }) => format!("abandoned after {}", turns_text(*turns)),
            Some(Outcome::Void { role, failure }) => {
                format!("void: it never began, for {} {}", self.role(*role), absence(*failure))
            }
            Some(Outcome::Withheld { by }) => {
                let names: Vec<String> = by.iter().map(|(role, _)| self.role(*role)).collect();
                let names = names.join(" and ");
                format!("void: nothing was dealt, for {names} withheld a nonce, which counts as a loss")
            }
        }
    }
}

/// Whether a percept tells of a role's move: `(did alice pass)`, or `(plays alice ace)` of `(play ace)`.
fn tells_of(percept: &str, role: &str, played: &str) -> bool {
    let about = percept.split_once(' ').and_then(|(_, rest)| rest.strip_prefix(role)?.strip_prefix(' '));
    let Some(about) = about.and_then(|rest| rest.strip_suffix(')')) else { return false };
    about == played || played.split_once(' ').is_some_and(|(_, parts)| parts.strip_suffix(')') == Some(about))
}

fn turns_text(turns: u32) -> String {
    format!("{turns} {}", if turns == 1 { "turn" } else { "turns" })
}

/// What everyone got: in the unit of the literature, if the game has one, and the goals behind it. What `[results]` says of
/// players by what is known of the end follows what they got.
pub(crate) fn goals_text(
    facts: &GameFacts,
    roles: &Roles,
    goals: &ByPlayer<GoalValue>,
    end: &Scene,
) -> String {
    let each = |of_role: &dyn Fn(RoleId, GoalValue) -> String| -> Vec<String> {
        goals.iter().map(|(role, &goal)| of_role(role, goal)).collect()
    };
    let got = |of_goal: &dyn Fn(GoalValue) -> String| {
        let parts = each(&|role, goal| {
            let name = facts.words.symbol_text(roles.name(role));
            let result = facts.result_text(roles.name(role), end);
            let result = result.map(|text| format!(" {text}")).unwrap_or_default();
            format!("{name} {}{result}", of_goal(goal))
        });
        // Commas within a part need something stronger between the parts.
        let mark = if parts.iter().any(|part| part.contains(',')) { "; " } else { ", " };
        parts.join(mark)
    };
    let plain = || each(&|_, goal| goal.to_string()).join(", ");
    let has_words = goals.iter().any(|(_, goal)| facts.goal_text(goal.value()).is_some());
    match &facts.payoff {
        None if !has_words => got(&|goal| goal.to_string()),
        None => {
            let won = |goal: GoalValue| facts.goal_text(goal.value()).unwrap_or_else(|| goal.to_string());
            format!("{} (goals {})", got(&won), plain())
        }
        // Payoffs of a draw are zero for everybody.
        Some(map)
            if map.unit == "wins"
                && goals.iter().all(|(_, goal)| map.payoff(f64::from(goal.value())) == 0.0) =>
        {
            format!("a draw (goals {})", plain())
        }
        Some(map) => {
            let won = |goal: GoalValue| {
                let said = facts.goal_text(goal.value());
                said.unwrap_or_else(|| won(map.payoff(f64::from(goal.value())), &map.unit))
            };
            format!("{} (goals {})", got(&won), plain())
        }
    }
}

/// What somebody who gets a payoff does, as people say it.
fn won(payoff: f64, unit: &str) -> String {
    let digits = if payoff.fract() == 0.0 { 0 } else { 2 };
    let name = if payoff.abs() == 1.0 { unit.strip_suffix('s').unwrap_or(unit) } else { unit };
    match unit {
        "wins" if payoff == 1.0 => "wins".to_owned(),
        "wins" if payoff == -1.0 => "loses".to_owned(),
        "wins" if payoff == 0.0 => "draws".to_owned(),
        "wins" => format!("gets {payoff:+.digits$}, where a win is 1"),
        _ if payoff == 0.0 => "breaks even".to_owned(),
        _ if payoff > 0.0 => format!("wins {payoff:.digits$} {name}"),
        _ => format!("loses {:.digits$} {name}", -payoff),
    }
}

fn join(parts: impl Iterator<Item = String>, nothing: &str) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { nothing.to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::{tells_of, won};

    #[test]
    fn percepts_that_tell_of_a_move_are_known_by_its_role_and_parts() {
        assert!(tells_of("(did alice pass)", "alice", "pass"));
        assert!(tells_of("(did alice (bid 2 3))", "alice", "(bid 2 3)"));
        assert!(tells_of("(announces alice 3 1)", "alice", "(announce 3 1)"));
        assert!(!tells_of("(takes alice)", "alice", "(bid 4)"));
        assert!(!tells_of("(did bob pass)", "alice", "pass"));
        assert!(!tells_of("light", "alice", "pass"));
    }

    #[test]
    fn payoffs_are_said_as_at_a_table() {
        for (payoff, unit, expected) in [
            (2.0, "chips", "wins 2 chips"),
            (-1.0, "chips", "loses 1 chip"),
            (0.0, "chips", "breaks even"),
            (0.5, "bets", "wins 0.50 bets"),
            (1.0, "wins", "wins"),
            (-1.0, "wins", "loses"),
            (0.0, "wins", "draws"),
            (0.25, "wins", "gets +0.25, where a win is 1"),
            (1.0, "points", "wins 1 point"),
            (-12.0, "points", "loses 12 points"),
        ] {
            assert_eq!(won(payoff, unit), expected);
        }
    }
}
