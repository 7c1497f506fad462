//! Conditions that say nothing, or nothing that can be: comparisons without variables, a literal
//! beside its own negation, a clause said twice.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::{finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    rules::{Atom, Keyword, Literal, Rule, Term, TimeMarks},
};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &subject.program.rules {
        check_comparisons(rule, diagnostics);
        check_contradictions(subject, rule, diagnostics);
    }
    check_repetitions(subject, diagnostics);
}

fn check_comparisons(rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    for literal in &rule.body {
        let (left, right, span, is_distinct) = match literal {
            Literal::Distinct(left, right, span) => (left, right, *span, true),
            Literal::Same(left, right, span) => (left, right, *span, false),
            Literal::Positive(_) | Literal::Negative(_) => continue,
        };
        let is_same = left == right;
        let can_be_same = can_be_same(left, right);
        let holds = if is_same { !is_distinct } else { is_distinct };
        if is_same || !can_be_same {
            let message = format!("this comparison {} holds", if holds { "always" } else { "never" });
            let help = if holds { "delete it" } else { "delete the rule, or compare with a variable" };
            diagnostics.push(finding("constant-comparison", span, message).with_help(help));
        }
    }
}

/// Whether some values of the variables, each occurrence for itself, make two terms the same.
fn can_be_same(left: &Term, right: &Term) -> bool {
    match (left, right) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Compound(one, ones), Term::Compound(other, others)) => {
            let is_alike = one == other && ones.len() == others.len();
            is_alike && ones.iter().zip(others).all(|(one, other)| can_be_same(one, other))
        }
        (Term::Constant(_), Term::Compound(..)) | (Term::Compound(..), Term::Constant(_)) => false,
    }
}

fn check_contradictions(subject: &Subject<'_>, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    let negatives = rule.body.iter().filter_map(|literal| match literal {
        Literal::Negative(atom) => Some(atom),
        Literal::Positive(_) | Literal::Distinct(..) | Literal::Same(..) => None,
    });
    for negative in negatives {
        let contrary = rule.body.iter().find_map(|literal| match literal {
            Literal::Positive(atom) if is_same(atom, negative) => Some(atom),
            _ => None,
        });
        if let Some(contrary) = contrary {
            let name = TimeMarks::of(subject.program).word(subject.program, negative);
            let message = format!("this rule can never apply: it requires both `{name}` and its negation");
            let found = finding("contradiction", negative.span, message)
                .with_note(contrary.span, "the negated condition");
            diagnostics.push(found.with_help("delete one of the two conditions, or the rule"));
        }
    }
}

fn is_same(one: &Atom, other: &Atom) -> bool {
    one.predicate == other.predicate && one.arguments == other.arguments
}

fn check_repetitions(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut first: FxHashMap<u64, &Rule> = FxHashMap::default();
    // A role that is declared twice is a finding of its own.
    let is_role = |rule: &&Rule| subject.keyword(rule.head.predicate) == Some(Keyword::Role);
    for rule in subject.program.rules.iter().filter(|rule| !is_role(rule)) {
        let known = *first.entry(fingerprint(rule)).or_insert(rule);
        // Alternatives of one clause may well repeat; that is the author's `or`, not a repetition.
        if known.span != rule.span && is_same_rule(known, rule) {
            let found = finding("repeated-clause", rule.span, "this clause repeats an earlier one");
            diagnostics.push(found.with_note(known.span, "here").with_help("delete one of the two"));
        }
    }
}

fn is_same_rule(one: &Rule, other: &Rule) -> bool {
    let bodies = one.body.iter().zip(&other.body);
    is_same(&one.head, &other.head)
        && one.variables.len() == other.variables.len()
        && one.body.len() == other.body.len()
        && bodies.into_iter().all(|pair| match pair {
            (Literal::Positive(one), Literal::Positive(other))
            | (Literal::Negative(one), Literal::Negative(other)) => is_same(one, other),
            (Literal::Distinct(a, b, _), Literal::Distinct(c, d, _))
            | (Literal::Same(a, b, _), Literal::Same(c, d, _)) => a == c && b == d,
            _ => false,
        })
}

fn fingerprint(rule: &Rule) -> u64 {
    let mut hasher = FxHasher::default();
    rule.head.predicate.hash(&mut hasher);
    hash_terms(rule.head.arguments.iter(), &mut hasher);
    for literal in &rule.body {
        std::mem::discriminant(literal).hash(&mut hasher);
        literal.atom().map(|atom| atom.predicate).hash(&mut hasher);
        hash_terms(literal.terms(), &mut hasher);
    }
    hasher.finish()
}

fn hash_terms<'t>(terms: impl Iterator<Item = &'t Term>, hasher: &mut FxHasher) {
    for term in terms {
        match term {
            Term::Variable(variable) => (0_u8, variable).hash(hasher),
            Term::Constant(symbol) => (1_u8, symbol).hash(hasher),
            Term::Compound(symbol, arguments) => {
                (2_u8, symbol, arguments.len()).hash(hasher);
                hash_terms(arguments.iter(), hasher);
            }
        }
    }
}
