//! What there is to explain of each code: a text that has the finding, its neighbour that has not,
//! a cure, and where the rule is written.

mod language;
mod logic;
mod names;
mod playing;
mod real_time;
mod roles;
mod text;

/// More about a code of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub name: &'static str,
    /// The smallest text that shows the finding; other findings may come with it.
    pub rejected: &'static str,
    /// A text that differs as little as possible and does not have the finding.
    pub accepted: &'static str,
    /// What to do.
    pub cure: &'static str,
    /// Where it is written, or who else asks for it.
    pub source: &'static str,
}

/// The explanation of a code; every code of the table has one.
#[must_use]
pub fn explanation(code: &str) -> Option<&'static Explanation> {
    let groups = [
        text::CODES,
        logic::CODES,
        language::CODES,
        real_time::CODES,
        roles::CODES,
        names::CODES,
        playing::CODES,
    ];
    groups.into_iter().flatten().find(|explanation| explanation.name == code)
}

/// An explanation: the code, rules that have the fault, the same without it, what to do, and where that is said.
const fn explain(
    name: &'static str,
    rejected: &'static str,
    accepted: &'static str,
    cure: &'static str,
    source: &'static str,
) -> Explanation {
    Explanation { name, rejected, accepted, cure, source }
}

const SPECIFICATION: &str = "Love, Hinrichs, Haley, Schkufza, Genesereth: General Game Playing: Game Description Language \
                             Specification, LG-2006-01";
