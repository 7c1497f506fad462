//! Gates as clauses, and the solver that satisfies them.
//!
//! The solver is BatSat, MiniSat in Rust: it needs no other compiler, and the same clauses, guesses and limits give the
//! same model everywhere.
//!
//! # Sources
//! N. Eén and N. Sörensson, "An extensible SAT-solver", SAT 2003. From gates to clauses: G. S. Tseitin, "On the complexity of
//! derivation in propositional calculus", 1968.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use croupier_engine::stages::propnet::{Gates, Node, Wire};

/// The clauses of a circuit.
#[derive(Debug)]
pub struct Formula<'g> {
    gates: &'g Gates,
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

impl<'g> Formula<'g> {
    /// No clauses about these gates.
    #[must_use]
    pub fn new(gates: &'g Gates) -> Self {
        Self {
            gates,
            variables: vec![None; gates.nodes().len()],
            count: 0,
            literals: Vec::new(),
            ends: Vec::new(),
            is_impossible: false,
        }
    }

    /// At least one of these wires is true.
    pub fn add(&mut self, wires: &[Wire]) {
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
    pub fn literal_of(&mut self, wire: Wire) -> (u32, bool) {
        if self.variables[wire.node()].is_none() {
            self.define(wire.node());
        }
        self.literal(wire)
    }

    fn literal(&mut self, wire: Wire) -> (u32, bool) {
        (self.variable(wire.node()), wire.is_inverted())
    }

    /// The variable of a node, if some clause needs it.
    #[must_use]
    pub fn variable_of(&self, wire: Wire) -> Option<u32> {
        self.variables[wire.node()]
    }

    /// A solver with all clauses, and the variable of each node there; some are guessed to have a value. `None` if the clauses
    /// contradict each other at first sight.
    pub fn search(
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
}

/// A solver that gives up in time.
pub type BoundedSolver = Solver<Conflicts>;

/// What ends the solver's work.
#[derive(Debug)]
pub struct Conflicts {
    /// Clauses that may still be learnt.
    pub left: u32,
}

impl Callbacks for Conflicts {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.left = self.left.saturating_sub(u32::from(matches!(kind, ClauseKind::Learnt)));
    }

    fn stop(&self) -> bool {
        self.left == 0
    }
}
