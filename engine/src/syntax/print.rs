//! Prefix text of a description, and of its parts.

use std::fmt::Write as _;

use super::ast::{Clause, Description, Formula, Term, TermKind};

/// The whole description, a clause after the other, one literal a line.
#[must_use]
pub fn print_description(description: &Description) -> String {
    description.clauses.iter().fold(String::new(), |mut text, clause| {
        text.push_str(&print_clause(clause));
        text.push('\n');
        text
    })
}

/// One clause, without a newline at its end.
#[must_use]
pub fn print_clause(clause: &Clause) -> String {
    if clause.body.is_empty() {
        return print_term(&clause.head);
    }
    let mut text = format!("(<= {}", print_term(&clause.head));
    for formula in &clause.body {
        text.push_str("\n    ");
        write_formula(&mut text, formula);
    }
    text.push(')');
    text
}

/// One formula on one line.
#[must_use]
pub fn print_formula(formula: &Formula) -> String {
    let mut text = String::new();
    write_formula(&mut text, formula);
    text
}

/// One term on one line: lower case, single spaces. This is the canonical print.
#[must_use]
pub fn print_term(term: &Term) -> String {
    let mut text = String::new();
    write_term(&mut text, term);
    text
}

fn write_formula(text: &mut String, formula: &Formula) {
    let (word, parts) = match formula {
        Formula::Atom(atom) => return write_term(text, atom),
        Formula::Distinct(_, left, right) => {
            let _ = write!(text, "(distinct {} {})", print_term(left), print_term(right));
            return;
        }
        Formula::Not(_, inner) => ("not", std::slice::from_ref(&**inner)),
        Formula::And(_, parts) => ("and", parts.as_slice()),
        Formula::Or(_, parts) => ("or", parts.as_slice()),
    };
    text.push('(');
    text.push_str(word);
    for part in parts {
        text.push(' ');
        write_formula(text, part);
    }
    text.push(')');
}

fn write_term(text: &mut String, term: &Term) {
    match &term.kind {
        TermKind::Variable(name) => {
            text.push('?');
            text.push_str(name);
        }
        TermKind::Constant(name) => text.push_str(name),
        TermKind::Compound(name, arguments) => {
            text.push('(');
            text.push_str(name);
            for argument in arguments {
                text.push(' ');
                write_term(text, argument);
            }
            text.push(')');
        }
    }
}
