//! `croupier play` of a real-time game.

use std::{collections::BTreeMap, io::Write, time::Duration};

use croupier_engine::{ByPlayer, Lifetime, Options, Roles, realtime::seconds};
use croupier_referee::realtime::{RealTime, TICK_US_MAX, TIME_US_MAX};
use indicatif::ProgressBar;
use serde::Serialize;

use super::Arguments;
use crate::{
    arguments::{entropy, key_file, source::Source, threads::progress},
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
        summary::{self, Results, Tally},
    },
    sessions::{
        clock,
        interrupt::Interrupt,
        realtime::{
            EndReport, REAL_TIME_UPDATES_MAX, RealTimeEnded, RealTimeSeatSpec, RealTimeSeries,
            RealTimeSettings, RealTimeStory, real_time_seating, refuse_turns,
        },
        signs::{Signed, Signs},
        terminal::{Stream, Wrapping},
    },
};

/// Game time after which a match is stopped unless --time-max says otherwise: a day.
const TIME_MAX_S: &str = "86400";

/// Plays matches of a real-time game, and says what they came to.
pub(super) fn run(
    source: &Source,
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    refuse_session(arguments)?;
    refuse_turns([
        ("--model", arguments.models.first().cloned()),
        ("--dialect", arguments.dialects.first().cloned()),
        ("--full-sight", arguments.full_sight.first().cloned()),
        ("--play-clock", arguments.play_clock.map(|seconds| seconds.to_string())),
        arguments.table.given().map_or(("--seats", None), |(option, value)| (option, Some(value))),
        ("--start-clock", arguments.start_clock.map(|seconds| seconds.to_string())),
    ])?;
    let game = source.compile_real_time(&Options::PLAY)?;
    let specs = real_time_seating(game.roles(), &arguments.seats)?;
    let has_people = specs.iter().any(|(_, spec)| *spec == RealTimeSeatSpec::Human);
    let speed = arguments.speed.or(has_people.then_some(1.0));
    let settings = RealTimeSettings {
        seed: entropy::seed(arguments.seed.as_deref())?,
        seal_key: arguments.key.as_deref().map(key_file::secret).transpose()?,
        total: arguments.matches(),
        tick_us: tick_us(arguments.tick.as_deref())?,
        updates_max: REAL_TIME_UPDATES_MAX,
        time_max_us: time_max_us(arguments.time_max.as_deref())?,
        speed,
        interrupt: interrupt.clone(),
    };
    let seed = settings.seed.clone();
    let series = RealTimeSeries::new(source, game, specs, settings)?;
    let pool = arguments.threads.pool()?;
    let mut file = arguments.record_file::<RealTime>()?;
    let is_quiet = series.has_people() || arguments.matches() == 1;
    let bar = if is_quiet { ProgressBar::hidden() } else { progress(arguments.matches(), "matches") };
    let is_read = has_people && !arguments.json;
    let mut out = Wrapping::new(out, if is_read { Stream::Output } else { Stream::Nowhere });
    interrupt.hold();
    let begun = clock::now();
    let mut tally = RealTimeTally::new(source, &series, arguments);
    let result = series.play(&pool, &bar, |ended| {
        if let Some(file) = &mut file {
            file.write(&ended.record)?;
        }
        tally.take(&ended, &mut out)
    });
    bar.finish_and_clear();
    result?;
    tally.finish(&seed.reveal(), begun.elapsed(), interrupt.is_raised(), &mut out)
}

/// Refuses to play one match after the other at one table: people do that in the browser, where time runs for all of them.
fn refuse_session(arguments: &Arguments) -> Result<(), Failure> {
    if !arguments.session {
        return Ok(());
    }
    let game = &arguments.game;
    Err(Failure::refuse(
        "no-turns",
        "at the terminal a session is of a game in turns, and nobody takes turns in this one",
    )
    .help(format!(
        "`croupier host {game}` opens a session of it for the browser; `-n COUNT` plays single matches here"
    )))
}

/// The microseconds of a number of seconds.
fn micros(text: &str) -> Option<u64> {
    text.parse::<Lifetime>().ok().and_then(Lifetime::micros)
}

/// The longest match that was asked for, in microseconds of game time.
fn time_max_us(text: Option<&str>) -> Result<u64, Failure> {
    let text = text.unwrap_or(TIME_MAX_S);
    micros(text).filter(|&micros| micros <= TIME_US_MAX).ok_or_else(|| {
        let most = seconds(TIME_US_MAX);
        Failure::refuse("bad-time", format!("a time is a number of seconds from 0.000001 to {most}"))
            .at_argument("--time-max", text)
    })
}

/// The tick that was asked for, in microseconds.
fn tick_us(text: Option<&str>) -> Result<u64, Failure> {
    let Some(text) = text else { return Ok(1) };
    micros(text).filter(|&micros| micros <= TICK_US_MAX).ok_or_else(|| {
        Failure::refuse("bad-tick", "a tick is a number of seconds from 0.000001 to 3600")
            .at_argument("--tick", text)
    })
}

/// Collects matches as they end.
struct RealTimeTally<'r> {
    source: &'r Source,
    series: &'r RealTimeSeries,
    arguments: &'r Arguments,
    tallies: ByPlayer<Tally>,
    unfinished: BTreeMap<&'static str, u64>,
    errors: Vec<String>,
    played: u64,
    updates: u64,
    matches: Vec<RealTimeMatchReport>,
}

/// Matches of a real-time game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlayReport<'r> {
    game: &'r str,
    #[cfg_attr(test, schemars(extend("const" = "real")))]
    time: &'static str,
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: &'r str,
    /// What payoffs are counted in, such as chips; null if the game has goal values alone.
    unit: Option<&'r str>,
    /// How many matches.
    played: u64,
    /// Matches without a result, by status.
    unfinished: &'r BTreeMap<&'static str, u64>,
    /// Players that stopped playing, and why.
    errors: &'r [String],
    /// Results by player.
    roles: BTreeMap<String, Results<'r>>,
    matches: &'r [RealTimeMatchReport],
}
output!(PlayRealTime: PlayReport<'_>);

/// A match that was played.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RealTimeMatchReport {
    #[serde(rename = "match")]
    number: u64,
    #[serde(flatten)]
    end: EndReport,
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: String,
}

impl<'r> RealTimeTally<'r> {
    fn new(source: &'r Source, series: &'r RealTimeSeries, arguments: &'r Arguments) -> Self {
        Self {
            source,
            series,
            arguments,
            tallies: summary::tallies(series.header.roles()),
            unfinished: BTreeMap::new(),
            errors: Vec::new(),
            played: 0,
            updates: 0,
            matches: Vec::new(),
        }
    }

    fn roles(&self) -> &Roles {
        self.series.header.roles()
    }

    fn take(&mut self, ended: &RealTimeEnded, out: &mut dyn Write) -> Result<(), Failure> {
        self.played += 1;
        self.updates += u64::from(ended.end.updates);
        match ended.end.outcome.goals() {
            Some(goals) => goals.iter().for_each(|(role, &goal)| self.tallies[role].add(goal)),
            None => *self.unfinished.entry(ended.end.outcome.status()).or_default() += 1,
        }
        for (role, error) in &ended.errors {
            self.errors.push(format!("{} stopped playing: {error}", self.roles().name(*role)));
        }
        if self.arguments.json {
            let end = EndReport::new(&ended.end, self.series.header.roles(), &self.source.facts);
            self.matches.push(RealTimeMatchReport { number: self.played, end, seed: ended.seed.reveal() });
        } else if self.arguments.matches() == 1 {
            self.tell(ended, &mut Signed::new(out, Signs::of_output()))?;
        }
        Ok(())
    }

    /// The whole match in words.
    fn tell(&self, ended: &RealTimeEnded, out: &mut dyn Write) -> Result<(), Failure> {
        let story = RealTimeStory { game: self.series.header.game(), facts: &self.source.facts };
        // A person has seen what there was to see.
        for update in ended.updates.iter().filter(|_| !self.series.has_people()) {
            story.write_update(out, update)?;
        }
        story.write_end(out, &ended.end)?;
        Ok(())
    }

    fn finish(
        &self,
        seed: &str,
        elapsed: Duration,
        is_interrupted: bool,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        summary::bounds(&self.tallies).warn(&self.source.facts);
        if self.arguments.json {
            let report = PlayReport {
                game: &self.source.name,
                time: "real",
                seed,
                unit: summary::unit(&self.source.facts),
                played: self.played,
                unfinished: &self.unfinished,
                errors: &self.errors,
                roles: summary::results(self.roles(), &self.source.facts, &self.tallies),
                matches: &self.matches,
            };
            report.write_json(out)?;
        } else {
            self.write(self.arguments.seed.as_deref().unwrap_or(seed), elapsed, out)?;
        }
        if is_interrupted {
            return Ok(Answer::Interrupted);
        }
        let has_failed = self.unfinished.contains_key("game_error") || !self.errors.is_empty();
        Ok(if has_failed { Answer::No } else { Answer::Yes })
    }

    fn write(&self, seed: &str, elapsed: Duration, out: &mut dyn Write) -> Result<(), Failure> {
        if self.played > 1 {
            writeln!(
                out,
                "{}: {} matches of {} updates in {:.2} s",
                self.source.name,
                self.played,
                self.updates,
                elapsed.as_secs_f64()
            )?;
            summary::write_table(out, self.roles(), &self.source.facts, &self.tallies)?;
        }
        for (status, count) in &self.unfinished {
            writeln!(out, "{count} ended without goals: {status}")?;
        }
        if self.unfinished.contains_key("time_limit") {
            let most = self.arguments.time_max.as_deref().unwrap_or(TIME_MAX_S);
            writeln!(
                out,
                "matches are stopped after {most} s of game time; --time-max SECONDS lets them go on"
            )?;
        }
        for error in self.errors.iter().take(3) {
            writeln!(out, "{error}")?;
        }
        writeln!(out, "seed {seed}")?;
        Ok(())
    }
}
