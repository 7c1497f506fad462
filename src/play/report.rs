//! What is said of matches when they are over.

use std::{collections::BTreeMap, io::Write, time::Duration};

use croupier_engine::{ByPlayer, RoleId};
use croupier_games::printable;
use croupier_players::OpenEnds;
use croupier_referee::{read_records, replay};
use serde_json::{Map, Value, json};

use super::Arguments;
use crate::{
    Answer,
    failure::Failure,
    seating::Sitter,
    series::{Ended, Series},
    source::Source,
    story::Story,
    summary::{self, Tally},
    table::Table,
};

/// Collects matches as they end.
pub(super) struct Report<'r> {
    source: &'r Source,
    series: &'r Series,
    arguments: &'r Arguments,
    tallies: ByPlayer<Tally>,
    played: u64,
    /// How many matches ended otherwise than by the rules, by how.
    unfinished: BTreeMap<&'static str, u64>,
    /// Who gave no move, how often, and why the first time.
    failures: BTreeMap<RoleId, (u32, String)>,
    /// Whose searches met ends of which the rules say too little.
    open_ends: BTreeMap<RoleId, OpenEnds>,
    matches: Vec<Value>,
}

impl<'r> Report<'r> {
    pub(super) fn new(source: &'r Source, series: &'r Series, arguments: &'r Arguments) -> Self {
        Self {
            source,
            series,
            arguments,
            tallies: summary::tallies(series.header.roles()),
            played: 0,
            unfinished: BTreeMap::new(),
            failures: BTreeMap::new(),
            open_ends: BTreeMap::new(),
            matches: Vec::new(),
        }
    }

    fn story(&self) -> Story<'r> {
        Story { game: self.series.header.game(), facts: &self.source.facts }
    }

    /// Takes in a match; tells it at once if it is the only one, or if a person played in it.
    pub(super) fn take(&mut self, ended: Ended, out: &mut dyn Write) -> Result<(), Failure> {
        self.played += 1;
        match ended.outcome.goals() {
            Some(goals) => {
                for (role, tally) in self.tallies.iter_mut() {
                    tally.add(goals[role]);
                }
            }
            None => *self.unfinished.entry(ended.outcome.status()).or_default() += 1,
        }
        for (role, times, error) in &ended.failures {
            self.failures.entry(*role).or_insert_with(|| (0, error.clone())).0 += times;
        }
        for (role, ends) in &ended.open_ends {
            let known = self.open_ends.entry(*role).or_insert_with(|| OpenEnds { count: 0, ..ends.clone() });
            known.count += ends.count;
        }
        if self.arguments.json {
            self.matches.push(self.match_json(&ended));
        } else if self.arguments.matches == 1 || self.series.has_people() {
            self.tell(&ended, out)?;
        }
        Ok(())
    }

    /// The match turn by turn as it truly was, from its own record.
    fn tell(&self, ended: &Ended, out: &mut dyn Write) -> Result<(), Failure> {
        if self.series.has_people() {
            writeln!(out, "\nThe match as it was:")?;
        } else {
            writeln!(out, "{}: {}", self.source.facts.title, self.players().join(", "))?;
        }
        let records = read_records(&ended.record).expect("a record that was just written is one");
        let replayed = replay(&records[0]).map_err(|error| {
            Failure::refuse("record-differs", format!("the match does not replay: {error}"))
                .help("this is a fault of croupier: please report it with the rules and the seed")
        })?;
        let story = Story::of(&replayed, &self.source.facts);
        for turn in replayed.turns() {
            story.write_turn(out, turn, true)?;
        }
        if let Some(last) = replayed.turns().last().filter(|_| !story.facts.boards.is_empty()) {
            writeln!(out)?;
            story.write_table(out, &Table::of_state(story.game, story.facts, &last.successor))?;
        }
        writeln!(out, "{}", story.outcome(Some(&ended.outcome)))?;
        if self.series.has_people() && self.arguments.matches > 1 {
            writeln!(out)?;
        }
        Ok(())
    }

    fn players(&self) -> Vec<String> {
        let story = self.story();
        let of_role = |(role, sitter): (RoleId, &Sitter)| format!("{} ({sitter})", story.role(role));
        self.series.sitters.iter().map(of_role).collect()
    }

    /// Says what there is to say of all matches.
    pub(super) fn finish(self, elapsed: Duration, out: &mut dyn Write) -> Result<Answer, Failure> {
        self.warn();
        if self.arguments.json {
            writeln!(out, "{}", self.as_json())?;
        } else {
            self.write(elapsed, out)?;
        }
        // Rules that fail in the midst of a match are no game, though every other match may be fine.
        let is_sound = !self.unfinished.contains_key("game_error");
        Ok(if is_sound { Answer::Yes } else { Answer::No })
    }

    fn write(&self, elapsed: Duration, out: &mut dyn Write) -> Result<(), Failure> {
        let roles = self.series.header.roles();
        let facts = &self.source.facts;
        if self.arguments.matches > 1 {
            writeln!(
                out,
                "{}: {} matches in {:.1} s, {}",
                facts.title,
                self.played,
                elapsed.as_secs_f64(),
                self.players().join(", ")
            )?;
            for (status, count) in &self.unfinished {
                writeln!(out, "without goals: {count} ({})", status.replace('_', " "))?;
            }
            writeln!(out)?;
            summary::write_table(out, roles, facts, &self.tallies)?;
            writeln!(out)?;
            summary::write_distribution(out, roles, facts, &self.tallies)?;
            writeln!(out)?;
        }
        writeln!(out, "seed {}", self.seed())?;
        if let Some(path) = &self.arguments.record {
            let path = printable(&path.display().to_string());
            writeln!(out, "record {path}; `croupier replay {path} --verify` checks it")?;
        }
        Ok(())
    }

    /// As it was written, or else in full.
    fn seed(&self) -> String {
        self.arguments.seed.clone().unwrap_or_else(|| self.series.settings.seed.reveal())
    }

    /// Players that gave no move are no failure of this command, but nobody would guess it from the goals.
    fn warn(&self) {
        let mut err = anstream::stderr().lock();
        for (role, (times, error)) in &self.failures {
            let name = self.series.header.role_name(*role);
            let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
            let error = printable(error);
            // Nobody is left to be told if standard error is closed.
            let _ = writeln!(
                err,
                "warning[no-move]: {name} gave no move {times}, and one was drawn for it: {error}"
            );
        }
        if let Some(OpenEnds { first, .. }) = self.open_ends.values().next() {
            let names: Vec<&str> =
                self.open_ends.keys().map(|&role| self.series.header.role_name(role)).collect();
            let (names, first) = (names.join(" and "), printable(&first.to_string()));
            let count: u64 = self.open_ends.values().map(|ends| ends.count).sum();
            let _ = writeln!(
                err,
                "warning[open-end]: {names} looked ahead to {count} ends that no match can have, and took 50 for every \
                 goal that is missing: {first}"
            );
        }
    }

    fn match_json(&self, ended: &Ended) -> Value {
        let roles = self.series.header.roles();
        let goals = ended.outcome.goals().map(|goals| {
            goals
                .iter()
                .map(|(role, goal)| (roles.name(role).to_owned(), json!(goal.value())))
                .collect::<Map<_, _>>()
        });
        json!({
            "match": self.played,
            "match_id": ended.match_id,
            "status": ended.outcome.status(),
            "turns": ended.outcome.turns(),
            "goals": goals,
        })
    }

    fn as_json(&self) -> Value {
        let roles = self.series.header.roles();
        let players: Map<String, Value> = self
            .series
            .sitters
            .iter()
            .map(|(role, sitter)| (roles.name(role).to_owned(), json!(sitter.to_string())))
            .collect();
        let failures: Map<String, Value> = self
            .failures
            .iter()
            .map(|(role, (times, error))| {
                (roles.name(*role).to_owned(), json!({ "times": times, "first": error }))
            })
            .collect();
        let open_ends: Map<String, Value> = self
            .open_ends
            .iter()
            .map(|(role, OpenEnds { count, first })| {
                (roles.name(*role).to_owned(), json!({ "count": count, "first": first.to_string() }))
            })
            .collect();
        json!({
            "game": self.source.name,
            "players": players,
            "seed": self.series.settings.seed.reveal(),
            "record": self.arguments.record,
            "matches": self.matches,
            "failures": failures,
            "open_ends": open_ends,
            "roles": summary::as_json(roles, &self.source.facts, &self.tallies),
        })
    }
}
