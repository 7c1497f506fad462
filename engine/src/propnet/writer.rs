//! Writes the phases of a tape as gates, for those who reason about a game: its bases and moves may be constants, inputs or other gates.

use super::{
    gate::{Gates, Wire},
    operation::{Loop, Op, OpKind, Operand, Run, Segment},
    phase::Phase,
    tape::Tape,
};
use crate::id::RoleId;

/// Maximum number of operations for unrolling one loop; a longer one is encoded as a pair of equations.
const LOOP_OPS_MAX: usize = 2_000_000;

/// A tape while it is written as gates, turn after turn.
#[derive(Debug)]
pub struct GateWriter<'t> {
    tape: &'t Tape,
    gates: Gates,
    slots: Vec<Wire>,
    inputs: usize,
    clauses: Vec<Vec<Wire>>,
}

impl<'t> GateWriter<'t> {
    /// A writer in which every base and move is false. `inputs` are wires that [`input`](Self::input) may give; for each turn the loops of
    /// the tape may need [`loop_inputs`](Self::loop_inputs) of them.
    #[must_use]
    pub fn new(tape: &'t Tape, inputs: u32) -> Self {
        let slots = vec![Wire::FALSE; tape.slots_count()];
        Self { tape, gates: Gates::new(inputs), slots, inputs: 0, clauses: Vec::new() }
    }

    /// How many inputs the loops of a tape may need in one turn.
    #[must_use]
    pub fn loop_inputs(tape: &Tape) -> usize {
        let of = |segment: &Segment| match segment {
            Segment::Loop(knot) => knot.feedback.len(),
            Segment::Run(_) => 0,
        };
        Phase::ALL.iter().flat_map(|&phase| tape.segments(phase)).map(of).sum()
    }

    /// The tape.
    #[must_use]
    pub fn tape(&self) -> &'t Tape {
        self.tape
    }

    /// The gates that were written.
    pub fn gates(&mut self) -> &mut Gates {
        &mut self.gates
    }

    /// The next input.
    ///
    /// # Panics
    /// If there are no more.
    pub fn input(&mut self) -> Wire {
        self.inputs += 1;
        self.gates.input(self.inputs - 1)
    }

    /// Says what a base is.
    pub fn set_base(&mut self, base: usize, wire: Wire) {
        self.slots[self.tape.base_slot(base)] = wire;
    }

    /// What a base is, as it was set.
    #[must_use]
    pub fn base(&self, base: usize) -> Wire {
        self.slots[self.tape.base_slot(base)]
    }

    /// Says whether a role makes a move.
    pub fn set_move(&mut self, role: RoleId, number: usize, wire: Wire) {
        self.slots[self.tape.move_slot(role, number)] = wire;
    }

    /// At least one of these wires is true.
    pub fn demand(&mut self, wires: Vec<Wire>) {
        self.clauses.push(wires);
    }

    /// The gates, and sets of wires of each of which at least one must be true.
    #[must_use]
    pub fn into_parts(self) -> (Gates, Vec<Vec<Wire>>) {
        (self.gates, self.clauses)
    }

    /// Writes a phase; those on which it depends must have been written.
    pub fn phase(&mut self, phase: Phase) {
        let tape = self.tape;
        for segment in tape.segments(phase) {
            match segment {
                Segment::Run(run) => self.run(run),
                Segment::Loop(knot) => self.knot(knot),
            }
        }
    }

    /// The wire of an operand of a phase that was written last.
    #[must_use]
    pub fn read(&self, operand: Operand) -> Wire {
        let wire = self.slots[operand.slot()];
        if operand.is_inverted() { !wire } else { wire }
    }

    fn run(&mut self, run: &Run) {
        let tape = self.tape;
        for &Op { out, left, right } in &tape.ops()[run.ops.clone()] {
            let (left, right) = (self.slots[left as usize], self.slots[right as usize]);
            self.slots[out as usize] = match run.kind {
                OpKind::And => self.gates.and(left, right),
                OpKind::AndNot => self.gates.and(!left, right),
                OpKind::Or => self.gates.or(left, right),
            };
        }
    }

    /// A loop, unrolled until its wires are stable; or, if that is too long, as equations for a stable result.
    fn knot(&mut self, knot: &Loop) {
        let ops: usize = knot.body.iter().map(|run| run.ops.len()).sum();
        let rounds = knot.feedback.len() + 1;
        if ops.saturating_mul(rounds) <= LOOP_OPS_MAX {
            knot.feedback.iter().for_each(|&(slot, _)| self.slots[slot as usize] = Wire::FALSE);
            for _ in 0..rounds {
                knot.body.iter().for_each(|run| self.run(run));
                let mut is_settled = true;
                for &(slot, next) in &knot.feedback {
                    let next = self.read(next);
                    is_settled &= self.slots[slot as usize] == next;
                    self.slots[slot as usize] = next;
                }
                if is_settled {
                    return;
                }
            }
            return;
        }
        let free: Vec<Wire> = knot.feedback.iter().map(|_| self.input()).collect();
        for (&(slot, _), &wire) in knot.feedback.iter().zip(&free) {
            self.slots[slot as usize] = wire;
        }
        knot.body.iter().for_each(|run| self.run(run));
        for (&(slot, next), &wire) in knot.feedback.iter().zip(&free) {
            let next = self.read(next);
            self.clauses.extend([vec![!wire, next], vec![wire, !next]]);
            self.slots[slot as usize] = wire;
        }
    }
}
