//! What is said of matches when they are over.

use std::{collections::BTreeMap, io::Write, path::Path, time::Duration};

use croupier_engine::{ByPlayer, RoleId, realtime::seconds};
use croupier_games::printable;
use croupier_players::{Approaches, Coverage, OpenEnds, PlayerKind};
use croupier_referee::{Clocks, Failure as Failed, Outcome};
use serde::Serialize;

use super::Arguments;
use crate::{
    arguments::{seating::SeatSpec, source::Source},
    output::{
        answer::Answer,
        approach::{self, ApproachReport},
        coverage::{CoverageReport, StrategyCoverage},
        failure::Failure,
        schema::{Output, output},
        summary::{self, Results, Tally, by_name},
    },
    sessions::{
        conduct::{self, ConductReport, SeatConduct, reasons},
        fault::Fault,
        series::{Ended, Ending, Series, VOID_IN_A_ROW_MAX},
        signs::{Signed, Signs},
        story::Story,
        telling,
        terminal::{Stream, Wrapping},
    },
};

/// More matches than these in which the rules failed, or that are void, are only counted.
const TOLD_MAX: usize = 3;

/// Collects matches as they end.
pub(super) struct SeriesTally<'r> {
    source: &'r Source,
    series: &'r Series,
    arguments: &'r Arguments,
    tallies: ByPlayer<Tally>,
    played: u64,
    /// How many matches ended otherwise than by the rules, by how.
    unfinished: BTreeMap<&'static str, u64>,
    /// How everybody answered.
    conducts: ByPlayer<SeatConduct>,
    /// The first matches in which the rules failed.
    faults: Vec<Fault>,
    /// The first void matches: number, role and why.
    void: Vec<(u64, RoleId, Failed)>,
    /// Whose searches met ends of which the rules say too little.
    open_ends: BTreeMap<RoleId, OpenEnds>,
    /// How often the strategies in files had an entry.
    coverages: BTreeMap<RoleId, Coverage>,
    /// In which ways players decided that have several.
    approaches: BTreeMap<RoleId, Approaches>,
    matches: Vec<MatchReport>,
}

/// Matches that were played.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlayReport<'r> {
    game: &'r str,
    /// Who played, by role.
    players: BTreeMap<String, String>,
    /// The seed of the first match.
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: String,
    /// What payoffs are counted in, such as chips; null if the game has goal values alone.
    unit: Option<&'r str>,
    /// The file of records.
    record: Option<&'r Path>,
    matches: &'r [MatchReport],
    /// Matches without a result, by status.
    unfinished: &'r BTreeMap<&'static str, u64>,
    /// By player.
    conduct: BTreeMap<String, ConductReport>,
    /// Players that searched beyond ends for which the rules give no goal.
    open_ends: BTreeMap<String, OpenEndsReport>,
    /// Players that go by a strategy in a file, or by models in files.
    coverage: BTreeMap<String, CoverageReport<'r>>,
    /// In which ways players that have several decided.
    approaches: BTreeMap<String, Vec<ApproachReport>>,
    /// How long moves may take; null if nobody is timed.
    clocks: Option<ClocksReport>,
    matches_asked: u64,
    interrupted: bool,
    /// Results by player.
    roles: BTreeMap<String, Results<'r>>,
}
output!(Play: PlayReport<'_>);

/// A match that was played.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MatchReport {
    /// Its place in the series, from 1.
    #[serde(rename = "match")]
    number: u64,
    match_id: String,
    /// `terminal` by the rules; `turn_limit` after the most turns; `game_error` where the rules fail; `aborted` by the referee; `void`
    /// if it never began; `withheld` if nothing was dealt because a player withheld a nonce.
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::STATUSES)))]
    status: &'static str,
    turns: u32,
    /// What each player got, in goal values; null if there is no result.
    goals: Option<BTreeMap<String, i32>>,
    /// What each player got, in the game's `unit`; null if there is no result, or the game has no unit.
    payoffs: Option<BTreeMap<String, f64>>,
    /// Players for whom the referee drew moves: how many, by what the reply was instead, `illegal` or a failure such as `timeout`.
    substituted: BTreeMap<String, BTreeMap<String, u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Fault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<AbsentReport>,
}

/// Who did not come.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AbsentReport {
    role: String,
    /// Why the player gave no reply.
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::FAILURES)))]
    reason: &'static str,
}

/// What a search met where the rules give no goal.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OpenEndsReport {
    count: u64,
    first: String,
}

/// How long moves may take, in milliseconds.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ClocksReport {
    start_ms: u64,
    play_ms: u64,
    /// Added to both before a reply is late.
    grace_ms: u64,
}

impl<'r> SeriesTally<'r> {
    pub(super) fn new(source: &'r Source, series: &'r Series, arguments: &'r Arguments) -> Self {
        let roles = series.header.roles();
        Self {
            source,
            series,
            arguments,
            tallies: summary::tallies(roles),
            played: 0,
            unfinished: BTreeMap::new(),
            conducts: conduct::conducts(roles),
            faults: Vec::new(),
            void: Vec::new(),
            open_ends: BTreeMap::new(),
            coverages: BTreeMap::new(),
            approaches: BTreeMap::new(),
            matches: Vec::new(),
        }
    }

    fn story(&self) -> Story<'r> {
        Story { game: self.series.header.game(), facts: &self.source.facts }
    }

    /// Takes in a match; tells it at once if it is the only one, or if a person played in it.
    ///
    /// # Errors
    /// If a strategy in a file cannot be played, or nothing can be written.
    pub(super) fn take(&mut self, ended: Ended, out: &mut dyn Write) -> Result<(), Failure> {
        self.played += 1;
        self.take_coverages(&ended)?;
        for (role, approaches) in ended.approaches.iter() {
            let Some(approaches) = approaches else { continue };
            self.approaches.entry(role).or_default().add(approaches);
        }
        match ended.outcome.goals() {
            Some(goals) => {
                for (role, tally) in self.tallies.iter_mut() {
                    tally.add(goals[role]);
                }
            }
            None => *self.unfinished.entry(ended.outcome.status()).or_default() += 1,
        }
        for (role, conduct) in self.conducts.iter_mut() {
            conduct.take(self.played, &ended.conducts[role], ended.errors[role].as_deref());
        }
        let fault = Fault::of(&ended.outcome, self.source, self.played, &ended.match_id);
        if let Outcome::Void { role, failure } = ended.outcome
            && self.void.len() < TOLD_MAX
        {
            self.void.push((self.played, role, failure));
        }
        for (role, ends) in ended.open_ends.iter() {
            let Some(ends) = ends else { continue };
            let known = self.open_ends.entry(role).or_insert_with(|| OpenEnds { count: 0, ..ends.clone() });
            known.count += ends.count;
        }
        if self.arguments.json {
            self.matches.push(self.match_report(&ended, fault.clone()));
        } else if self.arguments.matches() == 1 || self.series.has_people() {
            self.tell(&ended, &mut Signed::new(out, Signs::of_output()))?;
        }
        self.faults.extend(fault.filter(|_| self.faults.len() < TOLD_MAX));
        Ok(())
    }

    fn take_coverages(&mut self, ended: &Ended) -> Result<(), Failure> {
        for (role, coverage) in ended.coverages.iter() {
            let Some(coverage) = coverage else { continue };
            self.strategy_coverage(role, coverage).check_playable()?;
            self.coverages.entry(role).or_default().add(coverage);
        }
        Ok(())
    }

    fn strategy_coverage<'c>(&self, role: RoleId, coverage: &'c Coverage) -> StrategyCoverage<'c> {
        let spec = &self.series.specs[role];
        let who = format!("{} ({})", self.story().role(role), PlayerKind::brief(&spec.to_string()));
        let is_model = matches!(spec, SeatSpec::Player(PlayerKind::Modelling { .. }));
        StrategyCoverage { who, coverage, is_model }
    }

    /// What is said of each strategy in a file.
    fn strategy_coverages(&self) -> impl Iterator<Item = StrategyCoverage<'_>> {
        self.coverages.iter().map(|(&role, coverage)| self.strategy_coverage(role, coverage))
    }

    /// The match turn by turn: as it was, or as the person at the table saw it.
    fn tell(&self, ended: &Ended, out: &mut dyn Write) -> Result<(), Failure> {
        let people: Vec<RoleId> = self.series.people().collect();
        if people.is_empty() {
            writeln!(out, "{}: {}", self.source.facts.title, self.players().join(", "))?;
        }
        let game = self.series.header.game();
        telling::tell(out, game, &self.source.facts, &ended.record, &people)?;
        if !people.is_empty() && self.arguments.record.is_some() {
            writeln!(out, "The record has what you did not see: `croupier replay` shows it.")?;
        }
        if !people.is_empty() && self.arguments.matches() > 1 {
            writeln!(out)?;
        }
        Ok(())
    }

    fn players(&self) -> Vec<String> {
        let story = self.story();
        let of_role = |(role, spec): (RoleId, &SeatSpec)| {
            format!("{} ({})", story.role(role), PlayerKind::brief(&spec.to_string()))
        };
        self.series.specs.iter().map(of_role).collect()
    }

    /// Says what there is to say of all matches.
    pub(super) fn finish(
        self,
        ending: Ending,
        elapsed: Duration,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        self.warn(ending);
        if self.arguments.json {
            self.report(ending).write_json(out)?;
        } else {
            self.write(ending, elapsed, out)?;
        }
        self.strategy_coverages().try_for_each(|strategy| strategy.check())?;
        if ending == Ending::Interrupted {
            return Ok(Answer::Interrupted);
        }
        // Where the rules failed there is no game, where players were missing no match, and where moves were drawn no
        // player, though every other match may be fine.
        let is_sound = self.faults.is_empty()
            && self.void.is_empty()
            && self.conducts.iter().all(|(_, conduct)| self.arguments.house_rules.tolerates(conduct));
        Ok(if is_sound { Answer::Yes } else { Answer::No })
    }

    fn write(&self, ending: Ending, elapsed: Duration, out: &mut dyn Write) -> Result<(), Failure> {
        let roles = self.series.header.roles();
        let facts = &self.source.facts;
        if self.arguments.matches() > 1 {
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
        if ending == Ending::Interrupted {
            writeln!(out, "interrupted: {} of {} matches were begun", self.played, self.arguments.matches())?;
        }
        self.write_replaced(out)?;
        // A strategy that comes with the game is nobody's concern as long as it fits.
        let is_chosen =
            |role: &RoleId| !matches!(self.series.specs[*role], SeatSpec::Player(PlayerKind::Resolve(..)));
        for (&role, coverage) in self.coverages.iter().filter(|(role, _)| is_chosen(role)) {
            writeln!(out, "{}", self.strategy_coverage(role, coverage).line())?;
        }
        writeln!(out, "seed {}", self.seed())?;
        if let Some(path) = &self.arguments.record {
            let path = printable(&path.display().to_string());
            writeln!(out, "record {path}; `croupier replay {path} --verify` checks it")?;
        }
        Ok(())
    }

    /// Whose moves the referee replaced: of interest where somebody's were, or plays from elsewhere.
    fn write_replaced(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let is_remote = |(_, spec): (RoleId, &SeatSpec)| matches!(spec, SeatSpec::Remote(..));
        if self.conducts.iter().all(|(_, conduct)| conduct.substituted() == 0)
            && !self.series.specs.iter().any(is_remote)
        {
            return Ok(());
        }
        let story = self.story();
        let count =
            |(role, conduct): (RoleId, &SeatConduct)| format!("{} {}", story.role(role), conduct.count());
        let counts: Vec<String> = self.conducts.iter().map(count).collect();
        writeln!(out, "moves replaced by the referee: {}", counts.join(", "))?;
        if self.arguments.play_clock.is_some() {
            let Clocks { play_ms, grace_ms, .. } = self.series.settings.clocks;
            let [clock, grace] = [play_ms, grace_ms].map(|ms| seconds(ms.saturating_mul(1000)));
            writeln!(out, "a reply was late after {clock} s and {grace} s of grace")?;
        }
        Ok(())
    }

    /// As it was written, or else in full.
    fn seed(&self) -> String {
        self.arguments.seed.clone().unwrap_or_else(|| self.series.settings.seed.reveal())
    }

    /// What nobody would guess from the goals.
    fn warn(&self, ending: Ending) {
        let mut lines = Vec::new();
        for fault in &self.faults {
            let mut of_fault = fault.lines(&self.source.origin);
            of_fault[0] = format!("warning[rules-fail]: {}", of_fault[0]);
            lines.extend(of_fault);
        }
        for (number, role, failure) in &self.void {
            let (name, spec) = (self.series.header.role_name(*role), &self.series.specs[*role]);
            let why = conduct::absence(*failure);
            lines.push(format!("warning[void]: match {number} did not begin: {name}, at {spec}, {why}"));
        }
        if !self.void.is_empty() {
            lines.push("  help: --allow-absent plays with moves drawn for whoever is absent".to_owned());
        }
        if ending == Ending::Absent {
            let (played, all) = (self.played, self.arguments.matches());
            lines.push(format!(
                "warning[absent]: after {played} of {all} matches the series ends: none of the last {VOID_IN_A_ROW_MAX} began"
            ));
        }
        for (role, conduct) in self.conducts.iter() {
            self.warn_of(role, conduct, &mut lines);
        }
        lines.extend(self.open_ends_warning());
        lines.extend(summary::bounds(&self.tallies).warning(&self.source.facts));
        lines.extend(self.strategy_coverages().filter_map(|strategy| strategy.warning()));
        let stream = if self.series.has_people() { Stream::Errors } else { Stream::Nowhere };
        let mut err = Wrapping::new(anstream::stderr().lock(), stream);
        for line in lines {
            // Nobody is left to be told if standard error is closed.
            let _ = writeln!(err, "{line}");
        }
    }

    /// That searches met ends of which the rules say too little.
    fn open_ends_warning(&self) -> Option<String> {
        let OpenEnds { first, .. } = self.open_ends.values().next()?;
        let names: Vec<&str> =
            self.open_ends.keys().map(|&role| self.series.header.role_name(role)).collect();
        let (names, first) = (names.join(" and "), printable(&first.to_string()));
        let count: u64 = self.open_ends.values().map(|ends| ends.count).sum();
        Some(format!(
            "warning[open-end]: {names} looked ahead to {count} ends that no match can have, and took 50 for every goal \
             that is missing: {first}"
        ))
    }

    fn warn_of(&self, role: RoleId, conduct: &SeatConduct, lines: &mut Vec<String>) {
        let name = self.series.header.role_name(role);
        for (failure, times) in &conduct.not_ready {
            let (why, played) = (conduct::absence(*failure), self.played);
            let error = conduct.error.as_deref().map_or_else(String::new, |error| format!(": {error}"));
            lines.push(format!(
                "warning[not-ready]: {name} {why} at the beginning of {times} of {played} matches{error}"
            ));
        }
        if conduct.substituted() == 0 {
            return;
        }
        let (drawn, first) = (conduct.drawn(), printable(&conduct.first_slip()));
        lines.push(format!("warning[substituted]: {name}: {drawn}; {first}"));
        if conduct.matches_without_a_move > 0 {
            let without = conduct.matches_without_a_move;
            let played = self.played;
            lines.push(format!("  in {without} of {played} matches not one move was its own"));
            if conduct.not_ready.is_empty()
                && let Some(advice) = self.series.first_advice(role)
            {
                lines.push(format!("  help: {advice}"));
            }
        }
    }

    fn match_report(&self, ended: &Ended, fault: Option<Fault>) -> MatchReport {
        let roles = self.series.header.roles();
        let goals = ended.outcome.goals();
        let substituted = ended.conducts.iter().filter(|(_, conduct)| conduct.substituted() > 0);
        MatchReport {
            number: self.played,
            match_id: ended.match_id.clone(),
            status: ended.outcome.status(),
            turns: ended.outcome.turns(),
            goals: summary::goals(roles, goals),
            payoffs: summary::payoffs(roles, &self.source.facts, goals),
            substituted: by_name(roles, substituted.map(|(role, conduct)| (role, reasons(conduct)))),
            fault,
            absent: match ended.outcome {
                Outcome::Void { role, failure } => {
                    Some(AbsentReport { role: roles.name(role).to_owned(), reason: failure.as_str() })
                }
                _ => None,
            },
        }
    }

    fn report(&self, ending: Ending) -> PlayReport<'_> {
        let (roles, settings) = (self.series.header.roles(), &self.series.settings);
        let conduct = self.conducts.iter().map(|(role, conduct)| (role, conduct.report()));
        let open_ends = self.open_ends.iter().map(|(&role, OpenEnds { count, first })| {
            (role, OpenEndsReport { count: *count, first: first.to_string() })
        });
        let approaches = self.approaches.iter().map(|(&role, of)| (role, approach::report(of)));
        PlayReport {
            game: &self.source.name,
            players: by_name(roles, self.series.specs.iter().map(|(role, spec)| (role, spec.to_string()))),
            seed: settings.seed.reveal(),
            unit: summary::unit(&self.source.facts),
            record: self.arguments.record.as_deref(),
            matches: &self.matches,
            unfinished: &self.unfinished,
            conduct: by_name(roles, conduct),
            open_ends: by_name(roles, open_ends),
            coverage: by_name(roles, self.coverages.iter().map(|(&role, coverage)| (role, coverage.into()))),
            approaches: by_name(roles, approaches),
            clocks: self.arguments.play_clock.map(|_| {
                let Clocks { start_ms, play_ms, grace_ms } = settings.clocks;
                ClocksReport { start_ms, play_ms, grace_ms }
            }),
            matches_asked: self.arguments.matches(),
            interrupted: ending == Ending::Interrupted,
            roles: summary::results(roles, &self.source.facts, &self.tallies),
        }
    }
}
