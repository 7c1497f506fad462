//! What is said of a game that was solved.

use std::{io::Write, time::Duration};

use croupier_games::{Payoff, readable};
use croupier_solvers::{Evaluation, Solver, TreeSizes};
use serde::Serialize;

use crate::{
    arguments::engine,
    measurement::{
        figures::{Figures, FiguresReport, PayoffReport},
        unfolded::Unfolded,
    },
    output::{bytes::bytes, columns::write_rows, failure::Failure, schema::output},
};

/// A game that was solved.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SolveReport<'u> {
    #[serde(flatten)]
    run: &'u RunReport<'u>,
    #[serde(flatten)]
    figures: FiguresReport<'u>,
    /// The same in the game's unit; null if it has none.
    payoff: Option<PayoffReport<'u>>,
    interrupted: bool,
}
output!(Solve: SolveReport<'_>);

/// Sizes, and how the work went.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RunReport<'u> {
    #[serde(skip)]
    unfolded: &'u Unfolded,
    #[serde(skip)]
    sizes: TreeSizes,
    algorithm: &'static str,
    /// What samples were drawn from.
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: Option<String>,
    threads: usize,
    build_seconds: f64,
    #[cfg_attr(test, schemars(extend("enum" = ["propnet", "datalog"])))]
    engine: &'static str,
    /// How many symmetries the tree was reduced by; 1 if by none.
    symmetries: usize,
    histories: u64,
    /// Histories in which chance has a choice.
    chance: u64,
    /// Histories in which a player has a choice, once for each such player.
    decision: u64,
    /// Histories that end in a terminal state.
    terminal: u64,
    information_sets: u64,
    bytes: Memory,
    bytes_per_history: f64,
    iterations: u64,
    iterations_from_checkpoint: u64,
    seconds: f64,
    iterations_per_second: f64,
}

/// Memory, in bytes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Memory {
    tree: u64,
    sequence_form: u64,
    solver: u64,
}

impl<'u> RunReport<'u> {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(super) fn new(
        unfolded: &'u Unfolded,
        solver: &Solver<'_>,
        seed: Option<String>,
        build: Duration,
        threads: usize,
    ) -> Self {
        let (sizes, made) = (unfolded.tree.sizes(), solver.iterations());
        let TreeSizes { histories, chance, decision, terminal, .. } = sizes;
        let bytes =
            Memory { tree: sizes.bytes, sequence_form: unfolded.form.bytes(), solver: solver.bytes() };
        Self {
            unfolded,
            algorithm: solver.algorithm().name(),
            seed,
            threads,
            build_seconds: build.as_secs_f64(),
            engine: engine::chosen(&unfolded.game),
            symmetries: unfolded.tree.symmetries().len().max(1),
            histories,
            chance,
            decision,
            terminal,
            information_sets: sizes.information_sets.iter().sum(),
            bytes_per_history: (bytes.tree + bytes.sequence_form + bytes.solver) as f64 / histories as f64,
            bytes,
            sizes,
            iterations: made,
            iterations_from_checkpoint: made,
            seconds: 0.0,
            iterations_per_second: 0.0,
        }
    }

    /// Notes that so many more iterations were made in that time.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(super) fn took(&mut self, iterations: u64, elapsed: Duration) {
        self.iterations += iterations;
        self.seconds = elapsed.as_secs_f64();
        self.iterations_per_second = iterations as f64 / self.seconds.max(1e-9);
    }

    /// What is there before the work starts.
    pub(super) fn write_sizes(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}", self.unfolded.describe(&self.sizes))?;
        writeln!(
            out,
            "memory: {} for the tree, {} for its sequence form, {} for {}: {:.0} bytes for each history",
            bytes(self.bytes.tree),
            bytes(self.bytes.sequence_form),
            bytes(self.bytes.solver),
            self.algorithm,
            self.bytes_per_history,
        )?;
        writeln!(out, "enumerated in {:.2} s ({})", self.build_seconds, self.engine)?;
        if self.iterations_from_checkpoint > 0 {
            writeln!(out, "{} iterations come from the checkpoint", self.iterations_from_checkpoint)?;
        }
        if let Some(seed) = &self.seed {
            writeln!(out, "seed {seed}")?;
        }
        Ok(())
    }

    /// What came of it.
    pub(super) fn write_evaluation(
        &self,
        evaluation: &Evaluation,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let plural = if self.threads == 1 { "" } else { "s" };
        writeln!(
            out,
            "{}: {} iterations in {:.2} s on {} thread{plural}, {} iterations/s\n",
            self.algorithm,
            self.iterations - self.iterations_from_checkpoint,
            self.seconds,
            self.threads,
            readable(self.iterations_per_second),
        )?;
        write_rows(out, &self.rows(evaluation))?;
        writeln!(out)?;
        let (nash_conv, exploitability) = (evaluation.nash_conv(), evaluation.exploitability());
        let in_units = |payoff: &Payoff| {
            let [nash_conv, exploitability] =
                [nash_conv, exploitability].map(|goals| goals / payoff.scale.abs());
            format!("; in {}: {nash_conv:.3e} and {exploitability:.3e}", payoff.unit)
        };
        let in_units = self.unfolded.payoff().map_or_else(String::new, in_units);
        writeln!(out, "NashConv {nash_conv:.3e} and exploitability {exploitability:.3e} in goals{in_units}")?;
        self.unfolded.source.write_known(out)?;
        Ok(())
    }

    fn rows(&self, evaluation: &Evaluation) -> Vec<Vec<String>> {
        let facts = &self.unfolded.source.facts;
        let mut rows = vec![["role", "value", "best response", "gain"].map(str::to_owned).to_vec()];
        if let Some(Payoff { unit, .. }) = &facts.payoff {
            rows[0].extend([format!("value in {unit}"), format!("best response in {unit}")]);
        }
        for (player, found) in evaluation.players.iter().enumerate() {
            let mut row = vec![
                facts.words.symbol_text(self.unfolded.role(player)),
                format!("{:.4}", found.value),
                format!("{:.4}", found.best_response),
                format!("{:.3e}", found.gain()),
            ];
            if let Some(payoff) = &facts.payoff {
                let values = [found.value, found.best_response].map(|goal| payoff.payoff(goal));
                row.extend(values.map(|value| format!("{value:.7}")));
            }
            rows.push(row);
        }
        rows
    }

    /// Everything as data.
    pub(super) fn with(&'u self, evaluation: &'u Evaluation, interrupted: bool) -> SolveReport<'u> {
        let figures = Figures {
            source: &self.unfolded.source,
            roles: (0..evaluation.players.len()).map(|player| self.unfolded.role(player)).collect(),
            evaluation,
            information_sets: self.sizes.information_sets.clone(),
        };
        let (figures, payoff) = (figures.report(), figures.payoff_report());
        SolveReport { run: self, figures, payoff, interrupted }
    }
}
