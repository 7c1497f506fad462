//! How fast the tapes of games are computed when nothing else is to be done, as a share of what the machine can do.

use std::{fmt, fs, path::Path, sync::Arc};

use croupier_engine::{Game, Options, batch::Playouts, stages::propnet::Tape};
use croupier_games::{find, readable};
use serde::Serialize;

use crate::{Measured, Outcome, limit::Limit, stopwatch::rate, table::table, width::Width};

/// A game that has a network.
#[derive(Debug)]
pub(crate) struct TapedGame {
    pub(crate) name: String,
    pub(crate) game: Game,
    pub(crate) tape: Arc<Tape>,
}

impl TapedGame {
    /// Those of these games that have a network.
    ///
    /// # Errors
    /// If one is neither in the catalogue nor a rule file, or its rules are refused.
    pub(crate) fn all(names: &[String]) -> Outcome<Vec<Self>> {
        let mut all = Vec::new();
        for name in names {
            let rules = match find(name) {
                Some(entry) => entry.rules.to_owned(),
                None => fs::read_to_string(name).map_err(|error| format!("{name}: {error}"))?,
            };
            let name = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let game =
                Game::compile(&rules, &Options::PLAY).map_err(|error| format!("{name}: {error}"))?.game;
            if let Some(network) = game.network() {
                all.push(Self { name, tape: Arc::clone(network.tape()), game });
            }
        }
        Ok(all)
    }
}

/// The machine's limit, and how near games come to it.
#[derive(Debug, Serialize)]
pub(crate) struct Tapes {
    machine: Limit,
    games: Vec<TapeRate>,
}

#[derive(Debug, Serialize)]
struct TapeRate {
    game: String,
    /// Gates times lanes a second while the phases of turns are computed and nothing else.
    gate_lanes_per_second: f64,
}

impl Tapes {
    /// Measures the machine and these games.
    ///
    /// # Errors
    /// If a game is not there, or the machine computes nonsense.
    pub(crate) fn measure(measured: &Measured) -> Outcome<Self> {
        let Measured { games, seconds } = measured;
        let mut machine = Limit::measure(*seconds)?;
        let mut rates = Vec::new();
        for TapedGame { name, tape, .. } in TapedGame::all(games)? {
            rates.push(TapeRate { game: name, gate_lanes_per_second: gate_lanes(&tape, *seconds)? });
            // Once more now and then: the first time may have been a busy one, and what is measured is never too high.
            machine = machine.max(Limit::measure(seconds / 4.0)?);
        }
        Ok(Self { machine, games: rates })
    }
}

fn gate_lanes(tape: &Arc<Tape>, seconds: f64) -> Outcome<f64> {
    let mut width = Width::<{ Playouts::LANES / 64 }>::new(tape);
    let turns = rate(seconds, 1, |turns| (0..turns).for_each(|_| width.evaluate()));
    width.demand_answers()?;
    Ok(turns * (tape.statistics().ops_per_turn() * Playouts::LANES) as f64)
}

impl fmt::Display for Tapes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limit { vector_bits, gate_lanes_per_second: limit } = self.machine;
        writeln!(formatter, "Vectors of {vector_bits} bits, at most {} gate-lanes/s.\n", readable(limit))?;
        let rows = self.games.iter().map(|TapeRate { game, gate_lanes_per_second: rate }| {
            vec![game.clone(), readable(*rate), format!("{:.0} %", 100.0 * rate / limit)]
        });
        formatter.write_str(&table("game, gate-lanes/s of the tape alone, of limit", rows))
    }
}
