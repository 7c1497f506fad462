//! Two matches that are the same to a role, as gates: it makes the same moves and is told the same, whatever else differs.

use croupier_engine::{
    RoleId,
    stages::propnet::{GateWriter, Gates, Tape, Wire},
};

use crate::{
    circuit::{NODES_MAX, OwnMoves, StateWires, begin, choose, go_on, inputs_of_turn, look},
    counting::differ,
    invariants::Invariant,
};

/// A turn of each of two matches.
pub(crate) struct PairCircuit {
    pub(crate) gates: Gates,
    /// Sets of wires of each of which one is true.
    pub(crate) clauses: Vec<Vec<Wire>>,
    /// The states before it: any.
    pub(crate) before: [StateWires; 2],
    pub(crate) after: [StateWires; 2],
}

impl PairCircuit {
    /// Any two states in which these invariants hold, and a turn in which a role does the same in both and is told the same. `None` if they
    /// have too many gates.
    pub(crate) fn of_turn(tape: &Tape, role: RoleId, known: &[Invariant]) -> Option<Self> {
        let mut writer = writer(tape)?;
        let (mut own, mut told) = (None::<Vec<Wire>>, Vec::new());
        let states = [0, 1].map(|_| {
            begin(&mut writer);
            let mut before = look(&mut writer);
            let own_moves = own.as_deref().map(|made| OwnMoves { role, made });
            before.moves = choose(&mut writer, &before, own_moves);
            own.get_or_insert_with(|| before.moves[role.index()].clone());
            told.push(go_on(&mut writer, Some(role)));
            [before, look(&mut writer)]
        });
        for (&one, &other) in told[0].iter().zip(&told[1]) {
            let difference = differ(writer.gates(), one, other);
            writer.demand(vec![!difference]);
        }
        let (gates, clauses) = writer.into_parts();
        let [[one, after_one], [other, after_other]] = states;
        let (before, after) = ([one, other], [after_one, after_other]);
        Self { gates, clauses, before, after }.assuming(known)
    }

    fn assuming(mut self, known: &[Invariant]) -> Option<Self> {
        for state in &self.before {
            for invariant in known {
                let wire = invariant.wire(&mut self.gates, &state.bases);
                self.clauses.push(vec![wire]);
            }
        }
        (self.gates.nodes().len() <= NODES_MAX).then_some(self)
    }
}

fn writer(tape: &Tape) -> Option<GateWriter<'_>> {
    let each = tape.bases_count() + 2 * inputs_of_turn(tape);
    Some(GateWriter::new(tape, u32::try_from(2 * each).ok()?))
}

/// Of each fluent whether it is as true in one state as in the other.
pub(crate) fn agreements(gates: &mut Gates, [one, other]: &[StateWires; 2]) -> Vec<Wire> {
    let both = one.bases.iter().zip(&other.bases);
    both.map(|(&one, &other)| !differ(gates, one, other)).collect()
}
