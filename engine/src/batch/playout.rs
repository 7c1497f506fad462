//! Random playouts, many at once, in blocks whose results depend on nothing else.

use std::sync::Arc;

use super::{
    Faults, Generator, Lanes, Plane, Tally,
    age::Age,
    ended::Ended,
    evaluation::{evaluate, read},
    vector::{Kernel, dispatch},
};
use crate::propnet::{Phase, Tape};

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
        let before = block.saturating_mul(self.settings.playouts_per_block);
        let playouts = self.settings.playouts.saturating_sub(before).min(self.settings.playouts_per_block);
        let mut lanes = Lanes::new(Arc::clone(&self.tape));
        lanes.fill(&self.start);
        let active = Plane::first(usize::try_from(playouts).unwrap_or(usize::MAX));
        let goals = (0..self.tape.roles_count()).map(|role| {
            let indices = self.tape.goals(role).iter().map(|&(index, _)| index as usize + 1);
            vec![0; indices.max().unwrap_or(0)]
        });
        dispatch(Block {
            playouts: self,
            lanes,
            random: Generator::new(self.settings.seed, block),
            active,
            age: Age::new(self.settings.turns_max),
            ended: Ended::new(&self.tape),
            waiting: playouts - u64::from(active.count()),
            tally: Tally { playouts, turns: 0, goals: goals.collect(), faults: Faults::default() },
        })
    }
}

/// A block while it is played.
struct Block<'p> {
    playouts: &'p Playouts,
    lanes: Lanes<W>,
    random: Generator<W>,
    /// Lanes that have a playout.
    active: Plane<W>,
    age: Age<W>,
    ended: Ended<W>,
    /// Playouts that have not begun.
    waiting: u64,
    tally: Tally,
}

impl Kernel for Block<'_> {
    type Output = Tally;

    #[inline(always)]
    fn run(mut self) -> Tally {
        let tape = &*self.playouts.tape;
        while self.active.any() {
            evaluate(tape, Phase::State, self.lanes.slots.as_planes_mut());
            let terminal = self.active & read(self.lanes.slots.as_planes(), tape.terminal());
            if terminal.any() {
                let slots = self.lanes.slots.as_planes_mut();
                self.ended.add(tape, terminal, slots, &mut self.tally);
            }
            let late = self.active & !terminal & self.age.reached();
            let running = self.active & !terminal & !late;
            let slots = self.lanes.slots.as_planes_mut();
            let stuck = self.lanes.choice.choose(slots, |_| running, &mut self.random);
            self.tally.faults.turn_limit += u64::from(late.count());
            self.tally.faults.without_move += u64::from(stuck.count());
            self.tally.turns += u64::from((running & !stuck).count());
            evaluate(tape, Phase::Next, self.lanes.slots.as_planes_mut());
            self.restart(tape, terminal | late | stuck);
        }
        self.ended.count(tape, &mut self.tally);
        self.tally
    }
}

impl Block<'_> {
    /// Goes on to the next states; lanes in `over` begin anew as long as playouts are waiting.
    #[inline(always)]
    fn restart(&mut self, tape: &Tape, over: Plane<W>) {
        let ended = u64::from(over.count());
        if ended > self.waiting {
            // The lowest lanes go on.
            for lane in over.lanes().skip(usize::try_from(self.waiting).unwrap_or(usize::MAX)) {
                self.active.set(lane, false);
            }
        }
        self.waiting -= ended.min(self.waiting);
        self.age.grow(over);
        let slots = self.lanes.slots.as_planes_mut();
        for (base, (&next, &start)) in tape.next().iter().zip(&self.playouts.start).enumerate() {
            let next = read(slots, next);
            slots[tape.base_slot(base)] = if start { next | over } else { next & !over }.0;
        }
    }
}
