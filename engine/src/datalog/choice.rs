//! Which relations of a game are computed on demand: what trial lines show to be less work.
//!
//! For most games it is best to compute every relation completely, which plans do in bulk. If that takes more than
//! a share of the limits, or relations have very many rows, the large components and those that use
//! them are computed on demand instead, in several orders of their goals; the variant that examines the fewest rows for a state
//! is kept. So the same rules give the same reasoner everywhere.

use std::collections::BTreeSet;

use super::{
    builder::OnDemand,
    estimate::relation_id,
    layout::Holding,
    machine::Allowance,
    overrun::Overrun,
    planner::GoalOrder,
    reasoner::Reasoner,
    trial::{Trial, TrialLimits},
};
use crate::{
    check::CheckedRules,
    id::PredicateId,
    limits::{LimitError, Limits},
    rules::{DependencyGraph, Program},
};

/// Number of rows in a state from which computing a relation on demand is tried.
const HEAVY_ROWS: f64 = 1_000.0;

/// Fuel, rows and terms for what holds in every state, before computing it on demand is tried.
const STATIC_SHARE: Allowance = Allowance { fuel: 20_000_000, rows: 500_000 };
const STATIC_TERMS: usize = 400_000;

/// How often rules are compiled again, each time with more relations computed on demand.
const ATTEMPTS_MAX: usize = 6;

/// Demand must reduce the work to this fraction: a row that is called for costs more than one of many.
const GAIN: f64 = 0.8;

/// The limit for a state on demand if computing relations completely takes too much even once.
const BEARABLE_ROWS: f64 = 200_000.0;

/// How deep calls may nest: each takes room on the machine's stack.
const DEPTH_MAX: usize = 200;

impl Reasoner {
    /// Compiles checked rules, and computes what holds in every state.
    ///
    /// Relations that are large are computed on demand where trial lines show that this is less work.
    ///
    /// # Errors
    /// [`LimitError`] if that takes more fuel or terms than allowed.
    pub fn new(rules: &CheckedRules, limits: &Limits) -> Result<Self, LimitError> {
        DemandSearch::of(rules, limits).search()
    }

    /// The same with everything computed on demand that can be, in one order of goals or the other. All answers
    /// are the same; it is there to be compared with.
    ///
    /// # Errors
    /// [`LimitError`] if that takes more fuel or terms than allowed.
    pub fn on_demand(rules: &CheckedRules, limits: &Limits) -> Result<Self, LimitError> {
        let choice = DemandSearch::of(rules, limits);
        let all = choice.demandable(rules.program().predicate_ids());
        let order = if rules.program().rules.len().is_multiple_of(2) {
            GoalOrder::Fewest
        } else {
            GoalOrder::Written
        };
        let compiled = choice.compile(limits, &OnDemand { sccs: choice.within_depth(&all), order });
        compiled.map(|(reasoner, _)| reasoner).map_err(|overrun| overrun.limit)
    }
}

/// The search for the components that are computed on demand.
struct DemandSearch<'r> {
    program: &'r Program,
    graph: &'r DependencyGraph,
    limits: &'r Limits,
    /// The component that defines each predicate, if it can be computed on demand: one with rules, and not one
    /// that is needed from outside.
    scc_of: Vec<Option<usize>>,
}

impl<'r> DemandSearch<'r> {
    fn of(rules: &'r CheckedRules, limits: &'r Limits) -> Self {
        let (program, graph) = (rules.program(), rules.graph());
        let mut scc_of = vec![None; program.predicates.len()];
        let mut is_split = vec![false; program.predicates.len()];
        for (position, scc) in graph.sccs.iter().enumerate() {
            for predicate in &scc.predicates {
                is_split[predicate.index()] = scc_of[predicate.index()].replace(position).is_some();
            }
        }
        let is_kept = |position: usize| {
            let scc = &graph.sccs[position];
            let is_word = |&predicate: &PredicateId| program.as_keyword(predicate).is_some();
            !scc.rules.is_empty()
                && !scc.predicates.iter().any(|predicate| is_word(predicate) || is_split[predicate.index()])
        };
        for scc in &mut scc_of {
            *scc = scc.filter(|&position| is_kept(position));
        }
        Self { program, graph, limits, scc_of }
    }

    /// The components of some predicates, as far as they can be computed on demand.
    fn demandable(&self, predicates: impl Iterator<Item = PredicateId>) -> BTreeSet<usize> {
        predicates.filter_map(|predicate| self.scc_of[predicate.index()]).collect()
    }

    fn compile(&self, share: &Limits, on_demand: &OnDemand) -> Result<(Reasoner, Trial), Overrun> {
        Reasoner::compile(self.program, self.graph, self.limits, share, on_demand)
    }

    fn search(&self) -> Result<Reasoner, LimitError> {
        let share = Limits {
            fuel: self.limits.fuel.min(STATIC_SHARE.fuel),
            rows: self.limits.rows.min(STATIC_SHARE.rows),
            terms: self.limits.terms.min(STATIC_TERMS),
            ..*self.limits
        };
        let none = OnDemand { sccs: Vec::new(), order: GoalOrder::Fewest };
        let mut best: Option<(Reasoner, f64)> = None;
        let mut added = match self.compile(&share, &none) {
            Ok((reasoner, trial)) => {
                let heavy = self.heavy(&reasoner, &trial);
                if heavy.is_empty() {
                    return Ok(reasoner);
                }
                let (reasoner, work) = with_work(reasoner, &trial);
                best = Some((reasoner, work * GAIN));
                heavy
            }
            Err(overrun) => self.around(overrun),
        };
        let mut wanted = BTreeSet::new();
        let mut tried = 0;
        for _ in 0..ATTEMPTS_MAX {
            wanted.append(&mut added);
            let sccs = self.within_depth(&wanted);
            if sccs.len() == tried {
                break;
            }
            tried = sccs.len();
            for order in [GoalOrder::Fewest, GoalOrder::Blind, GoalOrder::Written] {
                match self.compile(&share, &OnDemand { sccs: sccs.clone(), order }) {
                    Ok((reasoner, trial)) => {
                        added.append(&mut self.heavy(&reasoner, &trial));
                        let (reasoner, work) = with_work(reasoner, &trial);
                        let most = best.as_ref().map_or(BEARABLE_ROWS, |(_, least)| *least);
                        if work < most {
                            best = Some((reasoner, work));
                        }
                    }
                    Err(overrun) => added.append(&mut self.around(overrun)),
                }
            }
        }
        match best {
            Some((reasoner, _)) => Ok(reasoner),
            None => {
                let compiled = self.compile(self.limits, &none);
                compiled.map(|(reasoner, _)| reasoner).map_err(|overrun| overrun.limit)
            }
        }
    }

    /// The components that are large in a state, and those that use them.
    fn heavy(&self, reasoner: &Reasoner, trial: &Trial) -> BTreeSet<usize> {
        let relations = reasoner.layout.holdings.iter().zip(&trial.sizes).enumerate();
        let heavy = relations.filter_map(|(relation, (holding, size))| match holding {
            Holding::Derived(predicate) => {
                let is_large = size.as_ref().is_some_and(|size| size.rows >= HEAVY_ROWS);
                // What holds in every state has its rows already.
                let is_open = reasoner.layout.relations[relation].len() == 0;
                let is_stopped = trial.stopped.contains(&relation_id(relation));
                (is_open && (is_large || is_stopped)).then_some(*predicate)
            }
            _ => None,
        });
        self.with_askers(heavy.collect())
    }

    /// A component that takes too much for what holds in every state, and those that use it.
    fn around(&self, overrun: Overrun) -> BTreeSet<usize> {
        let predicates = overrun.scc.map(|position| self.graph.sccs[position].predicates.clone());
        self.with_askers(predicates.unwrap_or_default())
    }

    fn with_askers(&self, predicates: Vec<PredicateId>) -> BTreeSet<usize> {
        if predicates.is_empty() {
            return BTreeSet::new();
        }
        let is_asking = self.graph.dependents(&predicates);
        self.demandable(self.program.predicate_ids().filter(|predicate| is_asking[predicate.index()]))
    }

    /// The components that are not called through more others than calls may nest, ascending.
    fn within_depth(&self, wanted: &BTreeSet<usize>) -> Vec<usize> {
        let mut depths = vec![0; self.graph.sccs.len()];
        let mut kept = Vec::new();
        for &position in wanted {
            let predicates = self.graph.sccs[position].predicates.iter();
            let asked = predicates.flat_map(|&predicate| self.graph.edges_of(predicate));
            let below =
                asked.filter_map(|edge| self.scc_of[edge.body.index()]).filter(|&below| below != position);
            let depth = below.map(|below| depths[below]).max().unwrap_or(0) + 1;
            if depth <= DEPTH_MAX {
                depths[position] = depth;
                kept.push(position);
            }
        }
        kept
    }
}

/// A reasoner with the number of rows that it examines for a state, planned by the results of `trial`.
fn with_work(mut reasoner: Reasoner, trial: &Trial) -> (Reasoner, f64) {
    let again = trial.is_telling().then(|| reasoner.on_trial(TrialLimits::SHORT));
    let work = again.as_ref().unwrap_or(trial).rows_per_state();
    (reasoner, work)
}

#[cfg(test)]
mod tests;
