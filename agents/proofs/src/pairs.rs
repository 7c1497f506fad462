//! Turns of which a role is told, as gates; and two matches that are the same to it: it makes the same moves and is told the same, whatever else
//! differs.

use croupier_engine::{
    RoleId,
    stages::propnet::{GateWriter, Gates, Tape, Wire},
};

use crate::{
    circuit::{NODES_MAX, OwnMoves, StateWires, begin, choose, go_on, inputs_of_turn, look},
    counting::differ,
    invariants::Invariant,
};

/// Any state, a turn, and which percepts tell a role of it.
pub(crate) struct ToldTurn {
    pub(crate) before: StateWires,
    pub(crate) after: StateWires,
    pub(crate) percepts: Vec<Wire>,
}

impl ToldTurn {
    /// Writes a turn, in which the role may have to do what it does elsewhere.
    fn write(writer: &mut GateWriter<'_>, role: RoleId, own_moves: Option<OwnMoves<'_>>) -> Self {
        begin(writer);
        let mut before = look(writer);
        before.moves = choose(writer, &before, own_moves);
        let percepts = go_on(writer, Some(role));
        Self { before, after: look(writer), percepts }
    }
}

/// One turn of which a role is told.
pub(crate) struct TurnCircuit {
    pub(crate) gates: Gates,
    /// Sets of wires of each of which one is true.
    pub(crate) clauses: Vec<Vec<Wire>>,
    pub(crate) turn: ToldTurn,
}

impl TurnCircuit {
    /// A turn from any state in which these invariants hold. `None` if it has too many gates.
    pub(crate) fn new(tape: &Tape, role: RoleId, known: &[Invariant]) -> Option<Self> {
        let mut writer = writer(tape, 1)?;
        let turn = ToldTurn::write(&mut writer, role, None);
        let (mut gates, mut clauses) = writer.into_parts();
        assume(&mut gates, &mut clauses, known, &turn.before);
        (gates.nodes().len() <= NODES_MAX).then_some(Self { gates, clauses, turn })
    }
}

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
        let mut writer = writer(tape, 2)?;
        let one = ToldTurn::write(&mut writer, role, None);
        let own_moves = OwnMoves { role, made: &one.before.moves[role.index()] };
        let other = ToldTurn::write(&mut writer, role, Some(own_moves));
        for (&one, &other) in one.percepts.iter().zip(&other.percepts) {
            let difference = differ(writer.gates(), one, other);
            writer.demand(vec![!difference]);
        }
        let (mut gates, mut clauses) = writer.into_parts();
        for turn in [&one, &other] {
            assume(&mut gates, &mut clauses, known, &turn.before);
        }
        let (before, after) = ([one.before, other.before], [one.after, other.after]);
        (gates.nodes().len() <= NODES_MAX).then_some(Self { gates, clauses, before, after })
    }
}

fn assume(gates: &mut Gates, clauses: &mut Vec<Vec<Wire>>, known: &[Invariant], state: &StateWires) {
    clauses.extend(known.iter().map(|invariant| vec![invariant.wire(gates, &state.bases)]));
}

/// A writer for so many states, each with a turn.
fn writer(tape: &Tape, states: usize) -> Option<GateWriter<'_>> {
    let each = tape.bases_count() + 2 * inputs_of_turn(tape);
    Some(GateWriter::new(tape, u32::try_from(states * each).ok()?))
}

/// Of each fluent whether it is as true in one state as in the other.
pub(crate) fn agreements(gates: &mut Gates, [one, other]: &[StateWires; 2]) -> Vec<Wire> {
    let both = one.bases.iter().zip(&other.bases);
    both.map(|(&one, &other)| !differ(gates, one, other)).collect()
}
