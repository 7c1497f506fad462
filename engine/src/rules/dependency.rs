//! Which predicate is computed from which.

use std::collections::{BTreeMap, VecDeque};

use petgraph::{algo::tarjan_scc, graph::DiGraph};

use super::{Atom, Literal, Program, Term};
use crate::{
    diagnostic::Span,
    id::{PredicateId, RuleId, SymbolId},
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
    /// Whether it depends on the head in turn.
    pub is_in_cycle: bool,
    /// The rule.
    pub rule: RuleId,
    /// Where the body mentions it.
    pub span: Span,
}

/// Rules whose heads depend on each other, evaluated together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scc {
    /// The predicates of their heads, ascending. Where predicates were split, one may occur in several.
    pub predicates: Vec<PredicateId>,
    /// The rules, ascending.
    pub rules: Vec<RuleId>,
    /// Whether any of them depends on itself.
    pub is_recursive: bool,
}

/// The dependency graph of a program (specification of 2006, section 5.1) with its strongly
/// connected components.
#[derive(Clone, Debug)]
pub struct DependencyGraph {
    /// Every occurrence of a predicate in a body, in file order.
    pub edges: Vec<Edge>,
    /// Each after all that it depends on.
    pub sccs: Vec<Scc>,
    /// For each predicate the positions in `edges` of those whose head it is.
    edges_of: Vec<Vec<usize>>,
    is_split: bool,
}

/// A part of a predicate: the atoms with these constants in the places by which it is split.
type Node = (PredicateId, Vec<SymbolId>);

impl DependencyGraph {
    /// The graph of a program, as the specification has it: one node a predicate.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        Self::with_places(program, &vec![Vec::new(); program.predicates.len()])
    }

    /// The graph with predicates split where every rule has a constant in some place of the head.
    ///
    /// `(<= (goal ?r 0) (not (goal ?r 100)))` is no cycle then: what is worth 0 depends on what is
    /// worth 100, which does not depend on it.
    #[must_use]
    pub fn split_by_constants(program: &Program) -> Self {
        let mut places: Vec<Option<Vec<usize>>> = vec![None; program.predicates.len()];
        for rule in &program.rules {
            let is_constant = |place: &usize| matches!(rule.head.arguments[*place], Term::Constant(_));
            let places = &mut places[rule.head.predicate.index()];
            let before = places.take().unwrap_or_else(|| (0..rule.head.arguments.len()).collect());
            *places = Some(before.into_iter().filter(is_constant).collect());
        }
        let places: Vec<_> = places.into_iter().map(Option::unwrap_or_default).collect();
        Self::with_places(program, &places)
    }

    fn with_places(program: &Program, places: &[Vec<usize>]) -> Self {
        let mut graph: DiGraph<Node, ()> = DiGraph::new();
        let mut nodes_of = vec![BTreeMap::new(); program.predicates.len()];
        let mut rules_at: Vec<Vec<RuleId>> = Vec::new();
        let mut node_of_rule = Vec::with_capacity(program.rules.len());
        for id in program.rule_ids() {
            let head = &program.rules[id.index()].head;
            let constants = constants(head, &places[head.predicate.index()]);
            let constants: Vec<SymbolId> =
                constants.map(|found| found.expect("places have constants")).collect();
            let node = *nodes_of[head.predicate.index()].entry(constants.clone()).or_insert_with(|| {
                rules_at.push(Vec::new());
                graph.add_node((head.predicate, constants))
            });
            rules_at[node.index()].push(id);
            node_of_rule.push(node);
        }
        // What nothing concludes is a node of its own.
        for predicate in program.predicate_ids() {
            nodes_of[predicate.index()].entry(Vec::new()).or_insert_with(|| {
                rules_at.push(Vec::new());
                graph.add_node((predicate, Vec::new()))
            });
        }
        let mut edges = Vec::new();
        let mut targets = Vec::new();
        for id in program.rule_ids() {
            let rule = &program.rules[id.index()];
            for (atom, is_negative) in atoms(&rule.body) {
                let wanted: Vec<_> = constants(atom, &places[atom.predicate.index()]).collect();
                let matches = nodes_of[atom.predicate.index()].iter().filter(|(key, _)| {
                    key.iter()
                        .zip(&wanted)
                        .all(|(known, wanted)| wanted.is_none_or(|wanted| wanted == *known))
                });
                let matches: Vec<_> = matches.map(|(_, &node)| node).collect();
                for &node in &matches {
                    graph.update_edge(node_of_rule[id.index()], node, ());
                }
                targets.push(matches);
                let (body, head, span) = (atom.predicate, rule.head.predicate, atom.span);
                edges.push(Edge { body, head, is_negative, is_in_cycle: false, rule: id, span });
            }
        }
        // Tarjan gives components before those that point to them; edges point to what is needed.
        let mut scc_of = vec![0; graph.node_count()];
        let mut sccs = Vec::new();
        for members in tarjan_scc(&graph) {
            for node in &members {
                scc_of[node.index()] = sccs.len();
            }
            let mut predicates: Vec<_> = members.iter().map(|&node| graph[node].0).collect();
            predicates.sort_unstable();
            predicates.dedup();
            let mut rules: Vec<_> = members.iter().flat_map(|node| rules_at[node.index()].clone()).collect();
            rules.sort_unstable();
            sccs.push(Scc { predicates, rules, is_recursive: false });
        }
        let mut edges_of = vec![Vec::new(); program.predicates.len()];
        for (position, (edge, targets)) in edges.iter_mut().zip(targets).enumerate() {
            let home = scc_of[node_of_rule[edge.rule.index()].index()];
            edge.is_in_cycle = targets.iter().any(|node| scc_of[node.index()] == home);
            sccs[home].is_recursive |= edge.is_in_cycle;
            edges_of[edge.head.index()].push(position);
        }
        let is_split = places.iter().any(|places| !places.is_empty());
        Self { edges, sccs, edges_of, is_split }
    }

    /// The edges whose head is `head`.
    pub fn edges_of(&self, head: PredicateId) -> impl Iterator<Item = &Edge> {
        self.edges_of[head.index()].iter().map(|&position| &self.edges[position])
    }

    /// Whether some predicate is split by constants, so that it is not the graph of the specification.
    #[must_use]
    pub fn is_split(&self) -> bool {
        self.is_split
    }

    /// Whether some relation depends on its own negation.
    #[must_use]
    pub fn has_negative_cycle(&self) -> bool {
        self.edges.iter().any(|edge| edge.is_negative && edge.is_in_cycle)
    }

    /// For each predicate, whether any of `sources` is needed to compute it; a source needs itself.
    #[must_use]
    pub fn dependents(&self, sources: &[PredicateId]) -> Vec<bool> {
        let mut users = vec![Vec::new(); self.edges_of.len()];
        for edge in &self.edges {
            users[edge.body.index()].push(edge.head);
        }
        let mut needs = vec![false; self.edges_of.len()];
        let mut open = sources.to_vec();
        while let Some(predicate) = open.pop() {
            if !std::mem::replace(&mut needs[predicate.index()], true) {
                open.extend(&users[predicate.index()]);
            }
        }
        needs
    }

    /// The shortest chain of edges by which `head` needs `source`, from the head down; empty if it does not.
    #[must_use]
    pub fn chain(&self, head: PredicateId, source: PredicateId) -> Vec<Edge> {
        let mut came_by: BTreeMap<PredicateId, Edge> = BTreeMap::new();
        let mut queue = VecDeque::from([head]);
        while let Some(predicate) = queue.pop_front().filter(|_| !came_by.contains_key(&source)) {
            for edge in self.edges_of(predicate) {
                came_by.entry(edge.body).or_insert_with(|| {
                    queue.push_back(edge.body);
                    *edge
                });
            }
        }
        let mut chain = Vec::new();
        let mut at = source;
        while let Some(edge) = came_by.remove(&at) {
            chain.push(edge);
            at = edge.head;
        }
        chain.reverse();
        chain
    }
}

/// The atoms of a body, each with whether it is negated.
fn atoms(body: &[Literal]) -> impl Iterator<Item = (&Atom, bool)> {
    body.iter().filter_map(|literal| Some((literal.atom()?, matches!(literal, Literal::Negative(_)))))
}

/// What stands in some places of an atom, where that is a constant.
fn constants<'a>(atom: &'a Atom, places: &'a [usize]) -> impl Iterator<Item = Option<SymbolId>> + 'a {
    places.iter().map(|&place| match atom.arguments[place] {
        Term::Constant(symbol) => Some(symbol),
        Term::Variable(_) | Term::Compound(..) => None,
    })
}
