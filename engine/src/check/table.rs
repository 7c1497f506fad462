//! The one table of codes: what each means, and how much it weighs.

use crate::diagnostic::{Severity, Strictness};

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable word.
    pub name: &'static str,
    /// Its weight when only the specification counts.
    pub strict: Severity,
    /// Its weight when what has one sensible meaning is played.
    pub compatible: Severity,
    /// What it means, and where that is written.
    pub meaning: &'static str,
}

const E: Severity = Severity::Error;
const W: Severity = Severity::Warning;

const fn code(name: &'static str, strict: Severity, compatible: Severity, meaning: &'static str) -> Code {
    Code { name, strict, compatible, meaning }
}

/// Every code, in the order of the stages that find it. "Def." is the specification LG-2006-01.
pub const CODES: &[Code] = &[
    code("limit", E, E, "the text is larger than the limits allow"),
    code("unbalanced-parenthesis", E, E, "an opening or closing parenthesis has no partner"),
    code("empty-list", E, E, "`()` is neither a term nor an atom"),
    code("list-as-name", E, E, "a list stands where the name of a relation or function belongs"),
    code("variable-as-name", E, E, "a variable stands where the name of a relation or function belongs"),
    code("variable-as-atom", E, E, "a variable stands where an atom belongs"),
    code("variable-without-name", E, E, "a lone question mark"),
    code("rule-without-head", E, E, "`<=` with nothing behind it"),
    code("nested-rule", E, E, "a rule inside a rule"),
    code("keyword-arity", E, E, "a word of the language with the wrong number of arguments (section 6)"),
    code("arrow", W, W, "the arrow character in place of `<=`"),
    code("empty-arguments", W, W, "parentheses around a name without arguments"),
    code("empty-body", W, W, "a rule with no condition, which is a fact"),
    code("empty-disjunction", W, W, "`(or)` can never hold"),
    code("conjunction", W, W, "`and` in a body, which is a conjunction anyway (Def. 18)"),
    code("nested-negation", E, W, "`not` before a formula instead of an atom (Def. 18)"),
    code("negated-distinct", E, W, "`distinct` under `not` (Def. 18); read as equality"),
    code("unsafe-variable", E, E, "a variable that no positive literal of the body binds (Def. 18)"),
    code("variable-in-fact", E, E, "a fact with a variable (Def. 18)"),
    code("unstratified-negation", E, E, "a relation depends on its own negation (Def. 12)"),
    code(
        "stratified-by-constants",
        E,
        W,
        "a relation depends on its own negation, but not for the same constants (Def. 12)",
    ),
    code("unbounded-recursion", E, W, "a recursion that can build ever larger terms (Def. 15)"),
    code("keyword-in-head", E, E, "a rule concludes what only the referee or the language decides (Def. 20)"),
    code(
        "keyword-in-body",
        E,
        W,
        "a body asks for `init`, `next`, `sees`, `base`, `input` or `percept` (Def. 20)",
    ),
    code("depends-on-state", E, E, "`init` depends on `true`, `does` or what follows from them (Def. 20)"),
    code("declaration-depends-on-state", E, W, "`base`, `input` or `percept` depends on the state"),
    code("depends-on-does", E, E, "`legal`, `goal` or `terminal` depends on `does` (Def. 20)"),
    code("missing-keyword", E, W, "the rules never conclude a relation that every game needs"),
    code("no-role", E, E, "there is no role, or none but `random`"),
    code("role-not-fact", E, E, "`role` is concluded by a rule or has a variable (Def. 20)"),
    code("repeated-role", W, W, "a role is declared twice"),
    code("random-without-sees", W, W, "`random` moves but nothing is said of who sees what"),
    code("several-arities", E, W, "one name is used with different numbers of arguments"),
];

/// The weight of a code.
///
/// # Panics
/// If the table does not have the code: every check names one that it has.
#[must_use]
pub fn severity(code: &str, strictness: Strictness) -> Severity {
    let entry = CODES.iter().find(|entry| entry.name == code).expect("every code is in the table");
    match strictness {
        Strictness::Strict => entry.strict,
        Strictness::Compatible => entry.compatible,
    }
}
