//! What is measured of one game.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{
    ByPlayer, Game, Options,
    batch::{PlayoutSettings, Playouts, Tally},
    game::{Backend, BuildReport, GameNetwork, NetworkSizes},
    stages::propnet::Tape,
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde::Serialize;

use super::{
    agreement::{self, Moments},
    stopwatch::{Pace, Rate, as_float, rate, timed},
};
use crate::{arguments::source::Source, output::failure::Failure};

/// What all choices follow from: the same in every run.
const KEY: [u8; 32] = [7; 32];

/// How often a game is built, if that is quick.
const BUILDS: u32 = 3;

/// A game and what was measured of it, on one thread.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GameFigures {
    /// What the game is called.
    pub(super) game: String,
    /// Seconds to build it for the lifted reasoner, the least of several.
    pub(super) build_seconds: f64,
    pub(super) lifted_playouts_per_second: Rate,
    pub(super) network: Option<NetworkFigures>,
    pub(super) no_network_because: Option<String>,
}

/// What was measured of a game's network.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NetworkFigures {
    /// Seconds that building takes longer for it: grounding, gates, tape.
    pub(super) grounding_seconds: f64,
    atoms: usize,
    rules: usize,
    gates: usize,
    ops_by_phase: [usize; 4],
    /// The operations that each turn of a playout takes.
    pub(super) ops_per_turn: usize,
    slots: usize,
    pub(super) tape_bytes: usize,
    /// How many playouts were made in batches.
    playouts: u64,
    pub(super) playouts_per_second: Rate,
    /// States that these playouts went through.
    pub(super) turns_per_second: Rate,
    turns_per_playout: f64,
    /// Gates times lanes in playouts. A lane that holds a playout computes both phases once for each turn and once for its end;
    /// lanes that idle at the end of a block are not counted, nor are goals.
    pub(super) gate_lanes_per_second: Rate,
    /// By player.
    mean_goals: BTreeMap<String, f64>,
}

impl GameFigures {
    /// Measures a game, each of its rates at this pace.
    ///
    /// # Errors
    /// If the rules are refused or fail, or two ways to play differ in what they give.
    pub(super) fn measure(source: &Source, pace: &Pace) -> Result<Self, Failure> {
        let (lifted_game, build_seconds) = build(source, Backend::Datalog)?;
        let (lifted_playouts_per_second, lifted) = lifted_playouts(&lifted_game, pace)?;
        let (game, network_seconds) = build(source, Backend::Auto)?;
        let (network, no_network_because) = match (game.build_report(), game.network()) {
            (BuildReport::Grounded(sizes), Some(network)) => {
                let grounding_seconds = (network_seconds - build_seconds).max(0.0);
                let measured =
                    NetworkFigures::measure(&game, network, *sizes, &lifted, grounding_seconds, pace)?;
                (Some(measured), None)
            }
            (BuildReport::NotGrounded(error), _) => (None, Some(error.to_string())),
            _ => (None, Some("the lifted reasoner was chosen".to_owned())),
        };
        Ok(Self {
            game: source.name.clone(),
            build_seconds,
            lifted_playouts_per_second,
            network,
            no_network_because,
        })
    }
}

impl NetworkFigures {
    /// Measures playouts in batches, which must give what playouts of the lifted reasoner gave.
    fn measure(
        game: &Game,
        network: &GameNetwork,
        sizes: NetworkSizes,
        lifted: &ByPlayer<Moments>,
        grounding_seconds: f64,
        pace: &Pace,
    ) -> Result<Self, Failure> {
        let (playouts, tally) = batch_playouts(game, network.tape(), pace)?;
        let moments = agreement::moments(game, network, &tally)?;
        agreement::demand_agreement(game.roles(), &moments, lifted)?;
        let mean = |role| (game.roles().name(role).to_owned(), moments[role].mean());
        let statistics = network.tape().statistics();
        let ops_per_turn = statistics.ops_per_turn();
        let turns_per_playout = as_float(tally.turns) / as_float(tally.playouts);
        Ok(Self {
            grounding_seconds,
            atoms: sizes.atoms,
            rules: sizes.rules,
            gates: sizes.gates,
            ops_by_phase: statistics.ops,
            ops_per_turn,
            slots: statistics.slots,
            tape_bytes: statistics.bytes,
            playouts: tally.playouts,
            playouts_per_second: playouts,
            turns_per_second: playouts.times(turns_per_playout),
            turns_per_playout,
            gate_lanes_per_second: playouts.times((turns_per_playout + 1.0) * as_float(ops_per_turn as u64)),
            mean_goals: game.roles().players().map(mean).collect(),
        })
    }
}

/// A game for a backend, and the least seconds that building it took.
fn build(source: &Source, backend: Backend) -> Result<(Arc<Game>, f64), Failure> {
    let options = Options { backend, ..Options::PLAY };
    let build = || timed(|| source.compile(&options));
    let (game, mut least) = build();
    // What takes long varies little, and nobody wants to wait for it again.
    for _ in 1..if least < 1.0 { BUILDS } else { 1 } {
        least = least.min(build().1);
    }
    Ok((game?, least))
}

/// Playouts of the lifted reasoner, one by one.
fn lifted_playouts(game: &Game, pace: &Pace) -> Result<(Rate, ByPlayer<Moments>), Failure> {
    let mut moments = ByPlayer::from_fn(game.roles(), |_| Moments::default());
    let (mut scratch, mut number) = (game.scratch(), 0);
    let rate = rate(pace, [1, u64::MAX], |playouts| {
        for _ in 0..playouts {
            let mut rng = ChaCha8Rng::from_seed(KEY);
            rng.set_stream(number);
            number += 1;
            let played = game
                .playout(game.initial_state(), &mut rng, &mut scratch)
                .map_err(|error| Failure::refuse("rules-fail", error.to_string()))?;
            for (role, moments) in moments.iter_mut() {
                moments.add(played.goals[role], 1);
            }
        }
        Ok(())
    })?;
    Ok((rate, moments))
}

/// Playouts on the tape, a block at a time.
fn batch_playouts(game: &Game, tape: &Arc<Tape>, pace: &Pace) -> Result<(Rate, Tally), Failure> {
    let (mut sum, mut block) = (Tally::default(), 0);
    // With fewer playouts in a block, lanes that idle at its end count too much.
    let playouts_min = 16 * Playouts::LANES as u64;
    let settings = |playouts_per_block| PlayoutSettings {
        playouts: u64::MAX,
        playouts_per_block,
        turns_max: game.limits().turns as u64,
        seed: KEY,
    };
    let rate = rate(pace, [playouts_min, 1 << 40], |playouts| {
        let tally = Playouts::new(Arc::clone(tape), tape.initial(), settings(playouts)).run_block(block);
        block += 1;
        sum.merge(&tally);
        Ok(())
    })?;
    let faults = sum.faults.turn_limit + sum.faults.without_goal + sum.faults.without_move;
    if faults > 0 || sum.turns == 0 {
        let message = format!("{faults} of {} playouts did not end as a game should", sum.playouts);
        return Err(Failure::refuse("rules-fail", message)
            .help("`croupier check FILE` plays the rules and shows where that happens"));
    }
    Ok((rate, sum))
}
