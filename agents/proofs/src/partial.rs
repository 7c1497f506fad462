//! Gates that a solver knows only as far as its answers needed them.
//!
//! A question about large rules mostly depends on a small part of them, but a solver that knows all gates must give each a value before
//! it can say that something is possible. So at first gates are free. What is impossible even so is impossible; what is possible is
//! evaluated, and where the gates contradict it, those that show this are made known.
//!
//! # Sources
//! E. Clarke, O. Grumberg, S. Jha, Y. Lu, H. Veith, "Counterexample-guided abstraction refinement", CAV 2000.

use batsat::{Lit, SolverInterface, Var, lbool};
use croupier_belief::BoundedSolver;
use croupier_engine::stages::propnet::{Gates, Node, Wire};
use rustc_hash::{FxHashMap, FxHashSet};

/// Of what needs more, so many gates are known: whether a move is legal begins with whose turn it is.
const LAST: usize = 8;

/// The gates that some wires need, the inputs of each before it, and what is known of them.
pub(crate) struct PartialGates {
    nodes: Vec<KnownNode>,
    /// The number among `nodes` of each node of the circuit that is needed.
    numbers: FxHashMap<usize, usize>,
    /// The node of each variable that stands for one.
    of_variables: FxHashMap<Var, usize>,
    /// All that was demanded but the gates.
    demands: Vec<Vec<Lit>>,
}

struct KnownNode {
    /// What the gate combines, if it is one.
    inputs: Option<[NodeValue; 2]>,
    variable: Option<Var>,
    /// Whether the solver knows the gate.
    is_defined: bool,
    /// Its value in what was found last.
    value: bool,
}

/// The value of a node, or its opposite.
#[derive(Clone, Copy)]
struct NodeValue {
    node: usize,
    is_inverted: bool,
}

impl PartialGates {
    /// Those that these wires need; none is known to a solver.
    pub(crate) fn new(gates: &Gates, wires: impl Iterator<Item = Wire>) -> Self {
        let mut is_needed = vec![false; gates.nodes().len()];
        let mut open: Vec<usize> = wires.map(Wire::node).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_needed[node], true)
                && let Node::And(left, right) = gates.nodes()[node]
            {
                open.extend([left.node(), right.node()]);
            }
        }
        let mut all = Self {
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            of_variables: FxHashMap::default(),
            demands: Vec::new(),
        };
        for (node, kind) in gates.nodes().iter().enumerate().filter(|(node, _)| is_needed[*node]) {
            let inputs = match *kind {
                Node::And(left, right) => Some([left, right].map(|wire| all.value_of(wire))),
                Node::False | Node::Input(_) | Node::Feedback(_) => None,
            };
            all.numbers.insert(node, all.nodes.len());
            all.nodes.push(KnownNode { inputs, variable: None, is_defined: false, value: false });
        }
        all
    }

    fn value_of(&self, wire: Wire) -> NodeValue {
        NodeValue { node: self.numbers[&wire.node()], is_inverted: wire.is_inverted() }
    }

    /// The literal of a wire that is needed.
    pub(crate) fn literal(&mut self, wire: Wire, solver: &mut BoundedSolver) -> Lit {
        self.literal_of(self.value_of(wire), solver)
    }

    fn literal_of(&mut self, value: NodeValue, solver: &mut BoundedSolver) -> Lit {
        let node = &mut self.nodes[value.node];
        let variable = *node.variable.get_or_insert_with(|| solver.new_var(lbool::UNDEF, true));
        self.of_variables.insert(variable, value.node);
        Lit::new(variable, !value.is_inverted)
    }

    /// Makes known what a wire needs; if that is more than so much, only the gates that come last.
    pub(crate) fn know(&mut self, wire: Wire, most: usize, solver: &mut BoundedSolver) {
        let mut new = vec![self.numbers[&wire.node()]];
        let mut is_met: FxHashSet<usize> = new.iter().copied().collect();
        let mut place = 0;
        while let Some(&number) = new.get(place) {
            if new.len() > most {
                new.truncate(LAST);
                break;
            }
            place += 1;
            let inputs = self.nodes[number].inputs.filter(|_| !self.nodes[number].is_defined);
            new.extend(
                inputs.into_iter().flatten().map(|input| input.node).filter(|&node| is_met.insert(node)),
            );
        }
        new.sort_unstable();
        for number in new {
            self.define(number, solver);
        }
    }

    /// Remembers what was demanded.
    pub(crate) fn demand(&mut self, literals: &[Lit]) {
        self.demands.push(literals.to_vec());
    }

    /// Whether a literal holds in what was found last.
    pub(crate) fn holds(&self, literal: Lit, solver: &BoundedSolver) -> bool {
        match self.of_variables.get(&literal.var()) {
            Some(&node) => self.nodes[node].value == literal.sign(),
            None => solver.value_lit(literal) == lbool::TRUE,
        }
    }

    /// Whether what the solver found under these assumptions agrees with the gates. If not, those that show this are made known.
    pub(crate) fn agrees(&mut self, solver: &mut BoundedSolver, assumed: &[Lit]) -> bool {
        self.evaluate(solver);
        let mut wrong = Vec::new();
        let assumed = assumed.iter().map(std::slice::from_ref);
        for demand in self.demands.iter().map(Vec::as_slice).chain(assumed) {
            if !demand.iter().any(|&literal| self.holds(literal, solver)) {
                let found = demand.iter().filter(|&&literal| solver.value_lit(literal) == lbool::TRUE);
                wrong.extend(found.map(|literal| self.of_variables[&literal.var()]));
            }
        }
        let agrees = wrong.is_empty();
        self.justify(wrong, solver);
        agrees
    }

    /// The value of each node, of what was found for those that are no gates.
    fn evaluate(&mut self, solver: &BoundedSolver) {
        for number in 0..self.nodes.len() {
            let node = &self.nodes[number];
            self.nodes[number].value = match node.inputs {
                Some(inputs) => inputs.iter().all(|&input| self.is_true(input)),
                None => node.variable.is_some_and(|variable| solver.value_var(variable) == lbool::TRUE),
            };
        }
    }

    fn is_true(&self, value: NodeValue) -> bool {
        self.nodes[value.node].value != value.is_inverted
    }

    /// Makes as many gates known as say why some nodes have their values.
    fn justify(&mut self, mut open: Vec<usize>, solver: &mut BoundedSolver) {
        let mut is_justified = vec![false; self.nodes.len()];
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut is_justified[number], true) {
                continue;
            }
            let Some(inputs) = self.nodes[number].inputs else { continue };
            self.define(number, solver);
            if self.nodes[number].value {
                open.extend(inputs.iter().map(|input| input.node));
            } else {
                // One that is false is enough: one that is known, or the one with less before it.
                let is_known = |input: &NodeValue| {
                    let node = &self.nodes[input.node];
                    node.inputs.is_none() || node.is_defined
                };
                let denied = inputs.iter().filter(|&&input| !self.is_true(input));
                open.extend(
                    denied.min_by_key(|input| (!is_known(input), input.node)).map(|input| input.node),
                );
            }
        }
    }

    /// Makes a gate known, if it is one and not known yet.
    fn define(&mut self, number: usize, solver: &mut BoundedSolver) {
        let Some(inputs) = self.nodes[number].inputs else { return };
        if std::mem::replace(&mut self.nodes[number].is_defined, true) {
            return;
        }
        let out = self.literal_of(NodeValue { node: number, is_inverted: false }, solver);
        let [left, right] = inputs.map(|input| self.literal_of(input, solver));
        for mut clause in [vec![!out, left], vec![!out, right], vec![out, !left, !right]] {
            // Whatever contradicts everything is found by the next question.
            let _ = solver.add_clause_reuse(&mut clause);
        }
    }
}
