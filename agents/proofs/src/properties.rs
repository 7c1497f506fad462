//! What facts of the rules say of each of several constants, such as the suit of a card.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::stages::rules::{Program, Rule, Term};

/// How many values a property may have.
const VALUES_MAX: usize = 8;

/// A value for each of some constants.
pub(crate) type Property = BTreeMap<String, String>;

/// The properties that facts give constants: two arguments of a relation, of which the first determines the second.
pub(crate) fn properties(program: &Program) -> BTreeSet<Property> {
    let mut tables: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for rule in program.rules.iter().filter(|rule| rule.body.is_empty()) {
        if let Some(row) = constants(program, rule) {
            tables.entry(program.name(rule.head.predicate)).or_default().push(row);
        }
    }
    let mut found = BTreeSet::new();
    for rows in tables.values() {
        let arity = rows.iter().map(Vec::len).min().unwrap_or(0);
        let pairs = (0..arity).flat_map(|of| (0..arity).map(move |value| [of, value]));
        found.extend(pairs.filter(|[of, value]| of != value).filter_map(|[of, value]| {
            let mut property = Property::new();
            for row in rows {
                let known = property.entry(row[of].to_owned()).or_insert_with(|| row[value].to_owned());
                if known != row[value] {
                    return None;
                }
            }
            let values: BTreeSet<&String> = property.values().collect();
            let is_told = (2..=VALUES_MAX).contains(&values.len()) && values.len() < property.len();
            is_told.then_some(property)
        }));
    }
    found
}

/// The arguments of a fact, if all are constants.
fn constants<'p>(program: &'p Program, rule: &Rule) -> Option<Vec<&'p str>> {
    let constant = |term: &Term| match term {
        Term::Constant(symbol) => Some(program.symbols.name(*symbol)),
        Term::Variable(_) | Term::Compound(..) => None,
    };
    rule.head.arguments.iter().map(constant).collect()
}
