//! Goal values: integers from 0 to 100.

use super::{
    finding,
    subject::{Subject, UseKind},
};
use crate::{diagnostic::Diagnostic, rules::Keyword, syntax::TermKind};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for used in subject.atoms_of(Keyword::Goal).filter(|used| used.kind == UseKind::Head) {
        let value = &used.term.arguments()[1];
        let message = match &value.kind {
            TermKind::Variable(_) => continue,
            TermKind::Constant(name) if is_goal_value(name) => continue,
            TermKind::Constant(name) if name.parse::<f64>().is_ok() => {
                format!("{name} is not a goal value: write a whole number from 0 to 100")
            }
            TermKind::Constant(name) => {
                format!("`{name}` is not a goal value: goal values are whole numbers from 0 to 100")
            }
            TermKind::Compound(name, _) => {
                format!("a term of `{name}` is not a goal value: terms are not evaluated")
            }
        };
        let is_played = matches!(&value.kind, TermKind::Constant(name) if name.parse::<i32>().is_ok());
        let help = if is_played {
            PLAYED
        } else {
            "write a number from 0 to 100; a payoff map can convert it to other units"
        };
        diagnostics.push(finding("goal-value", value.span, message).with_help(help));
    }
}

/// The advice for a value that the compatible reading plays.
const PLAYED: &str = "it is played as it is, but not with --strict, nor by every other system; write a number from 0 to 100, which a \
    payoff map can convert to other units";

/// Whether a name is an integer from 0 to 100 without sign and leading zeros.
fn is_goal_value(name: &str) -> bool {
    name.parse::<u8>().is_ok_and(|value| value <= 100 && value.to_string() == name)
}
