//! Our own rates, as `croupier bench --json` prints them.

use std::{
    collections::BTreeMap,
    env, fmt,
    process::{Command, Stdio},
};

use croupier_games::readable;
use serde::{Deserialize, Serialize};

use crate::{Measured, Outcome, table::table};

/// What it ran on, and each game.
#[derive(Debug, Deserialize)]
pub(crate) struct Bench {
    pub(crate) machine: Machine,
    pub(crate) games: Vec<GameFigures>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
}

/// What was measured of a game; the network's part is missing where there is no network, for a reason.
#[derive(Debug, Deserialize)]
pub(crate) struct GameFigures {
    pub(crate) game: String,
    build_seconds: f64,
    lifted_playouts_per_second: Rate,
    pub(crate) network: Option<NetworkFigures>,
    no_network_because: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NetworkFigures {
    grounding_seconds: f64,
    pub(crate) ops_per_turn: f64,
    tape_bytes: u64,
    pub(crate) playouts: f64,
    pub(crate) playouts_per_second: Rate,
    pub(crate) turns_per_second: Rate,
    gate_lanes_per_second: Rate,
    pub(crate) mean_goals: BTreeMap<String, f64>,
}

/// How much is done in a second: the best of several repetitions, and the one in their middle.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Rate {
    pub(crate) best: f64,
    median: f64,
}

impl Bench {
    /// Measures these games.
    ///
    /// # Errors
    /// If the program cannot be run, or fails; it has said why.
    pub(crate) fn run(measured: &Measured) -> Outcome<Self> {
        let mut command = match env::var_os("CROUPIER") {
            Some(binary) => Command::new(binary),
            None => {
                let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
                let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
                cargo.args(["run", "--release", "--locked", "--quiet", "--manifest-path", manifest, "--"]);
                cargo
            }
        };
        command.args(["bench", "--json", "--seconds", &measured.seconds.to_string()]).args(&measured.games);
        let output = command.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(format!("croupier bench: {}", output.status).into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// The games that have a network, with what was measured of it.
    pub(crate) fn networks(&self) -> impl Iterator<Item = (&str, &NetworkFigures)> {
        self.games.iter().filter_map(|game| Some((game.game.as_str(), game.network.as_ref()?)))
    }
}

impl fmt::Display for Bench {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = "game, build, grounding, ops, KiB, playouts/s (median), turns/s, gate-lanes/s, lifted";
        formatter.write_str(&table(head, self.games.iter().map(row)))?;
        for GameFigures { game, no_network_because, .. } in &self.games {
            if let Some(reason) = no_network_because {
                writeln!(formatter, "\n{game} has no network: {reason}.")?;
            }
        }
        Ok(())
    }
}

fn row(figures: &GameFigures) -> Vec<String> {
    let mut row = vec![figures.game.clone(), format!("{:.3}", figures.build_seconds)];
    match &figures.network {
        Some(network) => row.extend([
            format!("{:.3}", network.grounding_seconds),
            network.ops_per_turn.to_string(),
            network.tape_bytes.div_ceil(1024).to_string(),
            format!(
                "{} ({})",
                readable(network.playouts_per_second.best),
                readable(network.playouts_per_second.median)
            ),
            readable(network.turns_per_second.best),
            readable(network.gate_lanes_per_second.best),
        ]),
        None => row.extend(std::iter::repeat_n("-".to_owned(), 6)),
    }
    row.push(readable(figures.lifted_playouts_per_second.best));
    row
}
