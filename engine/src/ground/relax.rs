//! The over-approximation that grounding goes by: what could be true, legal or played at all.
//!
//! Fluents that are ever derived stay true, moves that are ever legal are played, and conditions that depend on
//! the state are never false. Everything else is exact. Each rule that depends on the
//! state is evaluated through a relation of its instances, of which its head is a projection.

use std::collections::BTreeSet;

use super::{
    demand::Demands,
    flatten::{Flat, PredicateMeaning},
};
use crate::{
    datalog::ModelError,
    diagnostic::Span,
    id::{PredicateId, RuleId},
    rules::{Atom, DependencyGraph, Keyword, Literal, Program, Rule, Term},
};

/// A relation is heavy from this part of the largest on.
const HEAVY_SHARE: usize = 16;

/// A rule that depends on the state, and the relation of its instances.
pub(super) struct Template {
    /// The rule in the flat program.
    pub(super) rule: RuleId,
    /// Has a row for each instance.
    pub(super) instances: PredicateId,
    /// Which variable is in each column of it.
    pub(super) columns: Vec<usize>,
}

/// A program whose model holds every ground instance that can ever matter.
pub(super) struct Relaxed {
    pub(super) program: Program,
    pub(super) templates: Vec<Template>,
    /// For each rule of `program`, the rule of the flat program that it comes from, if any.
    pub(super) origins: Vec<Option<RuleId>>,
    /// For each predicate of the flat program, whether the state or the moves decide it.
    pub(super) is_dynamic: Vec<bool>,
}

/// The predicates of a flat program that depend on state or moves, or are treated as if they did.
pub(super) fn dynamic_predicates(flat: &Flat, graph: &DependencyGraph) -> Vec<bool> {
    let program = &flat.program;
    let is_asked = |predicate: &PredicateId| match flat.parts.get(predicate) {
        Some(PredicateMeaning::Term(keyword, _)) => *keyword != Keyword::Init,
        Some(PredicateMeaning::Goal(_)) => true,
        None => [Keyword::Terminal, Keyword::Goal, Keyword::Sees]
            .into_iter()
            .any(|keyword| program.keyword(keyword) == Some(*predicate)),
    };
    let sources: Vec<PredicateId> = program.predicate_ids().filter(is_asked).collect();
    graph.dependents(&sources)
}

/// The predicates that determine a state, its moves and its percepts.
pub(super) fn needed_predicates(flat: &Flat, graph: &DependencyGraph) -> Vec<bool> {
    let program = &flat.program;
    let words = [Keyword::Role, Keyword::Terminal, Keyword::Sees].map(|keyword| program.keyword(keyword));
    let parts = flat.parts.iter().filter(|(_, part)| match part {
        PredicateMeaning::Term(keyword, _) => {
            matches!(keyword, Keyword::Init | Keyword::Next | Keyword::Legal)
        }
        PredicateMeaning::Goal(_) => true,
    });
    let mut open: Vec<PredicateId> =
        words.into_iter().flatten().chain(parts.map(|(&predicate, _)| predicate)).collect();
    let mut is_needed = vec![false; program.predicates.len()];
    while let Some(predicate) = open.pop() {
        if !std::mem::replace(&mut is_needed[predicate.index()], true) {
            open.extend(graph.edges_of(predicate).map(|edge| edge.body));
        }
    }
    is_needed
}

/// Whether a relation can be computed on demand at all: not if it is needed from outside.
pub(super) fn is_open(flat: &Flat, predicate: PredicateId) -> bool {
    let program = &flat.program;
    let words = [Keyword::Role, Keyword::Terminal, Keyword::Sees];
    let is_word = words.iter().any(|&word| program.keyword(word) == Some(predicate));
    !is_word
        && !matches!(flat.parts.get(&predicate), Some(PredicateMeaning::Term(..) | PredicateMeaning::Goal(_)))
}

/// Relaxes a flat program, keeping only what the roots need.
pub(super) fn relax(
    flat: &Flat,
    is_dynamic: Vec<bool>,
    is_needed: &[bool],
    demands: &Demands<'_>,
) -> Relaxed {
    let mut program = Program::with_symbols(flat.program.symbols.clone());
    for predicate in &flat.program.predicates {
        program.predicate(flat.program.symbols.name(predicate.symbol), predicate.arity);
    }
    let mut relaxed = Relaxed { program, templates: Vec::new(), origins: Vec::new(), is_dynamic };
    for id in flat.program.rule_ids() {
        let rule = &flat.program.rules[id.index()];
        if !is_needed[rule.head.predicate.index()] {
            continue;
        }
        if relaxed.is_dynamic[rule.head.predicate.index()] {
            relaxed.template(id, rule, demands);
        } else {
            relaxed.push(Some(id), rule.clone());
        }
    }
    relaxed.link(flat);
    relaxed
}

impl Relaxed {
    fn push(&mut self, origin: Option<RuleId>, rule: Rule) {
        self.program.rules.push(rule);
        self.origins.push(origin);
    }

    fn template(&mut self, id: RuleId, rule: &Rule, demands: &Demands<'_>) {
        let columns: Vec<usize> = self.dynamic_variables(rule).into_iter().collect();
        let instances = self.program.predicate(&format!("instance {}", id.index()), columns.len());
        let arguments = columns.iter().copied().map(Term::Variable).collect();
        let instance = Atom { predicate: instances, arguments, span: rule.span };
        let kept = rule.body.iter().filter(|literal| match literal {
            Literal::Negative(atom) => !self.is_dynamic[atom.predicate.index()],
            Literal::Positive(_) | Literal::Distinct(..) | Literal::Same(..) => true,
        });
        let mut body: Vec<Literal> = kept.cloned().collect();
        body.extend(demands.condition(&mut self.program, &rule.head).map(Literal::Positive));
        let is_exact = |atom: &Atom| !self.is_dynamic[atom.predicate.index()];
        for question in demands.questions(&mut self.program, rule, is_exact) {
            self.push(Some(id), question);
        }
        let head = Rule { body: vec![Literal::Positive(instance.clone())], ..rule.clone() };
        self.push(Some(id), Rule { head: instance, body, ..rule.clone() });
        self.push(Some(id), head);
        self.templates.push(Template { rule: id, instances, columns });
    }

    /// The relations of the flat program that take most room, or were being computed when it was too much, and
    /// can be computed on demand; with how many rows they had, or would have had.
    pub(super) fn heavy(&self, flat: &Flat, error: &ModelError) -> Vec<(PredicateId, usize)> {
        let most = error.rows.iter().map(|(_, rows)| *rows).max().unwrap_or(0);
        let large = error.rows.iter().filter(|(_, rows)| rows * HEAVY_SHARE > most);
        let head = |rule: RuleId| flat.program.rules[rule.index()].head.predicate;
        let relation = |&(predicate, rows): &(PredicateId, usize)| {
            let template = self.templates.iter().find(|template| template.instances == predicate);
            (template.map_or(predicate, |template| head(template.rule)), rows)
        };
        let stopped = self.origins[error.rule.index()].map(|rule| (head(rule), most.saturating_mul(2)));
        let is_choice = |&(predicate, _): &(PredicateId, usize)| {
            self.is_dynamic.get(predicate.index()).is_some_and(|&is_dynamic| is_dynamic)
                && is_open(flat, predicate)
        };
        large.map(relation).chain(stopped).filter(is_choice).collect()
    }

    /// The variables that distinguish instances: those of the head and of the conditions that depend on the state.
    fn dynamic_variables(&self, rule: &Rule) -> BTreeSet<usize> {
        let dynamic = rule.body.iter().filter_map(Literal::atom);
        let dynamic = dynamic.filter(|atom| self.is_dynamic[atom.predicate.index()]);
        let mut variables = BTreeSet::new();
        for term in dynamic.chain([&rule.head]).flat_map(|atom| &atom.arguments) {
            term.for_each_variable(&mut |variable| _ = variables.insert(variable));
        }
        variables
    }

    /// Whatever is derived becomes true, and whatever is legal is played.
    fn link(&mut self, flat: &Flat) {
        let role = self.program.keyword(Keyword::Role);
        for (&from, &part) in &flat.parts {
            let PredicateMeaning::Term(keyword, signature) = part else { continue };
            let to = match keyword {
                Keyword::Init | Keyword::Next => Keyword::True,
                Keyword::Legal => Keyword::Does,
                _ => continue,
            };
            let arity = flat.program.predicates[from.index()].arity;
            let to = flat.find(to, signature).expect("what is concluded can be asked for");
            let span = Span::new(0, 0);
            let atom =
                |predicate| Atom { predicate, arguments: (0..arity).map(Term::Variable).collect(), span };
            let mut body = vec![Literal::Positive(atom(from))];
            if let (Keyword::Legal, Some(predicate)) = (keyword, role) {
                let arguments = vec![Term::Variable(0)];
                body.push(Literal::Positive(Atom { predicate, arguments, span }));
            }
            let variables = (0..arity).map(|place| format!("x{place}")).collect();
            self.push(None, Rule { head: atom(to), body, variables, span });
        }
    }
}
