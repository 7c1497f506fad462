//! Models, and how rules extend them (Definition 13).

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
    rc::Rc,
};

use super::{
    OracleError,
    rule::{Atom, Literal, Predicate, Rule},
    strata::body_of,
    term::{Pattern, Substitution, Term, match_all},
};

/// The arguments of a ground atom.
pub(super) type Arguments = Rc<[Term]>;

/// A set of ground atoms, kept by relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Model {
    relations: BTreeMap<Predicate, Rc<BTreeSet<Arguments>>>,
}

impl Model {
    /// The arguments for which a relation holds, in order.
    pub(super) fn atoms(&self, predicate: Predicate) -> impl Iterator<Item = &Arguments> {
        self.relations.get(&predicate).into_iter().flat_map(|relation| relation.iter())
    }

    /// Adds an atom; whether it is new.
    pub(super) fn insert(&mut self, predicate: Predicate, arguments: Arguments) -> bool {
        Rc::make_mut(self.relations.entry(predicate).or_default()).insert(arguments)
    }

    fn contains(&self, predicate: Predicate, arguments: &[Term]) -> bool {
        self.relations.get(&predicate).is_some_and(|relation| relation.contains(arguments))
    }

    /// The atoms of a relation whose first arguments are `prefix`.
    fn atoms_from(&self, predicate: Predicate, prefix: &[Term]) -> impl Iterator<Item = &Arguments> {
        let range = (Bound::Included(prefix), Bound::Unbounded);
        let relation = self.relations.get(&predicate).into_iter();
        relation
            .flat_map(move |relation| relation.range::<[Term], _>(range))
            .take_while(move |arguments| arguments.starts_with(prefix))
    }
}

/// How many atoms may still be looked at.
#[derive(Debug)]
pub(super) struct Effort(Cell<u64>);

impl Effort {
    pub(super) fn new(effort: u64) -> Self {
        Self(Cell::new(effort))
    }

    pub(super) fn left(&self) -> u64 {
        self.0.get()
    }

    fn spend(&self) -> Result<(), OracleError> {
        let left = self.0.get().checked_sub(1).ok_or(OracleError::EffortSpent)?;
        self.0.set(left);
        Ok(())
    }
}

/// Adds to `model` all that the rules of one stratum give, until no rule gives anything new.
///
/// A rule is tried again only while a relation in its body grows.
pub(super) fn extend(model: &mut Model, rules: &[Rule], effort: &Effort) -> Result<(), OracleError> {
    extend_against(model, rules, None, effort)
}

/// The same for rules that no strata can be found for, where negations still have one meaning: what
/// does not depend on its own negation once variables are replaced, such as `goal` with other values.
///
/// It is the well-founded model, by the alternating fixpoint: what follows when everything in doubt
/// fails, then what follows when all that is in doubt holds, until the two meet.
///
/// # Sources
/// A. Van Gelder, The alternating fixpoint of logic programs with negation (1993).
pub(super) fn extend_alternating(
    model: &mut Model,
    rules: &[Rule],
    effort: &Effort,
) -> Result<(), OracleError> {
    let mut certain = model.clone();
    loop {
        let mut possible = model.clone();
        extend_against(&mut possible, rules, Some(&certain), effort)?;
        let mut next = model.clone();
        extend_against(&mut next, rules, Some(&possible), effort)?;
        if next == certain {
            let is_total = possible == next;
            *model = next;
            return if is_total { Ok(()) } else { Err(OracleError::Undefined) };
        }
        certain = next;
    }
}

/// Negations are judged in `against`, or in the model itself as it grows.
fn extend_against(
    model: &mut Model,
    rules: &[Rule],
    against: Option<&Model>,
    effort: &Effort,
) -> Result<(), OracleError> {
    let mut grown: Option<BTreeSet<Predicate>> = None;
    loop {
        let mut growing = BTreeSet::new();
        for rule in rules {
            if grown.as_ref().is_some_and(|grown| !body_of(rule).any(|predicate| grown.contains(&predicate)))
            {
                continue;
            }
            let mut consequences = Vec::new();
            let attempt = Attempt { model, against: against.unwrap_or(model), rule, effort };
            attempt.satisfy(0, &mut vec![None; rule.variables], &mut consequences)?;
            for arguments in consequences {
                if model.insert(rule.head.predicate, arguments) {
                    growing.insert(rule.head.predicate);
                }
            }
        }
        if growing.is_empty() {
            return Ok(());
        }
        grown = Some(growing);
    }
}

/// One rule, tried in one model.
struct Attempt<'m> {
    model: &'m Model,
    against: &'m Model,
    rule: &'m Rule,
    effort: &'m Effort,
}

impl Attempt<'_> {
    /// Outputs the head for every substitution that satisfies the body from literal `next` on.
    fn satisfy(
        &self,
        next: usize,
        substitution: &mut Substitution,
        consequences: &mut Vec<Arguments>,
    ) -> Result<(), OracleError> {
        let Some(literal) = self.rule.body.get(next) else {
            consequences.push(apply_all(&self.rule.head.arguments, substitution));
            return Ok(());
        };
        let is_satisfied = match literal {
            Literal::Holds(atom) => return self.satisfy_atom(next, atom, substitution, consequences),
            Literal::Fails(atom) => {
                self.effort.spend()?;
                !self.against.contains(atom.predicate, &apply_all(&atom.arguments, substitution))
            }
            Literal::Distinct(left, right) => bound(left, substitution) != bound(right, substitution),
            Literal::Same(left, right) => bound(left, substitution) == bound(right, substitution),
        };
        if is_satisfied {
            self.satisfy(next + 1, substitution, consequences)?;
        }
        Ok(())
    }

    /// The same where that literal is an atom: it is matched with everything in the model.
    fn satisfy_atom(
        &self,
        position: usize,
        atom: &Atom,
        substitution: &mut Substitution,
        consequences: &mut Vec<Arguments>,
    ) -> Result<(), OracleError> {
        let prefix: Vec<Term> =
            atom.arguments.iter().map_while(|pattern| pattern.apply(substitution)).collect();
        let before = substitution.clone();
        for arguments in self.model.atoms_from(atom.predicate, &prefix) {
            self.effort.spend()?;
            if match_all(&atom.arguments, arguments, substitution) {
                self.satisfy(position + 1, substitution, consequences)?;
            }
            substitution.clone_from(&before);
        }
        Ok(())
    }
}

/// The order of the literals binds the variables of tests first.
fn bound(pattern: &Pattern, substitution: &Substitution) -> Term {
    pattern.apply(substitution).expect("a variable that a positive literal has bound")
}

fn apply_all(patterns: &[Pattern], substitution: &Substitution) -> Arguments {
    patterns.iter().map(|pattern| bound(pattern, substitution)).collect()
}
