//! Which rules are computed when: strata (Definition 12), and what depends on the state and on the moves.

use std::collections::{BTreeMap, BTreeSet};

use super::rule::{Literal, Predicate, Rule};

/// The stratum of every relation that is the head of a rule: the largest number of negations on any
/// path to it. `None` where a relation depends on its own negation.
pub(super) fn strata(rules: &[Rule]) -> Option<BTreeMap<Predicate, usize>> {
    let mut strata: BTreeMap<Predicate, usize> = rules.iter().map(|rule| (rule.head.predicate, 0)).collect();
    let highest = strata.len();
    loop {
        let mut has_changed = false;
        for rule in rules {
            let demanded = rule.body.iter().filter_map(|literal| match literal {
                Literal::Holds(atom) => strata.get(&atom.predicate).copied(),
                Literal::Fails(atom) => strata.get(&atom.predicate).map(|stratum| stratum + 1),
                Literal::Distinct(..) | Literal::Same(..) => None,
            });
            let demanded = demanded.max().unwrap_or(0);
            let head = rule.head.predicate;
            if demanded > highest {
                return None;
            }
            if demanded > strata[&head] {
                strata.insert(head, demanded);
                has_changed = true;
            }
        }
        if !has_changed {
            return Some(strata);
        }
    }
}

/// Every relation whose rules lead, over any number of rules, to one of `roots`; with the roots.
pub(super) fn dependents(rules: &[Rule], roots: &[Predicate]) -> BTreeSet<Predicate> {
    closure(roots, |known| {
        let depends = |rule: &&Rule| body_of(rule).any(|predicate| known.contains(&predicate));
        rules.iter().filter(depends).map(|rule| rule.head.predicate).collect()
    })
}

/// Every relation that the rules of `roots` mention, over any number of rules; with the roots.
pub(super) fn dependencies(rules: &[Rule], roots: &[Predicate]) -> BTreeSet<Predicate> {
    closure(roots, |known| {
        rules.iter().filter(|rule| known.contains(&rule.head.predicate)).flat_map(body_of).collect()
    })
}

fn closure(
    roots: &[Predicate],
    step: impl Fn(&BTreeSet<Predicate>) -> Vec<Predicate>,
) -> BTreeSet<Predicate> {
    let mut known: BTreeSet<_> = roots.iter().copied().collect();
    loop {
        let before = known.len();
        known.extend(step(&known));
        if known.len() == before {
            return known;
        }
    }
}

/// The relations in the body of a rule.
pub(super) fn body_of(rule: &Rule) -> impl Iterator<Item = Predicate> + '_ {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Holds(atom) | Literal::Fails(atom) => Some(atom.predicate),
        Literal::Distinct(..) | Literal::Same(..) => None,
    })
}
