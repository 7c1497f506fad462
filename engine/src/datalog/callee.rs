//! Relations that are computed on demand, only for the values that a plan requests.
//!
//! Rules written for a top-down prover can have astronomically many
//! conclusions if they are evaluated bottom-up: `(threatened ?owner ?x ?y ?u ?v)` for all squares at
//! once. A plan that reaches such a literal knows the values of some arguments, and *calls*: the rows with these
//! values are computed completely, unless they were before, and then joined like those of any relation.
//!
//! A callee is a strongly connected component of the dependency graph, so that a component never calls one
//! that is still running: calls nest, and negated relations are complete when they are looked up. Within a
//! recursive component the rules determine what they request from each other, as with magic sets, and rounds run until
//! there are neither new rows nor new questions.
//!
//! # Sources
//! Tabling: W. Chen, D. Warren, "Tabled evaluation with delaying for general logic programs", JACM 43, 1996, of
//! which stratified rules need only the completion of calls. Magic sets within a component: F. Bancilhon,
//! D. Maier, Y. Sagiv, J. Ullman, "Magic sets and other strange ways to implement logic programs", PODS 1986.

use std::sync::Arc;

use super::{
    phase::RelationPhase,
    plan::{Plan, RelationId},
};

/// A strongly connected component that is evaluated when it is called.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    pub(super) phase: RelationPhase,
    /// The relations that it fills.
    pub(super) heads: Vec<RelationId>,
    /// The ways to call it.
    pub(super) entries: Vec<CalleeEntry>,
    /// Plans that run until nothing new comes, each with a delta; none where nothing is recursive.
    pub(super) rounds: Vec<Filed>,
}

/// One relation of a callee with the arguments whose values callers know.
#[derive(Clone, Debug)]
pub(super) struct CalleeEntry {
    /// The relation.
    pub(super) head: RelationId,
    /// Has a row for each call that there was: the values of these places.
    pub(super) asked: RelationId,
    /// The index that tells whether a question was asked before.
    pub(super) asked_index: usize,
    /// Where all places are known, the index of the one row that is sought.
    pub(super) sought: Option<usize>,
    /// Plans that run once for each call; if the callee is recursive, its rounds run instead.
    pub(super) plans: Vec<Filed>,
}

/// A plan, and the number of its register file.
#[derive(Clone, Debug)]
pub(super) struct Filed {
    pub(super) plan: Plan,
    pub(super) file: usize,
}

impl Callee {
    /// All relations that calls fill: its own, and those of the questions.
    pub(super) fn relations(&self) -> impl Iterator<Item = RelationId> + '_ {
        self.heads.iter().copied().chain(self.entries.iter().map(|entry| entry.asked))
    }

    /// All plans.
    pub(super) fn plans(&self) -> impl Iterator<Item = &Filed> {
        self.rounds.iter().chain(self.entries.iter().flat_map(|entry| &entry.plans))
    }
}

/// The state of calls in working memory.
#[derive(Debug)]
pub(super) struct Calling {
    pub(super) callees: Arc<[Callee]>,
    /// For each callee whether it was called since its relations were cleared.
    pub(super) is_called: Vec<bool>,
    /// The register files of the plans of callees, by their numbers.
    pub(super) files: Vec<Vec<u32>>,
    /// Cursors for calls that begin.
    pub(super) spare_cursors: Vec<Vec<u32>>,
}

impl Calling {
    pub(super) fn new(callees: Arc<[Callee]>) -> Self {
        let plans = callees.iter().flat_map(Callee::plans);
        let mut files: Vec<_> = plans.map(|filed| (filed.file, filed.plan.registers.clone())).collect();
        files.sort_unstable_by_key(|(file, _)| *file);
        Self {
            is_called: vec![false; callees.len()],
            files: files.into_iter().map(|(_, registers)| registers).collect(),
            spare_cursors: Vec::new(),
            callees,
        }
    }
}
