//! Gates with two inputs and inverters on the wires: every Boolean function of a state, built once.
//!
//! # Sources
//! And-inverter graphs with structural hashing: A. Kuehlmann, V. Paruthi, F. Krohm, M. Ganai,
//! "Robust Boolean reasoning for equivalence checking and functional property verification",
//! IEEE TCAD 21(12), 2002.

use rustc_hash::FxHashMap;

/// A wire: the value of a node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire(u32);

impl Wire {
    /// Always false.
    pub const FALSE: Self = Self(0);
    /// Always true.
    pub const TRUE: Self = Self(1);

    /// The kind of a node.
    fn of(node: usize) -> Self {
        Self(
            u32::try_from(node)
                .ok()
                .and_then(|node| node.checked_mul(2))
                .expect("limits keep nodes below 2^31"),
        )
    }

    /// The node that it comes from.
    #[must_use]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it says the opposite of its node.
    #[must_use]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// The node, inverted as this wire is.
    #[must_use]
    pub fn from_node(node: usize, is_inverted: bool) -> Self {
        Self(Self::of(node).0 | u32::from(is_inverted))
    }
}

impl std::ops::Not for Wire {
    type Output = Self;

    /// The opposite.
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The source of a node's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The constant false: only node 0.
    False,
    /// A value from outside: a base (fluent) or an input (move), by its number.
    Input(u32),
    /// The value that a cycle settles on, by the number of the cycle.
    Feedback(u32),
    /// True when both wires are.
    And(Wire, Wire),
}

/// Wires that depend on each other: begin with all of them false, and evaluate until nothing changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The nodes of kind [`Node::Feedback`].
    pub feedback: Vec<u32>,
    /// For each of them, the wire that gives its next value; monotone in all of them.
    pub next: Vec<Wire>,
}

/// Nodes in topological order but for feedback, no two with the same definition.
#[derive(Clone, Debug)]
pub struct Gates {
    nodes: Vec<Node>,
    cycles: Vec<Cycle>,
    by_inputs: FxHashMap<(Wire, Wire), u32>,
    inputs: u32,
}

impl Gates {
    /// The constant and `inputs` inputs, which are the nodes from 1 on.
    #[must_use]
    pub fn new(inputs: u32) -> Self {
        let nodes = std::iter::once(Node::False).chain((0..inputs).map(Node::Input)).collect();
        Self { nodes, cycles: Vec::new(), by_inputs: FxHashMap::default(), inputs }
    }

    /// All nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All cycles.
    #[must_use]
    pub fn cycles(&self) -> &[Cycle] {
        &self.cycles
    }

    /// How many inputs there are.
    #[must_use]
    pub fn inputs_count(&self) -> usize {
        self.inputs as usize
    }

    /// How many nodes are gates.
    #[must_use]
    pub fn gates_count(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::And(..))).count()
    }

    /// The wire of an input.
    ///
    /// # Panics
    /// If there is no such input.
    #[must_use]
    pub fn input(&self, number: usize) -> Wire {
        assert!(number < self.inputs_count(), "an input that is there");
        Wire::of(number + 1)
    }

    /// True when both are.
    pub fn and(&mut self, left: Wire, right: Wire) -> Wire {
        let (left, right) = (left.min(right), left.max(right));
        if left == Wire::FALSE || left == !right {
            return Wire::FALSE;
        }
        if left == Wire::TRUE || left == right {
            return right;
        }
        if let Some(known) = self.absorbed(left, right).or_else(|| self.absorbed(right, left)) {
            return known;
        }
        if let Some(&node) = self.by_inputs.get(&(left, right)) {
            return Wire::of(node as usize);
        }
        let wire = Wire::of(self.nodes.len());
        self.by_inputs.insert((left, right), wire.0 >> 1);
        self.nodes.push(Node::And(left, right));
        wire
    }

    /// `and` where one side is a gate over the other: absorption and contradiction.
    fn absorbed(&self, gate: Wire, other: Wire) -> Option<Wire> {
        let Node::And(left, right) = self.nodes[gate.node()] else { return None };
        let touches = |wire: Wire| left == wire || right == wire;
        match gate.is_inverted() {
            // (a & b) & a = a & b;  (a & b) & !a = 0
            false if touches(other) => Some(gate),
            false if touches(!other) => Some(Wire::FALSE),
            // !(a & b) & !a = !a
            true if touches(!other) => Some(other),
            _ => None,
        }
    }

    /// True when either is.
    pub fn or(&mut self, left: Wire, right: Wire) -> Wire {
        !self.and(!left, !right)
    }

    /// True when all are. The order of nodes decides how they are grouped, so that equal parts are shared.
    pub fn all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        let mut wires: Vec<Wire> = wires.into_iter().collect();
        wires.sort_unstable();
        wires.dedup();
        wires.into_iter().fold(Wire::TRUE, |all, wire| self.and(all, wire))
    }

    /// True when any is.
    pub fn any(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        !self.all(wires.into_iter().map(|wire| !wire))
    }

    /// For each number from 0 to `most` whether so many of these are true at least.
    pub fn at_least(&mut self, wires: impl IntoIterator<Item = Wire>, most: usize) -> Vec<Wire> {
        let mut counted = vec![Wire::FALSE; most + 1];
        counted[0] = Wire::TRUE;
        for wire in wires {
            for number in (1..=most).rev() {
                let one_more = self.and(counted[number - 1], wire);
                counted[number] = self.or(counted[number], one_more);
            }
        }
        counted
    }

    /// New feedback nodes, to be closed by [`close`](Self::close); false until then.
    pub fn open(&mut self, count: usize) -> Vec<Wire> {
        let cycle = u32::try_from(self.cycles.len()).expect("cycles are fewer than nodes");
        let first = self.nodes.len();
        self.nodes.extend(std::iter::repeat_n(Node::Feedback(cycle), count));
        let wires: Vec<Wire> = (first..first + count).map(Wire::of).collect();
        let feedback = wires.iter().map(|wire| wire.0 >> 1).collect();
        self.cycles.push(Cycle { feedback, next: Vec::new() });
        wires
    }

    /// Gives the feedback nodes that were opened last their next values, in the same order.
    ///
    /// # Panics
    /// If there is no open feedback, or the number of values is wrong.
    pub fn close(&mut self, next: Vec<Wire>) {
        let cycle = self.cycles.last_mut().filter(|cycle| cycle.next.is_empty()).expect("an open cycle");
        assert_eq!(cycle.feedback.len(), next.len(), "one value for each feedback node");
        cycle.next = next;
    }

    /// Every node's value for these inputs: the definition, which faster ways are compared with.
    ///
    /// # Panics
    /// If there are not as many values as inputs.
    #[must_use]
    pub fn evaluate(&self, inputs: &[bool]) -> Vec<bool> {
        assert_eq!(inputs.len(), self.inputs_count(), "a value for each input");
        let mut values = vec![false; self.nodes.len()];
        loop {
            for (node, kind) in self.nodes.iter().enumerate() {
                match *kind {
                    Node::False | Node::Feedback(_) => {}
                    Node::Input(number) => values[node] = inputs[number as usize],
                    Node::And(left, right) => values[node] = value(&values, left) && value(&values, right),
                }
            }
            // The earliest cycle that is not yet settled decides: those behind it begin again.
            let unsettled = self.cycles.iter().position(|cycle| {
                let mut pairs = cycle.feedback.iter().zip(&cycle.next);
                pairs.any(|(&node, &next)| values[node as usize] != value(&values, next))
            });
            let Some(unsettled) = unsettled else { return values };
            let cycle = &self.cycles[unsettled];
            let next: Vec<bool> = cycle.next.iter().map(|&next| value(&values, next)).collect();
            for (&node, next) in cycle.feedback.iter().zip(next) {
                values[node as usize] = next;
            }
            for later in &self.cycles[unsettled + 1..] {
                for &node in &later.feedback {
                    values[node as usize] = false;
                }
            }
        }
    }
}

/// The value of a wire.
fn value(values: &[bool], wire: Wire) -> bool {
    values[wire.node()] != wire.is_inverted()
}
