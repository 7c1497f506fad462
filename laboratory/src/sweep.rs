//! How cost depends on lanes and on threads.

use std::{fmt, hint::black_box, sync::Arc};

use croupier_engine::{
    batch::{self, Plane, PlayoutSettings, Playouts},
    stages::propnet::Tape,
};
use croupier_games::readable;
use rayon::{ThreadPoolBuilder, prelude::*};
use serde::Serialize;

use crate::{Measured, Outcome, stopwatch::rate, table::table, tapes::TapedGame, width::Width};

/// Games whose curves are drawn: enough to see the shape, few enough to tell apart.
const DRAWN_MAX: usize = 5;

/// Threads beyond these are not tried.
const THREADS_MAX: usize = 16;

/// One game's points.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Curve {
    pub(crate) game: String,
    /// What was varied, and what came out.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Curves of several games.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sweep {
    /// Nanoseconds that one game's turn takes, against the number of games at once.
    pub(crate) lanes: Vec<Curve>,
    /// Playouts a second, against the number of threads.
    pub(crate) threads: Vec<Curve>,
}

impl Sweep {
    /// Measures the first few of these games that have a network.
    ///
    /// # Errors
    /// If a game is not there, answers are wrong, or threads cannot be started.
    pub(crate) fn measure(measured: &Measured) -> Outcome<Self> {
        let mut sweep = Self { lanes: Vec::new(), threads: Vec::new() };
        for game in TapedGame::all(&measured.games)?.iter().take(DRAWN_MAX) {
            let curve = |points| Curve { game: game.name.clone(), points };
            sweep.lanes.push(curve(lanes_points(&game.tape, measured.seconds)?));
            sweep.threads.push(curve(threads_points(game, measured.seconds)?));
        }
        Ok(sweep)
    }
}

fn lanes_points(tape: &Arc<Tape>, seconds: f64) -> Outcome<Vec<(f64, f64)>> {
    let (narrow, wide) = (turn_seconds::<1>(tape, seconds)?, turn_seconds::<8>(tape, seconds)?);
    // A machine takes as long for one game as for as many as it has lanes.
    let costs = [(narrow, 1), (narrow, Plane::<1>::LANES), (wide, Plane::<8>::LANES)];
    Ok(costs.map(|(seconds, games)| (games as f64, 1e9 * seconds / games as f64)).to_vec())
}

/// Seconds that phases and choice take for a turn of all lanes.
fn turn_seconds<const W: usize>(tape: &Arc<Tape>, seconds: f64) -> Outcome<f64>
where
    Plane<W>: batch::Width<W>,
{
    let mut width = Width::<W>::new(tape);
    let turns = rate(seconds, 1, |turns| (0..turns).for_each(|_| width.turn()));
    width.demand_answers()?;
    Ok(1.0 / turns)
}

fn threads_points(TapedGame { game, tape, .. }: &TapedGame, seconds: f64) -> Outcome<Vec<(f64, f64)>> {
    let available = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let mut points = Vec::new();
    for threads in 1..=available {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let shares = 2 * threads as u64;
        let playouts_min = 8 * shares * Playouts::LANES as u64;
        let playouts = rate(seconds, playouts_min, |playouts| {
            let settings = PlayoutSettings {
                playouts: u64::MAX,
                playouts_per_block: playouts.div_ceil(shares),
                turns_max: game.limits().turns as u64,
                seed: [7; 32],
            };
            let blocks = Playouts::new(Arc::clone(tape), tape.initial(), settings);
            pool.install(|| {
                (0..shares).into_par_iter().for_each(|block| {
                    black_box(blocks.run_block(block));
                });
            });
        });
        points.push((threads as f64, playouts));
    }
    Ok(points)
}

impl fmt::Display for Sweep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Nanoseconds for a turn of one game, when so many are played at once:\n")?;
        formatter.write_str(&curves(&self.lanes, |cost| format!("{cost:.3}")))?;
        writeln!(formatter, "\nPlayouts a second on so many threads:\n")?;
        formatter.write_str(&curves(&self.threads, readable))
    }
}

fn curves(curves: &[Curve], shown: impl Fn(f64) -> String) -> String {
    let varied = curves.first().map_or(&[][..], |curve| curve.points.as_slice()).iter();
    let head = varied.fold("game".to_owned(), |head, (value, _)| format!("{head}, {value}"));
    let row = |Curve { game, points }: &Curve| {
        [game.clone()].into_iter().chain(points.iter().map(|(_, found)| shown(*found))).collect()
    };
    table(&head, curves.iter().map(row))
}
