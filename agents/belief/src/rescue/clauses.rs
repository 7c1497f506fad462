//! Gates as clauses, and the solver that satisfies them.
//!
//! The solver is BatSat, MiniSat in Rust: it needs no other compiler, and the same clauses, guesses and limits give the
//! same model everywhere.
//!
//! # Sources
//! N. Eén and N. Sörensson, "An extensible SAT-solver", SAT 2003. From gates to clauses: G. S. Tseitin, "On the complexity of
//! derivation in propositional calculus", 1968.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use croupier_engine::{
    draw::draw_index,
    stages::propnet::{Gates, Node, Wire},
};
use rand_core::Rng;

use crate::rescue::unroll::{MoveChoice, Unrolled};

/// The result of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// By turn and role, the numbers of moves that satisfy all clauses.
    Model(Vec<Vec<u32>>),
    /// Nothing satisfies them.
    Impossible,
    /// The limit was reached.
    GivenUp,
}

/// The clauses of a circuit.
pub(super) struct Clauses<'u> {
    gates: &'u Gates,
    choices: &'u [Vec<MoveChoice>],
    /// The variable of each node that some clause needs.
    variables: Vec<Option<u32>>,
    count: u32,
    /// The literals of all clauses: a variable, and whether it is denied.
    literals: Vec<(u32, bool)>,
    /// Where each clause ends.
    ends: Vec<usize>,
    /// Whether some clause is empty.
    is_impossible: bool,
}

impl<'u> Clauses<'u> {
    /// The clauses of all turns; `last` is a base and whether it should be true after the last of them.
    pub(super) fn new(unrolled: &'u Unrolled, last: Option<(usize, bool)>) -> Self {
        let gates = &unrolled.gates;
        let mut clauses = Self {
            gates,
            choices: &unrolled.choices,
            variables: vec![None; gates.nodes().len()],
            count: 0,
            literals: Vec::new(),
            ends: Vec::new(),
            is_impossible: false,
        };
        for clause in &unrolled.clauses {
            clauses.add(clause);
        }
        if let Some((base, is_true)) = last {
            let wire = unrolled.bases[base];
            clauses.add(&[if is_true { wire } else { !wire }]);
        }
        clauses
    }

    /// At least one of these wires is true.
    fn add(&mut self, wires: &[Wire]) {
        if wires.contains(&Wire::TRUE) {
            return;
        }
        let wires: Vec<Wire> = wires.iter().copied().filter(|&wire| wire != Wire::FALSE).collect();
        self.is_impossible |= wires.is_empty();
        for wire in &wires {
            if self.variables[wire.node()].is_none() {
                self.define(wire.node());
            }
        }
        let literals: Vec<(u32, bool)> = wires.iter().map(|&wire| self.literal(wire)).collect();
        self.push(&literals);
    }

    fn push(&mut self, literals: &[(u32, bool)]) {
        self.literals.extend_from_slice(literals);
        self.ends.push(self.literals.len());
    }

    /// Adds the clauses of a node, and of all nodes that it needs.
    fn define(&mut self, node: usize) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let out = self.variable(node);
            let Node::And(left, right) = self.gates.nodes()[node] else { continue };
            let inputs = [left, right].map(Wire::node);
            open.extend(inputs.into_iter().filter(|&input| self.variables[input].is_none()));
            let [left, right] = [left, right].map(|wire| self.literal(wire));
            self.push(&[(out, true), left]);
            self.push(&[(out, true), right]);
            self.push(&[(out, false), (left.0, !left.1), (right.0, !right.1)]);
        }
    }

    /// The variable of a node, a new one if it has none.
    fn variable(&mut self, node: usize) -> u32 {
        let next = self.count;
        let variable = *self.variables[node].get_or_insert(next);
        self.count = self.count.max(variable + 1);
        variable
    }

    /// The literal of a wire, defined by as many clauses as it needs.
    pub(super) fn literal_of(&mut self, wire: Wire) -> (u32, bool) {
        if self.variables[wire.node()].is_none() {
            self.define(wire.node());
        }
        self.literal(wire)
    }

    fn literal(&mut self, wire: Wire) -> (u32, bool) {
        (self.variable(wire.node()), wire.is_inverted())
    }

    /// Looks for a model, by guessing a random move of each choice first.
    pub(super) fn solve(&self, conflicts: u32, rng: &mut impl Rng) -> Solved {
        let mut guesses = Vec::new();
        for choice in self.choices.iter().flatten().filter(|choice| !choice.moves.is_empty()) {
            let guessed = draw_index(choice.moves.len(), rng);
            for (index, &(_, made)) in choice.moves.iter().enumerate() {
                guesses.extend(self.variables[made.node()].map(|variable| (variable, index == guessed)));
            }
        }
        let Some((mut solver, variables)) = self.search(conflicts, guesses) else {
            return Solved::Impossible;
        };
        let result = solver.solve_limited(&[]);
        if result == lbool::TRUE {
            self.model(|variable| solver.value_var(variables[variable as usize]) == lbool::TRUE)
        } else if result == lbool::FALSE {
            Solved::Impossible
        } else {
            Solved::GivenUp
        }
    }

    /// A solver with all clauses, and the variable of each node there; some are guessed to have a value. `None` if the clauses
    /// contradict each other at first sight.
    pub(super) fn search(
        &self,
        conflicts: u32,
        guesses: impl IntoIterator<Item = (u32, bool)>,
    ) -> Option<(BoundedSolver, Vec<Var>)> {
        if self.is_impossible {
            return None;
        }
        let mut guessed = vec![lbool::UNDEF; self.count as usize];
        for (variable, is_true) in guesses {
            guessed[variable as usize] = if is_true { lbool::TRUE } else { lbool::FALSE };
        }
        let mut solver = Solver::new(SolverOpts::default(), Conflicts { left: conflicts });
        let variables: Vec<Var> = guessed.into_iter().map(|guess| solver.new_var(guess, true)).collect();
        let mut begin = 0;
        for &end in &self.ends {
            let literals = self.literals[begin..end].iter();
            let literal =
                |&(variable, is_denied): &(u32, bool)| Lit::new(variables[variable as usize], !is_denied);
            if !solver.add_clause_reuse(&mut literals.map(literal).collect()) {
                return None;
            }
            begin = end;
        }
        Some((solver, variables))
    }

    /// The move of each choice that is made.
    fn model(&self, is_true: impl Fn(u32) -> bool) -> Solved {
        let is_made = |wire: Wire| self.variables[wire.node()].is_some_and(&is_true);
        let made = |choice: &MoveChoice| {
            let mut moves = choice.moves.iter();
            moves.find(|&&(_, wire)| is_made(wire)).expect("one move of each choice is made").0
        };
        Solved::Model(self.choices.iter().map(|choices| choices.iter().map(made).collect()).collect())
    }

    /// Rules out these moves, all together.
    pub(super) fn forbid(&mut self, model: &[Vec<u32>]) {
        let mut other = Vec::new();
        for (choice, number) in self.choices.iter().flatten().zip(model.iter().flatten()) {
            // A choice between one move only says nothing.
            if let Some(&(_, made)) =
                choice.moves.iter().find(|(known, _)| known == number).filter(|_| choice.moves.len() > 1)
            {
                other.push(self.literal(!made));
            }
        }
        self.is_impossible |= other.is_empty();
        self.push(&other);
    }
}

/// A solver that gives up in time.
pub(super) type BoundedSolver = Solver<Conflicts>;

/// What ends the solver's work.
pub(super) struct Conflicts {
    pub(super) left: u32,
}

impl Callbacks for Conflicts {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.left = self.left.saturating_sub(u32::from(matches!(kind, ClauseKind::Learnt)));
    }

    fn stop(&self) -> bool {
        self.left == 0
    }
}
