//! Unbound variables whose position determines their range.
//!
//! Referees that prove goals from left to right play rules such as `(<= (sees ?p won) (true (line x)))`: asked what
//! `white` sees, they have already bound `?p`. Here such a rule gets the missing condition, with a warning;
//! in the strict reading it is rejected (LG-2006-01, Def. 18). In place of a role that condition is `(role ?p)`; in a
//! fluent, move or percept it is what `base`, `input` or `percept` declares; elsewhere it is the set of values that occur there in other
//! rules. A variable that occurs only under one `not` is read as every prover reads it: there is none.

use std::collections::{BTreeMap, BTreeSet};

use super::{Stopped, effort::Effort, finding, near::Near, places::Places, subject::Subject};
use crate::{
    diagnostic::{Diagnostic, Span},
    id::{PredicateId, RuleId, SymbolId},
    rules::{Atom, Keyword, Literal, Program, Rule, Term, TimeMarks},
};

/// A variable that was given something to range over.
pub(super) struct Ranged {
    rule: RuleId,
    name: String,
    /// The atom that contains it.
    span: Span,
    range: Range,
}

enum Range {
    Roles,
    Declared(Keyword),
    Values(Vec<SymbolId>),
    /// Only under one `not`; the word for the relation that is negated.
    Nothing(String),
}

/// Adds the conditions that rules leave out; the variables that they are about.
pub(super) fn bind(program: &mut Program, effort: &Effort<'_>) -> Result<Vec<Ranged>, Stopped> {
    let is_safe = |rule: &Rule| free_variables(rule).is_empty();
    if program.rules.iter().all(is_safe) {
        return Ok(Vec::new());
    }
    let mut binder = Binder {
        effort,
        near: Near::new(),
        declared: BTreeMap::new(),
        relations: BTreeMap::new(),
        facts_left: FACTS_MAX,
        ranged: Vec::new(),
    };
    let written: Vec<RuleId> = program.rule_ids().collect();
    // What can stand somewhere depends on what ranges over roles, so that is settled first.
    binder.pass(program, &written, &mut |binder, program, rule, variable| {
        binder.evident_range(program, rule, variable)
    });
    let mut places = Places::of(program);
    binder.pass(program, &written, &mut |_, _, rule, variable| {
        let is_empty = head_range(&mut places, rule, variable)?.is_empty();
        (is_empty && places.is_of_roles(rule, variable)).then_some((rule.head.span, Range::Roles))
    });
    let mut places = Places::of(program);
    binder.pass(program, &written, &mut |_, _, rule, variable| {
        let values = head_range(&mut places, rule, variable).filter(|values| !values.is_empty())?;
        Some((rule.head.span, Range::Values(values)))
    });
    for id in written {
        effort.go_on()?;
        binder.project(program, id);
    }
    Ok(binder.ranged)
}

/// Facts that may be added to define the values of positions.
const FACTS_MAX: usize = 20_000;

struct Binder<'e, 'w> {
    effort: &'e Effort<'w>,
    near: Near,
    /// Whether a word declares something, and the same in every state.
    declared: BTreeMap<Keyword, bool>,
    /// The relations of the values of positions.
    relations: BTreeMap<Vec<SymbolId>, PredicateId>,
    facts_left: usize,
    ranged: Vec<Ranged>,
}

type FindRange<'f> = dyn FnMut(&mut Binder<'_, '_>, &Program, &Rule, usize) -> Option<(Span, Range)> + 'f;

impl Binder<'_, '_> {
    /// Binds every free variable that has a range.
    fn pass(&mut self, program: &mut Program, rules: &[RuleId], find: &mut FindRange<'_>) {
        for &id in rules {
            for variable in free_variables(&program.rules[id.index()]) {
                if self.effort.is_over() {
                    return;
                }
                let rule = &program.rules[id.index()];
                if self.is_slip(program, rule, variable) || is_lifetime(program, rule, variable) {
                    continue;
                }
                let Some((span, range)) = find(self, program, rule, variable) else { continue };
                let name = rule.variables[variable].clone();
                if self.add(program, id, variable, span, &range) {
                    self.ranged.push(Ranged { rule: id, name, span, range });
                }
            }
        }
    }

    /// Whether the variable is probably another one misspelled, or a constant with a question mark.
    fn is_slip(&mut self, program: &Program, rule: &Rule, variable: usize) -> bool {
        let name = &rule.variables[variable];
        let others = rule.variables.iter().filter(|other| *other != name).map(String::as_str);
        if self.near.find(name, others).is_some() {
            return true;
        }
        let Some(symbol) = program.symbols.get(name) else { return false };
        rule.body.iter().flat_map(Literal::terms).any(|term| has_constant(term, symbol))
    }

    /// The range defined by a position of roles or a declaration, and the atom that defines it.
    fn evident_range(&mut self, program: &Program, rule: &Rule, variable: usize) -> Option<(Span, Range)> {
        let head = program.as_keyword(rule.head.predicate);
        if is_decided_elsewhere(head) {
            return None;
        }
        let is_head = has(&rule.head.arguments, variable);
        let is_of_roles = |atom: &&Atom| {
            program.as_keyword(atom.predicate).is_some_and(|keyword| OF_ROLES.contains(&keyword))
                && atom.arguments.first() == Some(&Term::Variable(variable))
        };
        let is_alone = !is_head && asking(rule, variable).count() == 1;
        let atoms = rule.body.iter().filter_map(Literal::atom);
        if let Some(atom) = std::iter::once(&rule.head).chain(atoms).find(is_of_roles).filter(|_| !is_alone) {
            return Some((atom.span, Range::Roles));
        }
        let keyword = match head {
            Some(Keyword::Init | Keyword::Next) => Keyword::Base,
            Some(Keyword::Legal) => Keyword::Input,
            Some(Keyword::Sees) => Keyword::Percept,
            _ => return None,
        };
        let is_declared =
            *self.declared.entry(keyword).or_insert_with(|| is_declared_for_good(program, keyword));
        (is_head && is_declared).then_some((rule.head.span, Range::Declared(keyword)))
    }

    /// Appends the condition that binds the variable, unless that takes too many facts.
    fn add(&mut self, program: &mut Program, id: RuleId, variable: usize, span: Span, range: &Range) -> bool {
        let arguments = vec![Term::Variable(variable)];
        let condition = match range {
            Range::Roles => Atom { predicate: program.predicate(Keyword::Role.name(), 1), arguments, span },
            Range::Declared(keyword) => {
                let predicate = program.predicate(keyword.name(), keyword.arity());
                let marks = TimeMarks::of(program);
                let said = program.rules[id.index()].head.arguments.iter();
                Atom { predicate, arguments: said.map(|term| marks.parts(term).1.clone()).collect(), span }
            }
            Range::Values(values) => match self.relation_of(program, values, span) {
                Some(predicate) => Atom { predicate, arguments, span },
                None => return false,
            },
            Range::Nothing(_) => return false,
        };
        program.rules[id.index()].body.push(Literal::Positive(condition));
        true
    }

    /// A relation of these values.
    fn relation_of(&mut self, program: &mut Program, values: &[SymbolId], span: Span) -> Option<PredicateId> {
        if let Some(&known) = self.relations.get(values) {
            return Some(known);
        }
        self.facts_left = self.facts_left.checked_sub(values.len())?;
        // No name of a text has a blank in it.
        let predicate = program.predicate(&format!("place {}", program.predicates.len()), 1);
        self.relations.insert(values.to_vec(), predicate);
        let facts = values.iter().map(|&value| {
            let head = Atom { predicate, arguments: vec![Term::Constant(value)], span };
            Rule { head, body: Vec::new(), variables: Vec::new(), span }
        });
        program.rules.extend(facts);
        Some(predicate)
    }

    /// Negates, in place of each atom with variables that occur only there, a new relation of its other variables.
    fn project(&mut self, program: &mut Program, id: RuleId) {
        let mut rule = program.rules[id.index()].clone();
        let is_local = |variable: &usize| is_local(&rule, *variable);
        let local: Vec<usize> = free_variables(&rule).into_iter().filter(is_local).collect();
        let local: Vec<usize> =
            local.into_iter().filter(|&variable| !self.is_slip(program, &rule, variable)).collect();
        if local.is_empty() {
            return;
        }
        for place in 0..rule.body.len() {
            let Literal::Negative(atom) = rule.body[place].clone() else { continue };
            let hidden = local.iter().copied().filter(|&variable| has(&atom.arguments, variable));
            let hidden: Vec<usize> = hidden.collect();
            if hidden.is_empty() {
                continue;
            }
            let word = TimeMarks::of(program).word(program, &atom).to_owned();
            for &variable in &hidden {
                let (name, range) = (rule.variables[variable].clone(), Range::Nothing(word.clone()));
                self.ranged.push(Ranged { rule: id, name, span: atom.span, range });
            }
            let kept: Vec<Term> = (0..rule.variables.len())
                .filter(|variable| !hidden.contains(variable) && has(&atom.arguments, *variable))
                .map(Term::Variable)
                .collect();
            let (span, variables) = (atom.span, rule.variables.clone());
            let name = format!("{} {}", program.name(atom.predicate), program.predicates.len());
            let some = Atom { predicate: program.predicate(&name, kept.len()), arguments: kept, span };
            rule.body[place] = Literal::Negative(some.clone());
            let body = vec![Literal::Positive(atom)];
            program.rules.push(compact(Rule { head: some, body, variables, span }));
        }
        program.rules[id.index()] = compact(rule);
    }
}

/// Whether the variable is how long the fluent of a head lasts: it is a time, and no condition can be guessed for it.
fn is_lifetime(program: &Program, rule: &Rule, variable: usize) -> bool {
    TimeMarks::of(program).lifetime(&rule.head) == Some(&Term::Variable(variable))
}

/// Heads whose arguments cannot be inferred: these must be facts, or are defined by the referee.
fn is_decided_elsewhere(head: Option<Keyword>) -> bool {
    matches!(head, Some(Keyword::Role | Keyword::True | Keyword::Does | Keyword::Terminal))
}

/// The constants that can occur where the head has the variable. Goals are excluded: which goal a rule gives is up to its author.
fn head_range(places: &mut Places, rule: &Rule, variable: usize) -> Option<Vec<SymbolId>> {
    let head = places.keyword(rule.head.predicate);
    let is_open = has(&rule.head.arguments, variable) && head != Some(Keyword::Goal);
    if is_open && !is_decided_elsewhere(head) { places.in_head(rule, variable) } else { None }
}

/// The variables that occur where they must be bound, but are not.
fn free_variables(rule: &Rule) -> Vec<usize> {
    let mut is_bound = vec![false; rule.variables.len()];
    for literal in rule.body.iter().filter(|literal| matches!(literal, Literal::Positive(_))) {
        for term in literal.terms() {
            term.for_each_variable(&mut |variable| is_bound[variable] = true);
        }
    }
    (0..is_bound.len()).filter(|&variable| !is_bound[variable]).collect()
}

fn has_constant(term: &Term, wanted: SymbolId) -> bool {
    match term {
        Term::Variable(_) => false,
        Term::Constant(symbol) => *symbol == wanted,
        Term::Compound(_, arguments) => arguments.iter().any(|argument| has_constant(argument, wanted)),
    }
}

fn has<'t>(terms: impl IntoIterator<Item = &'t Term>, wanted: usize) -> bool {
    let mut is_there = false;
    for term in terms {
        term.for_each_variable(&mut |variable| is_there |= variable == wanted);
    }
    is_there
}

/// The places of roles: the first argument of these.
const OF_ROLES: [Keyword; 7] = [
    Keyword::Role,
    Keyword::Legal,
    Keyword::Does,
    Keyword::Goal,
    Keyword::Sees,
    Keyword::Input,
    Keyword::Percept,
];

/// The literals that a variable occurs in.
fn asking(rule: &Rule, variable: usize) -> impl Iterator<Item = &Literal> {
    rule.body.iter().filter(move |literal| has(literal.terms(), variable))
}

/// Whether there is such a declaration, and it is the same in every state.
fn is_declared_for_good(program: &Program, keyword: Keyword) -> bool {
    let Some(first) = program.keyword(keyword) else { return false };
    let mut known = BTreeSet::from([first]);
    let mut open = vec![first];
    let mut is_concluded = false;
    while let Some(predicate) = open.pop() {
        let declares = [Keyword::Role, Keyword::Base, Keyword::Input, Keyword::Percept];
        if program.as_keyword(predicate).is_some_and(|keyword| !declares.contains(&keyword)) {
            return false;
        }
        for rule in program.rules.iter().filter(|rule| rule.head.predicate == predicate) {
            is_concluded = true;
            let asked = rule.body.iter().filter_map(|literal| Some(literal.atom()?.predicate));
            open.extend(asked.filter(|&asked| known.insert(asked)));
        }
    }
    is_concluded
}

/// Whether the variable occurs only under one `not`.
fn is_local(rule: &Rule, variable: usize) -> bool {
    let mut asking = asking(rule, variable);
    let is_negative = matches!((asking.next(), asking.next()), (Some(Literal::Negative(_)), None));
    is_negative && !has(&rule.head.arguments, variable)
}

/// The rule without the variables that it no longer has.
fn compact(mut rule: Rule) -> Rule {
    let terms = |rule: &Rule, variable| {
        has(&rule.head.arguments, variable) || asking(rule, variable).next().is_some()
    };
    let kept: Vec<usize> = (0..rule.variables.len()).filter(|&variable| terms(&rule, variable)).collect();
    let mut numbers = vec![0; rule.variables.len()];
    for (number, &variable) in kept.iter().enumerate() {
        numbers[variable] = number;
    }
    rule.variables = kept.iter().map(|&variable| rule.variables[variable].clone()).collect();
    let renumber = |terms: &mut [Term]| terms.iter_mut().for_each(|term| renumbered(term, &numbers));
    renumber(&mut rule.head.arguments);
    for literal in &mut rule.body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => renumber(&mut atom.arguments),
            Literal::Distinct(left, right, _) | Literal::Same(left, right, _) => {
                renumbered(left, &numbers);
                renumbered(right, &numbers);
            }
        }
    }
    rule
}

fn renumbered(term: &mut Term, numbers: &[usize]) {
    match term {
        Term::Variable(variable) => *variable = numbers[*variable],
        Term::Constant(_) => {}
        Term::Compound(_, arguments) => {
            arguments.iter_mut().for_each(|argument| renumbered(argument, numbers));
        }
    }
}

/// Reports the variables that were bound, each variable of a clause once.
pub(super) fn check(subject: &Subject<'_>, ranged: &[Ranged], diagnostics: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    for found in ranged {
        let rule = &subject.program.rules[found.rule.index()];
        if told.insert((rule.span, found.name.as_str())) {
            diagnostics.push(report(subject, rule, found));
        }
    }
}

/// More values than these are counted and not shown.
const SHOWN_MAX: usize = 8;

fn report(subject: &Subject<'_>, rule: &Rule, found: &Ranged) -> Diagnostic {
    let program = subject.program;
    let (head, shown) = (program.name(rule.head.predicate), subject.shown_name(rule, &found.name));
    let span = place_of(subject, rule, found).unwrap_or(found.span);
    let start = format!("in a rule for `{head}`, no condition binds {shown}");
    let bind = format!("add a condition that defines the range of {shown}");
    let (code, message, help) = match &found.range {
        Range::Roles => ("unbound-role", format!("{start}: it ranges over the roles"), bind),
        Range::Declared(keyword) => {
            let declared = keyword.name();
            (
                "unbound-in-head",
                format!("{start}: it ranges over the values that `{declared}` declares"),
                bind,
            )
        }
        Range::Values(values) => {
            let names = values.iter().take(SHOWN_MAX).map(|&value| program.symbols.name(value));
            let mut names = names.collect::<Vec<_>>().join(", ");
            if values.len() > SHOWN_MAX {
                names.push_str(&format!(" and {} more", values.len() - SHOWN_MAX));
            }
            (
                "unbound-in-head",
                format!("{start}: it ranges over all values that can occur there: {names}"),
                bind,
            )
        }
        Range::Nothing(relation) => {
            let message = format!(
                "in a rule for `{head}`, {shown} occurs only under one `not`: read as \"there is none\""
            );
            let help = format!("define a relation that holds if there is some `{relation}`, and negate that");
            ("unbound-under-not", message, help)
        }
    };
    finding(code, span, message).with_help(help)
}

/// The first occurrence of the variable within the atom.
fn place_of(subject: &Subject<'_>, rule: &Rule, found: &Ranged) -> Option<Span> {
    let mut first = None;
    subject.clause_at(rule.span)?.for_each_variable(&mut |name, term| {
        let is_within = found.span.start <= term.span.start && term.span.end <= found.span.end;
        if name == found.name && is_within && first.is_none() {
            first = Some(term.span);
        }
    });
    first
}

#[cfg(test)]
mod tests;
