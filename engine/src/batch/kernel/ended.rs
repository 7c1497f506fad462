//! Final states of playouts, kept until computing their goals is worthwhile.

use super::{
    super::{Plane, Tally},
    evaluation::{Evaluate, read},
};
use crate::propnet::{Phase, Tape};

/// Ended lanes whose goals have not been counted yet.
///
/// In nearly every turn some lane ends, and goals cost the same for one lane as for all. If they are
/// expensive, the states of ended lanes are set aside, each in its own lane, until a lane ends for the second time.
/// Room for more than one state per lane was not faster: the copies then cost as much as the evaluation that they save.
#[derive(Debug)]
pub(in crate::batch) struct UncountedLanes<'p, const W: usize> {
    /// Where states are put aside; none where goals cost little.
    aside: Option<&'p mut [[u64; W]]>,
    /// Lanes whose final states are stored.
    waiting: Plane<W>,
}

impl<'p, const W: usize> UncountedLanes<'p, W> {
    pub(in crate::batch) fn new(aside: Option<&'p mut [[u64; W]]>) -> Self {
        Self { aside, waiting: Plane::NONE }
    }

    /// Whether goals cost so much that states had better be put aside.
    pub(in crate::batch) fn is_worth_it(tape: &Tape) -> bool {
        let [state, goal, ..] = tape.statistics().ops;
        // Copying a base costs about as much as two operations, and the state is looked at again. Hold'em, with
        // 5437 operations for goals, is three times as fast; tic-tac-toe, with one, would be slower.
        goal > 2 * tape.bases_count() + state / 4
    }

    /// Counts lanes that have ended in the states in `slots`, for which [`Phase::State`] is computed, now or later.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        ended: Plane<W>,
        tape: &Tape,
        evaluate: Evaluate<W>,
        slots: &mut [[u64; W]],
        tally: &mut Tally,
    ) {
        if (self.waiting & ended).any() {
            self.count(tape, evaluate, tally);
        }
        let Some(aside) = &mut self.aside else {
            evaluate(tape, Phase::Goal, slots);
            count_goals(tape, slots, ended, tally);
            return;
        };
        let (first, bases) = (tape.base_slot(0), tape.bases_count());
        let (states, kept) = (&slots[first..first + bases], &mut aside[first..first + bases]);
        for base in 0..bases {
            kept[base] = ended.choose(Plane(states[base]), Plane(kept[base])).0;
        }
        self.waiting |= ended;
    }

    /// Counts all that are waiting.
    #[inline(always)]
    pub(super) fn count(&mut self, tape: &Tape, evaluate: Evaluate<W>, tally: &mut Tally) {
        if let Some(aside) = &mut self.aside {
            evaluate(tape, Phase::State, aside);
            evaluate(tape, Phase::Goal, aside);
            count_goals(tape, aside, self.waiting, tally);
            self.waiting = Plane::NONE;
        }
    }
}

/// Counts the goals of lanes that are over: the first that is true for each role.
#[inline(always)]
fn count_goals<const W: usize>(tape: &Tape, slots: &[[u64; W]], ended: Plane<W>, tally: &mut Tally) {
    let mut without = Plane::NONE;
    for role in tape.roles() {
        let goals = tape.goals(role);
        let counts = &mut tally.goals[role.index()];
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
