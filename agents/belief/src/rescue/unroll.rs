//! The turns of an information set as one circuit over the moves of the others.
//!
//! # Sources
//! Bounded model checking: A. Biere, A. Cimatti, E. Clarke, Y. Zhu, "Symbolic model checking without BDDs", TACAS 1999;
//! here the circuit is a game's own network, and constants are carried on from turn to turn.

use croupier_engine::{
    RoleId,
    stages::bits::Bits,
    stages::propnet::{Gates, Loop, Op, OpKind, Operand, Phase, Run, Segment, Tape, Wire},
};

/// What is known about one turn, as indices of the tape.
#[derive(Clone, Debug)]
pub(super) struct KnownTurn {
    /// The executed own move.
    pub(super) own_move: usize,
    /// What the role was told.
    pub(super) percepts: Bits,
}

/// The moves of one role in one turn that are not impossible: exactly one is made.
#[derive(Clone, Debug)]
pub(super) struct MoveChoice {
    /// The number of each move, and the wire that says that it is made.
    pub(super) moves: Vec<(u32, Wire)>,
}

/// All turns as gates.
#[derive(Debug)]
pub(super) struct Unrolled {
    /// The gates; their inputs are moves.
    pub(super) gates: Gates,
    /// By turn, the choices of the other roles.
    pub(super) choices: Vec<Vec<MoveChoice>>,
    /// Sets of wires, of each of which at least one must be true.
    pub(super) clauses: Vec<Vec<Wire>>,
    /// The bases after the last turn.
    pub(super) bases: Vec<Wire>,
}

/// Gates of a circuit, if there is time: some gigabytes.
pub(super) const NODES_MAX: usize = 30_000_000;

/// Maximum number of operations for unrolling one loop; a longer one is encoded as a pair of equations.
const LOOP_OPS_MAX: usize = 2_000_000;

/// The tape while it is written as gates.
struct GateWriter<'t> {
    tape: &'t Tape,
    gates: Gates,
    slots: Vec<Wire>,
    inputs: usize,
    clauses: Vec<Vec<Wire>>,
}

/// The circuit of all turns, whose clauses hold exactly for the consistent histories; if loops are too
/// long to be unrolled they may also hold for others. `None` if it has more than `nodes_max` gates.
pub(super) fn unroll(tape: &Tape, role: RoleId, turns: &[KnownTurn], nodes_max: usize) -> Option<Unrolled> {
    let moves: usize = tape.roles().map(|role| tape.moves_count(role)).sum();
    let feedback: usize = Phase::ALL
        .iter()
        .flat_map(|&phase| tape.segments(phase))
        .map(|segment| match segment {
            Segment::Loop(knot) => knot.feedback.len(),
            Segment::Run(_) => 0,
        })
        .sum();
    let inputs = turns.len().checked_mul(moves + feedback).filter(|&inputs| inputs < nodes_max)?;
    let mut slots = vec![Wire::FALSE; tape.slots_count()];
    for (base, &is_true) in tape.initial().iter().enumerate() {
        slots[tape.base_slot(base)] = if is_true { Wire::TRUE } else { Wire::FALSE };
    }
    let gates = Gates::new(u32::try_from(inputs).ok()?);
    let mut writer = GateWriter { tape, gates, slots, inputs: 0, clauses: Vec::new() };
    let mut choices = Vec::new();
    for turn in turns {
        choices.push(writer.turn(role, turn));
        if writer.gates.nodes().len() > nodes_max {
            return None;
        }
    }
    let bases = (0..tape.bases_count()).map(|base| writer.slots[tape.base_slot(base)]).collect();
    Some(Unrolled { gates: writer.gates, choices, clauses: writer.clauses, bases })
}

impl GateWriter<'_> {
    fn turn(&mut self, own_role: RoleId, turn: &KnownTurn) -> Vec<MoveChoice> {
        let tape = self.tape;
        self.phase(Phase::State);
        self.demand(!self.read(tape.terminal()));
        self.demand(self.read(tape.legal(own_role)[turn.own_move]));
        let mut choices = Vec::new();
        for role in tape.roles() {
            let legal: Vec<Wire> = tape.legal(role).iter().map(|&legal| self.read(legal)).collect();
            let mut choice = MoveChoice { moves: Vec::new() };
            for (number, legal) in legal.into_iter().enumerate() {
                let made = match role == own_role {
                    true if number == turn.own_move => Wire::TRUE,
                    true => Wire::FALSE,
                    false if legal == Wire::FALSE => Wire::FALSE,
                    false => {
                        let made = self.input();
                        choice.moves.push((u32::try_from(number).expect("moves are below 2^32"), made));
                        self.clauses.push(vec![!made, legal]);
                        made
                    }
                };
                self.slots[tape.move_slot(role, number)] = made;
            }
            if role != own_role {
                self.clauses.push(choice.moves.iter().map(|&(_, made)| made).collect());
                self.at_most_one(&choice);
                choices.push(choice);
            }
        }
        self.phase(Phase::Next);
        let next: Vec<Wire> = tape.next().iter().map(|&next| self.read(next)).collect();
        self.phase(Phase::Sees);
        for (percept, &told) in tape.sees(own_role).iter().enumerate() {
            let told = self.read(told);
            self.demand(if turn.percepts.contains(percept) { told } else { !told });
        }
        for (base, next) in next.into_iter().enumerate() {
            self.slots[tape.base_slot(base)] = next;
        }
        choices
    }

    /// At most one move: a move, or one before it, excludes all later ones.
    fn at_most_one(&mut self, choice: &MoveChoice) {
        let mut before = Wire::FALSE;
        for &(_, made) in &choice.moves {
            self.clauses.push(vec![!before, !made]);
            before = self.gates.or(before, made);
        }
    }

    fn demand(&mut self, wire: Wire) {
        if wire != Wire::TRUE {
            self.clauses.push(vec![wire]);
        }
    }

    fn input(&mut self) -> Wire {
        self.inputs += 1;
        self.gates.input(self.inputs - 1)
    }

    fn phase(&mut self, phase: Phase) {
        let tape = self.tape;
        for segment in tape.segments(phase) {
            match segment {
                Segment::Run(run) => self.run(run),
                Segment::Loop(knot) => self.knot(knot),
            }
        }
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

    fn read(&self, operand: Operand) -> Wire {
        let wire = self.slots[operand.slot()];
        if operand.is_inverted() { !wire } else { wire }
    }
}
