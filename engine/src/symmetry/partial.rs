//! The rules with everything evaluated that is the same in every state.
//!
//! A text may order suits only to name each pair of them once. Such a relation is eliminated from the clauses here: the
//! remaining rules have a clause for each row of the static conditions, and are symmetric if the game is.

use std::{collections::BTreeSet, sync::Arc};

use super::clause::{Clause, ClauseTerm, Literal, LiteralKind};
use crate::{
    datalog::{Model, ModelError, Vocabulary},
    id::{PredicateId, RuleId},
    limits::{LimitError, Limits},
    rules::{self, Atom, DependencyGraph, Keyword, Program, Rule},
};

/// Relations that a game needs: they and their dependencies are all that matters. Goals come last: they decide nothing before the end.
const ROOTS: [Keyword; 7] = [
    Keyword::Role,
    Keyword::Init,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Sees,
    Keyword::Terminal,
    Keyword::Goal,
];

/// Which relations of a game must stay the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeptRelations {
    /// All of them.
    All,
    /// All but the goals.
    AllButGoals,
}

impl KeptRelations {
    fn roots(self) -> &'static [Keyword] {
        match self {
            Self::All => &ROOTS,
            Self::AllButGoals => &ROOTS[..ROOTS.len() - 1],
        }
    }
}

/// How often rules whose static conditions have too many solutions are left unchanged, before giving up.
const ATTEMPTS_MAX: usize = 8;

/// A program, seen by what its relations depend on.
struct RelationDependencies<'p> {
    program: &'p Program,
    roots: &'static [Keyword],
    is_dynamic: Vec<bool>,
    is_needed: Vec<bool>,
}

/// The static conditions of a rule.
struct Conditions {
    rule: RuleId,
    /// Positions in the body.
    places: Vec<usize>,
    /// Their variables that the rest of the rule has as well.
    columns: Vec<usize>,
    /// Has a row for each of their solutions.
    solutions: PredicateId,
}

/// The clauses of a program that decide what happens, partially evaluated.
///
/// # Errors
/// If the relations that are the same in every state exceed the limits.
pub(super) fn clauses(
    program: &Program,
    graph: &DependencyGraph,
    limits: &Limits,
    kept: KeptRelations,
) -> Result<Vec<Clause>, LimitError> {
    let parts = RelationDependencies::of(program, graph, kept.roots());
    let mut kept: BTreeSet<RuleId> = BTreeSet::new();
    for attempt in 0..=ATTEMPTS_MAX {
        let (evaluated, conditions) = parts.static_program(&kept);
        let vocabulary = Arc::new(Vocabulary::new(program.symbols.clone(), *limits)?);
        match evaluate(&evaluated, &vocabulary, limits) {
            Ok(mut model) => return Ok(parts.clauses(&conditions, &mut model)),
            Err(error) => {
                let predicate = evaluated.rules[error.rule.index()].head.predicate;
                match conditions.iter().find(|found| found.solutions == predicate) {
                    Some(found) if attempt < ATTEMPTS_MAX => _ = kept.insert(found.rule),
                    _ => return Err(error.limit),
                }
            }
        }
    }
    unreachable!("the last attempt returns")
}

/// The clauses of a program that decide what happens, as they are written.
pub(super) fn written(program: &Program, graph: &DependencyGraph) -> Vec<Clause> {
    let parts = RelationDependencies::of(program, graph, &ROOTS);
    let rules = program.rules.iter().filter(|rule| parts.is_needed[rule.head.predicate.index()]);
    let clauses: BTreeSet<Clause> =
        rules.map(|rule| clause(rule, &rule.body.iter().collect::<Vec<_>>(), &[])).collect();
    clauses.into_iter().collect()
}

fn evaluate(program: &Program, vocabulary: &Arc<Vocabulary>, limits: &Limits) -> Result<Model, ModelError> {
    let mut graph = DependencyGraph::of(program);
    if graph.has_negative_cycle() {
        graph = DependencyGraph::split_by_constants(program);
    }
    Model::of(program, &graph, vocabulary.reader(), limits.ground_fuel, limits.ground_rows)
}

impl<'p> RelationDependencies<'p> {
    fn of(program: &'p Program, graph: &DependencyGraph, roots: &'static [Keyword]) -> Self {
        let sources: Vec<PredicateId> =
            [Keyword::True, Keyword::Does].into_iter().filter_map(|word| program.keyword(word)).collect();
        let is_dynamic = graph.dependents(&sources);
        let mut open: Vec<PredicateId> = roots.iter().filter_map(|&word| program.keyword(word)).collect();
        let mut is_needed = vec![false; program.predicates.len()];
        while let Some(predicate) = open.pop() {
            if !std::mem::replace(&mut is_needed[predicate.index()], true) {
                open.extend(graph.edges_of(predicate).map(|edge| edge.body));
            }
        }
        Self { program, roots, is_dynamic, is_needed }
    }

    fn is_static(&self, predicate: PredicateId) -> bool {
        !self.is_dynamic[predicate.index()]
    }

    /// The rules that matter and depend on the state or the moves.
    fn dynamic_rules(&self) -> impl Iterator<Item = (RuleId, &'p Rule)> + '_ {
        let rules = self.program.rule_ids().map(|id| (id, &self.program.rules[id.index()]));
        rules.filter(|(_, rule)| {
            let head = rule.head.predicate;
            self.is_needed[head.index()] && !self.is_static(head)
        })
    }

    /// The static rules, and one rule more for the static conditions of each rule that is not `kept` as it is.
    fn static_program(&self, kept: &BTreeSet<RuleId>) -> (Program, Vec<Conditions>) {
        let mut evaluated = Program::with_symbols(self.program.symbols.clone());
        for predicate in &self.program.predicates {
            evaluated.predicate(self.program.symbols.name(predicate.symbol), predicate.arity);
        }
        let is_wanted =
            |rule: &&Rule| self.is_needed[rule.head.predicate.index()] && self.is_static(rule.head.predicate);
        evaluated.rules = self.program.rules.iter().filter(is_wanted).cloned().collect();
        let mut conditions = Vec::new();
        for (id, rule) in self.dynamic_rules().filter(|(id, _)| !kept.contains(id)) {
            let (places, columns) = self.static_conditions(rule);
            if places.is_empty() {
                continue;
            }
            // No relation of a text has a blank in its name.
            let name = format!("conditions {}", id.index());
            let solutions = evaluated.predicate(&name, columns.len());
            let arguments = columns.iter().map(|&column| rules::Term::Variable(column)).collect();
            evaluated.rules.push(Rule {
                head: Atom { predicate: solutions, arguments, span: rule.head.span },
                body: places.iter().map(|&place| rule.body[place].clone()).collect(),
                variables: rule.variables.clone(),
                span: rule.span,
            });
            conditions.push(Conditions { rule: id, places, columns, solutions });
        }
        (evaluated, conditions)
    }

    /// The conditions of a rule that can be evaluated beforehand, and their variables that the rest of it has as well.
    fn static_conditions(&self, rule: &Rule) -> (Vec<usize>, Vec<usize>) {
        let mut bound = BTreeSet::new();
        for literal in &rule.body {
            if let rules::Literal::Positive(atom) = literal
                && self.is_static(atom.predicate)
            {
                atom.arguments
                    .iter()
                    .for_each(|term| term.for_each_variable(&mut |variable| _ = bound.insert(variable)));
            }
        }
        let is_evaluated = |literal: &rules::Literal| {
            let mut is_bound = literal.atom().is_none_or(|atom| self.is_static(atom.predicate));
            literal.terms().for_each(|term| {
                term.for_each_variable(&mut |variable| is_bound &= bound.contains(&variable))
            });
            is_bound
        };
        let (places, rest): (Vec<usize>, Vec<usize>) =
            (0..rule.body.len()).partition(|&place| is_evaluated(&rule.body[place]));
        let mut elsewhere = BTreeSet::new();
        let terms = rest.iter().flat_map(|&place| rule.body[place].terms()).chain(&rule.head.arguments);
        terms.for_each(|term| term.for_each_variable(&mut |variable| _ = elsewhere.insert(variable)));
        (places, bound.intersection(&elsewhere).copied().collect())
    }

    /// The remainder: a clause for each solution of the conditions of each rule, and the static facts that are still
    /// used.
    fn clauses(&self, conditions: &[Conditions], model: &mut Model) -> Vec<Clause> {
        let mut clauses = BTreeSet::new();
        let mut wanted: BTreeSet<PredicateId> =
            self.roots.iter().filter_map(|&word| self.program.keyword(word)).collect();
        wanted.retain(|&predicate| self.is_static(predicate));
        let mut conditions = conditions.iter().peekable();
        for (id, rule) in self.dynamic_rules() {
            let found = conditions.next_if(|found| found.rule == id);
            let is_left = |place: &usize| found.is_none_or(|found| !found.places.contains(place));
            let body: Vec<&rules::Literal> =
                (0..rule.body.len()).filter(is_left).map(|place| &rule.body[place]).collect();
            let asked = body.iter().filter_map(|literal| Some(literal.atom()?.predicate));
            wanted.extend(asked.filter(|&predicate| self.is_static(predicate)));
            let Some(Conditions { solutions, columns, .. }) = found else {
                clauses.insert(clause(rule, &body, &[]));
                continue;
            };
            let rows: Vec<Vec<u32>> = model.rows(*solutions).map(<[u32]>::to_vec).collect();
            for row in rows {
                let terms = row.iter().map(|&raw| term_of(model, raw));
                let values: Vec<(usize, ClauseTerm)> = columns.iter().copied().zip(terms).collect();
                clauses.insert(clause(rule, &body, &values));
            }
        }
        for predicate in wanted {
            let rows: Vec<Vec<u32>> = model.rows(predicate).map(<[u32]>::to_vec).collect();
            for row in rows {
                let arguments = row.iter().map(|&raw| term_of(model, raw)).collect();
                let head = Literal { kind: LiteralKind::Head, predicate: Some(predicate), arguments };
                clauses.insert(Clause { literals: vec![head] });
            }
        }
        clauses.into_iter().collect()
    }
}

/// A rule with some conditions only and some variables replaced.
fn clause(rule: &Rule, body: &[&rules::Literal], values: &[(usize, ClauseTerm)]) -> Clause {
    let of_atom = |kind: LiteralKind, atom: &Atom| Literal {
        kind,
        predicate: Some(atom.predicate),
        arguments: atom.arguments.iter().map(|term| replaced(term, values)).collect(),
    };
    let of_two = |kind: LiteralKind, left: &rules::Term, right: &rules::Term| {
        let mut arguments = vec![replaced(left, values), replaced(right, values)];
        arguments.sort_unstable();
        Literal { kind, predicate: None, arguments }
    };
    let mut literals = vec![of_atom(LiteralKind::Head, &rule.head)];
    literals.extend(body.iter().map(|literal| match literal {
        rules::Literal::Positive(atom) => of_atom(LiteralKind::Positive, atom),
        rules::Literal::Negative(atom) => of_atom(LiteralKind::Negative, atom),
        rules::Literal::Distinct(left, right, _) => of_two(LiteralKind::Distinct, left, right),
        rules::Literal::Same(left, right, _) => of_two(LiteralKind::Same, left, right),
    }));
    Clause { literals }.tidied()
}

fn replaced(term: &rules::Term, values: &[(usize, ClauseTerm)]) -> ClauseTerm {
    match term {
        rules::Term::Variable(variable) => {
            let value = values.iter().find(|(column, _)| column == variable);
            value.map_or(ClauseTerm::Variable(*variable), |(_, value)| value.clone())
        }
        rules::Term::Constant(symbol) => ClauseTerm::Apply(*symbol, Vec::new()),
        rules::Term::Compound(symbol, arguments) => {
            ClauseTerm::Apply(*symbol, arguments.iter().map(|term| replaced(term, values)).collect())
        }
    }
}

fn term_of(model: &mut Model, raw: u32) -> ClauseTerm {
    let (symbol, arguments) = model.terms().parts(raw);
    let arguments = arguments.to_vec();
    ClauseTerm::Apply(symbol, arguments.into_iter().map(|raw| term_of(model, raw)).collect())
}
