//! Turns as gates over states that may be any: what holds for all of them holds for those that can be reached.

use croupier_engine::{
    RoleId,
    stages::propnet::{GateWriter, Gates, Phase, Tape, Wire},
};

/// So many moves of a role are told apart one after the other.
const MANY_MOVES: usize = 256;

/// One turn more of states as gates.
#[derive(Debug)]
pub(crate) struct StateWires {
    pub(crate) bases: Vec<Wire>,
    pub(crate) terminal: Wire,
    /// By role, of each move whether it is legal.
    pub(crate) legal: Vec<Vec<Wire>>,
    /// By role, of each goal, by its place among those that the rules name, whether the role has it.
    pub(crate) goals: Vec<Vec<Wire>>,
    /// By role, of each move whether it is made; nothing of the last state.
    pub(crate) moves: Vec<Vec<Wire>>,
}

/// Consecutive states, of which the first is any.
#[derive(Debug)]
pub(crate) struct Circuit {
    pub(crate) gates: Gates,
    /// Sets of wires of each of which one is true, if the states follow on each other by legal moves.
    pub(crate) clauses: Vec<Vec<Wire>>,
    /// The states; the last has bases alone if there are several.
    pub(crate) states: Vec<StateWires>,
    /// What is free besides the bases of the first state: moves, and what loops need.
    pub(crate) free: Vec<Wire>,
}

/// Gates of a circuit: some gigabytes.
pub(crate) const NODES_MAX: usize = 20_000_000;

/// More gates than these take a solver long whatever it is asked.
const FEW_GATES: usize = 40_000;

impl Circuit {
    /// So many turns from any state on. In all states but the last the match goes on. `None` if they have too many gates.
    pub(crate) fn new(tape: &Tape, turns: usize) -> Option<Self> {
        let inputs = tape.bases_count() + (turns + 1).checked_mul(inputs_of_turn(tape))?;
        let mut writer = GateWriter::new(tape, u32::try_from(inputs).ok()?);
        begin(&mut writer);
        let mut states = Vec::new();
        for turn in 0..=turns {
            let mut state = look(&mut writer);
            if turn < turns {
                state.moves = choose(&mut writer, &state, None);
                go_on(&mut writer, None);
            }
            states.push(state);
            if writer.gates().nodes().len() > NODES_MAX {
                return None;
            }
        }
        let (gates, clauses) = writer.into_parts();
        let free = (tape.bases_count()..inputs).map(|input| gates.input(input)).collect();
        Some(Self { gates, clauses, states, free })
    }

    /// Whether each question takes long.
    pub(crate) fn is_large(&self) -> bool {
        self.gates.nodes().len() > FEW_GATES
    }
}

/// How many inputs a state and a turn may need besides bases.
pub(crate) fn inputs_of_turn(tape: &Tape) -> usize {
    let moves: usize = tape.roles().map(|role| tape.moves_count(role)).sum();
    // Of a state the first phase is written twice: the goals take the place of what it found.
    moves + 2 * GateWriter::loop_inputs(tape)
}

/// Begins with any state.
pub(crate) fn begin(writer: &mut GateWriter<'_>) {
    for base in 0..writer.tape().bases_count() {
        let wire = writer.input();
        writer.set_base(base, wire);
    }
}

/// What can be read off a state as it stands.
pub(crate) fn look(writer: &mut GateWriter<'_>) -> StateWires {
    let tape = writer.tape();
    writer.phase(Phase::State);
    let terminal = writer.read(tape.terminal());
    let legal =
        tape.roles().map(|role| tape.legal(role).iter().map(|&legal| writer.read(legal)).collect()).collect();
    writer.phase(Phase::Goal);
    let goals = tape
        .roles()
        .map(|role| tape.goals(role).iter().map(|&(_, goal)| writer.read(goal)).collect())
        .collect();
    let bases = (0..tape.bases_count()).map(|base| writer.base(base)).collect();
    StateWires { bases, terminal, legal, goals, moves: Vec::new() }
}

/// Moves of a role that it makes in another state too.
#[derive(Clone, Copy)]
pub(crate) struct OwnMoves<'o> {
    pub(crate) role: RoleId,
    pub(crate) made: &'o [Wire],
}

/// Has every role make one legal move in a state that is not terminal, one of them that which it makes elsewhere: by role, whether it makes each.
pub(crate) fn choose(
    writer: &mut GateWriter<'_>,
    state: &StateWires,
    own_moves: Option<OwnMoves<'_>>,
) -> Vec<Vec<Wire>> {
    let tape = writer.tape();
    writer.demand(vec![!state.terminal]);
    let mut moves = Vec::new();
    for role in tape.roles() {
        let (mut all, mut own) = (Vec::new(), Vec::new());
        for (number, &legal) in state.legal[role.index()].iter().enumerate() {
            let made = match own_moves.filter(|own| own.role == role) {
                Some(own) => own.made[number],
                None if legal == Wire::FALSE => Wire::FALSE,
                None => writer.input(),
            };
            writer.set_move(role, number, made);
            own.push(made);
            if made != Wire::FALSE {
                writer.demand(vec![!made, legal]);
                all.push(made);
            }
        }
        if all.len() > MANY_MOVES {
            at_most_one_by_halves(writer, &all);
        } else {
            at_most_one(writer, &all);
        }
        writer.demand(all);
        moves.push(own);
    }
    moves
}

/// Comes to the state after the moves that were chosen; which percepts tell a role so, if one is asked about.
pub(crate) fn go_on(writer: &mut GateWriter<'_>, told: Option<RoleId>) -> Vec<Wire> {
    let tape = writer.tape();
    writer.phase(Phase::State);
    writer.phase(Phase::Next);
    let next: Vec<Wire> = tape.next().iter().map(|&next| writer.read(next)).collect();
    let mut percepts = Vec::new();
    if let Some(role) = told {
        writer.phase(Phase::Sees);
        percepts.extend(tape.sees(role).iter().map(|&percept| writer.read(percept)));
    }
    for (base, next) in next.into_iter().enumerate() {
        writer.set_base(base, next);
    }
    percepts
}

/// Demands that at most one is true, one after the other.
fn at_most_one(writer: &mut GateWriter<'_>, all: &[Wire]) {
    let mut before = Wire::FALSE;
    for &wire in all {
        writer.demand(vec![!before, !wire]);
        before = writer.gates().or(before, wire);
    }
}

/// Demands the same so that moves that stand beside each other, such as those from one place, exclude all others together. The wire that
/// says that one is true.
fn at_most_one_by_halves(writer: &mut GateWriter<'_>, all: &[Wire]) -> Wire {
    if let &[wire] = all {
        return wire;
    }
    let (left, right) = all.split_at(all.len() / 2);
    let [left, right] = [left, right].map(|half| at_most_one_by_halves(writer, half));
    writer.demand(vec![!left, !right]);
    writer.gates().or(left, right)
}
