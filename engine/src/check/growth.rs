//! Terms that grow from state to state, which the recursion restriction (Def. 15) does not see.
//!
//! An argument ranking (Lierler & Lifschitz, "One more decidable class of finitely ground programs",
//! ICLP 2009) bounds the depth of the terms in each position: a variable is no deeper in the head
//! than the shallowest position of the body that binds it allows. `next` writes the positions that
//! `true` reads, and `legal` those that `does` reads. If no finite ranking exists, terms can grow.

use std::collections::BTreeMap;

use petgraph::{algo::kosaraju_scc, graph::DiGraph};

use super::{effort::Effort, finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    id::{PredicateId, SymbolId},
    rules::{Atom, Keyword, Literal, Program, Rule, Term, TimeMarks},
};

/// Deeper than any term of a rule, and than the engine's limits allow in a match.
const UNBOUNDED: usize = 256;

/// Positions that are ranked before the check asks whether it goes on.
const STEPS_BETWEEN: u32 = 256;

pub(super) fn check(subject: &Subject<'_>, effort: &Effort<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut flows = Flows::of(subject.program);
    flows.rank(effort);
    let written = flows.growing().filter_map(|flow| flow.written);
    diagnostics.extend(written.map(|(rule, variable)| unbounded(subject, rule, variable)));
}

fn unbounded(subject: &Subject<'_>, rule: &Rule, variable: usize) -> Diagnostic {
    let (head, name) = (&rule.head, subject.program.name(rule.head.predicate));
    let variable = subject.shown_name(rule, &rule.variables[variable]);
    let message =
        format!("`{name}` can build ever larger terms: {variable} is nested deeper from state to state");
    finding("unbounded-growth", head.span, message)
        .with_help(format!(
            "add a condition that binds {variable}, or the term around it, by facts. Def. 15 restricts only recursion \
             within a state; --strict asks for an argument ranking across states as well, by the definition of Lierler and \
             Lifschitz (ICLP 2009)"
        ))
}

/// A position of a term: an argument of a relation, an argument of a fluent or move, or a whole fluent or move
/// if a rule has a variable or a constant there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TermPosition {
    Argument(PredicateId, usize),
    Whole(CrossingKind),
    Inside(CrossingKind, (SymbolId, usize), usize),
    /// Before a fluent of real-time rules.
    Lifetime,
}

/// What crosses from one state to the next, or from the choice of moves to the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CrossingKind {
    Fluent,
    Move,
}

/// How terms get into one position.
struct Flow<'p> {
    /// The rule and the variable that carry them; none where whole fluents and their arguments are one.
    written: Option<(&'p Rule, usize)>,
    head: usize,
    /// Levels around them there; below zero for a term that is taken apart.
    depth: isize,
    /// Each position that bounds them, with the levels around them there.
    sources: Vec<(usize, isize)>,
}

struct Flows<'p> {
    kinds: BTreeMap<PredicateId, CrossingKind>,
    marks: TimeMarks,
    numbers: BTreeMap<TermPosition, usize>,
    flows: Vec<Flow<'p>>,
    ranks: Vec<usize>,
}

impl<'p> Flows<'p> {
    fn of(program: &'p Program) -> Self {
        let words = [
            (Keyword::Init, CrossingKind::Fluent),
            (Keyword::True, CrossingKind::Fluent),
            (Keyword::Next, CrossingKind::Fluent),
            (Keyword::Legal, CrossingKind::Move),
            (Keyword::Does, CrossingKind::Move),
        ];
        let kinds = words.iter().filter_map(|&(word, kind)| Some((program.keyword(word)?, kind))).collect();
        let (marks, numbers) = (TimeMarks::of(program), BTreeMap::new());
        let mut flows = Self { kinds, marks, numbers, flows: Vec::new(), ranks: Vec::new() };
        for rule in program.rules.iter().filter(|rule| !rule.variables.is_empty()) {
            flows.add(rule);
        }
        flows.join_wholes();
        flows.ranks = vec![0; flows.numbers.len()];
        flows
    }

    fn add(&mut self, rule: &'p Rule) {
        let mut sources = vec![Vec::new(); rule.variables.len()];
        for literal in &rule.body {
            if let Literal::Positive(atom) = literal {
                self.places(atom, &mut |place, variable, depth| sources[variable].push((place, depth)));
            }
        }
        let mut heads = Vec::new();
        self.places(&rule.head, &mut |head, variable, depth| heads.push((head, variable, depth)));
        self.flows.extend(heads.into_iter().map(|(head, variable, depth)| Flow {
            written: Some((rule, variable)),
            head,
            depth,
            sources: sources[variable].clone(),
        }));
    }

    /// Calls `visit` with every position that a variable reaches, and the levels around it there.
    fn places(&mut self, atom: &Atom, visit: &mut impl FnMut(usize, usize, isize)) {
        let kind = self.kinds.get(&atom.predicate).copied();
        for (place, term) in atom.arguments.iter().enumerate() {
            let (lifetime, term) = self.marks.parts(term);
            if let Some(lifetime) = lifetime {
                self.places_in(TermPosition::Lifetime, lifetime, visit);
            }
            match (kind.filter(|_| place + 1 == atom.arguments.len()), term) {
                (None, _) => self.places_in(TermPosition::Argument(atom.predicate, place), term, visit),
                (Some(kind), Term::Compound(functor, arguments)) => {
                    for (place, argument) in arguments.iter().enumerate() {
                        let inside = TermPosition::Inside(kind, (*functor, arguments.len()), place);
                        self.places_in(inside, argument, visit);
                    }
                }
                (Some(kind), _) => self.places_in(TermPosition::Whole(kind), term, visit),
            }
        }
    }

    fn places_in(
        &mut self,
        position: TermPosition,
        term: &Term,
        visit: &mut impl FnMut(usize, usize, isize),
    ) {
        // A constant carries nothing from place to place.
        if matches!(term, Term::Constant(_)) {
            return;
        }
        let number = self.number(position);
        for_each_depth(term, 0, &mut |variable, depth| visit(number, variable, depth));
    }

    fn number(&mut self, position: TermPosition) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(position).or_insert(next)
    }

    /// A position written by arguments can be read as a whole, and the other way round.
    fn join_wholes(&mut self) {
        for kind in [CrossingKind::Fluent, CrossingKind::Move] {
            let Some(&whole) = self.numbers.get(&TermPosition::Whole(kind)) else { continue };
            let inside =
                |position: &TermPosition| matches!(position, TermPosition::Inside(of, ..) if *of == kind);
            for (_, &inside) in self.numbers.iter().filter(|(position, _)| inside(position)) {
                let join =
                    |head, depth, source| Flow { written: None, head, depth, sources: vec![(source, 0)] };
                self.flows.extend([join(whole, 1, inside), join(inside, -1, whole)]);
            }
        }
    }

    /// The smallest ranking, with [`UNBOUNDED`] for positions that have none.
    fn rank(&mut self, effort: &Effort<'_>) {
        let mut readers = vec![Vec::new(); self.ranks.len()];
        for (index, flow) in self.flows.iter().enumerate() {
            for &(source, _) in &flow.sources {
                readers[source].push(index);
            }
        }
        let mut open: Vec<usize> = (0..self.flows.len()).collect();
        let mut steps = 0_u32;
        while let Some(index) = open.pop() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(STEPS_BETWEEN) && effort.is_over() {
                return;
            }
            let flow = &self.flows[index];
            let rank = self.rank_of(flow);
            if rank > self.ranks[flow.head] {
                self.ranks[flow.head] = rank;
                open.extend(&readers[flow.head]);
            }
        }
    }

    fn rank_of(&self, flow: &Flow<'_>) -> usize {
        let below = |&(source, depth): &(usize, isize)| match self.ranks[source] {
            UNBOUNDED => UNBOUNDED,
            rank => rank.saturating_add_signed(-depth),
        };
        match flow.sources.iter().map(below).min().unwrap_or(0) {
            UNBOUNDED => UNBOUNDED,
            rank => rank.saturating_add_signed(flow.depth).min(UNBOUNDED),
        }
    }

    /// The flows that add a level on a cycle through the state.
    fn growing(&self) -> impl Iterator<Item = &Flow<'p>> {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes: Vec<_> = self.ranks.iter().map(|_| graph.add_node(())).collect();
        let unbounded = self.flows.iter().filter(|flow| self.rank_of(flow) == UNBOUNDED);
        for flow in unbounded.clone() {
            for &(source, _) in &flow.sources {
                graph.add_edge(nodes[source], nodes[flow.head], ());
            }
        }
        let mut component = vec![0; nodes.len()];
        let mut crosses = Vec::new();
        let levels = self.levels();
        for (number, scc) in kosaraju_scc(&graph).into_iter().enumerate() {
            crosses.push(scc.iter().any(|node| levels[node.index()].is_some()));
            for node in scc {
                component[node.index()] = number;
            }
        }
        let level = move |place: usize, depth: isize| depth + levels[place].unwrap_or(0);
        unbounded.filter(move |flow| {
            let at = component[flow.head];
            let is_deeper = |&(source, depth): &(usize, isize)| {
                component[source] == at && level(flow.head, flow.depth) > level(source, depth)
            };
            crosses[at] && flow.written.is_some() && flow.sources.iter().any(is_deeper)
        })
    }

    /// The functions that enclose a position within the state; empty for other positions.
    fn levels(&self) -> Vec<Option<isize>> {
        let mut levels = vec![None; self.numbers.len()];
        for (position, &number) in &self.numbers {
            levels[number] = match position {
                TermPosition::Argument(..) => None,
                TermPosition::Whole(_) => Some(0),
                TermPosition::Inside(..) | TermPosition::Lifetime => Some(1),
            };
        }
        levels
    }
}

/// Calls `visit` with every occurrence of a variable and the number of functions around it.
fn for_each_depth(term: &Term, depth: isize, visit: &mut impl FnMut(usize, isize)) {
    match term {
        Term::Variable(variable) => visit(*variable, depth),
        Term::Constant(_) => {}
        Term::Compound(_, arguments) => {
            for argument in arguments {
                for_each_depth(argument, depth + 1, visit);
            }
        }
    }
}
