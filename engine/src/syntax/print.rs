//! Prefix text of a description, and of its parts.

use super::{
    ast::{Clause, Description, Formula, Term, TermKind},
    commentary::write_commented,
};

/// The whole description, a clause after the other, one literal a line, without comments.
#[must_use]
pub fn print_description(description: &Description) -> String {
    description.clauses.iter().fold(String::new(), |mut text, clause| {
        write_clause(&mut text, clause);
        text.push('\n');
        text
    })
}

/// The whole description with its comments: those inside a clause are moved before it.
#[must_use]
pub fn print_commented(description: &Description) -> String {
    write_commented(description, ';', write_clause)
}

/// One clause, without a newline at its end.
#[must_use]
pub fn print_clause(clause: &Clause) -> String {
    let mut text = String::new();
    write_clause(&mut text, clause);
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

fn write_clause(text: &mut String, clause: &Clause) {
    if clause.body.is_empty() {
        return write_term(text, &clause.head);
    }
    text.push_str("(<= ");
    write_term(text, &clause.head);
    for formula in &clause.body {
        text.push_str("\n    ");
        write_formula(text, formula);
    }
    text.push(')');
}

fn write_formula(text: &mut String, formula: &Formula) {
    let (word, parts) = match formula {
        Formula::Atom(atom) => return write_term(text, atom),
        Formula::Distinct(_, left, right) => {
            text.push_str("(distinct ");
            write_term(text, left);
            text.push(' ');
            write_term(text, right);
            return text.push(')');
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
