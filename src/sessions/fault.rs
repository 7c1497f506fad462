//! Where the rules fail in a match: which of them should have given what is missing, or gave what is wrong.

use croupier_engine::{
    GameError, Limits,
    stages::syntax::{Clause, Syntax, Term, TermKind, print_clause, print_term, read},
};
use croupier_games::printable;
use croupier_referee::Outcome;
use serde::Serialize;

use crate::{arguments::source::Source, output::lines::Lines};

/// More rules than these are only counted.
const RULES_SHOWN_MAX: usize = 3;

/// Longest text of a rule that is shown, in characters.
const RULE_CHARS_MAX: usize = 120;

/// Where the rules fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Fault {
    /// The match, from 1, and its id.
    #[serde(skip)]
    pub(crate) number: u64,
    #[serde(skip)]
    pub(crate) match_id: String,
    /// The turn in whose state they fail, from 0.
    turn: u32,
    /// The role that they fail for, if it is a matter of one.
    role: Option<String>,
    message: String,
    /// The rules that it is about.
    rules: Vec<Rule>,
}

/// A rule and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Rule {
    /// From 1.
    line: usize,
    #[serde(rename = "rule")]
    text: String,
}

impl Fault {
    /// The fault that a match ended with, if it did.
    pub(crate) fn of(outcome: &Outcome, source: &Source, number: u64, match_id: &str) -> Option<Self> {
        let Outcome::GameError { turns, error, .. } = outcome else { return None };
        Some(Self {
            number,
            match_id: match_id.to_owned(),
            turn: *turns,
            role: error.role().map(str::to_owned),
            message: error.to_string(),
            rules: rules(&source.rules, error),
        })
    }

    /// What failed, and below it the rules that it is about.
    pub(crate) fn lines(&self, origin: &str) -> Vec<String> {
        let Self { number, match_id, turn, message, rules, .. } = self;
        let mut lines = vec![printable(&format!("match {number} ({match_id}), turn {turn}: {message}"))];
        let shown = rules.iter().take(RULES_SHOWN_MAX);
        lines.extend(
            shown.map(|Rule { line, text }| {
                format!("  --> {}:{line}: {}", printable(origin), printable(text))
            }),
        );
        if let Some(more) = rules.len().checked_sub(RULES_SHOWN_MAX).filter(|more| *more > 0) {
            lines.push(format!("  and {more} more rules"));
        }
        lines
    }
}

/// The rules that could have given what is missing, or can give what is wrong.
fn rules(text: &str, error: &GameError) -> Vec<Rule> {
    let Some(role) = error.role() else { return Vec::new() };
    let is_head: Box<dyn Fn(&Term) -> bool> = match error {
        GameError::NoLegalMove { .. } => Box::new(|head| is_of(head, "legal", role)),
        GameError::GoalOutOfRange { value, .. } => {
            Box::new(|head| is_of(head, "goal", role) && gives(head, std::slice::from_ref(value)))
        }
        GameError::SeveralGoals { values, .. } => {
            Box::new(|head| is_of(head, "goal", role) && gives(head, values))
        }
        _ => Box::new(|head| is_of(head, "goal", role)),
    };
    let lines = Lines::of(text);
    let clauses = read(text, Syntax::Auto, &Limits::STANDARD).description.clauses;
    clauses.iter().filter(|clause| is_head(&clause.head)).map(|clause| rule(clause, &lines)).collect()
}

/// Whether a head says `predicate` of a role, or of a role that only its body names.
fn is_of(head: &Term, predicate: &str, role: &str) -> bool {
    let [of, _] = head.arguments() else { return false };
    head.name() == Some(predicate) && (of.name() == Some(role) || matches!(of.kind, TermKind::Variable(_)))
}

/// Whether the second argument of a head can be one of these values.
fn gives(head: &Term, values: &[String]) -> bool {
    let value = head.arguments().get(1);
    value.is_some_and(|value| {
        matches!(value.kind, TermKind::Variable(_)) || values.contains(&print_term(value))
    })
}

fn rule(clause: &Clause, lines: &Lines<'_>) -> Rule {
    let text = print_clause(clause).split_whitespace().collect::<Vec<&str>>().join(" ");
    let text = match text.char_indices().nth(RULE_CHARS_MAX) {
        None => text,
        Some((end, _)) => format!("{}...", &text[..end]),
    };
    Rule { line: lines.start(clause.span).0, text }
}

#[cfg(test)]
mod tests {
    use super::{GameError, Rule, rules};

    const RULES: &str = "(role x) (role y)
        (<= (legal ?r go) (role ?r) (true a))
        (legal y stay)
        (<= (goal x many) (true a))
        (<= (goal x 50)
            (not (true a)))
        (<= (goal y ?n) (true (n ?n)))";

    fn places(error: &GameError) -> Vec<usize> {
        rules(RULES, error).iter().map(|rule| rule.line).collect()
    }

    #[test]
    fn the_rules_that_a_failure_is_about_are_found_by_their_heads() {
        let [x, y] = ["x", "y"].map(str::to_owned);
        assert_eq!(places(&GameError::NoLegalMove { role: x.clone() }), [2]);
        assert_eq!(places(&GameError::NoLegalMove { role: y.clone() }), [2, 3]);
        assert_eq!(places(&GameError::NoGoal { role: x.clone() }), [4, 5]);
        assert_eq!(places(&GameError::GoalOutOfRange { role: x.clone(), value: "many".to_owned() }), [4]);
        assert_eq!(places(&GameError::GoalOutOfRange { role: y, value: "often".to_owned() }), [7]);
        let several = GameError::SeveralGoals { role: x, values: vec!["many".to_owned(), "50".to_owned()] };
        assert_eq!(places(&several), [4, 5]);
        let text = "(<= (goal x 50) (not (true a)))".to_owned();
        assert_eq!(rules(RULES, &several)[1], Rule { line: 5, text });
    }
}
