//! Which predicate is computed from which.

use petgraph::{algo::tarjan_scc, graph::DiGraph};

use super::{Literal, Program};
use crate::{
    diagnostic::Span,
    id::{PredicateId, RuleId},
};

/// One occurrence of a predicate in the body of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The predicate in the body.
    pub body: PredicateId,
    /// The predicate of the head.
    pub head: PredicateId,
    /// Whether the body has it negated.
    pub is_negative: bool,
    /// The rule.
    pub rule: RuleId,
    /// Where the body mentions it.
    pub span: Span,
}

/// Predicates that depend on each other, computed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scc {
    /// Its predicates, ascending.
    pub predicates: Vec<PredicateId>,
    /// Whether any of them depends on itself.
    pub is_recursive: bool,
}

/// The dependency graph of a program (specification of 2006, section 5.1) with its strongly
/// connected components.
#[derive(Clone, Debug)]
pub struct DependencyGraph {
    /// Every occurrence of a predicate in a body.
    pub edges: Vec<Edge>,
    /// Each after all that it depends on.
    pub sccs: Vec<Scc>,
    /// For each predicate, the index of its entry in `sccs`.
    scc_of: Vec<usize>,
}

impl DependencyGraph {
    /// The graph of a program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let edges: Vec<Edge> = program.rule_ids().flat_map(|rule| rule_edges(program, rule)).collect();
        let mut graph: DiGraph<PredicateId, ()> = DiGraph::new();
        let nodes: Vec<_> = program.predicate_ids().map(|predicate| graph.add_node(predicate)).collect();
        for edge in &edges {
            graph.add_edge(nodes[edge.head.index()], nodes[edge.body.index()], ());
        }
        // Tarjan gives components before those that point to them; edges point to what is needed.
        let mut scc_of = vec![0; program.predicates.len()];
        let mut sccs = Vec::new();
        for members in tarjan_scc(&graph) {
            let mut predicates: Vec<_> = members.into_iter().map(|node| graph[node]).collect();
            predicates.sort_unstable();
            for predicate in &predicates {
                scc_of[predicate.index()] = sccs.len();
            }
            sccs.push(Scc { predicates, is_recursive: false });
        }
        for edge in edges.iter().filter(|edge| scc_of[edge.head.index()] == scc_of[edge.body.index()]) {
            sccs[scc_of[edge.head.index()]].is_recursive = true;
        }
        Self { edges, sccs, scc_of }
    }

    /// The index in [`sccs`](Self::sccs) of a predicate's component.
    #[must_use]
    pub fn scc_of(&self, predicate: PredicateId) -> usize {
        self.scc_of[predicate.index()]
    }

    /// Whether two predicates depend on each other.
    #[must_use]
    pub fn share_cycle(&self, one: PredicateId, other: PredicateId) -> bool {
        self.scc_of(one) == self.scc_of(other) && self.sccs[self.scc_of(one)].is_recursive
    }

    /// For each predicate, whether any of `sources` is needed to compute it; a source needs itself.
    #[must_use]
    pub fn dependents(&self, sources: &[PredicateId]) -> Vec<bool> {
        let mut needs = vec![false; self.scc_of.len()];
        for source in sources {
            needs[source.index()] = true;
        }
        // Components come in dependency order; within one, the need spreads until nothing changes.
        let mut edges_by_scc = vec![Vec::new(); self.sccs.len()];
        for edge in &self.edges {
            edges_by_scc[self.scc_of(edge.head)].push(edge);
        }
        for edges in edges_by_scc {
            let mut is_changed = true;
            while is_changed {
                is_changed = false;
                for edge in &edges {
                    if needs[edge.body.index()] && !needs[edge.head.index()] {
                        needs[edge.head.index()] = true;
                        is_changed = true;
                    }
                }
            }
        }
        needs
    }

    /// The predicates in the bodies of the rules for `head`, with repetitions.
    pub fn needs(&self, head: PredicateId) -> impl Iterator<Item = PredicateId> + '_ {
        self.edges.iter().filter(move |edge| edge.head == head).map(|edge| edge.body)
    }

    /// The shortest chain of edges by which `head` needs `source`, from the head down.
    #[must_use]
    pub fn chain(&self, head: PredicateId, source: PredicateId) -> Vec<Edge> {
        let mut came_by: Vec<Option<Edge>> = vec![None; self.scc_of.len()];
        let mut queue = std::collections::VecDeque::from([head]);
        while let Some(predicate) = queue.pop_front() {
            if predicate == source && came_by[source.index()].is_some() {
                break;
            }
            for edge in self.edges.iter().filter(|edge| edge.head == predicate) {
                if came_by[edge.body.index()].is_none() {
                    came_by[edge.body.index()] = Some(*edge);
                    queue.push_back(edge.body);
                }
            }
        }
        let mut chain = Vec::new();
        let mut at = source;
        while let Some(edge) = came_by[at.index()].take() {
            chain.push(edge);
            at = edge.head;
        }
        chain.reverse();
        chain
    }
}

fn rule_edges(program: &Program, id: RuleId) -> impl Iterator<Item = Edge> + '_ {
    let rule = &program.rules[id.index()];
    rule.body.iter().filter_map(move |literal| {
        literal.atom().map(|atom| Edge {
            body: atom.predicate,
            head: rule.head.predicate,
            is_negative: matches!(literal, Literal::Negative(_)),
            rule: id,
            span: atom.span,
        })
    })
}
