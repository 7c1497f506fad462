//! Infix text of a description.

use super::{
    super::{
        ast::{Clause, Description, Formula, Term, TermKind},
        commentary::write_commented,
    },
    name::{write_name, write_variable},
};

/// The whole description, a clause after the other, one condition a line, without comments.
#[must_use]
pub fn print_infix(description: &Description) -> String {
    description.clauses.iter().fold(String::new(), |mut text, clause| {
        write_clause(&mut text, clause);
        text.push('\n');
        text
    })
}

/// The whole description with its comments: those inside a clause are moved before it.
#[must_use]
pub fn print_infix_commented(description: &Description) -> String {
    write_commented(description, '%', write_clause)
}

/// One clause, without a newline at its end.
#[must_use]
pub fn print_infix_clause(clause: &Clause) -> String {
    let mut text = String::new();
    write_clause(&mut text, clause);
    text
}

fn write_clause(text: &mut String, clause: &Clause) {
    write_term(text, &clause.head);
    let mut separator = " :-\n    ";
    for formula in &clause.body {
        text.push_str(separator);
        write_formula(text, formula);
        separator = " &\n    ";
    }
}

fn write_formula(text: &mut String, formula: &Formula) {
    match formula {
        Formula::Atom(atom) => write_term(text, atom),
        Formula::Distinct(_, left, right) => {
            text.push_str("distinct(");
            write_term(text, left);
            text.push_str(", ");
            write_term(text, right);
            text.push(')');
        }
        Formula::Not(_, inner) => {
            text.push('~');
            write_formula(text, inner);
        }
        Formula::And(_, parts) => write_connective(text, "and", " & ", parts),
        Formula::Or(_, parts) => write_connective(text, "or", " | ", parts),
    }
}

/// `(a & b)`; with fewer than two parts the operator would be invisible, so `and()` and `and(a)` are used.
fn write_connective(text: &mut String, word: &str, operator: &str, parts: &[Formula]) {
    if parts.len() < 2 {
        text.push_str(word);
    }
    text.push('(');
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            text.push_str(operator);
        }
        write_formula(text, part);
    }
    text.push(')');
}

fn write_term(text: &mut String, term: &Term) {
    match &term.kind {
        TermKind::Variable(name) => write_variable(text, name),
        TermKind::Constant(name) => write_name(text, name),
        TermKind::Compound(name, arguments) => {
            write_name(text, name);
            for (index, argument) in arguments.iter().enumerate() {
                text.push_str(if index == 0 { "(" } else { ", " });
                write_term(text, argument);
            }
            text.push(')');
        }
    }
}
