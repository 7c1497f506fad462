//! A network as a tape: operations of one kind on few slots, in an order that needs no decisions.
//!
//! Compiles a [`Network`] to a [`Tape`]. A machine runs each [`Op`] on as many games at once as its words have bits,
//! without branches that depend on a game. Gates are stored as they are or inverted, whichever makes them one
//! instruction; operations of one kind are grouped in a [`Run`], so that a machine rarely has to branch.
//! Wires that depend on each other are a [`Loop`], repeated until nothing changes.

use super::{
    Network, Phase,
    operation::{Loop, Op, Operand, Outputs, Run, Segment},
    runs::Stretch,
    schedule::{Schedule, ScheduleStep},
    slots::Allocation,
};
use crate::id::RoleId;

/// How large a tape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapeStatistics {
    /// Operations of each phase, those of loops counted once.
    pub ops: [usize; 4],
    /// Slots, those of constant, bases and moves included.
    pub slots: usize,
    /// The longest way from an input through operations, loops counted once.
    pub levels: usize,
    /// Loops.
    pub loops: usize,
    /// Memory of the operations, in bytes.
    pub bytes: usize,
}

impl TapeStatistics {
    /// The operations that each turn of a playout takes.
    #[must_use]
    pub fn ops_per_turn(&self) -> usize {
        self.ops[Phase::State as usize] + self.ops[Phase::Next as usize]
    }
}

/// A network in the form that is run.
///
/// # Invariant
/// Each slot that an operation, a loop or an operand names is below [`slots`](Self::slots_count). Slot 0, those of
/// the bases and those of the moves are written by no operation.
#[derive(Clone, Debug)]
pub struct Tape {
    ops: Vec<Op>,
    segments: [Vec<Segment>; 4],
    slots: usize,
    levels: usize,
    initial: Vec<bool>,
    first_moves: Vec<usize>,
    outputs: Outputs,
}

impl Tape {
    /// Puts the gates of a network in order and gives them slots.
    ///
    /// # Panics
    /// If terminal, legal or a goal depends on a move, or inputs are not the bases and moves.
    ///
    /// # Complexity
    /// O(n log n) in the gates that something depends on.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        let first_moves = first_moves(network);
        let inputs = network.gates.inputs_count();
        assert_eq!(first_moves.last(), Some(&(inputs + 1)), "inputs are bases and moves");
        assert_eq!(network.next.len(), network.initial.len(), "each base has a next value");
        let schedule = Schedule::new(network);
        let allocation = Allocation::new(network, &schedule);
        let mut tape = Self {
            ops: Vec::new(),
            segments: Default::default(),
            slots: allocation.slots_count(),
            levels: schedule.levels(),
            initial: network.initial.clone(),
            first_moves,
            outputs: allocation.outputs(network, &schedule),
        };
        for phase in Phase::ALL {
            tape.write_phase(phase, &schedule, &allocation);
        }
        tape.assert_invariant();
        tape
    }

    /// The operations of all phases.
    #[must_use]
    #[inline(always)]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// What to run for a phase.
    #[must_use]
    #[inline(always)]
    pub fn segments(&self, phase: Phase) -> &[Segment] {
        &self.segments[phase as usize]
    }

    /// How many slots a machine needs.
    #[must_use]
    #[inline(always)]
    pub fn slots_count(&self) -> usize {
        self.slots
    }

    /// Every role, in the order of the rules.
    #[inline(always)]
    pub fn roles(&self) -> impl ExactSizeIterator<Item = RoleId> + use<> {
        (0..self.outputs.legal.len()).map(|index| RoleId::new(index).expect("roles are below 2^16"))
    }

    /// How many roles there are.
    #[must_use]
    pub fn roles_count(&self) -> usize {
        self.outputs.legal.len()
    }

    /// For each base whether it is true in the initial state.
    #[must_use]
    pub fn initial(&self) -> &[bool] {
        &self.initial
    }

    /// How many bases there are.
    #[must_use]
    #[inline(always)]
    pub fn bases_count(&self) -> usize {
        self.initial.len()
    }

    /// The slot of a base.
    #[must_use]
    #[inline(always)]
    pub fn base_slot(&self, base: usize) -> usize {
        base + 1
    }

    /// How many moves a role has, legal or not.
    ///
    /// # Panics
    /// If there is no such role.
    #[must_use]
    pub fn moves_count(&self, role: RoleId) -> usize {
        self.outputs.legal[role.index()].len()
    }

    /// The slot that says whether a role makes a move.
    ///
    /// # Panics
    /// If there is no such role.
    #[must_use]
    #[inline(always)]
    pub fn move_slot(&self, role: RoleId, number: usize) -> usize {
        self.first_moves[role.index()] + number
    }

    /// Where to read whether a state is terminal, after [`Phase::State`].
    #[must_use]
    #[inline(always)]
    pub fn terminal(&self) -> Operand {
        self.outputs.terminal
    }

    /// For each move of a role where to read whether it is legal, after [`Phase::State`].
    ///
    /// # Panics
    /// If there is no such role.
    #[must_use]
    #[inline(always)]
    pub fn legal(&self, role: RoleId) -> &[Operand] {
        &self.outputs.legal[role.index()]
    }

    /// The goals of a role as in [`Network::goals`], after [`Phase::Goal`].
    ///
    /// # Panics
    /// If there is no such role.
    #[must_use]
    #[inline(always)]
    pub fn goals(&self, role: RoleId) -> &[(u32, Operand)] {
        &self.outputs.goals[role.index()]
    }

    /// For each base where to read whether it will be true, after [`Phase::Next`].
    /// The slot read for one base is never that of another.
    #[must_use]
    #[inline(always)]
    pub fn next(&self) -> &[Operand] {
        &self.outputs.next
    }

    /// For each percept of a role where to read whether it is told, after [`Phase::Sees`].
    ///
    /// # Panics
    /// If there is no such role.
    #[must_use]
    #[inline(always)]
    pub fn sees(&self, role: RoleId) -> &[Operand] {
        &self.outputs.sees[role.index()]
    }

    /// How large it is.
    #[must_use]
    pub fn statistics(&self) -> TapeStatistics {
        let runs = |phase| self.segments(phase).iter().flat_map(runs_of);
        let all = self.segments.iter().flatten();
        TapeStatistics {
            ops: Phase::ALL.map(|phase| runs(phase).map(|run| run.ops.len()).sum()),
            slots: self.slots,
            levels: self.levels,
            loops: all.filter(|segment| matches!(segment, Segment::Loop(_))).count(),
            bytes: size_of_val(self.ops.as_slice()),
        }
    }

    fn write_phase(&mut self, phase: Phase, schedule: &Schedule, allocation: &Allocation) {
        for step in schedule.steps(phase) {
            let segment = match step {
                ScheduleStep::Stretch(stretch) => Segment::Run(self.write(stretch, allocation)),
                ScheduleStep::Loop(knot) => {
                    let feedback = knot.feedback.iter();
                    let feedback = feedback
                        .map(|&(node, next)| (allocation.slot(node), allocation.operand(schedule, next)));
                    Segment::Loop(Loop {
                        body: knot.body.iter().map(|stretch| self.write(stretch, allocation)).collect(),
                        feedback: feedback.collect(),
                    })
                }
            };
            self.segments[phase as usize].push(segment);
        }
    }

    fn write(&mut self, stretch: &Stretch, allocation: &Allocation) -> Run {
        let begin = self.ops.len();
        self.ops.extend(stretch.gates.iter().map(|gate| Op {
            out: allocation.slot(gate.node),
            left: allocation.slot(gate.left),
            right: allocation.slot(gate.right),
        }));
        Run { kind: stretch.kind, ops: begin..self.ops.len() }
    }

    /// Checks the invariants of the struct.
    fn assert_invariant(&self) {
        let inputs = self.first_moves.last().copied().expect("the end of the moves");
        let is_written = |slot: u32| (inputs..self.slots).contains(&(slot as usize));
        let is_read = |operand: Operand| operand.slot() < self.slots;
        let mut ops = self.ops.iter();
        assert!(
            ops.all(|op| is_written(op.out) && (op.left.max(op.right) as usize) < self.slots),
            "operations stay within the slots"
        );
        let loops = self.segments.iter().flatten().filter_map(|segment| match segment {
            Segment::Loop(knot) => Some(knot),
            Segment::Run(_) => None,
        });
        let mut feedback = loops.flat_map(|knot| &knot.feedback);
        assert!(
            feedback.all(|&(slot, next)| is_written(slot) && is_read(next)),
            "loops stay within the slots"
        );
        let Outputs { terminal, legal, goals, next, sees } = &self.outputs;
        let goals = goals.iter().flatten().map(|(_, operand)| operand);
        let mut outputs = legal.iter().chain(sees).flatten().chain(goals).chain(next).chain([terminal]);
        assert!(outputs.all(|&operand| is_read(operand)), "outputs stay within the slots");
    }
}

/// The runs of a segment.
fn runs_of(segment: &Segment) -> &[Run] {
    match segment {
        Segment::Run(run) => std::slice::from_ref(run),
        Segment::Loop(knot) => &knot.body,
    }
}

/// The slot of each role's first move, and the first slot after all moves.
fn first_moves(network: &Network) -> Vec<usize> {
    let mut slot = network.initial.len() + 1;
    let mut first = vec![slot];
    first.extend(network.moves().map(|count| {
        slot += count;
        slot
    }));
    first
}
