//! What was measured of a server, for people and as data.

use std::io::Write;

use serde::Serialize;

use super::{
    course::PhaseFigures,
    latency::{Latencies, Quantiles},
    requests::Verdict,
};
use crate::output::{columns::write_rows, failure::Failure, schema::output};

/// Everything that was measured; what only some systems tell is `None` elsewhere.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BenchServerReport {
    pub(super) matches: u32,
    #[serde(skip)]
    pub(super) turns_each: u32,
    pub(super) seconds: f64,
    #[serde(flatten)]
    pub(super) verdict: Verdict,
    pub(super) false_timeouts: u64,
    pub(super) altered_messages: u64,
    pub(super) contradicting_messages: u64,
    /// Turns a second of all matches, as they were scheduled and as they were played.
    pub(super) offered_turns_per_second: f64,
    pub(super) achieved_turns_per_second: f64,
    pub(super) matches_started_per_second: f64,
    /// Memory of the server for each match that waits.
    pub(super) idle_match_kib: Option<f64>,
    /// Memory of the server at its largest.
    pub(super) server_peak_mib: Option<f64>,
    /// Processor time during the load.
    pub(super) server_cores: Option<f64>,
    pub(super) generator_cores: Option<f64>,
    pub(super) fsync_ms: Latencies,
    #[serde(flatten)]
    pub(super) figures: PhaseFigures,
    pub(super) resumption: Option<Resumption>,
    pub(super) spectators: Option<Audience>,
    /// The last lines of the server's log, if it had anything to say.
    #[serde(skip)]
    pub(super) complaints: Option<String>,
}
output!(BenchServer: BenchServerReport);

/// How the server went on after it was killed.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Resumption {
    /// Matches that it went on with.
    pub(super) matches: u32,
    /// From its start until it listened.
    pub(super) listening_ms: f64,
    /// From its start until a player of every match had been asked; `None` if one never was.
    pub(super) asked_ms: Option<f64>,
}

/// Spectators of one match.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Audience {
    pub(super) count: u32,
    pub(super) dropped: u32,
    pub(super) missed_turns: u64,
    pub(super) fan_out_ms: Latencies,
    /// Of all matches, while they watched.
    #[serde(flatten)]
    pub(super) figures: PhaseFigures,
}

impl BenchServerReport {
    /// Whether nothing was lost.
    pub(super) fn is_sound(&self) -> bool {
        let wrong = self.altered_messages + self.contradicting_messages;
        self.verdict.lost_turns + self.false_timeouts + wrong == 0
    }

    /// Prints tables.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { matches, turns_each, offered_turns_per_second: offered, seconds, .. } = self;
        writeln!(
            out,
            "{matches} matches of {turns_each} turns, {offered} turns/s offered for {seconds:.0} s\n"
        )?;
        write_rows(out, &self.count_rows())?;
        writeln!(out)?;
        write_rows(out, &self.latency_rows())?;
        if let Some(complaints) = &self.complaints {
            writeln!(out, "\nthe server's log ends with:\n{complaints}")?;
        }
        Ok(())
    }

    fn count_rows(&self) -> Vec<Vec<String>> {
        let wrong = self.altered_messages + self.contradicting_messages;
        let sync = self.fsync_ms.quantiles().p50;
        let mut rows = [
            ["turns", &self.verdict.turns.to_string(), "in the records, after the end"],
            [
                "lost turns",
                &self.verdict.lost_turns.to_string(),
                "missing, or with another move than was made",
            ],
            [
                "false timeouts",
                &self.false_timeouts.to_string(),
                "moves drawn for players that replied in time",
            ],
            ["wrong messages", &wrong.to_string(), "not what the rules tell, or told twice otherwise"],
            ["turns/s", &format!("{:.0}", self.achieved_turns_per_second), "achieved"],
            [
                "matches started/s",
                &format!("{:.0}", self.matches_started_per_second),
                "from the first request to the last START",
            ],
            [
                "idle match",
                &known(self.idle_match_kib, 1, " KiB"),
                "memory of the server for each match that waits",
            ],
            ["server's peak", &known(self.server_peak_mib, 0, " MiB"), "memory"],
            ["server", &known(self.server_cores, 2, " cores"), "processor time during the load"],
            ["generator", &known(self.generator_cores, 2, " cores"), "processor time during the load"],
            ["fsync p50", &known(sync, 2, " ms"), "of this disk, for 4 KiB"],
        ]
        .map(|row| row.map(str::to_owned).to_vec())
        .to_vec();
        let mut add = |row: [String; 3]| rows.push(row.to_vec());
        if let Some(Resumption { matches, listening_ms, asked_ms }) = self.resumption {
            let listening = format!("{listening_ms:.0} ms");
            add(["listening again".to_owned(), listening, "from the start after kill -9".to_owned()]);
            let remark = format!("until all {matches} matches that were running had asked a player");
            add(["resumed".to_owned(), known(asked_ms, 0, " ms"), remark]);
        }
        if let Some(Audience { count, dropped, missed_turns, .. }) = self.spectators {
            let remark = format!("{dropped} dropped, {missed_turns} turns missed");
            add(["spectators".to_owned(), count.to_string(), remark]);
        }
        rows
    }

    fn latency_rows(&self) -> Vec<Vec<String>> {
        let row = |name: &str, times: &Latencies, remark: &str| {
            let Quantiles { p50, p99, p999, max, .. } = times.quantiles();
            let cells =
                [p50, p99, p999, max].map(|ms| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}")));
            [name.to_owned()].into_iter().chain(cells).chain([remark.to_owned()]).collect()
        };
        let PhaseFigures { play_overhead_ms, play_delay_ms, generator_lateness_ms } = &self.figures;
        let mut rows = vec![
            ["ms", "p50", "p99", "p99.9", "most", ""].map(str::to_owned).to_vec(),
            row("PLAY overhead", play_overhead_ms, "last reply sent to next message received"),
            row("PLAY delay", play_delay_ms, "last reply due to next message received"),
            row("lateness", generator_lateness_ms, "reply due to reply sent, by the generator itself"),
        ];
        if let Some(Audience { figures, fan_out_ms, .. }) = &self.spectators {
            rows.push(row(
                "watched overhead",
                &figures.play_overhead_ms,
                "PLAY overhead while spectators watch",
            ));
            rows.push(row("watched delay", &figures.play_delay_ms, "PLAY delay while spectators watch"));
            rows.push(row("fan-out", fan_out_ms, "last reply sent to event received by each spectator"));
        }
        rows
    }
}

/// A number with its unit, if the system tells it.
fn known(number: Option<f64>, digits: usize, unit: &str) -> String {
    number.map_or_else(|| "unknown".to_owned(), |number| format!("{number:.digits$}{unit}"))
}
