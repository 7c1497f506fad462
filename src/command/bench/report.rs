//! Everything that was measured, for people and as data.

use std::io::Write;

use serde_json::{Value, json};

use super::{
    comparison::{Comparison, Comparisons},
    figures::{Figures, NetworkFigures},
    machine::Machine,
    stopwatch::as_float,
};
use crate::{
    columns::{readable, write_rows},
    failure::Failure,
};

/// Everything that was measured.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) machine: Machine,
    /// About how long each rate was measured.
    pub(super) seconds: f64,
    /// Whether a signal came before everything was measured.
    pub(super) is_interrupted: bool,
    pub(super) figures: Vec<Figures>,
    /// Other people's programs, if they were asked for.
    pub(super) comparisons: Option<Comparisons>,
}

impl Report {
    /// Prints tables.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}\n", self.headline())?;
        write_rows(out, &self.game_rows())?;
        for (game, reason) in self.not_grounded() {
            writeln!(out, "{game} has no network: {reason}")?;
        }
        if let Some(comparisons) = &self.comparisons {
            writeln!(out)?;
            write_rows(out, &comparison_rows(comparisons))?;
            writeln!(out)?;
            for line in remarks(comparisons) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }

    /// What it ran on, in a line.
    pub(super) fn headline(&self) -> String {
        let Machine { processor, vector_bits, gate_lanes_per_second_limit, commit, .. } = &self.machine;
        let commit = commit.as_ref().map_or_else(String::new, |commit| format!(", commit {commit}"));
        format!(
            "{processor}, one thread, vectors of {vector_bits} bits, at most {} gate-lanes/s{commit}",
            readable(*gate_lanes_per_second_limit)
        )
    }

    /// A row for each game, below a head.
    pub(super) fn game_rows(&self) -> Vec<Vec<String>> {
        let head = [
            "game",
            "build",
            "grounding",
            "ops",
            "KiB",
            "playouts/s (median)",
            "turns/s",
            "gate-lanes/s",
            "tape alone",
            "of limit",
            "lifted",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(self.figures.iter().map(|game| self.game_row(game)));
        rows
    }

    fn game_row(&self, game: &Figures) -> Vec<String> {
        let mut row = vec![game.name.clone(), format!("{:.3}", game.build_seconds)];
        match &game.network {
            Ok(network) => row.extend(self.network_cells(network)),
            Err(_) => row.extend(std::iter::repeat_n("-".to_owned(), 8)),
        }
        row.push(readable(game.lifted.best));
        row
    }

    fn network_cells(&self, network: &NetworkFigures) -> [String; 8] {
        [
            format!("{:.3}", network.grounding_seconds),
            network.ops_per_turn().to_string(),
            network.statistics.bytes.div_ceil(1024).to_string(),
            format!("{} ({})", readable(network.playouts.best), readable(network.playouts.median)),
            readable(network.turns().best),
            readable(network.gate_lanes().best),
            readable(network.tape_gate_lanes.best),
            format!("{:.0} %", 100.0 * self.share(network)),
        ]
    }

    /// How much of what the machine can do at most the tape alone does.
    fn share(&self, network: &NetworkFigures) -> f64 {
        network.tape_gate_lanes.best / self.machine.gate_lanes_per_second_limit
    }

    /// Games without a network, and why.
    pub(super) fn not_grounded(&self) -> impl Iterator<Item = (&str, &str)> {
        self.figures
            .iter()
            .filter_map(|game| Some((game.name.as_str(), game.network.as_ref().err()?.as_str())))
    }

    /// Everything as data.
    pub(super) fn as_json(&self) -> Value {
        json!({
            "machine": self.machine,
            "seconds": self.seconds,
            "interrupted": self.is_interrupted,
            "threads": 1,
            "games": self.figures.iter().map(|game| self.game_json(game)).collect::<Vec<_>>(),
            "comparisons": self.comparisons,
        })
    }

    fn game_json(&self, game: &Figures) -> Value {
        json!({
            "game": game.name,
            "build_seconds": game.build_seconds,
            "lifted_playouts_per_second": game.lifted,
            "network": game.network.as_ref().ok().map(|network| self.network_json(network)),
            "no_network_because": game.network.as_ref().err(),
        })
    }

    fn network_json(&self, network: &NetworkFigures) -> Value {
        let statistics = &network.statistics;
        json!({
            "grounding_seconds": network.grounding_seconds,
            "atoms": network.sizes.atoms,
            "rules": network.sizes.rules,
            "gates": network.sizes.gates,
            "ops_by_phase": statistics.ops,
            "ops_per_turn": network.ops_per_turn(),
            "slots": statistics.slots,
            "tape_bytes": statistics.bytes,
            "playouts_per_second": network.playouts,
            "turns_per_second": network.turns(),
            "turns_per_playout": network.turns_mean,
            "gate_lanes_per_second": network.gate_lanes(),
            "tape_gate_lanes_per_second": network.tape_gate_lanes,
            "tape_share_of_limit": self.share(network),
            "mean_goals": network.game.roles().players()
                .map(|role| (network.game.roles().name(role).to_owned(), json!(network.moments[role].mean())))
                .collect::<serde_json::Map<_, _>>(),
        })
    }
}

/// A row for each comparison, below a head.
pub(super) fn comparison_rows(comparisons: &Comparisons) -> Vec<Vec<String>> {
    let head = ["peer", "game", "unit", "ours", "theirs", "ratio", "target"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(comparisons.made.iter().map(comparison_row));
    rows
}

fn comparison_row(one: &Comparison) -> Vec<String> {
    let unit = if one.is_published {
        format!("{}, published, other machine", one.unit)
    } else {
        one.unit.to_string()
    };
    vec![
        one.peer.clone(),
        one.game.clone(),
        unit,
        readable(one.ours),
        readable(one.theirs),
        ratio(one.ratio),
        one.verdict(),
    ]
}

/// What there is to say beside the rows.
pub(super) fn remarks(comparisons: &Comparisons) -> Vec<String> {
    let mean = |(peer, mean): (&str, f64)| format!("{peer}: {} on geometric mean", ratio(mean));
    let mut lines: Vec<String> = comparisons.geometric_means().into_iter().map(mean).collect();
    lines.extend(comparisons.missing.iter().map(|missing| match &missing.game {
        Some(game) => format!("{} has no figure for {game}: {}", missing.peer, missing.reason),
        None => format!("{} is missing: {}", missing.peer, missing.reason),
    }));
    lines
}

fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}x") } else { format!("{ratio:.0}x") }
}

/// Where a point lies: operations of a turn, and nanoseconds that a turn of one game takes.
pub(super) fn cost_by_ops(figures: &[Figures]) -> Vec<(String, f64, f64)> {
    let point = |game: &Figures| {
        let network = game.network.as_ref().ok()?;
        let ops = as_float(network.ops_per_turn() as u64);
        Some((game.name.clone(), ops, 1e9 / network.turns().best))
    };
    figures.iter().filter_map(point).collect()
}
