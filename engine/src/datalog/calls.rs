//! Which relations are computed on demand, and which known arguments plans pass to them.

use std::collections::BTreeMap;

use super::{
    layout::{Holding, Layout},
    plan::RelationId,
};
use crate::id::PredicateId;

/// Ways to call one relation beyond these are not told apart: it is then called for all of its rows.
const ENTRIES_MAX: usize = 24;

/// The requests of plans, as they become known while the plans are made.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    /// The component that computes a relation on demand.
    callee_of: BTreeMap<PredicateId, usize>,
    /// For each callee its entries, in the order in which they were requested.
    pub(super) requests: Vec<Vec<Request>>,
}

/// One relation with the arguments whose values are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) predicate: PredicateId,
    /// Ascending.
    pub(super) places: Vec<usize>,
    /// The relation that receives the values.
    pub(super) asked: RelationId,
}

impl Calls {
    /// Calls of components by their predicates.
    pub(super) fn of(components: impl Iterator<Item = Vec<PredicateId>>) -> Self {
        let mut calls = Self::default();
        for (callee, predicates) in components.enumerate() {
            calls.callee_of.extend(predicates.into_iter().map(|predicate| (predicate, callee)));
            calls.requests.push(Vec::new());
        }
        calls
    }

    /// The callee of a relation, if it is computed on demand.
    pub(super) fn callee(&self, predicate: PredicateId) -> Option<usize> {
        self.callee_of.get(&predicate).copied()
    }

    /// Clears all requests.
    pub(super) fn clear(&mut self) {
        self.requests.iter_mut().for_each(Vec::clear);
    }

    /// The entry of a callee for a relation of which the arguments `places` are known; which of them it uses.
    pub(super) fn ask(
        &mut self,
        callee: usize,
        predicate: PredicateId,
        mut places: Vec<usize>,
        layout: &mut Layout,
    ) -> (usize, Vec<usize>) {
        let requests = &mut self.requests[callee];
        let same =
            |request: &Request, places: &[usize]| request.predicate == predicate && request.places == places;
        let of_relation = requests.iter().filter(|request| request.predicate == predicate).count();
        if of_relation >= ENTRIES_MAX && !requests.iter().any(|request| same(request, &places)) {
            places.clear();
        }
        if let Some(known) = requests.iter().position(|request| same(request, &places)) {
            return (known, places);
        }
        let asked = layout.relation(Holding::Asked(predicate, mask(&places)), places.len());
        requests.push(Request { predicate, places: places.clone(), asked });
        (requests.len() - 1, places)
    }
}

/// The places as bits; limits keep arities to 128.
fn mask(places: &[usize]) -> u128 {
    places.iter().fold(0, |mask, &place| mask | 1 << place)
}
