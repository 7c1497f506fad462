//! What was measured of a server, for people and as data.

use std::io::Write;

use serde_json::{Map, Value, json};

use super::{course::PhaseFigures, latency::Latencies, requests::Verdict};
use crate::{columns::write_rows, failure::Failure};

/// Everything that was measured.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) matches: u32,
    pub(super) turns_each: u32,
    pub(super) seconds: f64,
    /// Turns a second of all matches, as they were scheduled and as they were played.
    pub(super) offered: f64,
    pub(super) achieved: f64,
    pub(super) verdict: Verdict,
    pub(super) false_timeouts: u64,
    pub(super) contradicted: u64,
    pub(super) altered: u64,
    pub(super) figures: PhaseFigures,
    pub(super) started_per_second: f64,
    pub(super) memory: Memory,
    pub(super) sync: Latencies,
    pub(super) processor: Processor,
    pub(super) resumption: Option<Resumption>,
    pub(super) audience: Option<Audience>,
    /// The last lines of the server's log, if it had anything to say.
    pub(super) complaints: Option<String>,
}

/// Memory of the server, where the system tells it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// For each match that waits, in KiB.
    pub(super) idle_match_kib: Option<f64>,
    /// Of the whole process at its largest, in MiB.
    pub(super) peak_mib: Option<f64>,
}

/// Processor time during the load, in cores, where the system tells it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Processor {
    pub(super) server: Option<f64>,
    pub(super) generator: Option<f64>,
}

/// How the server went on after it was killed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resumption {
    /// Matches that it went on with.
    pub(super) matches: u32,
    /// From its start until it listened.
    pub(super) listening_ms: f64,
    /// From its start until a player of every match had been asked; `None` if one never was.
    pub(super) asked_ms: Option<f64>,
}

/// Spectators of one match.
#[derive(Clone, Debug)]
pub(super) struct Audience {
    pub(super) spectators: u32,
    pub(super) dropped: u32,
    pub(super) missed: u64,
    pub(super) fan_out: Latencies,
    /// Of all matches, while they watched.
    pub(super) figures: PhaseFigures,
}

impl Report {
    /// Whether nothing was lost.
    pub(super) fn is_sound(&self) -> bool {
        self.verdict.lost == 0 && self.false_timeouts == 0 && self.contradicted == 0 && self.altered == 0
    }

    pub(super) fn as_json(&self) -> Value {
        let mut fields = Map::from_iter([
            ("matches".to_owned(), json!(self.matches)),
            ("turns".to_owned(), json!(self.verdict.turns)),
            ("seconds".to_owned(), json!(self.seconds)),
            ("complete_matches".to_owned(), json!(self.verdict.complete)),
            ("lost_turns".to_owned(), json!(self.verdict.lost)),
            ("false_timeouts".to_owned(), json!(self.false_timeouts)),
            ("substituted".to_owned(), json!(self.verdict.substituted)),
            ("altered_messages".to_owned(), json!(self.altered)),
            ("contradicting_messages".to_owned(), json!(self.contradicted)),
            ("offered_turns_per_second".to_owned(), json!(self.offered)),
            ("achieved_turns_per_second".to_owned(), json!(self.achieved)),
            ("matches_started_per_second".to_owned(), json!(self.started_per_second)),
            ("idle_match_kib".to_owned(), json!(self.memory.idle_match_kib)),
            ("server_peak_mib".to_owned(), json!(self.memory.peak_mib)),
            ("server_cores".to_owned(), json!(self.processor.server)),
            ("generator_cores".to_owned(), json!(self.processor.generator)),
            ("fsync_ms_p50".to_owned(), json!(self.sync.quantile_ms(0.5))),
            ("fsync_ms_p99".to_owned(), json!(self.sync.quantile_ms(0.99))),
        ]);
        fields.extend(latencies(&self.figures));
        fields.insert(
            "resumption".to_owned(),
            json!(self.resumption.map(|resumption| {
                json!({
                    "matches": resumption.matches,
                    "listening_ms": resumption.listening_ms,
                    "asked_ms": resumption.asked_ms,
                })
            })),
        );
        let audience = self.audience.as_ref().map(|audience| {
            let mut fields = Map::from_iter([
                ("count".to_owned(), json!(audience.spectators)),
                ("dropped".to_owned(), json!(audience.dropped)),
                ("missed_turns".to_owned(), json!(audience.missed)),
                ("events".to_owned(), json!(audience.fan_out.count())),
            ]);
            fields.extend(audience.fan_out.as_fields("fan_out_ms"));
            fields.extend(latencies(&audience.figures));
            fields
        });
        fields.insert("spectators".to_owned(), json!(audience));
        Value::Object(fields)
    }

    /// Prints a table.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { matches, turns_each, verdict, .. } = self;
        writeln!(
            out,
            "{matches} matches of {turns_each} turns, {} turns/s offered for {:.0} s\n",
            self.offered, self.seconds
        )?;
        let count =
            |what: &str, number: String, remark: &str| vec![what.to_owned(), number, remark.to_owned()];
        let known = |number: Option<f64>, digits: usize, unit: &str| {
            number.map_or_else(|| "unknown".to_owned(), |number| format!("{number:.digits$}{unit}"))
        };
        let mut rows = vec![
            count("turns", verdict.turns.to_string(), "in the records, after the end"),
            count("lost turns", verdict.lost.to_string(), "missing, or with another move than was made"),
            count(
                "false timeouts",
                self.false_timeouts.to_string(),
                "moves drawn for players that replied in time",
            ),
            count(
                "wrong messages",
                (self.altered + self.contradicted).to_string(),
                "not what the rules tell, or told twice otherwise",
            ),
            count("turns/s", format!("{:.0}", self.achieved), "achieved"),
            count(
                "matches started/s",
                format!("{:.0}", self.started_per_second),
                "from the first request to the last START",
            ),
            count(
                "idle match",
                known(self.memory.idle_match_kib, 1, " KiB"),
                "memory of the server for each match that waits",
            ),
            count("server's peak", known(self.memory.peak_mib, 0, " MiB"), "memory"),
            count("server", known(self.processor.server, 2, " cores"), "processor time during the load"),
            count(
                "generator",
                known(self.processor.generator, 2, " cores"),
                "processor time during the load",
            ),
            count("fsync p50", known(self.sync.quantile_ms(0.5), 2, " ms"), "of this disk, for 4 KiB"),
        ];
        if let Some(Resumption { matches, listening_ms, asked_ms }) = self.resumption {
            rows.push(count(
                "listening again",
                format!("{listening_ms:.0} ms"),
                "from the start after kill -9",
            ));
            let remark = format!("until all {matches} matches that were running had asked a player");
            rows.push(count("resumed", known(asked_ms, 0, " ms"), &remark));
        }
        if let Some(audience) = &self.audience {
            let dropped = format!("{} dropped, {} turns missed", audience.dropped, audience.missed);
            rows.push(count("spectators", audience.spectators.to_string(), &dropped));
        }
        write_rows(out, &rows)?;
        writeln!(out)?;
        write_rows(out, &self.latency_rows())?;
        if let Some(complaints) = &self.complaints {
            writeln!(out, "\nthe server's log ends with:\n{complaints}")?;
        }
        Ok(())
    }

    fn latency_rows(&self) -> Vec<Vec<String>> {
        let head = ["ms", "p50", "p99", "p99.9", "most", ""].map(str::to_owned).to_vec();
        let row = |name: &str, times: &Latencies, remark: &str| {
            let cells =
                [times.quantile_ms(0.5), times.quantile_ms(0.99), times.quantile_ms(0.999), times.max_ms()];
            let cells = cells.map(|ms| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}")));
            [name.to_owned()].into_iter().chain(cells).chain([remark.to_owned()]).collect()
        };
        let mut rows = vec![
            head,
            row("PLAY overhead", &self.figures.overhead, "last reply sent to next message received"),
            row("PLAY delay", &self.figures.delay, "last reply due to next message received"),
            row("lateness", &self.figures.lateness, "reply due to reply sent, by the generator itself"),
        ];
        if let Some(audience) = &self.audience {
            let Audience { figures, fan_out, .. } = audience;
            rows.push(row("watched overhead", &figures.overhead, "PLAY overhead while spectators watch"));
            rows.push(row("watched delay", &figures.delay, "PLAY delay while spectators watch"));
            rows.push(row("fan-out", fan_out, "last reply sent to event received by each spectator"));
        }
        rows
    }
}

fn latencies(figures: &PhaseFigures) -> Vec<(String, Value)> {
    let PhaseFigures { overhead, delay, lateness } = figures;
    let named =
        [("play_overhead_ms", overhead), ("play_delay_ms", delay), ("generator_lateness_ms", lateness)];
    named.iter().flat_map(|(name, times)| times.as_fields(name)).collect()
}
