//! What is said of a player that was measured.

use std::io::Write;

use croupier_players::PlayerKind;
use croupier_solvers::Evaluation;
use serde_json::{Map, Value, json};

use super::{
    Thinking,
    equilibrium::{Matchup, Seat},
    figures::Figures,
    reading::{Corrected, Reading},
};
use crate::{approach, columns::write_rows, coverage, failure::Failure, schema::Schema, unfolded::Unfolded};

/// A player that was measured.
pub(super) struct Report<'r> {
    pub(super) unfolded: &'r Unfolded,
    pub(super) kind: &'r PlayerKind,
    /// What the seeds are derived from.
    pub(super) seed: String,
    pub(super) threads: usize,
    pub(super) thinking: Thinking,
    pub(super) reading: &'r Reading,
    pub(super) matchup: Option<&'r Matchup>,
}

impl Report<'_> {
    /// Prints everything.
    pub(super) fn print(&self, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let evaluation = Evaluation::new(&self.unfolded.form, &self.reading.policy(self.unfolded));
        let (figures, corrected) = (self.figures(&evaluation), self.reading.corrected(self.unfolded));
        if as_json {
            Schema::Evaluate.write(out, self.as_json(&figures, corrected))?;
            return Ok(());
        }
        self.write_head(out)?;
        write_rows(out, &figures.rows())?;
        writeln!(out)?;
        self.write_exploitability(&figures, corrected, out)?;
        self.write_matchup(&figures, out)
    }

    fn figures<'f>(&'f self, evaluation: &'f Evaluation) -> Figures<'f> {
        let players = 0..evaluation.players.len();
        Figures {
            source: &self.unfolded.source,
            roles: players.map(|player| self.unfolded.role(player)).collect(),
            evaluation,
        }
    }

    fn write_head(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { unfolded, kind, reading, .. } = self;
        let (sets, known) = (unfolded.tree.information_sets_count(), reading.known_count());
        writeln!(out, "{}: {kind} in {sets} information sets", unfolded.source.name)?;
        if known == sets {
            writeln!(out, "its mixed strategy is known exactly in all of them")?;
        } else {
            let rest = if known == 0 { "all" } else { "the other" };
            writeln!(
                out,
                "its mixed strategy is known exactly in {known}, and counted over {} seeds in {rest} {}; seed {}",
                reading.seeds,
                sets - known,
                self.seed,
            )?;
        }
        if let Some(told) = reading.told(kind) {
            writeln!(out, "{}", told.line())?;
        }
        let threads = self.threads;
        writeln!(
            out,
            "{} decisions in {:.2} s on {threads} thread{}, {:.1} ms each, {:.1} ms at most, {:.0} iterations each\n",
            reading.decisions,
            reading.elapsed.as_secs_f64(),
            if threads == 1 { "" } else { "s" },
            self.mean_ms(),
            reading.longest.as_secs_f64() * 1e3,
            self.mean_iterations(),
        )?;
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn mean_ms(&self) -> f64 {
        self.reading.thought.as_secs_f64() * 1e3 / self.reading.decisions.max(1) as f64
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn mean_iterations(&self) -> f64 {
        self.reading.iterations as f64 / self.reading.decisions.max(1) as f64
    }

    fn write_exploitability(
        &self,
        figures: &Figures<'_>,
        corrected: Option<Corrected>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        writeln!(out, "{}", figures.exploitability_line())?;
        if let Some(Corrected { exploitability, margin, groups }) = corrected {
            let (scale, unit) = (figures.scale(), figures.unit());
            writeln!(
                out,
                "with unlimited seeds, by the jackknife over {groups} groups of seeds: {:.4} +- {:.4} {unit} (95 %)",
                exploitability / scale,
                margin / scale,
            )?;
        } else if self.reading.known_count() < self.unfolded.tree.information_sets_count() {
            writeln!(out, "with one seed there is no interval: --seeds asks for more")?;
        }
        Ok(())
    }

    fn write_matchup(&self, figures: &Figures<'_>, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(matchup) = self.matchup else { return Ok(()) };
        let (scale, unit) = (figures.scale(), figures.unit());
        writeln!(
            out,
            "\nagainst the equilibrium (CFR+, {} iterations, NashConv {:.2e} {unit}), in {unit}:",
            matchup.iterations,
            matchup.nash_conv / scale,
        )?;
        let words = &self.unfolded.source.facts.words;
        let mut rows = vec![["role", "value", "equilibrium", "difference"].map(str::to_owned).to_vec()];
        for (player, seat) in matchup.seats.iter().enumerate() {
            let mut row = vec![words.symbol_text(self.unfolded.role(player))];
            row.extend([seat.value, seat.equilibrium].map(|goal| format!("{:.4}", figures.value(goal))));
            row.push(format!("{:+.4}", seat.difference() / scale));
            rows.push(row);
        }
        rows.push(vec!["mean".to_owned(), String::new(), String::new()]);
        let last = rows.last_mut().expect("a row");
        last.push(format!("{:+.4}", matchup.mean_difference() / scale));
        write_rows(out, &rows)?;
        Ok(())
    }

    fn as_json(&self, figures: &Figures<'_>, corrected: Option<Corrected>) -> Value {
        let far = |corrected: Option<Corrected>, scale: f64| {
            json!(corrected.map(|corrected| json!({
                "exploitability": corrected.exploitability / scale,
                "margin_95": corrected.margin / scale,
                "groups": corrected.groups,
            })))
        };
        let mut object = figures.as_json();
        object["corrected"] = far(corrected, 1.0);
        if !object["payoff"].is_null() {
            object["payoff"]["corrected"] = far(corrected, figures.scale());
        }
        let reading = self.reading;
        object["player"] = json!(self.kind.to_string());
        object["seed"] = json!(self.seed);
        object["seeds"] = json!(reading.seeds);
        object["move_time_seconds"] = match self.thinking {
            Thinking::Time(time) => json!(time.as_secs_f64()),
            Thinking::Own | Thinking::Iterations(_) => Value::Null,
        };
        object["information_sets"] = json!(self.unfolded.tree.information_sets_count());
        object["coverage"] = coverage::as_json(reading.coverage.as_ref());
        object["approaches"] = json!(reading.approaches.as_ref().map(approach::as_json));
        object["known_exactly"] = json!(reading.known_count());
        object["decisions"] = json!(reading.decisions);
        object["seconds"] = json!(reading.elapsed.as_secs_f64());
        object["mean_move_ms"] = json!(self.mean_ms());
        object["longest_move_ms"] = json!(reading.longest.as_secs_f64() * 1e3);
        object["mean_iterations"] = json!(self.mean_iterations());
        object["threads"] = json!(self.threads);
        object["against_equilibrium"] =
            json!(self.matchup.map(|matchup| self.matchup_json(figures, matchup)));
        object
    }

    fn matchup_json(&self, figures: &Figures<'_>, matchup: &Matchup) -> Value {
        let seat = |(player, seat): (usize, &Seat)| {
            let object = json!({
                "value": figures.value(seat.value),
                "equilibrium": figures.value(seat.equilibrium),
                "difference": seat.difference() / figures.scale(),
            });
            (self.unfolded.role(player).to_owned(), object)
        };
        json!({
            "unit": figures.unit(),
            "iterations": matchup.iterations,
            "nash_conv": matchup.nash_conv / figures.scale(),
            "roles": matchup.seats.iter().enumerate().map(seat).collect::<Map<String, Value>>(),
            "mean_difference": matchup.mean_difference() / figures.scale(),
        })
    }
}
