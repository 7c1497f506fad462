//! A match told in words, turn by turn: as it was, or as one role saw it.

use std::{io, io::Write};

use croupier_engine::{ByPlayer, Game, GoalValue, Percepts, RoleId, Roles};
use croupier_games::{GameFacts, Words};
use croupier_referee::{Outcome, Replay, ReplayTurn};

use crate::{conduct::absence, table::Table};

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
        let moves = turn.joint_move.moves().iter();
        let played = moves.filter_map(|(role, &id)| {
            let term = self.game.move_text(id);
            (&*term != IDLE).then(|| format!("{}: {}", self.role(role), self.words().move_text(&term)))
        });
        let mut text = join(played, "nothing happens");
        let changes = if has_changes { self.changes(turn) } else { Vec::new() };
        if !changes.is_empty() {
            text.push_str(&format!(" ({})", changes.join("; ")));
        }
        writeln!(out, "turn {:>2}  {text}", turn.turn)
    }

    /// What a turn put on the table.
    fn changes(&self, turn: &ReplayTurn) -> Vec<String> {
        let new = turn.successor.fluents().filter(|fluent| !turn.state.contains(*fluent));
        let new: Vec<_> = new.map(|fluent| self.game.fluent_text(fluent)).collect();
        self.words().table_lines(new.iter().map(|text| &**text))
    }

    /// One turn as a role knows it: its own move, and what it was told.
    pub(crate) fn write_seen_turn(
        &self,
        out: &mut dyn Write,
        turn: &ReplayTurn,
        role: RoleId,
        percepts: &Percepts,
    ) -> io::Result<()> {
        let own = self.game.move_text(turn.joint_move.of(role));
        let own = (&*own != IDLE).then(|| format!("plays {}", self.words().move_text(&own)));
        let seen = self.percept_lines(percepts);
        let seen = (!seen.is_empty()).then(|| format!("sees: {}", seen.join("; ")));
        writeln!(out, "turn {:>2}  {}", turn.turn, join(own.into_iter().chain(seen), "sees nothing"))
    }

    /// What a role was told in one turn, each percept in words.
    pub(crate) fn percept_lines(&self, percepts: &Percepts) -> Vec<String> {
        let terms = self.game.percept_terms(percepts);
        terms.iter().map(|term| self.words().percept_text(term)).collect()
    }

    /// What is on the table, below the turn that led to it.
    pub(crate) fn write_table(&self, out: &mut dyn Write, table: &Table) -> io::Result<()> {
        let others = (!table.lines.is_empty()).then(|| table.lines.join("; "));
        for line in table.boards.iter().flat_map(|board| board.lines()).chain(others.as_deref()) {
            writeln!(out, "         {line}")?;
        }
        writeln!(out)
    }

    /// How a match ended.
    pub(crate) fn outcome(&self, outcome: Option<&Outcome>) -> String {
        match outcome {
            None => "the record ends here, before the match was over".to_owned(),
            Some(Outcome::Terminal { goals, .. }) => goals_text(self.facts, self.game.roles(), goals),
            Some(Outcome::TurnLimit { turns }) => {
                format!("stopped without goals at the limit of {turns} turns")
            }
            Some(Outcome::GameError { turns, error, .. }) => format!("stopped after {turns} turns: {error}"),
            Some(Outcome::Aborted { turns }) => {
                format!("abandoned after {turns} {}", if *turns == 1 { "turn" } else { "turns" })
            }
            Some(Outcome::Void { role, failure }) => {
                format!("void: it never began, for {} {}", self.role(*role), absence(*failure))
            }
        }
    }
}

/// What everyone got: in the unit of the literature, if the game has one, and the goals behind it.
pub(crate) fn goals_text(facts: &GameFacts, roles: &Roles, goals: &ByPlayer<GoalValue>) -> String {
    let named = |role: RoleId| facts.words.symbol_text(roles.name(role));
    let each = |of_role: &dyn Fn(RoleId, GoalValue) -> String| {
        goals.iter().map(|(role, &goal)| of_role(role, goal)).collect::<Vec<String>>().join(", ")
    };
    match &facts.payoff {
        None => each(&|role, goal| format!("{} {goal}", named(role))),
        // Payoffs of a draw are zero for everybody.
        Some(map)
            if map.unit == "wins"
                && goals.iter().all(|(_, goal)| map.payoff(f64::from(goal.value())) == 0.0) =>
        {
            format!("a draw (goals {})", each(&|_, goal| goal.to_string()))
        }
        Some(map) => {
            let of_role = |role, goal: GoalValue| {
                format!("{} {}", named(role), won(map.payoff(f64::from(goal.value())), &map.unit))
            };
            format!("{} (goals {})", each(&of_role), each(&|_, goal| goal.to_string()))
        }
    }
}

/// Units that are won and lost; of others one has some.
const STAKES: [&str; 3] = ["chips", "bets", "dollars"];

/// What somebody who gets a payoff does, as people say it.
fn won(payoff: f64, unit: &str) -> String {
    let digits = if payoff.fract() == 0.0 { 0 } else { 2 };
    let name = if payoff.abs() == 1.0 { unit.strip_suffix('s').unwrap_or(unit) } else { unit };
    match unit {
        "wins" if payoff == 1.0 => "wins".to_owned(),
        "wins" if payoff == -1.0 => "loses".to_owned(),
        "wins" if payoff == 0.0 => "draws".to_owned(),
        _ if !STAKES.contains(&unit) => format!("{payoff:+.digits$} {name}"),
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
    use super::won;

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
            (0.25, "wins", "+0.25 wins"),
            (1.0, "points", "+1 point"),
            (-12.0, "points", "-12 points"),
        ] {
            assert_eq!(won(payoff, unit), expected);
        }
    }
}
