//! Variables that a rule has once and that are spelled nearly like another of its variables.
//!
//! A variable that stands once in a positive condition can be anything, which is often meant. Where it differs from its
//! neighbour by a slip, the rule says less than was meant: `(worth ?chpis ?won ?lost)` holds whatever `?chips` are.

use std::collections::{BTreeMap, BTreeSet};

use super::{finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    syntax::{Formula, Term},
};

/// Maximum number of pairs of names that are compared in one text; every game is far below.
const LOOKS_MAX: usize = 4_000_000;

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut looks_left = LOOKS_MAX;
    for clause in subject.clauses.iter().filter(|clause| !clause.body.is_empty()) {
        let mut uses: BTreeMap<&str, (usize, &Term)> = BTreeMap::new();
        clause.for_each_variable(&mut |name, term| uses.entry(name).or_insert((0, term)).0 += 1);
        let mut positive = BTreeSet::new();
        clause.body.iter().for_each(|formula| positive_variables(formula, &mut positive));
        for (name, (_, term)) in uses.iter().filter(|(_, (count, _))| *count == 1) {
            if name.starts_with('_') || !positive.contains(name) {
                continue;
            }
            looks_left = looks_left.saturating_sub(uses.len());
            if looks_left == 0 {
                return;
            }
            // Of two that stand once each the second is told of. A head's that nothing binds is a finding of its own.
            let is_meant = |other: &str, (count, first): &(usize, &Term)| {
                *count > 1 || first.span < term.span && positive.contains(other)
            };
            let others = uses.iter().filter(|(other, uses)| is_meant(other, uses)).map(|(other, _)| *other);
            // A name of few letters is like many, but not where the rule lacks the other one.
            let is_lacked = |other: &str| is_doubled(name, other) && !positive.contains(other);
            let lacked = uses.keys().copied().find(|other| is_lacked(other));
            let meant = lacked.or_else(|| others.into_iter().find(|other| is_slip(name, other)));
            let Some(meant) = meant else { continue };
            let (count, other) = uses[meant];
            let (shown, meant) = (subject.shown_variable(term), subject.shown_variable(other));
            let message = format!("{shown} stands in this rule once, so that it can be anything");
            let either = if count == 1 && lacked.is_none() { " One of the two is a slip" } else { "" };
            let help = format!("did you mean {meant}?{either}");
            diagnostics.push(finding("lone-variable", term.span, message).with_help(help));
        }
    }
}

/// Whether one name is the other with one slip of the pen inside: two letters exchanged, one left out or put in, or in
/// a name of five letters and more one wrong. `?xany` and `?yany`, or `?card` and `?cards`, are two names.
fn is_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    if short.len() < 3 || long.len() > short.len() + 1 || long.iter().any(char::is_ascii_digit) {
        return false;
    }
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    let end = end.min(short.len() - start);
    // What differs stands between them; the ends of a name tell names apart on purpose.
    let (inner_short, inner_long) = (&short[start..short.len() - end], &long[start..long.len() - end]);
    match (inner_short, inner_long) {
        ([], [_]) => start > 0 && end > 0,
        ([_], [_]) => start > 0 && end > 0 && short.len() >= 5,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

/// Whether one name is the other with one letter typed twice.
fn is_doubled(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let twice = |at: usize| long.as_bytes()[at - 1] == long.as_bytes()[at];
    let without = |at: usize| long[..at] == short[..at] && long[at + 1..] == short[at..];
    long.len() == short.len() + 1
        && long.is_ascii()
        && short.is_ascii()
        && (1..long.len()).any(|at| twice(at) && without(at))
}

/// The variables of atoms that are under no `not`.
fn positive_variables<'c>(formula: &'c Formula, found: &mut BTreeSet<&'c str>) {
    match formula {
        Formula::Atom(atom) => atom.for_each_variable(&mut |name, _| _ = found.insert(name)),
        Formula::Distinct(..) | Formula::Not(..) => {}
        Formula::And(_, parts) | Formula::Or(_, parts) => {
            parts.iter().for_each(|part| positive_variables(part, found));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_doubled, is_slip};

    #[test]
    fn a_letter_typed_twice_is_found_in_short_names() {
        for (one, other) in [("rr", "r"), ("caard", "card"), ("cardd", "card"), ("x", "xx")] {
            assert!(is_doubled(one, other) && is_doubled(other, one), "{one} {other}");
        }
        for (one, other) in [("r", "r"), ("r", "s"), ("rs", "r"), ("rrr", "r"), ("é", "éé"), ("", "r")] {
            assert!(!is_doubled(one, other) && !is_doubled(other, one), "{one} {other}");
        }
    }

    #[test]
    fn a_slip_is_inside_a_name_and_a_family_of_names_is_none() {
        for (one, other) in [
            ("chpis", "chips"),
            ("crad", "card"),
            ("plyer", "player"),
            ("plaxer", "player"),
            ("cadr", "card"),
        ] {
            assert!(is_slip(one, other) && is_slip(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("xany", "yany"),
            ("anyx", "anyy"),
            ("card", "cards"),
            ("type", "ptype"),
            ("side", "beside"),
            ("x1", "x2"),
            ("row1", "rowl"),
            ("card", "card"),
            ("mine", "mile"),
        ] {
            assert!(!is_slip(one, other) && !is_slip(other, one), "{one} {other}");
        }
    }
}
