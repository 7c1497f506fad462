//! Which predicate is computed from which.

use std::collections::VecDeque;

use super::{Atom, Literal, Program, Term, parts::PredicateParts};
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
    /// Whether it depends on the head in turn.
    pub is_in_cycle: bool,
    /// The rule.
    pub rule: RuleId,
    /// The occurrence in the body.
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
    /// For each predicate the indices in `edges` of those with it as head.
    edges_of: Vec<Vec<usize>>,
    is_split: bool,
}

impl DependencyGraph {
    /// The graph of a program, as the specification has it: one node a predicate.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        Self::with_places(program, &vec![Vec::new(); program.predicates.len()])
    }

    /// The graph with predicates split where every rule has a constant in some place of the head.
    ///
    /// `(<= (goal ?r 0) (not (goal ?r 100)))` is then not a cycle: the goal 0 depends on the goal
    /// 100, which does not depend on it.
    pub(crate) fn split_by_constants(program: &Program) -> Self {
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
        let mut parts = PredicateParts::of(program, places);
        let mut edges = Vec::new();
        let mut targets = Vec::new();
        for id in program.rule_ids() {
            let rule = &program.rules[id.index()];
            for (atom, is_negative) in atoms(&rule.body) {
                targets.push(parts.link(id, atom));
                let (body, head, span) = (atom.predicate, rule.head.predicate, atom.span);
                edges.push(Edge { body, head, is_negative, is_in_cycle: false, rule: id, span });
            }
        }
        let (mut sccs, scc_of) = parts.sccs();
        let mut edges_of = vec![Vec::new(); program.predicates.len()];
        for (position, (edge, target)) in edges.iter_mut().zip(targets).enumerate() {
            let home = scc_of[parts.of_rule[edge.rule.index()].index()];
            edge.is_in_cycle = target.is_some_and(|node| scc_of[node.index()] == home);
            sccs[home].is_recursive |= edge.is_in_cycle;
            edges_of[edge.head.index()].push(position);
        }
        let is_split = places.iter().any(|places| !places.is_empty());
        Self { edges, sccs, edges_of, is_split }
    }

    /// The edges with the head `head`.
    pub fn edges_of(&self, head: PredicateId) -> impl Iterator<Item = &Edge> {
        self.edges_of[head.index()].iter().map(|&position| &self.edges[position])
    }

    /// Whether some predicate is split by constants, so that it is not the graph of the specification.
    pub(crate) fn is_split(&self) -> bool {
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
        let mut came_by: Vec<Option<Edge>> = vec![None; self.edges_of.len()];
        let mut queue = VecDeque::from([head]);
        while let Some(predicate) = queue.pop_front().filter(|_| came_by[source.index()].is_none()) {
            for edge in self.edges_of(predicate) {
                came_by[edge.body.index()].get_or_insert_with(|| {
                    queue.push_back(edge.body);
                    *edge
                });
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

/// The atoms of a body, each with whether it is negated.
fn atoms(body: &[Literal]) -> impl Iterator<Item = (&Atom, bool)> {
    body.iter().filter_map(|literal| Some((literal.atom()?, matches!(literal, Literal::Negative(_)))))
}
