//! The nodes of a dependency graph: predicates, or the parts into which constants split them.

use std::collections::BTreeMap;

use petgraph::{
    algo::tarjan_scc,
    graph::{DiGraph, NodeIndex},
};

use super::{Atom, Program, Scc, Term};
use crate::id::{PredicateId, RuleId, SymbolId};

/// The parts of all predicates, with arrows from each part to those that it needs.
///
/// An atom with a variable in a position by which its predicate is split needs several parts. A separate node
/// represents these, shared by all atoms that agree in their constants: otherwise a thousand such atoms and a
/// thousand parts would need a million edges.
pub(super) struct PredicateParts<'p> {
    places: &'p [Vec<usize>],
    /// A part has its predicate; a node for several parts has none.
    graph: DiGraph<Option<PredicateId>, ()>,
    /// By predicate: the parts, by the constants in its places.
    of_predicate: Vec<BTreeMap<Vec<SymbolId>, NodeIndex>>,
    /// The part to which the head of each rule belongs.
    pub(super) of_rule: Vec<NodeIndex>,
    /// By node.
    rules_at: Vec<Vec<RuleId>>,
    /// For a predicate, by the set of positions with constants: the nodes for the parts with these constants.
    groups: BTreeMap<(PredicateId, Vec<bool>), BTreeMap<Vec<SymbolId>, NodeIndex>>,
}

impl<'p> PredicateParts<'p> {
    /// The parts of the heads of `program` by the constants in `places` of each predicate, without arrows.
    pub(super) fn of(program: &Program, places: &'p [Vec<usize>]) -> Self {
        let mut parts = Self {
            places,
            graph: DiGraph::new(),
            of_predicate: vec![BTreeMap::new(); program.predicates.len()],
            of_rule: Vec::with_capacity(program.rules.len()),
            rules_at: Vec::new(),
            groups: BTreeMap::new(),
        };
        for id in program.rule_ids() {
            let head = &program.rules[id.index()].head;
            let constants = parts.constants(head).map(|found| found.expect("places have constants"));
            let constants: Vec<SymbolId> = constants.collect();
            let node = match parts.of_predicate[head.predicate.index()].get(&constants) {
                Some(&node) => node,
                None => parts.add(head.predicate, constants),
            };
            parts.rules_at[node.index()].push(id);
            parts.of_rule.push(node);
        }
        for predicate in program.predicate_ids() {
            if parts.of_predicate[predicate.index()].is_empty() {
                parts.add(predicate, Vec::new());
            }
        }
        parts
    }

    fn add(&mut self, predicate: PredicateId, constants: Vec<SymbolId>) -> NodeIndex {
        let node = self.graph.add_node(Some(predicate));
        self.rules_at.push(Vec::new());
        self.of_predicate[predicate.index()].insert(constants, node);
        node
    }

    /// The constants of an atom in the positions by which its predicate is split, if they are constants.
    fn constants<'a>(&self, atom: &'a Atom) -> impl Iterator<Item = Option<SymbolId>> + use<'a, 'p> {
        self.places[atom.predicate.index()].iter().map(|&place| match atom.arguments[place] {
            Term::Constant(symbol) => Some(symbol),
            Term::Variable(_) | Term::Compound(..) => None,
        })
    }

    /// Adds the edge from a rule to what an atom of its body needs; `None` if nothing defines that.
    pub(super) fn link(&mut self, rule: RuleId, atom: &Atom) -> Option<NodeIndex> {
        let is_constant: Vec<bool> = self.constants(atom).map(|found| found.is_some()).collect();
        let constants: Vec<SymbolId> = self.constants(atom).flatten().collect();
        let target = if constants.len() == is_constant.len() {
            self.of_predicate[atom.predicate.index()].get(&constants).copied()
        } else {
            self.group(atom.predicate, is_constant).get(&constants).copied()
        }?;
        self.graph.add_edge(self.of_rule[rule.index()], target, ());
        Some(target)
    }

    /// The node for the parts of a predicate that have the same constants in some positions.
    fn group(
        &mut self,
        predicate: PredicateId,
        is_constant: Vec<bool>,
    ) -> &BTreeMap<Vec<SymbolId>, NodeIndex> {
        let graph = &mut self.graph;
        let parts = &self.of_predicate[predicate.index()];
        self.groups.entry((predicate, is_constant)).or_insert_with_key(|(_, is_constant)| {
            let mut group = BTreeMap::new();
            for (constants, &part) in parts {
                let kept = constants.iter().zip(is_constant).filter(|(_, is_kept)| **is_kept);
                let kept: Vec<SymbolId> = kept.map(|(&constant, _)| constant).collect();
                let node = *group.entry(kept).or_insert_with(|| graph.add_node(None));
                graph.add_edge(node, part, ());
            }
            group
        })
    }

    /// The strongly connected components, each after all that it needs, and for each node the index of its
    /// own; nodes that only represent several parts are in none.
    pub(super) fn sccs(&self) -> (Vec<Scc>, Vec<usize>) {
        let mut scc_of = vec![usize::MAX; self.graph.node_count()];
        let mut sccs = Vec::new();
        // Tarjan gives components before those that point to them; arrows point to what is needed.
        for members in tarjan_scc(&self.graph) {
            let mut predicates: Vec<_> = members.iter().filter_map(|&node| self.graph[node]).collect();
            if predicates.is_empty() {
                continue;
            }
            predicates.sort_unstable();
            predicates.dedup();
            for node in &members {
                scc_of[node.index()] = sccs.len();
            }
            let rules = members.iter().filter_map(|node| self.rules_at.get(node.index()));
            let mut rules: Vec<RuleId> = rules.flatten().copied().collect();
            rules.sort_unstable();
            sccs.push(Scc { predicates, rules, is_recursive: false });
        }
        (sccs, scc_of)
    }
}
