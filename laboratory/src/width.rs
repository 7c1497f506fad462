//! A tape over planes of a given width, in states of the middle of a game.

use std::sync::Arc;

use croupier_engine::{
    batch::{self, Generator, Lanes, Plane},
    stages::propnet::{Phase, Tape},
};

use crate::Outcome;

/// Turns that are made before anything is measured, so that lanes differ.
const TURNS: u32 = 6;

/// `64 * W` games of a tape that stay where they are, however often a turn of them is computed.
#[derive(Clone, Debug)]
pub(crate) struct Width<const W: usize> {
    lanes: Lanes<W>,
    random: Generator<W>,
}

impl<const W: usize> Width<W>
where
    Plane<W>: batch::Width<W>,
{
    /// Games after a few turns; those that are over by then begin anew.
    pub(crate) fn new(tape: &Arc<Tape>) -> Self {
        let mut lanes = Lanes::new(Arc::clone(tape));
        lanes.fill(tape.initial());
        let mut this = Self { lanes, random: Generator::new([7; 32], 0) };
        for _ in 0..TURNS {
            this.turn();
            this.lanes.advance();
            this.lanes.evaluate(Phase::State);
            let over = this.lanes.terminal();
            this.lanes.set_states(over, tape.initial());
        }
        this.turn();
        this
    }

    /// Computes what a turn needs: what is legal, a choice, and the next state, which is not entered.
    pub(crate) fn turn(&mut self) {
        self.lanes.evaluate(Phase::State);
        self.lanes.choose(Plane::ALL, &mut self.random);
        self.lanes.evaluate(Phase::Next);
    }

    /// Computes the phases of a turn alone, with the moves chosen before.
    pub(crate) fn evaluate(&mut self) {
        self.lanes.evaluate(Phase::State);
        self.lanes.evaluate(Phase::Next);
    }

    /// Compares the next states of some lanes with those of a machine of the least width.
    ///
    /// # Errors
    /// If they differ.
    pub(crate) fn demand_answers(&self) -> Outcome<()> {
        let tape = self.lanes.tape();
        for lane in [0, Plane::<W>::LANES / 2 + 5, Plane::<W>::LANES - 1] {
            let mut narrow = Lanes::<1>::new(Arc::clone(tape));
            narrow.fill(&self.lanes.state(lane));
            for role in tape.roles() {
                let is_made = |number: &usize| self.lanes.made(role, *number).get(lane);
                if let Some(number) = (0..tape.moves_count(role)).find(is_made) {
                    narrow.make(role, number, Plane::ALL);
                }
            }
            narrow.evaluate(Phase::State);
            narrow.evaluate(Phase::Next);
            let differs = |base: &usize| narrow.next(*base).get(0) != self.lanes.next(*base).get(lane);
            if (0..tape.bases_count()).any(|base| differs(&base)) {
                let lanes = Plane::<W>::LANES;
                return Err(
                    format!("lane {lane} of {lanes} goes to another state than the same game alone").into()
                );
            }
        }
        Ok(())
    }
}
