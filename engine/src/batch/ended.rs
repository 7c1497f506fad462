//! States that playouts ended in, kept until goals are worth computing.

use std::sync::Arc;

use super::{
    Lanes, Plane, Tally,
    evaluation::{evaluate, read},
};
use crate::propnet::{Phase, Tape};

/// Ended lanes whose goals are not counted yet.
///
/// In nearly every turn some lane ends, and goals cost the same for one lane as for all. Where they cost
/// much, the states of ended lanes are put aside, each in its own lane, until a lane ends for the second time.
/// Room for more than one state a lane made nothing faster: copies then cost what evaluation saves.
#[derive(Clone, Debug)]
pub(super) struct Ended<const W: usize> {
    /// Where states are put aside; none where goals cost little.
    aside: Option<Lanes<W>>,
    /// Lanes whose states are there.
    waiting: Plane<W>,
}

impl<const W: usize> Ended<W> {
    pub(super) fn new(tape: &Arc<Tape>) -> Self {
        let [state, goal, ..] = tape.statistics().ops;
        // Copying a base costs about as much as two operations, and the state is looked at again. Hold'em, with
        // 5437 operations for goals, is three times as fast; tic-tac-toe, with one, would be slower.
        let is_costly = goal > 2 * tape.bases_count() + state / 4;
        let aside = is_costly.then(|| Lanes::new(Arc::clone(tape)));
        Self { aside, waiting: Plane::NONE }
    }

    /// Counts lanes that have ended in the states in `slots`, for which [`Phase::State`] is computed, now or later.
    #[inline(always)]
    pub(super) fn add(&mut self, tape: &Tape, ended: Plane<W>, slots: &mut [[u64; W]], tally: &mut Tally) {
        if (self.waiting & ended).any() {
            self.count(tape, tally);
        }
        let Some(aside) = &mut self.aside else {
            evaluate(tape, Phase::Goal, slots);
            count_goals(tape, slots, ended, tally);
            return;
        };
        let kept = aside.slots.as_planes_mut();
        for base in 0..tape.bases_count() {
            let slot = tape.base_slot(base);
            kept[slot] = ended.choose(Plane(slots[slot]), Plane(kept[slot])).0;
        }
        self.waiting |= ended;
    }

    /// Counts all that are waiting.
    #[inline(always)]
    pub(super) fn count(&mut self, tape: &Tape, tally: &mut Tally) {
        if let Some(aside) = &mut self.aside {
            let slots = aside.slots.as_planes_mut();
            evaluate(tape, Phase::State, slots);
            evaluate(tape, Phase::Goal, slots);
            count_goals(tape, slots, self.waiting, tally);
            self.waiting = Plane::NONE;
        }
    }
}

/// Counts the goals of lanes that are over.
#[inline(always)]
fn count_goals<const W: usize>(tape: &Tape, slots: &[[u64; W]], ended: Plane<W>, tally: &mut Tally) {
    let mut without = Plane::NONE;
    for (role, counts) in tally.goals.iter_mut().enumerate() {
        let goals = tape.goals(role);
        let mut rest = ended;
        for &(index, goal) in goals {
            let has = rest & read(slots, goal);
            counts[index as usize] += u64::from(has.count());
            rest &= !has;
        }
        if !goals.is_empty() {
            without |= rest;
        }
    }
    tally.faults.without_goal += u64::from(without.count());
}
