//! A real-time match told in words, update by update.

use std::io::{self, Write};

use croupier_engine::realtime::{RealTimeGame, TimedState, seconds};
use croupier_games::{GameFacts, Scene};
use croupier_referee::realtime::{Notice, RealTimeEnd, RealTimeOutcome, ReplayUpdate};

use crate::sessions::story::goals_text;

/// A game and the words for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RealTimeStory<'s> {
    pub(crate) game: &'s RealTimeGame,
    pub(crate) facts: &'s GameFacts,
}

impl RealTimeStory<'_> {
    /// The name of a role in words.
    pub(crate) fn role(&self, name: &str) -> String {
        self.facts.words.symbol_text(name)
    }

    /// What happened at an instant: who moved, and what expired. Says whether that has words; where it has none, nothing is
    /// written.
    pub(crate) fn write_update(&self, out: &mut dyn Write, update: &ReplayUpdate) -> io::Result<bool> {
        let words = &self.facts.words;
        let mut parts: Vec<String> = update
            .moves
            .iter()
            .map(|(role, played)| format!("{}: {}", self.role(role), words.move_text(played)))
            .collect();
        let expired = self.game.expired_terms(&update.state);
        if parts.is_empty() && expired.is_empty() {
            parts.push("the match begins".to_owned());
        }
        // What has no words is bookkeeping.
        let shown = expired.iter().map(|fluent| words.fluent_text(fluent)).filter(|text| !text.is_empty());
        parts.extend(shown.map(|text| format!("no longer: {text}")));
        if parts.is_empty() {
            return Ok(false);
        }
        writeln!(out, "{:>12}  {}", clock_text(update.at_us), parts.join("; "))?;
        Ok(true)
    }

    /// What holds, with what is left of it; what lasts for ever has no time.
    pub(crate) fn state_lines(&self, state: &TimedState) -> Vec<String> {
        let words = &self.facts.words;
        let mut lines = Vec::new();
        for (lifetime, fluent) in self.game.state_terms(state) {
            let is_endless = &*lifetime == "infinity";
            let shown = words.table_lines([&*fluent]).join(" ");
            // Where a game says what its table shows, what else lasts for ever is bookkeeping.
            let shown = match shown.is_empty() {
                true if is_endless && words.has_table() => continue,
                true => words.fluent_text(&fluent),
                false => shown,
            };
            if shown.is_empty() {
                continue;
            }
            lines.push(if is_endless { shown } else { format!("{shown} ({lifetime} s)") });
        }
        lines
    }

    /// What a role was told at an instant, if that has words.
    pub(crate) fn notice_line(&self, notice: &Notice) -> Option<String> {
        let words = &self.facts.words;
        let Notice::Event { at_us, own_move, percepts } = notice else { return None };
        let own = own_move.iter().map(|played| format!("plays {}", words.move_text(played)));
        let seen = percepts.iter().map(|percept| words.percept_text(percept)).filter(|text| !text.is_empty());
        let seen: Vec<String> = seen.collect();
        let seen = (!seen.is_empty()).then(|| format!("sees: {}", seen.join("; ")));
        let parts: Vec<String> = own.chain(seen).collect();
        (!parts.is_empty()).then(|| format!("{:>12}  {}", clock_text(*at_us), parts.join("; ")))
    }

    /// How a match ended, and what it was worth.
    pub(crate) fn write_end(&self, out: &mut dyn Write, end: &RealTimeEnd) -> io::Result<()> {
        writeln!(out, "{:>12}  {}", clock_text(end.at_us), ending(end))?;
        let Some(goals) = end.outcome.goals() else { return Ok(()) };
        writeln!(out, "{:>12}  {}", "", goals_text(self.facts, self.game.roles(), goals, &Scene::nothing()))
    }
}

/// An instant of game time, for people: seconds with all their digits.
pub(crate) fn clock_text(at_us: u64) -> String {
    format!("{} s", seconds(at_us))
}

/// How a match ended, in words.
fn ending(end: &RealTimeEnd) -> String {
    match &end.outcome {
        RealTimeOutcome::Terminal { .. } => "the match is over".to_owned(),
        RealTimeOutcome::Stalled => "nothing can ever happen any more: no goals".to_owned(),
        RealTimeOutcome::UpdateLimit => format!("stopped after {} updates: no goals", end.updates),
        RealTimeOutcome::TimeLimit => "stopped at the limit of game time: no goals".to_owned(),
        RealTimeOutcome::EndlessChance => "stopped: the moves of random never end".to_owned(),
        RealTimeOutcome::GameError(error) => format!("the rules fail: {error}"),
        RealTimeOutcome::Aborted => "abandoned".to_owned(),
        RealTimeOutcome::Withheld { .. } => {
            "void: nothing was dealt, for a nonce was withheld, which counts as a loss".to_owned()
        }
    }
}
