//! A block of playouts, from its first turn to the last goal.

use super::{
    super::{Plane, Tally},
    Age, Choice, Generator, UncountedLanes,
    advance::restart,
    choice::Choose,
    evaluation::{Evaluate, read},
};
use crate::propnet::{Phase, Tape};

/// A block while it is played.
pub(in crate::batch) struct Block<'p, const W: usize> {
    pub(in crate::batch) tape: &'p Tape,
    /// Where playouts begin: for each base whether it is true.
    pub(in crate::batch) start: &'p [bool],
    /// The states, which are those of the beginning.
    pub(in crate::batch) slots: &'p mut [[u64; W]],
    pub(in crate::batch) choice: &'p mut Choice<W>,
    pub(in crate::batch) random: Generator<W>,
    /// Lanes that have a playout.
    pub(in crate::batch) active: Plane<W>,
    pub(in crate::batch) age: Age<W>,
    pub(in crate::batch) ended: UncountedLanes<'p, W>,
    /// Playouts that have not begun.
    pub(in crate::batch) waiting: u64,
    pub(in crate::batch) tally: Tally,
    /// The kernels that take most of the time, which need not be compiled once more here.
    pub(in crate::batch) evaluate: Evaluate<W>,
    pub(in crate::batch) choose: Choose<W>,
}

/// Plays a block.
#[inline(always)]
pub(super) fn play<const W: usize>(mut block: Block<'_, W>) -> Tally {
    let (tape, evaluate, choose) = (block.tape, block.evaluate, block.choose);
    while block.active.any() {
        evaluate(tape, Phase::State, block.slots);
        let terminal = block.active & read(block.slots, tape.terminal());
        if terminal.any() {
            block.ended.add(terminal, tape, evaluate, block.slots, &mut block.tally);
        }
        let late = block.active & !terminal & block.age.reached();
        let running = block.active & !terminal & !late;
        let stuck = choose(block.choice, block.slots, running, &mut block.random);
        block.tally.faults.turn_limit += u64::from(late.count());
        block.tally.faults.without_move += u64::from(stuck.count());
        block.tally.turns += u64::from((running & !stuck).count());
        evaluate(tape, Phase::Next, block.slots);
        block.restart(terminal | late | stuck);
    }
    block.ended.count(tape, evaluate, &mut block.tally);
    block.tally
}

impl<const W: usize> Block<'_, W> {
    /// Goes on to the next states; lanes in `over` begin anew as long as playouts are waiting.
    #[inline(always)]
    fn restart(&mut self, over: Plane<W>) {
        let ended = u64::from(over.count());
        if ended > self.waiting {
            // The lowest lanes go on.
            let mut going_on = self.waiting;
            for lane in over.lanes() {
                if going_on > 0 {
                    going_on -= 1;
                } else {
                    self.active.set(lane, false);
                }
            }
        }
        self.waiting -= ended.min(self.waiting);
        self.age.grow(over);
        restart(self.tape, self.slots, over, self.start);
    }
}
