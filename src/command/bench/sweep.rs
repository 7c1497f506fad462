//! How cost depends on lanes and on threads.

use std::{hint::black_box, sync::Arc};

use croupier_engine::{
    batch::{self, Plane, Playouts},
    stages::propnet::Tape,
};
use rayon::{ThreadPoolBuilder, prelude::*};

use super::{
    figures::{Figures, NetworkFigures, blocks},
    stopwatch::{Pace, as_float, rate},
    width::Width,
};
use crate::failure::Failure;

/// Games whose curves are drawn: enough to see the shape, few enough to tell apart.
const DRAWN_MAX: usize = 5;

/// Threads beyond these are not tried.
const THREADS_MAX: usize = 16;

/// One game's points.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// The game.
    pub(super) name: String,
    /// What was varied, and what came out.
    pub(super) points: Vec<(f64, f64)>,
}

/// Curves of several games.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    /// Nanoseconds that one game's turn takes, against the number of games at once.
    pub(super) lanes: Vec<Curve>,
    /// Playouts a second, against the number of threads.
    pub(super) threads: Vec<Curve>,
}

impl Sweep {
    /// Measures the first few games that have a network.
    ///
    /// # Errors
    /// If answers are wrong, or threads cannot be started.
    pub(super) fn measure(figures: &[Figures], pace: &Pace) -> Result<Self, Failure> {
        let mut sweep = Self { lanes: Vec::new(), threads: Vec::new() };
        let drawn = figures.iter().filter_map(|game| Some((&game.name, game.network.as_ref().ok()?)));
        for (name, network) in drawn.take(DRAWN_MAX) {
            let lanes = lanes_curve(network, pace)?;
            sweep.lanes.push(Curve { name: name.clone(), points: lanes });
            let threads = threads_curve(network, pace)?;
            sweep.threads.push(Curve { name: name.clone(), points: threads });
        }
        Ok(sweep)
    }
}

fn lanes_curve(network: &NetworkFigures, pace: &Pace) -> Result<Vec<(f64, f64)>, Failure> {
    let Some(tape) = network.game.network().map(|network| network.tape()) else { return Ok(Vec::new()) };
    let (narrow, wide) = (turn_seconds::<1>(tape, pace)?, turn_seconds::<8>(tape, pace)?);
    let cost = |seconds: f64, games: usize| {
        let games = as_float(games as u64);
        (games, 1e9 * seconds / games)
    };
    // A machine takes as long for one game as for as many as it has lanes.
    Ok(vec![cost(narrow, 1), cost(narrow, Plane::<1>::LANES), cost(wide, Plane::<8>::LANES)])
}

/// Seconds that phases and choice take for a turn of all lanes.
fn turn_seconds<const W: usize>(tape: &Arc<Tape>, pace: &Pace) -> Result<f64, Failure>
where
    Plane<W>: batch::Width<W>,
{
    let mut width = Width::<W>::new(tape, [7; 32]);
    let turns = rate(pace, [1, u64::MAX], |turns| {
        for _ in 0..turns {
            width.turn();
        }
        Ok(())
    })?;
    width.demand_answers()?;
    Ok(1.0 / turns.best)
}

fn threads_curve(network: &NetworkFigures, pace: &Pace) -> Result<Vec<(f64, f64)>, Failure> {
    let available = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let Some(tape) = network.game.network().map(|network| network.tape()) else { return Ok(Vec::new()) };
    let mut points = Vec::new();
    for threads in 1..=available {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
            Failure::refuse("no-threads", format!("the threads cannot be started: {error}"))
        })?;
        let shares = 2 * threads as u64;
        let playouts_min = 8 * shares * Playouts::LANES as u64;
        let playouts = rate(pace, [playouts_min, 1 << 40], |playouts| {
            let blocks = blocks(&network.game, tape, playouts.div_ceil(shares));
            pool.install(|| {
                (0..shares).into_par_iter().for_each(|block| {
                    black_box(blocks.run_block(block));
                });
            });
            Ok(())
        })?;
        points.push((as_float(threads as u64), playouts.best));
    }
    Ok(points)
}
