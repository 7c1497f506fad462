//! What is said of a game that was solved.

use std::{io::Write, time::Duration};

use croupier_games::{Payoff, readable};
use croupier_solvers::{Evaluation, PlayerValue, Solver, TreeSizes};
use serde_json::{Map, Value, json};

use crate::{bytes::bytes, columns::write_rows, engine, failure::Failure, unfolded::Unfolded};

/// Sizes, and how the work went.
#[derive(Debug)]
pub(super) struct Report<'u> {
    unfolded: &'u Unfolded,
    sizes: TreeSizes,
    algorithm: &'static str,
    seed: Option<String>,
    solver_bytes: u64,
    threads: usize,
    build: Duration,
    iterations_before: u64,
    iterations: u64,
    elapsed: Duration,
}

impl<'u> Report<'u> {
    pub(super) fn new(
        unfolded: &'u Unfolded,
        solver: &Solver<'_>,
        seed: Option<String>,
        build: Duration,
        threads: usize,
    ) -> Self {
        Self {
            unfolded,
            sizes: unfolded.tree.sizes(),
            algorithm: solver.algorithm().name(),
            seed,
            solver_bytes: solver.bytes(),
            threads,
            build,
            iterations_before: solver.iterations(),
            iterations: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// Notes that so many more iterations were made in that time.
    pub(super) fn took(&mut self, iterations: u64, elapsed: Duration) {
        (self.iterations, self.elapsed) = (iterations, elapsed);
    }

    /// Everything that is kept in memory, in bytes.
    fn bytes(&self) -> u64 {
        self.sizes.bytes + self.unfolded.form.bytes() + self.solver_bytes
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn bytes_per_history(&self) -> f64 {
        self.bytes() as f64 / self.sizes.histories as f64
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn iterations_per_second(&self) -> f64 {
        self.iterations as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// What is there before the work starts.
    pub(super) fn write_sizes(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}", self.unfolded.describe(&self.sizes))?;
        let form = self.unfolded.form.bytes();
        writeln!(
            out,
            "memory: {} for the tree, {} for its sequence form, {} for {}: {:.0} bytes for each history",
            bytes(self.sizes.bytes),
            bytes(form),
            bytes(self.solver_bytes),
            self.algorithm,
            self.bytes_per_history(),
        )?;
        let engine = engine::chosen(&self.unfolded.game);
        writeln!(out, "enumerated in {:.2} s ({engine})", self.build.as_secs_f64())?;
        if self.iterations_before > 0 {
            writeln!(out, "{} iterations come from the checkpoint", self.iterations_before)?;
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
            self.iterations,
            self.elapsed.as_secs_f64(),
            self.threads,
            readable(self.iterations_per_second()),
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
    pub(super) fn as_json(&self, evaluation: &Evaluation) -> Value {
        let payoff = self.unfolded.payoff();
        let role = |(player, found): (usize, &PlayerValue)| {
            let mut object = json!({
                "value": found.value,
                "best_response": found.best_response,
                "gain": found.gain(),
                "information_sets": self.sizes.information_sets[player],
            });
            if let Some(payoff) = payoff {
                object["payoff"] = json!({
                    "value": payoff.payoff(found.value),
                    "best_response": payoff.payoff(found.best_response),
                    "gain": found.gain() / payoff.scale.abs(),
                });
            }
            (self.unfolded.role(player).to_owned(), object)
        };
        let roles: Map<String, Value> = evaluation.players.iter().enumerate().map(role).collect();
        let in_units = |payoff: &Payoff| {
            json!({
                "unit": payoff.unit,
                "nash_conv": evaluation.nash_conv() / payoff.scale.abs(),
                "exploitability": evaluation.exploitability() / payoff.scale.abs(),
            })
        };
        json!({
            "game": self.unfolded.source.name,
            "algorithm": self.algorithm,
            "seed": self.seed,
            "iterations": self.iterations_before + self.iterations,
            "iterations_from_checkpoint": self.iterations_before,
            "seconds": self.elapsed.as_secs_f64(),
            "build_seconds": self.build.as_secs_f64(),
            "iterations_per_second": self.iterations_per_second(),
            "threads": self.threads,
            "engine": engine::chosen(&self.unfolded.game),
            "symmetries": self.unfolded.tree.symmetries().len().max(1),
            "histories": self.sizes.histories,
            "chance": self.sizes.chance,
            "decision": self.sizes.decision,
            "terminal": self.sizes.terminal,
            "information_sets": self.sizes.information_sets.iter().sum::<u64>(),
            "bytes": { "tree": self.sizes.bytes, "sequence_form": self.unfolded.form.bytes(), "solver": self.solver_bytes },
            "bytes_per_history": self.bytes_per_history(),
            "nash_conv": evaluation.nash_conv(),
            "exploitability": evaluation.exploitability(),
            "payoff": payoff.map(in_units),
            "roles": roles,
        })
    }
}
