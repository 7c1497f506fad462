//! Safety (Def. 18): every variable of the head, of a negative literal and of a comparison occurs
//! in a positive literal of the same rule.

use super::finding;
use crate::{
    diagnostic::Diagnostic,
    rules::{Literal, Program, Rule},
};

pub(super) fn check(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &program.rules {
        let mut is_bound = vec![false; rule.variables.len()];
        for literal in rule.body.iter().filter(|literal| matches!(literal, Literal::Positive(_))) {
            for term in literal.terms() {
                term.for_each_variable(&mut |variable| is_bound[variable] = true);
            }
        }
        check_rule(rule, &is_bound, diagnostics);
    }
}

fn check_rule(rule: &Rule, is_bound: &[bool], diagnostics: &mut Vec<Diagnostic>) {
    let mut report = |variable: usize, span, place: &str| {
        let name = &rule.variables[variable];
        if rule.body.is_empty() {
            let message = format!("?{name} is a variable in a fact");
            let help = "write a constant, or a rule whose body says what the variable ranges over";
            diagnostics.push(finding("variable-in-fact", span, message).with_help(help));
        } else {
            let message = format!("?{name} occurs {place}, and no positive literal of the body binds it");
            let help = format!("add a condition that says what ?{name} ranges over");
            diagnostics.push(finding("unsafe-variable", span, message).with_help(help));
        }
    };
    for term in &rule.head.arguments {
        term.for_each_variable(&mut |variable| {
            if !is_bound[variable] {
                report(variable, rule.head.span, "in the head");
            }
        });
    }
    for literal in &rule.body {
        let place = match literal {
            Literal::Positive(_) => continue,
            Literal::Negative(_) => "under `not`",
            Literal::Distinct(..) => "in `distinct`",
            Literal::Same(..) => "in a negated `distinct`",
        };
        for term in literal.terms() {
            term.for_each_variable(&mut |variable| {
                if !is_bound[variable] {
                    report(variable, literal.span(), place);
                }
            });
        }
    }
}
