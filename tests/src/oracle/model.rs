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
#[derive(Clone, Debug, Default)]
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
    let mut grown: Option<BTreeSet<Predicate>> = None;
    loop {
        let mut growing = BTreeSet::new();
        for rule in rules {
            if grown.as_ref().is_some_and(|grown| !body_of(rule).any(|predicate| grown.contains(&predicate)))
            {
                continue;
            }
            let mut consequences = Vec::new();
            let mut substitution = vec![None; rule.variables];
            satisfy(model, rule, 0, &mut substitution, &mut consequences, effort)?;
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

/// Outputs the head for every substitution that satisfies the body from literal `next` on.
fn satisfy(
    model: &Model,
    rule: &Rule,
    next: usize,
    substitution: &mut Substitution,
    consequences: &mut Vec<Arguments>,
    effort: &Effort,
) -> Result<(), OracleError> {
    let Some(literal) = rule.body.get(next) else {
        consequences.push(apply_all(&rule.head.arguments, substitution));
        return Ok(());
    };
    let term = |pattern: &Pattern, substitution: &Substitution| {
        pattern.apply(substitution).expect("the order of the literals binds the variables of tests first")
    };
    let is_satisfied = match literal {
        Literal::Holds(atom) => {
            return satisfy_atom(model, rule, (next, atom), substitution, consequences, effort);
        }
        Literal::Fails(atom) => {
            effort.spend()?;
            !model.contains(atom.predicate, &apply_all(&atom.arguments, substitution))
        }
        Literal::Distinct(left, right) => term(left, substitution) != term(right, substitution),
        Literal::Same(left, right) => term(left, substitution) == term(right, substitution),
    };
    if is_satisfied {
        satisfy(model, rule, next + 1, substitution, consequences, effort)?;
    }
    Ok(())
}

/// The same where that literal is an atom: it is matched with everything in the model.
fn satisfy_atom(
    model: &Model,
    rule: &Rule,
    (position, atom): (usize, &Atom),
    substitution: &mut Substitution,
    consequences: &mut Vec<Arguments>,
    effort: &Effort,
) -> Result<(), OracleError> {
    let prefix: Vec<Term> = atom.arguments.iter().map_while(|pattern| pattern.apply(substitution)).collect();
    let before = substitution.clone();
    for arguments in model.atoms_from(atom.predicate, &prefix) {
        effort.spend()?;
        if match_all(&atom.arguments, arguments, substitution) {
            satisfy(model, rule, position + 1, substitution, consequences, effort)?;
        }
        substitution.clone_from(&before);
    }
    Ok(())
}

fn apply_all(patterns: &[Pattern], substitution: &Substitution) -> Arguments {
    let terms = patterns.iter().map(|pattern| pattern.apply(substitution));
    terms.collect::<Option<_>>().expect("every variable of a safe rule is bound by its positive literals")
}
