//! That a game is well-formed: by definition 24 it follows from three other answers, once for each reading of *maximal*.

use croupier_engine::RoleId;

use crate::answer::RuleVerdict;

/// An answer that others follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Premise<'a> {
    pub(crate) role: Option<RoleId>,
    pub(crate) about: Option<&'a str>,
    pub(crate) verdict: RuleVerdict,
    pub(crate) text: &'a str,
}

/// What follows, for one reading of *maximal*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conclusion {
    pub(crate) reading: &'static str,
    pub(crate) verdict: RuleVerdict,
    pub(crate) text: String,
}

/// Whether a game is well-formed, from whether it ends and is playable, and from who can win what; `all` says that the former hold.
pub(crate) fn well_formed(parts: &[Premise<'_>], wins: &[Premise<'_>], all: &str) -> Vec<Conclusion> {
    // The first answer about a role is about the best goal that the rules name for it.
    let mut best: Vec<Premise<'_>> = Vec::new();
    for win in wins {
        if best.iter().all(|known| known.role != win.role) {
            best.push(*win);
        }
    }
    let hundred: Vec<Premise<'_>> = wins.iter().filter(|win| win.about == Some("100")).copied().collect();
    let are_same = best == hundred;
    let mut found =
        vec![conclude(&[parts, &best].concat(), if are_same { "100" } else { "its best goal" }, all)];
    if !are_same {
        found.push(conclude(&[parts, &hundred].concat(), "100", all));
    }
    found
}

/// What follows if all of these hold.
fn conclude(parts: &[Premise<'_>], reading: &'static str, all: &str) -> Conclusion {
    let first = |verdict| parts.iter().find(|part| part.verdict == verdict);
    let (verdict, text) = match (first(RuleVerdict::Refuted), first(RuleVerdict::Open)) {
        (Some(failed), _) => (RuleVerdict::Refuted, failed.text.to_owned()),
        (None, Some(open)) => (RuleVerdict::Open, open.text.to_owned()),
        (None, None) => (RuleVerdict::Proved, format!("{all}, and every player can win {reading}")),
    };
    Conclusion { reading, verdict, text }
}
