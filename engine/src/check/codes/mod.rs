//! Explanations of the codes: a text that has the finding, a similar text that does not,
//! a fix, and a source.

mod games;
mod language;
mod logic;
mod names;
mod playing;
mod real_time;
mod roles;
mod text;

/// The explanation of a code of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub name: &'static str,
    /// A small whole game that shows the finding; it may have other findings too.
    pub rejected: &'static str,
    /// The game without the finding, as little changed as possible.
    pub accepted: &'static str,
    /// What to do.
    pub cure: &'static str,
    /// The source of the rule, or another program that has it.
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

/// An explanation: the code, rules with the problem, the same rules without it, the fix, and the source.
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
