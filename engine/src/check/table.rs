//! The table of all codes: their meaning and severity.

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
    /// Its meaning, and the source.
    pub meaning: &'static str,
    /// How it is found.
    pub finder: Finder,
}

/// How a finding is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finder {
    /// By reading the rules; play may show it too.
    Text,
    /// Only by playing the game, as [`analysis`](crate::analysis) does.
    Play,
    /// By computing what holds before the first move, as [`Game::compile`](crate::Game::compile) does.
    Evaluation,
}

const E: Severity = Severity::Error;
const W: Severity = Severity::Warning;
const N: Severity = Severity::Note;

const fn code(name: &'static str, strict: Severity, compatible: Severity, meaning: &'static str) -> Code {
    Code { name, strict, compatible, meaning, finder: Finder::Text }
}

const fn by_play(name: &'static str, strict: Severity, compatible: Severity, meaning: &'static str) -> Code {
    Code { name, strict, compatible, meaning, finder: Finder::Play }
}

const fn by_evaluation(name: &'static str, meaning: &'static str) -> Code {
    Code { name, strict: E, compatible: E, meaning, finder: Finder::Evaluation }
}

/// Every code, in the order of the stages that find it. "Def." is the specification LG-2006-01.
pub const CODES: &[Code] = &[
    code("not-utf-8", W, W, "the file is not valid UTF-8; it is read as Latin-1"),
    code("limit", E, E, "the text is larger than the limits allow"),
    code("unbalanced-parenthesis", E, E, "an opening or closing parenthesis has no partner"),
    code("empty-list", E, E, "`()` is neither a term nor an atom"),
    code("list-as-name", E, E, "a list in place of the name of a relation or function"),
    code("variable-as-name", E, E, "a variable in place of the name of a relation or function"),
    code("variable-as-atom", E, E, "a variable in place of an atom"),
    code("variable-without-name", E, E, "a lone question mark"),
    code("rule-without-head", E, E, "`<=` with nothing after it"),
    code("nested-rule", E, E, "a rule inside a rule"),
    code("keyword-arity", E, E, "a keyword with the wrong number of arguments (section 6)"),
    code("unexpected-token", E, E, "a token that is out of place in infix text"),
    code("unclosed-quote", E, E, "a single quote in infix text without a partner on its line"),
    code("quoted-name", E, E, "a quoted name that prefix syntax cannot write"),
    code("semicolon", E, E, "`;` in infix text, which is ambiguous: it can start a comment or mean `or`"),
    code("stray-comma", E, E, "a comma between arguments that separates nothing"),
    code(
        "foreign-comment",
        E,
        W,
        "a comment with the sign of another language, such as `//`; comments begin with `;` (section 4)",
    ),
    code("arrow", W, W, "the arrow character in place of `<=`"),
    code("typeset-operator", W, W, "`¬`, `∧` or `∨` in infix text, as typeset in papers"),
    code("empty-arguments", W, W, "parentheses around a name without arguments"),
    code("empty-body", W, W, "a rule without conditions, which is a fact"),
    code("mixed-notation", E, W, "`f(a, b)` in prefix text, or `?x` in infix text"),
    code("comma-in-name", W, W, "a name in prefix text that contains a comma"),
    code("missing-conjunction", E, W, "two conditions in infix text without `&` between them"),
    code("trailing-conjunction", E, W, "a body in infix text that ends with `&`"),
    code("missing-period", W, W, "two clauses on one line of infix text without a period between them"),
    code("detached-arguments", W, W, "a space between a name and its arguments in infix text"),
    code("tuple", E, W, "a term without a name, `(a, b)`, which becomes `tuple(a, b)`"),
    code("semicolon-as-or", E, W, "`;` between alternatives in parentheses, read as `|`"),
    code(
        "similar-variables",
        W,
        W,
        "two variables of an infix rule that differ only in case; they stay distinct",
    ),
    code("empty-disjunction", W, W, "`(or)` can never hold"),
    code("conjunction", W, W, "`and` in a body, which is a conjunction anyway (Def. 18)"),
    code("nested-negation", E, W, "`not` before a formula instead of an atom (Def. 18)"),
    code("negated-distinct", E, W, "`distinct` under `not` (Def. 18); read as equality"),
    code(
        "anonymous-under-not",
        E,
        W,
        "an anonymous variable under `not`, read as in Prolog: `there is none`",
    ),
    code("unsafe-variable", E, E, "a variable that no positive literal of the body binds (Def. 18)"),
    code(
        "lone-variable",
        W,
        W,
        "a variable that stands in a rule once, and nearly like another of its variables",
    ),
    code("unbound-role", E, W, "an unbound variable in place of a role; it ranges over the roles"),
    code(
        "unbound-in-head",
        E,
        W,
        "an unbound variable in a head; it ranges over the declared values, or over all values that can occur there",
    ),
    code(
        "unbound-under-not",
        E,
        W,
        "a variable that occurs only under one `not`; read as `there is none`, as provers do",
    ),
    code(
        "negation-before-binding",
        W,
        W,
        "a negation whose variables are only bound by later conditions; left-to-right provers read it differently",
    ),
    code("variable-in-fact", E, E, "a fact with a variable (Def. 18)"),
    code("unstratified-negation", E, E, "a relation depends on its own negation (Def. 8)"),
    code(
        "stratified-by-constants",
        E,
        W,
        "a relation depends on its own negation, but not for the same constants (Def. 8)",
    ),
    code(
        "unbounded-recursion",
        E,
        W,
        "a recursion with a term that is not ground, not in the head and not bound outside of it (Def. 15)",
    ),
    code(
        "unbounded-growth",
        E,
        W,
        "terms that can grow without bound from state to state: allowed by Def. 15, but not argument-restricted (Lierler & Lifschitz, ICLP 2009)",
    ),
    code(
        "keyword-in-head",
        E,
        E,
        "a rule defines a relation that only the referee or the language decides (Def. 20)",
    ),
    code("keyword-in-body", E, W, "a body uses `init`, `next`, `base`, `input` or `percept` (Def. 20)"),
    code(
        "mixed-time",
        E,
        E,
        "`init`, `true` or `next` without a lifetime in rules that have lifetimes elsewhere",
    ),
    code(
        "lifetime",
        E,
        E,
        "a lifetime that is neither a positive decimal of at most six digits nor `infinity`",
    ),
    code(
        "variable-lifetime",
        W,
        W,
        "a lifetime variable in a head that can take values other than lifetimes",
    ),
    code("never-expires", W, W, "`expired` is used for a fluent whose lifetime is always infinite"),
    code("expired-in-legal", W, W, "`legal` uses `expired`, which never holds when moves are judged"),
    code(
        "depends-on-state",
        E,
        E,
        "`init` depends on `true`, `does` or a relation that follows from them (Def. 20)",
    ),
    code("declaration-depends-on-state", E, W, "`base`, `input` or `percept` depends on the state"),
    code("depends-on-does", E, E, "`legal`, `goal` or `terminal` depends on `does` (Def. 20)"),
    code("missing-keyword", E, W, "the rules do not define a relation that every game needs"),
    code("no-role", E, E, "there is no role other than `random`"),
    code("role-not-fact", E, E, "`role` is defined by a rule or contains a variable (Def. 20)"),
    code("repeated-role", W, W, "a role is declared twice"),
    code("random-without-sees", W, W, "`random` has moves, but no rule says who sees what"),
    code("several-arities", E, W, "one name used with different numbers of arguments"),
    code("sees-in-body", E, W, "a body uses `sees`, which may only occur in heads"),
    code("knows-in-body", E, E, "a body uses `knows`, which belongs to GDL-III and is not supported"),
    code(
        "bare-operator",
        E,
        E,
        "`not`, `or`, `and` or `distinct` without parentheses around it and its arguments",
    ),
    code("operator-as-term", E, E, "`not`, `or`, `and`, `distinct` or `<=` inside a term"),
    code(
        "keyword-as-relation",
        E,
        W,
        "GDL-I rules that use `base`, `input`, `percept` or `sees` as an ordinary relation with different arguments",
    ),
    code("keyword-as-function", E, W, "a keyword used as a function"),
    code("keyword-as-constant", W, W, "a keyword used as a constant"),
    code("number-as-relation", W, W, "a number used as a relation"),
    code("shared-name", W, W, "one name used both as a relation and as a function"),
    code("unusual-characters", W, W, "a name with a quote, a bar or a character outside ASCII"),
    code("case-clash", W, W, "one name spelled with different capitalisation"),
    code("variable-case", E, W, "one variable of a rule spelled with different capitalisation"),
    code("capital-constant", W, W, "a capitalised constant where Prolog would have a variable"),
    code("undefined-relation", W, W, "a body uses a relation that no rule or fact defines"),
    code("unused-relation", W, W, "a relation that is never used"),
    code("unreachable-relation", W, W, "a relation that is used, but not by anything that the game needs"),
    code("impossible-rule", W, W, "a rule with a condition that never holds"),
    code(
        "impossible-value",
        W,
        W,
        "a condition with a constant that can never stand there: no fact has it, and no rule concludes it",
    ),
    code("contradiction", W, W, "a body requires an atom and its negation"),
    code("constant-comparison", W, W, "a `distinct` that always or never holds"),
    code("repeated-clause", W, W, "a clause that occurs twice"),
    code("undefined-fluent", W, W, "`true` uses a fluent that neither `init` nor `next` makes true"),
    code("unused-fluent", W, W, "a fluent that no rule uses"),
    code("undefined-move", W, W, "`does` uses a move that is never legal"),
    code("undeclared-fluent", W, W, "the rules have `base`, but it does not declare this fluent"),
    code("undeclared-move", W, W, "the rules have `input`, but it does not declare this move"),
    code("undeclared-percept", W, W, "the rules have `percept`, but it does not declare this percept"),
    code("goal-value", E, W, "a goal that is not a whole number from 0 to 100 (section 6.8)"),
    code("compound-role", W, W, "a role that is not one word"),
    code("not-a-role", W, W, "something other than a role in place of a role"),
    code("role-without-moves", E, W, "no rule can give this role a legal move (Def. 22)"),
    code("role-without-goal", E, W, "no rule can give this player a goal (Def. 23)"),
    code("role-without-percepts", W, W, "there are rules for `sees`, but none can tell this player anything"),
    by_evaluation(
        "limit-in-evaluation",
        "computing what holds before the first move exceeds the limits on work or on the size of terms",
    ),
    by_play(
        "unfinished-playouts",
        E,
        E,
        "some random playouts stop for want of a legal move or a goal, and others do not (Defs. 22 and 23)",
    ),
    by_play("no-legal-move", E, W, "a state that is not terminal and has no legal move for a role (Def. 22)"),
    by_play("no-goal", E, W, "a terminal state without a goal for a player (section 6.8)"),
    by_play("several-goals", E, W, "a state with several goals for one player (section 6.8)"),
    by_play(
        "goal-out-of-range",
        E,
        W,
        "a terminal state with a goal that is not a whole number from 0 to 100",
    ),
    by_play(
        "goal-decreases",
        N,
        N,
        "goals that decrease during a match (the specification does not require monotonicity)",
    ),
    by_play("never-fired", N, N, "rules whose conditions held together in no state of any random playout"),
    by_play("endless-playout", E, W, "a match that does not end within the limits (Def. 21, termination)"),
    by_play(
        "limit-in-play",
        E,
        W,
        "evaluating a state or joint move exceeds the limits on work or on the size of terms",
    ),
    by_play("repeated-state", W, W, "a match that returns to an earlier state"),
    by_play("terminal-at-once", W, W, "the initial state is terminal"),
    by_play(
        "nothing-seen",
        W,
        W,
        "a player that was never told anything, although rules for `sees` could apply",
    ),
    by_play("unknown-moves", W, W, "a player cannot know which moves are legal for it"),
    by_play("unknown-end", W, W, "a player cannot know whether the match is over"),
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
