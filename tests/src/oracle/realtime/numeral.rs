//! Numbers in a real-time text: numerals with one spelling each, and lifetimes in whole microseconds.

use std::fmt;

use croupier_engine::stages::syntax::{Clause, Formula, Term, TermKind};

/// Decimals that a lifetime may have.
const DECIMALS: usize = 6;

/// How long a fluent lasts if nothing happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// So many microseconds; more than 0.
    Finite(u64),
    /// For ever.
    Infinity,
}

impl Lifetime {
    /// Reads seconds with at most six decimals, or `infinity`; none for anything else, 0 included.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if text == "infinity" {
            return Some(Self::Infinity);
        }
        let canonical = canonical_numeral(text)?;
        let (seconds, decimals) = canonical.split_once('.').unwrap_or((&canonical, ""));
        let missing = DECIMALS.checked_sub(decimals.len())?;
        // The point moved six places to the right. What has a minus is no u64.
        let micros = format!("{seconds}{decimals}{}", "0".repeat(missing)).parse().ok()?;
        (micros > 0).then_some(Self::Finite(micros))
    }

    /// What is left after so many microseconds; none if nothing is.
    #[must_use]
    pub fn after(self, elapsed: u64) -> Option<Self> {
        match self {
            Self::Infinity => Some(Self::Infinity),
            Self::Finite(micros) if micros > elapsed => Some(Self::Finite(micros - elapsed)),
            Self::Finite(_) => None,
        }
    }
}

/// Seconds in canonical spelling, or `infinity`.
impl fmt::Display for Lifetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Infinity => f.write_str("infinity"),
            Self::Finite(micros) => {
                let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
                f.write_str(&canonical_numeral(&text).expect("digits around a point"))
            }
        }
    }
}

/// The shortest spelling of a numeral: `1.50` is `1.5`, `2.0` is `2`, `007` is `7`, `-0.0` is `0`. None for what is no
/// numeral: that has digits, and may have a minus before them and a point between them.
#[must_use]
pub fn canonical_numeral(name: &str) -> Option<String> {
    let digits = name.strip_prefix('-').unwrap_or(name);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(decimals) {
        return None;
    }
    let (whole, decimals) = (whole.trim_start_matches('0'), decimals.trim_end_matches('0'));
    let is_zero = whole.is_empty() && decimals.is_empty();
    let minus = if digits.len() < name.len() && !is_zero { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if decimals.is_empty() { "" } else { "." };
    Some(format!("{minus}{whole}{point}{decimals}"))
}

/// The clause with every numeral in canonical spelling.
pub(super) fn canonical_clause(clause: &Clause) -> Clause {
    Clause {
        span: clause.span,
        head: canonical_term(&clause.head),
        body: clause.body.iter().map(canonical_formula).collect(),
    }
}

fn canonical_formula(formula: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(canonical_formula).collect();
    match formula {
        Formula::Atom(atom) => Formula::Atom(canonical_term(atom)),
        Formula::Distinct(span, left, right) => {
            Formula::Distinct(*span, canonical_term(left), canonical_term(right))
        }
        Formula::Not(span, inner) => Formula::Not(*span, Box::new(canonical_formula(inner))),
        Formula::And(span, parts) => Formula::And(*span, all(parts)),
        Formula::Or(span, parts) => Formula::Or(*span, all(parts)),
    }
}

/// The term with every constant that is a numeral in canonical spelling.
pub(super) fn canonical_term(term: &Term) -> Term {
    let kind = match &term.kind {
        TermKind::Variable(name) => TermKind::Variable(name.clone()),
        TermKind::Constant(name) => {
            TermKind::Constant(canonical_numeral(name).unwrap_or_else(|| name.clone()))
        }
        TermKind::Compound(name, arguments) => {
            TermKind::Compound(name.clone(), arguments.iter().map(canonical_term).collect())
        }
    };
    Term { span: term.span, kind }
}
