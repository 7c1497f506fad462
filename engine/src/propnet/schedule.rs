//! The order of operations: what each phase computes, depth first, and the real cycles.

use petgraph::{algo::kosaraju_scc, graph::DiGraph};
use rustc_hash::FxHashMap;

use super::{
    Gates, Network, Node, OpKind, Phase, Wire,
    runs::{Gate, Stretch, stretches},
};

/// A cycle that cannot be divided.
#[derive(Clone, Debug)]
pub(super) struct Knot {
    /// Nodes that start as false, and the value of each after a round.
    pub(super) feedback: Vec<(usize, Wire)>,
    /// Gates that depend on them and that they depend on.
    pub(super) body: Vec<Stretch>,
}

/// One thing to compute.
#[derive(Clone, Debug)]
pub(super) enum ScheduleStep {
    Stretch(Stretch),
    Loop(Knot),
}

/// What to compute in each phase.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    steps: [Vec<ScheduleStep>; 4],
    wiring: Wiring,
    levels: usize,
    /// For each node whether its negation is stored.
    is_stored_inverted: Vec<bool>,
    /// Copies of bases that other bases take over, by the number of the other base.
    copies: FxHashMap<usize, usize>,
}

impl Schedule {
    pub(super) fn new(network: &Network) -> Self {
        let cones = Cones::new(network);
        let wiring = Wiring::new(&network.gates, &cones);
        let mut order = GateWalk::new(&network.gates, &cones, &wiring);
        let steps = Phase::ALL.map(|phase| {
            let mut walk = SchedulePath::default();
            for root in roots(network, phase) {
                order.visit(root.node(), phase, &mut walk);
            }
            // What goals and moves both lead to is computed early, though no early root asks for it.
            for node in 0..network.gates.nodes().len() {
                order.visit(node, phase, &mut walk);
            }
            walk.finish()
        });
        let (levels, is_stored_inverted) = (order.levels(), order.is_stored_inverted);
        let mut schedule = Self { steps, wiring, levels, is_stored_inverted, copies: FxHashMap::default() };
        schedule.copy_exchanged_bases(network);
        schedule
    }

    pub(super) fn steps(&self, phase: Phase) -> &[ScheduleStep] {
        &self.steps[phase as usize]
    }

    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// The wire from which a wire of the network comes, without feedback that is not a cycle.
    pub(super) fn source(&self, wire: Wire) -> Wire {
        self.wiring.source(wire)
    }

    /// Whether the negation of a wire without an alias is stored.
    pub(super) fn is_inverted(&self, wire: Wire) -> bool {
        let is_stored_inverted = self.is_stored_inverted.get(wire.node()).copied().unwrap_or(false);
        wire.is_inverted() != is_stored_inverted
    }

    /// The node to read for the next value of a base.
    pub(super) fn next(&self, network: &Network, base: usize) -> Wire {
        let source = self.source(network.next[base]);
        self.copies.get(&source.node()).map_or(source, |&copy| Wire::from_node(copy, source.is_inverted()))
    }

    /// Nodes of the network, followed by the copies.
    pub(super) fn nodes_count(&self, network: &Network) -> usize {
        network.gates.nodes().len() + self.copies.len()
    }

    /// A base whose value moves to another base is copied first, so that the order of writing does not matter.
    fn copy_exchanged_bases(&mut self, network: &Network) {
        let bases = 1..=network.initial.len();
        let mut gates = Vec::new();
        for (base, &next) in network.next.iter().enumerate() {
            let source = self.source(next).node();
            let is_exchanged = bases.contains(&source) && source != base + 1;
            if is_exchanged && !self.copies.contains_key(&source) {
                let node = self.nodes_count(network);
                self.copies.insert(source, node);
                gates.push(Gate { node, kind: OpKind::And, left: source, right: source });
            }
        }
        self.steps[Phase::Next as usize].extend(stretches(&gates).into_iter().map(ScheduleStep::Stretch));
    }
}

/// The outputs of a phase.
pub(super) fn roots(network: &Network, phase: Phase) -> Vec<Wire> {
    match phase {
        Phase::State => network.legal.iter().flatten().copied().chain([network.terminal]).collect(),
        Phase::Goal => network.goals.iter().flatten().map(|&(_, wire)| wire).collect(),
        Phase::Next => network.next.clone(),
        Phase::Sees => network.sees.iter().flatten().copied().collect(),
    }
}

/// For each node the phases whose roots depend on it, one bit each, and the values of feedback.
#[derive(Clone, Debug)]
struct Cones {
    phases: Vec<u8>,
    next: FxHashMap<usize, Wire>,
}

impl Cones {
    fn new(network: &Network) -> Self {
        let gates = &network.gates;
        let pairs = gates.cycles().iter().flat_map(|cycle| cycle.feedback.iter().zip(&cycle.next));
        let next = pairs.map(|(&node, &next)| (node as usize, next)).collect();
        let mut cones = Self { phases: vec![0; gates.nodes().len()], next };
        for phase in Phase::ALL {
            let bit = 1 << phase as u8;
            let mut open: Vec<usize> = roots(network, phase).into_iter().map(Wire::node).collect();
            while let Some(node) = open.pop() {
                if cones.phases[node] & bit == 0 {
                    cones.phases[node] |= bit;
                    open.extend(cones.inputs(gates, node).into_iter().flatten().map(Wire::node));
                }
            }
        }
        let early = (1 << Phase::State as u8) | (1 << Phase::Goal as u8);
        let mut moves = cones.phases[1 + network.initial.len()..=gates.inputs_count()].iter();
        assert!(moves.all(|phases| phases & early == 0), "terminal, legal and goals are about a state");
        cones
    }

    /// The wires that a node depends on.
    fn inputs(&self, gates: &Gates, node: usize) -> [Option<Wire>; 2] {
        match gates.nodes()[node] {
            Node::False | Node::Input(_) => [None, None],
            Node::Feedback(_) => [Some(self.next[&node]), None],
            Node::And(left, right) => [Some(left), Some(right)],
        }
    }

    /// The phase in which a node is computed, if anything needs it.
    fn phase(&self, node: usize) -> Option<Phase> {
        let has = |phase: Phase| self.phases[node] >> phase as u8 & 1 == 1;
        let is_late = has(Phase::Next) || has(Phase::Sees);
        if has(Phase::Goal) && is_late {
            return Some(Phase::State);
        }
        Phase::ALL.into_iter().find(|&phase| has(phase))
    }
}

/// Which nodes are in a true cycle, and where feedback that is in none comes from.
///
/// A cycle of the network may hold several that do not depend on each other, or none: a group of rules
/// may be recursive while its instances are not.
#[derive(Clone, Debug)]
struct Wiring {
    /// For each node the number of its knot.
    knot_of: FxHashMap<usize, usize>,
    /// The nodes of each knot, ascending.
    knots: Vec<Vec<usize>>,
    /// Feedback in no knot, and the wire that it equals.
    aliases: FxHashMap<usize, Wire>,
}

impl Wiring {
    fn new(gates: &Gates, cones: &Cones) -> Self {
        let mut wiring =
            Self { knot_of: FxHashMap::default(), knots: Vec::new(), aliases: FxHashMap::default() };
        let Some(first) = gates.cycles().iter().flat_map(|cycle| &cycle.feedback).min() else {
            return wiring;
        };
        let first = *first as usize;
        let needed: Vec<usize> =
            (first..gates.nodes().len()).filter(|&node| cones.phases[node] != 0).collect();
        let mut graph = DiGraph::<usize, ()>::new();
        let mut index = FxHashMap::default();
        for &node in &needed {
            index.insert(node, graph.add_node(node));
        }
        for &node in &needed {
            for input in cones.inputs(gates, node).into_iter().flatten() {
                if let Some(&from) = index.get(&input.node()) {
                    graph.add_edge(from, index[&node], ());
                }
            }
        }
        for members in kosaraju_scc(&graph) {
            let mut nodes: Vec<usize> = members.into_iter().map(|member| graph[member]).collect();
            nodes.sort_unstable();
            let is_alone = nodes.len() == 1;
            if !is_alone || cones.next.get(&nodes[0]).is_some_and(|next| next.node() == nodes[0]) {
                wiring.knot_of.extend(nodes.iter().map(|&node| (node, wiring.knots.len())));
                wiring.knots.push(nodes);
            } else if let Some(&next) = cones.next.get(&nodes[0]) {
                wiring.aliases.insert(nodes[0], next);
            }
        }
        wiring
    }

    fn source(&self, mut wire: Wire) -> Wire {
        while let Some(&from) = self.aliases.get(&wire.node()) {
            wire = Wire::from_node(from.node(), from.is_inverted() != wire.is_inverted());
        }
        wire
    }
}

/// The path of a walk.
#[derive(Default)]
struct SchedulePath {
    steps: Vec<ScheduleStep>,
    /// Gates after the last step.
    gates: Vec<Gate>,
}

impl SchedulePath {
    fn finish(mut self) -> Vec<ScheduleStep> {
        self.steps.extend(stretches(&self.gates).into_iter().map(ScheduleStep::Stretch));
        self.steps
    }

    fn push_loop(&mut self, knot: Knot) {
        self.steps.extend(stretches(&self.gates).into_iter().map(ScheduleStep::Stretch));
        self.gates.clear();
        self.steps.push(ScheduleStep::Loop(knot));
    }
}

/// A walk over gates that puts each after those on which it depends.
struct GateWalk<'n> {
    gates: &'n Gates,
    cones: &'n Cones,
    wiring: &'n Wiring,
    is_done: Vec<bool>,
    is_stored_inverted: Vec<bool>,
    /// The longest way from an input to each node.
    level: Vec<u32>,
    /// How many values must be kept to compute a node, were it a tree.
    ///
    /// # Sources
    /// R. Sethi, J. D. Ullman, "The generation of optimal code for arithmetic expressions", JACM 17(4), 1970.
    need: Vec<u32>,
}

impl<'n> GateWalk<'n> {
    fn new(gates: &'n Gates, cones: &'n Cones, wiring: &'n Wiring) -> Self {
        let count = gates.nodes().len();
        let mut order = Self {
            gates,
            cones,
            wiring,
            is_done: vec![false; count],
            is_stored_inverted: vec![false; count],
            level: vec![0; count],
            need: vec![1; count],
        };
        for node in 0..count {
            if let Node::And(left, right) = gates.nodes()[node] {
                let [left, right] = [left, right].map(|wire| wire.node());
                let equal = u32::from(order.need[left] == order.need[right]);
                order.need[node] = order.need[left].max(order.need[right]) + equal;
                order.level[node] = order.level[left].max(order.level[right]) + 1;
            }
        }
        order
    }

    fn levels(&self) -> usize {
        let needed = (0..self.level.len()).filter(|&node| self.cones.phases[node] != 0);
        needed.map(|node| self.level[node] as usize).max().unwrap_or(0)
    }

    /// Appends what `root` depends on and belongs to `phase`, and `root` itself.
    fn visit(&mut self, root: usize, phase: Phase, walk: &mut SchedulePath) {
        let mut open = vec![(root, false)];
        while let Some((node, are_inputs_done)) = open.pop() {
            if self.is_done[node] || self.cones.phase(node) != Some(phase) {
                continue;
            }
            if are_inputs_done {
                self.compute(node, walk);
                continue;
            }
            open.push((node, true));
            if let Some(&knot) = self.wiring.knot_of.get(&node) {
                let members = self.wiring.knots[knot].iter();
                let inputs = members.flat_map(|&member| self.cones.inputs(self.gates, member));
                let outside = inputs
                    .flatten()
                    .map(Wire::node)
                    .filter(|node| self.wiring.knot_of.get(node) != Some(&knot));
                open.extend(outside.map(|node| (node, false)));
            } else {
                let mut inputs: Vec<usize> =
                    self.cones.inputs(self.gates, node).into_iter().flatten().map(Wire::node).collect();
                inputs.sort_by_key(|&input| self.need[input]);
                open.extend(inputs.into_iter().map(|input| (input, false)));
            }
        }
    }

    /// Computes a node, or the knot that it is in.
    fn compute(&mut self, node: usize, walk: &mut SchedulePath) {
        let Some(&knot) = self.wiring.knot_of.get(&node) else {
            self.is_done[node] = true;
            walk.gates.extend(self.gate(node));
            return;
        };
        let members = &self.wiring.knots[knot];
        for &member in members {
            self.is_done[member] = true;
        }
        let feedback = members.iter().filter_map(|&member| Some((member, *self.cones.next.get(&member)?)));
        let feedback = feedback.map(|(member, next)| (member, self.wiring.source(next))).collect();
        let body: Vec<Gate> = members.iter().filter_map(|&member| self.gate(member)).collect();
        walk.push_loop(Knot { feedback, body: stretches(&body) });
    }

    /// The operation of a gate whose inputs have theirs.
    fn gate(&mut self, node: usize) -> Option<Gate> {
        let Node::And(left, right) = self.gates.nodes()[node] else { return None };
        let wires = [left, right].map(|wire| self.wiring.source(wire));
        let [left, right] = wires.map(Wire::node);
        let inverted = wires.map(|wire| wire.is_inverted() != self.is_stored_inverted[wire.node()]);
        Some(match inverted {
            [false, false] => Gate { node, kind: OpKind::And, left, right },
            [true, false] => Gate { node, kind: OpKind::AndNot, left, right },
            [false, true] => Gate { node, kind: OpKind::AndNot, left: right, right: left },
            [true, true] => {
                self.is_stored_inverted[node] = true;
                Gate { node, kind: OpKind::Or, left, right }
            }
        })
    }
}
