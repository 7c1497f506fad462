//! What is said of a player that was measured.

use std::{collections::BTreeMap, io::Write};

use croupier_players::PlayerKind;
use croupier_solvers::Evaluation;
use serde::Serialize;

use super::{
    Thinking,
    equilibrium::Matchup,
    figures::{Figures, FiguresReport, PayoffReport},
    reading::{Corrected, Reading},
};
use crate::{
    measurement::unfolded::Unfolded,
    output::{
        approach::{self, ApproachReport},
        columns::write_rows,
        coverage::CoverageReport,
        failure::Failure,
        schema::{Output, output},
    },
};

/// A player that was measured.
pub(super) struct MeasuredPlayer<'r> {
    pub(super) unfolded: &'r Unfolded,
    pub(super) kind: &'r PlayerKind,
    /// What the seeds are derived from.
    pub(super) seed: String,
    pub(super) threads: usize,
    pub(super) thinking: Thinking,
    pub(super) reading: &'r Reading,
    pub(super) matchup: Option<&'r Matchup>,
}

/// The exploitability of a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EvaluateReport<'r> {
    #[serde(flatten)]
    figures: FiguresReport<'r>,
    /// Null where nothing was counted.
    corrected: Option<Corrected>,
    /// The same in the game's unit; null if it has none.
    payoff: Option<CorrectedPayoff<'r>>,
    player: String,
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: &'r str,
    seeds: usize,
    move_time_seconds: Option<f64>,
    information_sets: usize,
    /// Null if no strategy in a file is used.
    coverage: Option<CoverageReport<'r>>,
    /// In which ways a player that has several decided; null if it has only one.
    approaches: Option<Vec<ApproachReport>>,
    /// Information sets in which the player told its mixed strategy.
    known_exactly: usize,
    decisions: u64,
    seconds: f64,
    mean_move_ms: f64,
    longest_move_ms: f64,
    mean_iterations: f64,
    threads: usize,
    against_equilibrium: Option<MatchupReport<'r>>,
}
output!(Evaluate: EvaluateReport<'_>);

/// The exploitability in the game's unit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CorrectedPayoff<'r> {
    #[serde(flatten)]
    payoff: PayoffReport<'r>,
    /// Null where nothing was counted.
    corrected: Option<Corrected>,
}

/// What a player gets against an equilibrium, in the game's unit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MatchupReport<'r> {
    unit: &'r str,
    iterations: u64,
    /// How far the equilibrium is from one.
    nash_conv: f64,
    roles: BTreeMap<&'r str, SeatReport>,
    mean_difference: f64,
}

/// The same in one seat.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SeatReport {
    value: f64,
    equilibrium: f64,
    difference: f64,
}

impl MeasuredPlayer<'_> {
    /// Prints everything.
    pub(super) fn print(&self, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let evaluation = Evaluation::new(&self.unfolded.form, &self.reading.policy(self.unfolded));
        let (figures, corrected) = (self.figures(&evaluation), self.reading.corrected(self.unfolded));
        if as_json {
            self.report(&figures, corrected).write_json(out)?;
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
            information_sets: Vec::new(),
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
        if let Some(strategy) = reading.strategy_coverage(kind) {
            writeln!(out, "{}", strategy.line())?;
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
        if let Some(Corrected { exploitability, margin, groups }) =
            corrected.map(|corrected| corrected.over(figures.scale()))
        {
            let unit = figures.unit();
            writeln!(
                out,
                "with unlimited seeds, by the jackknife over {groups} groups of seeds: {exploitability:.4} +- {margin:.4} {unit} (95 %)"
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

    fn report<'r>(&'r self, figures: &Figures<'r>, corrected: Option<Corrected>) -> EvaluateReport<'r> {
        let reading = self.reading;
        let payoff = figures.payoff_report().map(|payoff| {
            let corrected = corrected.map(|corrected| corrected.over(figures.scale()));
            CorrectedPayoff { payoff, corrected }
        });
        EvaluateReport {
            figures: figures.report(),
            corrected,
            payoff,
            player: self.kind.to_string(),
            seed: &self.seed,
            seeds: reading.seeds,
            move_time_seconds: match self.thinking {
                Thinking::Time(time) => Some(time.as_secs_f64()),
                Thinking::Own | Thinking::Iterations(_) => None,
            },
            information_sets: self.unfolded.tree.information_sets_count(),
            coverage: reading.coverage.as_ref().map(CoverageReport::from),
            approaches: reading.approaches.as_ref().map(approach::report),
            known_exactly: reading.known_count(),
            decisions: reading.decisions,
            seconds: reading.elapsed.as_secs_f64(),
            mean_move_ms: self.mean_ms(),
            longest_move_ms: reading.longest.as_secs_f64() * 1e3,
            mean_iterations: self.mean_iterations(),
            threads: self.threads,
            against_equilibrium: self.matchup.map(|matchup| self.matchup_report(figures, matchup)),
        }
    }

    fn matchup_report<'r>(&'r self, figures: &Figures<'r>, matchup: &Matchup) -> MatchupReport<'r> {
        let (scale, seats) = (figures.scale(), matchup.seats.iter().enumerate());
        let roles = seats.map(|(player, seat)| {
            let [value, equilibrium] = [seat.value, seat.equilibrium].map(|goal| figures.value(goal));
            (
                self.unfolded.role(player),
                SeatReport { value, equilibrium, difference: seat.difference() / scale },
            )
        });
        MatchupReport {
            unit: self.unfolded.source.facts.unit(),
            iterations: matchup.iterations,
            nash_conv: matchup.nash_conv / scale,
            roles: roles.collect(),
            mean_difference: matchup.mean_difference() / scale,
        }
    }
}
