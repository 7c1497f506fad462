//! Goal values: integers from 0 to 100.

use super::{
    finding,
    subject::{Kind, Subject},
};
use crate::{diagnostic::Diagnostic, rules::Keyword, syntax::TermKind};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for used in subject.atoms_of(Keyword::Goal).filter(|used| used.kind == Kind::Head) {
        let value = &used.term.arguments()[1];
        let message = match &value.kind {
            TermKind::Variable(_) => continue,
            TermKind::Constant(name) if is_goal_value(name) => continue,
            TermKind::Constant(name) if name.parse::<f64>().is_ok() => {
                format!("{name} is not a goal value: those are 0 to 100, written as whole numbers")
            }
            TermKind::Constant(name) => {
                format!("`{name}` is not a goal value: those are whole numbers from 0 to 100")
            }
            TermKind::Compound(name, _) => {
                format!("a term of `{name}` is not a goal value: nothing is computed inside terms")
            }
        };
        let help = "give a number from 0 to 100; a payoff map can turn it into other units";
        diagnostics.push(finding("goal-value", value.span, message).with_help(help));
    }
}

/// Whether a name is an integer from 0 to 100 without sign and leading zeros.
fn is_goal_value(name: &str) -> bool {
    name.parse::<u8>().is_ok_and(|value| value <= 100 && value.to_string() == name)
}
