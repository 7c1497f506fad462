//! What is measured of one game.

use std::sync::Arc;

use croupier_engine::{
    ByPlayer, Game, Options,
    batch::{PlayoutSettings, Playouts, Tally},
    game::{Backend, BuildReport, NetworkSizes},
    stages::propnet::{Phase, Tape, TapeStatistics},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::{
    agreement::{self, KnownMean, Moments},
    stopwatch::{Pace, Rate, as_float, rate, timed},
    width::Width,
};
use crate::{failure::Failure, source::Source};

/// What all choices follow from: the same in every run.
const KEY: [u8; 32] = [7; 32];

/// How often a game is built, if that is quick.
const BUILDS: u32 = 3;

/// A game and what was measured of it, on one thread.
#[derive(Debug)]
pub(super) struct Figures {
    /// What the game is called.
    pub(super) name: String,
    /// Seconds to build it for the lifted reasoner, the least of several.
    pub(super) build_seconds: f64,
    /// Playouts a second of the lifted reasoner.
    pub(super) lifted: Rate,
    /// The network, or why there is none.
    pub(super) network: Result<NetworkFigures, String>,
}

/// What was measured of a game's network.
#[derive(Debug)]
pub(super) struct NetworkFigures {
    /// The game, for measurements to come.
    pub(super) game: Arc<Game>,
    /// Seconds that building takes longer for it: grounding, gates, tape.
    pub(super) grounding_seconds: f64,
    /// How large the ground game is.
    pub(super) sizes: NetworkSizes,
    /// How large the tape is.
    pub(super) statistics: TapeStatistics,
    /// Playouts a second in batches.
    pub(super) playouts: Rate,
    /// Turns in a playout, on average.
    pub(super) turns_mean: f64,
    /// Gates times lanes a second while phases are computed and nothing else.
    pub(super) tape_gate_lanes: Rate,
    /// What the playouts were worth.
    pub(super) moments: ByPlayer<Moments>,
}

impl NetworkFigures {
    /// The operations that each turn of a playout takes: [`Phase::State`] and [`Phase::Next`].
    pub(super) fn ops_per_turn(&self) -> usize {
        ops_per_turn(&self.statistics)
    }

    /// States a second that playouts went through.
    pub(super) fn turns(&self) -> Rate {
        self.playouts.times(self.turns_mean)
    }

    /// Gates times lanes a second in playouts. A lane that holds a playout computes both phases once for each turn and
    /// once for its end; lanes that idle at the end of a block are not counted, nor are goals.
    pub(super) fn gate_lanes(&self) -> Rate {
        self.playouts.times((self.turns_mean + 1.0) * as_float(self.ops_per_turn() as u64))
    }
}

/// The operations that each turn of a playout takes.
pub(super) fn ops_per_turn(statistics: &TapeStatistics) -> usize {
    statistics.ops[Phase::State as usize] + statistics.ops[Phase::Next as usize]
}

impl Figures {
    /// Measures a game, each of its rates at this pace.
    ///
    /// # Errors
    /// If the rules are refused or fail, or two ways to play differ in what they give.
    pub(super) fn measure(source: &Source, pace: &Pace) -> Result<Self, Failure> {
        let (lifted_game, build_seconds) = build(source, Backend::Datalog)?;
        let (lifted, lifted_moments) = lifted_playouts(&lifted_game, pace)?;
        let (game, network_seconds) = build(source, Backend::Auto)?;
        let network = match (game.build_report().clone(), game.network().cloned()) {
            (BuildReport::Grounded(sizes), Some(network)) => {
                let tape = network.tape();
                let (playouts, tally) = batch_playouts(&game, tape, pace)?;
                let moments = agreement::moments(&game, &network, &tally)?;
                agreement::demand_agreement(game.roles(), &moments, &lifted_moments)?;
                if let Some(mean) = agreement::known_mean(&source.name) {
                    let known = KnownMean { whose: "the literature", mean, count: f64::INFINITY };
                    agreement::demand_mean(game.roles(), &moments, known)?;
                }
                Ok(NetworkFigures {
                    grounding_seconds: (network_seconds - build_seconds).max(0.0),
                    sizes,
                    statistics: tape.statistics(),
                    playouts,
                    turns_mean: as_float(tally.turns) / as_float(tally.playouts),
                    tape_gate_lanes: tape_gate_lanes(tape, pace)?,
                    moments,
                    game,
                })
            }
            (BuildReport::NotGrounded(error), _) => Err(error.to_string()),
            _ => Err("the lifted reasoner was chosen".to_owned()),
        };
        Ok(Self { name: source.name.clone(), build_seconds, lifted, network })
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
    let rate = rate(pace, [playouts_min, 1 << 40], |playouts| {
        let tally = blocks(game, tape, playouts).run_block(block);
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

/// Blocks of so many playouts each, without an end.
pub(super) fn blocks(game: &Game, tape: &Arc<Tape>, playouts_per_block: u64) -> Playouts {
    let settings = PlayoutSettings {
        playouts: u64::MAX,
        playouts_per_block,
        turns_max: game.limits().turns as u64,
        seed: KEY,
    };
    Playouts::new(Arc::clone(tape), tape.initial(), settings)
}

/// How fast phases are computed in all lanes of a playout's width.
fn tape_gate_lanes(tape: &Arc<Tape>, pace: &Pace) -> Result<Rate, Failure> {
    let mut width = Width::<{ Playouts::LANES / 64 }>::new(tape, KEY);
    let turns = rate(pace, [1, u64::MAX], |turns| {
        for _ in 0..turns {
            width.evaluate();
        }
        Ok(())
    })?;
    width.demand_answers()?;
    let gates = ops_per_turn(&tape.statistics()) * Playouts::LANES;
    Ok(turns.times(as_float(gates as u64)))
}
