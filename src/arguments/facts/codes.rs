//! The codes of findings about a `game.toml`, and what there is to explain of each.

use croupier_engine::{Severity, stages::check::Explanation};

/// A kind of finding about a `game.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FactsCode {
    /// The stable word.
    pub(crate) name: &'static str,
    pub(crate) severity: Severity,
    /// With the smallest `game.toml` that shows it beside [`RULES`].
    pub(crate) explanation: Explanation,
}

/// The rules that the examples stand beside.
pub(crate) const RULES: &str = "\
(role alice)
(card king)
(card queen)
(init (stake 1))
(<= (legal alice (show ?card)) (card ?card) (true (stake 1)))
(<= (next (shown ?card)) (does alice (show ?card)))
(<= terminal (true (shown ?card)))
(goal alice 100)";

/// A code whose explanation is the file with its name.
macro_rules! code {
    ($name:literal, $severity:ident) => {
        FactsCode {
            name: $name,
            severity: Severity::$severity,
            explanation: Explanation::read(include_str!(concat!("explanations/", $name, ".txt"))),
        }
    };
}

pub(crate) const CODES: &[FactsCode] = &[
    code!("bad-facts", Error),
    code!("unmatched-pattern", Warning),
    code!("hidden-pattern", Warning),
    code!("unknown-name", Warning),
];

/// The code with this name.
pub(crate) fn find(name: &str) -> Option<&'static FactsCode> {
    CODES.iter().find(|code| code.name == name)
}

/// The weight of a code.
pub(super) fn severity(name: &str) -> Severity {
    find(name).expect("every code is in the table").severity
}
