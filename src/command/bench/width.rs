//! A tape over planes of a given width, in states of the middle of a game.

use std::sync::Arc;

use croupier_engine::{
    batch::{self, Generator, Lanes, Plane},
    stages::propnet::{Phase, Tape},
};

use crate::failure::Failure;

/// Turns that are made before anything is measured, so that lanes differ.
const TURNS: u32 = 6;

/// `64 * W` games of a tape that stay where they are, however often a turn of them is computed.
#[derive(Clone, Debug)]
pub(super) struct Width<const W: usize> {
    lanes: Lanes<W>,
    random: Generator<W>,
}

impl<const W: usize> Width<W>
where
    Plane<W>: batch::Width<W>,
{
    /// Games after a few turns; those that are over by then begin anew.
    pub(super) fn new(tape: &Arc<Tape>, key: [u8; 32]) -> Self {
        let mut lanes = Lanes::new(Arc::clone(tape));
        lanes.fill(tape.initial());
        let mut this = Self { lanes, random: Generator::new(key, 0) };
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
    pub(super) fn turn(&mut self) {
        self.lanes.evaluate(Phase::State);
        self.lanes.choose(Plane::ALL, &mut self.random);
        self.lanes.evaluate(Phase::Next);
    }

    /// Computes the phases of a turn alone, with the moves chosen before.
    pub(super) fn evaluate(&mut self) {
        self.lanes.evaluate(Phase::State);
        self.lanes.evaluate(Phase::Next);
    }

    /// Compares the next states of some lanes with those of a machine of the least width.
    ///
    /// # Errors
    /// If they differ.
    pub(super) fn demand_answers(&self) -> Result<(), Failure> {
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
                let message = format!("lane {lane} of {} goes to another state", Plane::<W>::LANES);
                return Err(Failure::refuse("wrong-answer", message)
                    .help("the same game alone is right: please report this machine's processor"));
            }
        }
        Ok(())
    }
}
