//! A match told in words, turn by turn: as it was, or as one role saw it.

use std::{io, io::Write};

use croupier_engine::{ByPlayer, Game, GoalValue, Percepts, RoleId};
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
            Some(Outcome::Terminal { goals, .. }) => self.goals(goals),
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

    /// What everyone got, in the unit of the literature too if the game has one.
    fn goals(&self, goals: &ByPlayer<GoalValue>) -> String {
        let of_role = |(role, goal): (RoleId, &GoalValue)| match &self.facts.payoff {
            None => format!("{} {goal}", self.role(role)),
            Some(map) => {
                let payoff = map.payoff(f64::from(goal.value()));
                let digits = if payoff.fract() == 0.0 { 0 } else { 2 };
                format!("{} {goal} ({payoff:+.digits$} {})", self.role(role), map.unit)
            }
        };
        goals.iter().map(of_role).collect::<Vec<String>>().join(", ")
    }
}

fn join(parts: impl Iterator<Item = String>, nothing: &str) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { nothing.to_owned() } else { parts.join("; ") }
}
