//! Random playouts, many at once, in blocks whose results depend on nothing else.

use std::sync::Arc;

use super::{
    Faults, Generator, Lanes, Plane, Tally,
    kernel::{Age, Block, Ended},
};
use crate::propnet::Tape;

/// What playouts are wanted.
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
/// Block `b` uses the generator `(seed, b)` and plays a fixed number of playouts to their ends: what blocks come
/// to does not depend on the order or the thread in which they are run, and short playouts do not crowd
/// out long ones.
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

    /// Playouts from a state: for each base whether it is true. The game's beginning is
    /// [`Tape::initial`].
    ///
    /// # Panics
    /// If there are not as many values as bases, or blocks are to be empty.
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
        let mut aside = Ended::<W>::is_worth_it(&self.tape).then(|| lanes.clone());
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
            ended: Ended::new(aside.as_mut().map(|aside| aside.slots.as_planes_mut())),
            waiting: playouts - u64::from(active.count()),
            tally: Tally { playouts, turns: 0, goals: goals.collect(), faults: Faults::default() },
            evaluate: kernels.evaluate,
            choose: kernels.choose,
        })
    }
}
