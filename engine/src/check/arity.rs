//! One name, one number of arguments.

use std::collections::{BTreeMap, BTreeSet};

use super::finding;
use crate::{
    diagnostic::{Diagnostic, Span},
    id::SymbolId,
    rules::{Literal, Program, Rule, Term},
};

pub(super) fn check(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let mut relations = Uses::default();
    let mut functions = Uses::default();
    for rule in &program.rules {
        for (atom, span) in atoms(rule) {
            let predicate = program.predicates[atom.index()];
            relations.see(predicate.symbol, predicate.arity, span);
        }
        let terms = rule.head.arguments.iter().map(|term| (term, rule.head.span));
        let terms = terms
            .chain(rule.body.iter().flat_map(|literal| literal.terms().map(|term| (term, literal.span()))));
        for (term, span) in terms {
            see_functions(term, span, &mut functions);
        }
    }
    for (uses, what) in [(relations, "relation"), (functions, "function")] {
        for clash in uses.clashes {
            let (name, arity) = (program.symbols.name(clash.symbol), clash.arity);
            let (first_arity, first) = clash.first;
            let message =
                format!("the {what} `{name}` has {arity} arguments here and {first_arity} elsewhere");
            diagnostics
                .push(finding("several-arities", clash.span, message).with_note(first, "the first use"));
        }
    }
}

fn atoms(rule: &Rule) -> impl Iterator<Item = (crate::id::PredicateId, Span)> + '_ {
    let body = rule.body.iter().filter_map(Literal::atom).map(|atom| (atom.predicate, atom.span));
    std::iter::once((rule.head.predicate, rule.head.span)).chain(body)
}

fn see_functions(term: &Term, span: Span, functions: &mut Uses) {
    if let Term::Compound(symbol, arguments) = term {
        functions.see(*symbol, arguments.len(), span);
        for argument in arguments {
            see_functions(argument, span, functions);
        }
    }
}

/// The arity of each name at its first use, and the first use of each other arity.
#[derive(Default)]
struct Uses {
    first: BTreeMap<SymbolId, (usize, Span)>,
    others: BTreeSet<(SymbolId, usize)>,
    clashes: Vec<Clash>,
}

/// A use of a name with another arity than its first use.
struct Clash {
    symbol: SymbolId,
    arity: usize,
    span: Span,
    first: (usize, Span),
}

impl Uses {
    fn see(&mut self, symbol: SymbolId, arity: usize, span: Span) {
        let first = *self.first.entry(symbol).or_insert((arity, span));
        if first.0 != arity && self.others.insert((symbol, arity)) {
            self.clashes.push(Clash { symbol, arity, span, first });
        }
    }
}
