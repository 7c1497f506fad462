//! The turns of an information set as one circuit over the moves of the others.
//!
//! # Sources
//! Bounded model checking: A. Biere, A. Cimatti, E. Clarke, Y. Zhu, "Symbolic model checking without BDDs", TACAS 1999;
//! here the circuit is a game's own network, and constants are carried on from turn to turn.

use croupier_engine::{
    RoleId,
    stages::bits::Bits,
    stages::propnet::{GateWriter, Gates, Phase, Tape, Wire},
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

/// The circuit of all turns, whose clauses hold exactly for the consistent histories; if loops are too
/// long to be unrolled they may also hold for others. `None` if it has more than `nodes_max` gates.
pub(super) fn unroll(tape: &Tape, role: RoleId, turns: &[KnownTurn], nodes_max: usize) -> Option<Unrolled> {
    let moves: usize = tape.roles().map(|role| tape.moves_count(role)).sum();
    let feedback = GateWriter::loop_inputs(tape);
    let inputs = turns.len().checked_mul(moves + feedback).filter(|&inputs| inputs < nodes_max)?;
    let mut writer = GateWriter::new(tape, u32::try_from(inputs).ok()?);
    for (base, &is_true) in tape.initial().iter().enumerate() {
        writer.set_base(base, if is_true { Wire::TRUE } else { Wire::FALSE });
    }
    let mut choices = Vec::new();
    for turn in turns {
        choices.push(write_turn(&mut writer, role, turn));
        if writer.gates().nodes().len() > nodes_max {
            return None;
        }
    }
    let bases = (0..tape.bases_count()).map(|base| writer.base(base)).collect();
    let (gates, clauses) = writer.into_parts();
    Some(Unrolled { gates, choices, clauses, bases })
}

fn write_turn(writer: &mut GateWriter<'_>, own_role: RoleId, turn: &KnownTurn) -> Vec<MoveChoice> {
    let tape = writer.tape();
    writer.phase(Phase::State);
    demand(writer, !writer.read(tape.terminal()));
    demand(writer, writer.read(tape.legal(own_role)[turn.own_move]));
    let mut choices = Vec::new();
    for role in tape.roles() {
        let legal: Vec<Wire> = tape.legal(role).iter().map(|&legal| writer.read(legal)).collect();
        let mut choice = MoveChoice { moves: Vec::new() };
        for (number, legal) in legal.into_iter().enumerate() {
            let made = match role == own_role {
                true if number == turn.own_move => Wire::TRUE,
                true => Wire::FALSE,
                false if legal == Wire::FALSE => Wire::FALSE,
                false => {
                    let made = writer.input();
                    choice.moves.push((u32::try_from(number).expect("moves are below 2^32"), made));
                    writer.demand(vec![!made, legal]);
                    made
                }
            };
            writer.set_move(role, number, made);
        }
        if role != own_role {
            writer.demand(choice.moves.iter().map(|&(_, made)| made).collect());
            at_most_one(writer, &choice);
            choices.push(choice);
        }
    }
    writer.phase(Phase::Next);
    let next: Vec<Wire> = tape.next().iter().map(|&next| writer.read(next)).collect();
    writer.phase(Phase::Sees);
    for (percept, &told) in tape.sees(own_role).iter().enumerate() {
        let told = writer.read(told);
        demand(writer, if turn.percepts.contains(percept) { told } else { !told });
    }
    for (base, next) in next.into_iter().enumerate() {
        writer.set_base(base, next);
    }
    choices
}

/// At most one move: a move, or one before it, excludes all later ones.
fn at_most_one(writer: &mut GateWriter<'_>, choice: &MoveChoice) {
    let mut before = Wire::FALSE;
    for &(_, made) in &choice.moves {
        writer.demand(vec![!before, !made]);
        before = writer.gates().or(before, made);
    }
}

fn demand(writer: &mut GateWriter<'_>, wire: Wire) {
    if wire != Wire::TRUE {
        writer.demand(vec![wire]);
    }
}
