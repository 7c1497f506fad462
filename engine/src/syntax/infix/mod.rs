//! The infix syntax of the Stanford chapter, and of Prolog as far as games need it.
//!
//! A clause is `HEAD` or `HEAD :- BODY`. A body joins conditions with `&` or `,`, and with `|`, which binds more
//! weakly; parentheses group; `~`, `not` or `\+` negates. The typeset symbols `←`, `¬`, `∧` and `∨` are accepted
//! with a warning. A term is a variable, a name, or a name directly followed by
//! arguments in parentheses. A comment runs from `%` to the end of the line.
//!
//! A clause ends at `.`; before the term in front of a `:-`, which is the next head; and otherwise by
//! the layout, as the chapter's own listing requires. A line that starts no deeper than the clause begins
//! the next clause, even after an `&`, which is then reported as superfluous. A deeper line continues the
//! body, and a missing `&` is reported. In a text that ends clauses with `.`, or in a body whose
//! first condition starts no deeper than its head, an operator at the end of a line continues the body
//! regardless of the layout.
//!
//! A tuple `(a, b)` is the term `tuple(a, b)`. Names and variables that infix cannot write are escaped: see
//! `name`.

mod formula;
mod layout;
mod name;
mod print;
mod reader;
mod term;
mod token;
mod variables;

pub use print::{print_infix, print_infix_clause, print_infix_commented};
pub use reader::read_infix;

#[cfg(test)]
mod tests;
