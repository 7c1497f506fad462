//! The table of all codes, with their severities.

use super::Explanation;
use crate::diagnostic::{Severity, Strictness};

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable word.
    pub name: &'static str,
    /// Its weight when only the specification counts.
    pub strict: Severity,
    /// Its severity in the compatible reading, which plays anything with one sensible meaning.
    pub compatible: Severity,
    /// How it is found.
    pub finder: Finder,
    /// Its meaning, and what to do about it.
    pub explanation: Explanation,
}

/// How a finding is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finder {
    /// By reading the rules; play may show it too.
    Text,
    /// Only by playing the game, as [`analysis`](crate::analysis) does.
    Play,
    /// Only by proving what holds in every match, as `croupier analyze` does.
    Proof,
    /// By computing what holds before the first move, as [`Game::compile`](crate::Game::compile) does.
    Evaluation,
}

const E: Severity = Severity::Error;
const W: Severity = Severity::Warning;
const N: Severity = Severity::Note;

/// An entry of the table: the name, how it is found, its severities; the explanation is the file with that name.
macro_rules! code {
    ($name:literal, $finder:ident, $strict:ident, $compatible:ident) => {
        Code {
            name: $name,
            strict: $strict,
            compatible: $compatible,
            finder: Finder::$finder,
            explanation: Explanation::read(include_str!(concat!("explanations/", $name, ".txt"))),
        }
    };
}

/// Every code, in the order of the stages that find it.
pub const CODES: &[Code] = &[
    code!("not-utf-8", Text, W, W),
    code!("limit", Text, E, E),
    code!("unbalanced-parenthesis", Text, E, E),
    code!("empty-list", Text, E, E),
    code!("list-as-name", Text, E, E),
    code!("variable-as-name", Text, E, E),
    code!("variable-as-atom", Text, E, E),
    code!("variable-without-name", Text, E, E),
    code!("rule-without-head", Text, E, E),
    code!("nested-rule", Text, E, E),
    code!("keyword-arity", Text, E, E),
    code!("unexpected-token", Text, E, E),
    code!("unclosed-quote", Text, E, E),
    code!("quoted-name", Text, E, E),
    code!("semicolon", Text, E, E),
    code!("stray-comma", Text, E, E),
    code!("foreign-comment", Text, E, W),
    code!("arrow", Text, W, W),
    code!("typeset-operator", Text, W, W),
    code!("empty-arguments", Text, W, W),
    code!("empty-body", Text, W, W),
    code!("mixed-notation", Text, E, W),
    code!("comma-in-name", Text, W, W),
    code!("missing-conjunction", Text, E, W),
    code!("trailing-conjunction", Text, E, W),
    code!("missing-period", Text, W, W),
    code!("detached-arguments", Text, W, W),
    code!("tuple", Text, E, W),
    code!("semicolon-as-or", Text, E, W),
    code!("similar-variables", Text, W, W),
    code!("empty-disjunction", Text, W, W),
    code!("conjunction", Text, W, W),
    code!("nested-negation", Text, E, W),
    code!("negated-distinct", Text, E, W),
    code!("anonymous-under-not", Text, E, W),
    code!("unsafe-variable", Text, E, E),
    code!("lone-variable", Text, W, W),
    code!("unbound-role", Text, E, W),
    code!("unbound-in-head", Text, E, W),
    code!("unbound-under-not", Text, E, W),
    code!("negation-before-binding", Text, W, W),
    code!("variable-in-fact", Text, E, E),
    code!("unstratified-negation", Text, E, E),
    code!("stratified-by-constants", Text, E, W),
    code!("unbounded-recursion", Text, E, W),
    code!("unbounded-growth", Text, E, W),
    code!("keyword-in-head", Text, E, E),
    code!("keyword-in-body", Text, E, W),
    code!("mixed-time", Text, E, E),
    code!("lifetime", Text, E, E),
    code!("variable-lifetime", Text, W, W),
    code!("never-expires", Text, W, W),
    code!("expired-in-legal", Text, W, W),
    code!("depends-on-state", Text, E, E),
    code!("declaration-depends-on-state", Text, E, W),
    code!("depends-on-does", Text, E, E),
    code!("missing-keyword", Text, E, W),
    code!("no-role", Text, E, E),
    code!("role-not-fact", Text, E, E),
    code!("repeated-role", Text, W, W),
    code!("random-without-sees", Text, W, W),
    code!("several-arities", Text, E, W),
    code!("sees-in-body", Text, E, W),
    code!("knows-in-body", Text, E, E),
    code!("bare-operator", Text, E, E),
    code!("operator-as-term", Text, E, E),
    code!("keyword-as-relation", Text, E, W),
    code!("keyword-as-function", Text, E, W),
    code!("keyword-as-constant", Text, W, W),
    code!("number-as-relation", Text, W, W),
    code!("shared-name", Text, W, W),
    code!("unusual-characters", Text, W, W),
    code!("case-clash", Text, W, W),
    code!("variable-case", Text, E, W),
    code!("capital-constant", Text, W, W),
    code!("undefined-relation", Text, W, W),
    code!("unused-relation", Text, W, W),
    code!("unreachable-relation", Text, W, W),
    code!("impossible-rule", Text, W, W),
    code!("impossible-value", Text, W, W),
    code!("contradiction", Text, W, W),
    code!("constant-comparison", Text, W, W),
    code!("repeated-clause", Text, W, W),
    code!("undefined-fluent", Text, W, W),
    code!("unused-fluent", Text, W, W),
    code!("undefined-move", Text, W, W),
    code!("undeclared-fluent", Text, W, W),
    code!("undeclared-move", Text, W, W),
    code!("undeclared-percept", Text, W, W),
    code!("goal-value", Text, E, W),
    code!("compound-role", Text, W, W),
    code!("not-a-role", Text, W, W),
    code!("role-without-moves", Text, E, W),
    code!("role-without-goal", Text, E, W),
    code!("role-without-percepts", Text, W, W),
    code!("limit-in-evaluation", Evaluation, E, E),
    code!("unfinished-playouts", Play, E, E),
    code!("no-legal-move", Play, E, W),
    code!("no-goal", Play, E, W),
    code!("several-goals", Play, E, W),
    code!("goal-out-of-range", Play, E, W),
    code!("goal-decreases", Play, N, N),
    code!("never-fired", Play, N, N),
    code!("endless-playout", Play, E, W),
    code!("limit-in-play", Play, E, W),
    code!("repeated-state", Play, W, W),
    code!("terminal-at-once", Play, W, W),
    code!("nothing-seen", Play, W, W),
    code!("unknown-moves", Play, W, W),
    code!("unknown-end", Play, W, W),
    code!("never-wins", Proof, W, W),
];

/// The code with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Code> {
    CODES.iter().find(|code| code.name == name)
}

/// The weight of a code.
///
/// # Panics
/// If the table does not have the code: every check names one that it has.
#[must_use]
pub fn severity(code: &str, strictness: Strictness) -> Severity {
    let entry = find(code).expect("every code is in the table");
    match strictness {
        Strictness::Strict => entry.strict,
        Strictness::Compatible => entry.compatible,
    }
}
