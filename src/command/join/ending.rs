//! What is said when a player leaves a seat, or the match is over.

use std::{io::Write, sync::Arc};

use croupier_engine::{ByPlayer, GoalValue, Roles};
use croupier_games::{GameFacts, Scene};
use croupier_referee::{read_records, replay};
use serde_json::{Value, json};

use super::{connection::SeatConnection, facts_of};
use crate::{
    output::{answer::Answer, failure::Failure, schema::Schema},
    sessions::{
        signs::{Signed, Signs},
        story::goals_text,
        telling,
        terminal::{Stream, Wrapping},
    },
};

/// What the first frame says of the seat.
pub(super) struct Seated {
    role: String,
    facts: GameFacts,
    pub(super) is_real_time: bool,
    /// The time for a move, in milliseconds.
    play_clock_ms: u64,
    /// Whether somebody at the terminal plays in turns.
    pub(super) is_person: bool,
}

impl Seated {
    /// The seat of which this is the first frame.
    pub(super) fn at(start: Option<&Value>) -> Self {
        let start = start.unwrap_or(&Value::Null);
        Self {
            role: start["role"].as_str().unwrap_or_default().to_owned(),
            facts: facts_of(start["rules"].as_str().unwrap_or_default()),
            is_real_time: start["type"] == "start" && start["time"] == "real",
            play_clock_ms: start["play_clock_ms"].as_u64().unwrap_or_default(),
            is_person: false,
        }
    }

    /// That the match goes on, who moves in the seat, and how to return to it.
    pub(super) fn write_farewell(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let name = self.facts.words.symbol_text(&self.role);
        let mut out = Wrapping::new(out, Stream::Output);
        if self.is_real_time {
            writeln!(out, "The match goes on, and {name} makes no moves until somebody is back.")?;
        } else {
            let seconds = self.play_clock_ms.div_ceil(1000);
            writeln!(
                out,
                "The match goes on: whenever the {seconds} s for a move of {name} are over, the server draws a legal one."
            )?;
        }
        writeln!(out, "The same command returns to the seat.")?;
        Ok(())
    }

    /// How the match ended: for a person as at the end of `croupier play`.
    pub(super) fn write_end(
        &self,
        connection: &SeatConnection,
        is_json: bool,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let shown = connection.result().unwrap_or_default();
        if is_json {
            let shown = if shown.is_object() { shown } else { json!({}) };
            Schema::Join.write(out, shown)?;
            return Ok(Answer::Yes);
        }
        let out = &mut Signed::new(Wrapping::new(out, Stream::Output), Signs::of_output());
        let told = self.is_person && self.tell(connection, out)?;
        if !told {
            writeln!(out, "the match is over: {}", self.outcome(&shown["outcome"]))?;
        }
        Ok(Answer::Yes)
    }

    /// Tells the match as the person saw it, from its record; whether there is one to be had.
    fn tell(&self, connection: &SeatConnection, out: &mut dyn Write) -> Result<bool, Failure> {
        let Some(record) = connection.record() else { return Ok(false) };
        let records = read_records(&record).ok().and_then(|records| records.into_iter().next());
        let Some(replayed) = records.and_then(|record| replay(&record).ok()) else { return Ok(false) };
        let game = Arc::clone(replayed.header().game());
        let Some(role) = game.roles().find(&self.role) else { return Ok(false) };
        telling::tell(out, &game, &self.facts, &record, &[role])?;
        Ok(true)
    }

    /// How the match ended, from what the server shows of it.
    fn outcome(&self, outcome: &Value) -> String {
        let turns = outcome["turns"].as_u64().unwrap_or_default();
        match outcome["status"].as_str() {
            Some("terminal") => self.goals(&outcome["goals"]).unwrap_or_else(|| {
                "what it was worth is told when all matches of the same deal are over".to_owned()
            }),
            Some("turn_limit") => format!("it was stopped without goals at the limit of {turns} turns"),
            Some("aborted") => format!("it was ended early, after {turns} turns"),
            Some("void") => "it is void, for a player could not play".to_owned(),
            Some("game_error") => format!("its rules failed after {turns} turns"),
            Some(_) | None => "the server no longer says how it ended".to_owned(),
        }
    }

    /// What everybody got, in words.
    pub(super) fn goals(&self, goals: &Value) -> Option<String> {
        let goals = goals.as_object()?;
        let roles = Roles::new(goals.keys().cloned().collect())?;
        let values = ByPlayer::try_from_fn(&roles, |role| {
            let goal = goals[roles.name(role)].as_i64();
            goal.and_then(|goal| goal.try_into().ok()).map(GoalValue::new).ok_or(())
        });
        Some(goals_text(&self.facts, &roles, &values.ok()?, &Scene::nothing()))
    }
}
