//! Random playouts, many at once, in blocks with independent results.

use std::sync::Arc;

use super::{
    Faults, Generator, Lanes, Plane, Tally,
    kernel::{Age, Block, UncountedLanes},
};
use crate::propnet::Tape;

/// Which playouts to run.
///
/// ```
/// use croupier_engine::batch::{PlayoutSettings, Playouts};
///
/// // A thousand playouts in blocks that three threads can share.
/// let settings = PlayoutSettings { playouts: 1_000, playouts_per_block: 400, turns_max: 100, seed: [0; 32] };
/// # let rules = croupier_games::find("tic-tac-toe").ok_or("the catalogue has it")?.rules;
/// # let game = croupier_engine::Game::compile(rules, &croupier_engine::Options::PLAY)?.game;
/// # let tape = game.network().ok_or("a small game is a network")?.tape();
/// assert_eq!(Playouts::new(tape.clone(), tape.initial(), settings).blocks_count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutSettings {
    /// How many playouts.
    pub playouts: u64,
    /// How many of them one block has; the last may have fewer. More keep lanes busier, since a block's last
    /// playouts leave lanes idle; fewer give more blocks to share out. Sixteen times
    /// [`Playouts::LANES`] wastes little.
    pub playouts_per_block: u64,
    /// Joint moves after which a playout that is not over is given up.
    pub turns_max: u64,
    /// What all choices follow from.
    pub seed: [u8; 32],
}

/// Random playouts from one state, each legal move of each role equally likely in each turn.
///
/// Block `b` uses the generator `(seed, b)` and plays a fixed number of playouts to the end: results of blocks
/// do not depend on the order or the thread in which they are run, and short playouts are not over-represented
/// against long ones.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options, batch::{PlayoutSettings, Playouts}};
///
/// # let rules = "(role me) (init begun) (legal me left) (legal me right)
/// #     (<= (next (went ?side)) (does me ?side)) (<= terminal (not (true begun)))
/// #     (<= (goal me 100) (true (went right))) (<= (goal me 0) (not (true (went right))))";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let tape = game.network().ok_or("a small game is a network")?.tape();
/// let settings = PlayoutSettings { playouts: 2_000, playouts_per_block: 500, turns_max: 10, seed: [7; 32] };
/// let playouts = Playouts::new(Arc::clone(tape), tape.initial(), settings);
/// let mut total = playouts.run_block(0);
/// (1..playouts.blocks_count()).for_each(|block| total.merge(&playouts.run_block(block)));
/// assert_eq!((total.playouts, total.turns), (2_000, 2_000));
/// // Half of them go right, give or take five standard deviations.
/// assert!(total.goals[0].iter().all(|count| count.abs_diff(1_000) < 112));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Playouts {
    tape: Arc<Tape>,
    start: Vec<bool>,
    settings: PlayoutSettings,
}

/// Words of a plane in playouts.
const W: usize = 8;

impl Playouts {
    /// How many playouts run at once.
    pub const LANES: usize = Plane::<W>::LANES;

    /// Playouts from a state: for each base whether it is true. The initial state of the game is
    /// [`Tape::initial`].
    ///
    /// # Panics
    /// If there are not as many values as bases, or the block size is zero.
    #[must_use]
    pub fn new(tape: Arc<Tape>, start: &[bool], settings: PlayoutSettings) -> Self {
        assert_eq!(start.len(), tape.bases_count(), "a value for each base");
        assert!(settings.playouts_per_block > 0, "a block has playouts");
        Self { tape, start: start.to_vec(), settings }
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks_count(&self) -> u64 {
        self.settings.playouts.div_ceil(self.settings.playouts_per_block)
    }

    /// Plays a block; one that is not there has no playouts.
    #[must_use]
    pub fn run_block(&self, block: u64) -> Tally {
        self.run_on(Lanes::new(Arc::clone(&self.tape)), block)
    }

    /// The same on lanes of the tape.
    pub(super) fn run_on(&self, mut lanes: Lanes<W>, block: u64) -> Tally {
        let before = block.saturating_mul(self.settings.playouts_per_block);
        let playouts = self.settings.playouts.saturating_sub(before).min(self.settings.playouts_per_block);
        lanes.fill(&self.start);
        let mut aside = UncountedLanes::<W>::is_worth_it(&self.tape).then(|| lanes.clone());
        let active = Plane::first(usize::try_from(playouts).unwrap_or(usize::MAX));
        let goals = self.tape.roles().map(|role| {
            let indices = self.tape.goals(role).iter().map(|&(index, _)| index as usize + 1);
            vec![0; indices.max().unwrap_or(0)]
        });
        let kernels = lanes.kernels;
        (kernels.play)(Block {
            tape: &self.tape,
            start: &self.start,
            slots: lanes.slots.as_planes_mut(),
            choice: &mut lanes.choice,
            random: Generator::new(self.settings.seed, block),
            active,
            age: Age::new(self.settings.turns_max),
            ended: UncountedLanes::new(aside.as_mut().map(|aside| aside.slots.as_planes_mut())),
            waiting: playouts - u64::from(active.count()),
            tally: Tally { playouts, turns: 0, goals: goals.collect(), faults: Faults::default() },
            evaluate: kernels.evaluate,
            choose: kernels.choose,
        })
    }
}
