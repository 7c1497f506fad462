//! Everything that was measured of games, for people and as data.

use std::{fs, io::Write};

use croupier_games::readable;
use serde::Serialize;

use super::figures::{GameFigures, NetworkFigures};
use crate::{
    arguments::threads::machine_threads,
    output::{columns::write_rows, failure::Failure, schema::output},
};

/// Everything that was measured.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BenchReport {
    machine: MachineReport,
    /// About how long each rate was measured.
    seconds: f64,
    /// Whether a signal came before everything was measured.
    pub(super) interrupted: bool,
    /// How many threads played.
    threads: usize,
    pub(super) games: Vec<GameFigures>,
}
output!(Bench: BenchReport);

/// What it ran on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MachineReport {
    /// What the processor calls itself.
    processor: String,
    /// How many threads run at once.
    threads: usize,
}

impl BenchReport {
    pub(super) fn new(seconds: f64, interrupted: bool, games: Vec<GameFigures>) -> Self {
        let processor = processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned());
        let machine = MachineReport { processor, threads: machine_threads() };
        Self { machine, seconds, interrupted, threads: 1, games }
    }

    /// Prints a table.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let head = [
            "game",
            "build",
            "grounding",
            "ops",
            "KiB",
            "playouts/s (median)",
            "turns/s",
            "gate-lanes/s",
            "lifted",
        ];
        let rows: Vec<_> =
            [head.map(str::to_owned).to_vec()].into_iter().chain(self.games.iter().map(row)).collect();
        writeln!(out, "{}, one thread\n", self.machine.processor)?;
        write_rows(out, &rows)?;
        for GameFigures { game, no_network_because, .. } in &self.games {
            if let Some(reason) = no_network_because {
                writeln!(out, "{game} has no network: {reason}")?;
            }
        }
        Ok(())
    }
}

fn row(figures: &GameFigures) -> Vec<String> {
    let network = figures.network.as_ref().map_or_else(|| std::array::from_fn(|_| "-".to_owned()), cells);
    let mut row = vec![figures.game.clone(), format!("{:.3}", figures.build_seconds)];
    row.extend(network);
    row.push(readable(figures.lifted_playouts_per_second.best));
    row
}

fn cells(network: &NetworkFigures) -> [String; 6] {
    let playouts = network.playouts_per_second;
    [
        format!("{:.3}", network.grounding_seconds),
        network.ops_per_turn.to_string(),
        network.tape_bytes.div_ceil(1024).to_string(),
        format!("{} ({})", readable(playouts.best), readable(playouts.median)),
        readable(network.turns_per_second.best),
        readable(network.gate_lanes_per_second.best),
    ]
}

/// What Linux says of the first processor.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
