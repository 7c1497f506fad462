//! The whole model of a program in which nothing is given from outside: every predicate evaluated
//! to its end, once.
//!
//! Where relations feed each other their sizes are not known beforehand, so the plans of a recursive
//! component are made again whenever one of its relations has doubled.

use std::sync::Arc;

use super::{
    calls::Calls,
    estimate::{Estimate, distinct_values},
    layout::{Holding, Layout},
    machine::{Allowance, Memory, Stopped},
    plan::{Plan, RelationId},
    planner::{Planned, Query, Sources, plan},
    relation::{NONE, Relation},
    terms::Terms,
};
use crate::{
    id::{PredicateId, RuleId},
    limits::LimitError,
    rules::{DependencyGraph, Literal, Program, Scc},
};

/// All that follows from a program.
#[derive(Debug)]
pub struct Model {
    layout: Layout,
    memory: Memory,
}

/// A program whose model takes more work, rows or terms than allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// The rule that was being evaluated.
    pub rule: RuleId,
    /// The limit that was exceeded, without the rule.
    pub limit: LimitError,
    /// How many rows each predicate had by then.
    pub rows: Vec<(PredicateId, usize)>,
}

impl Model {
    /// Evaluates `program` with at most `fuel` rows examined and `rows` rows derived.
    ///
    /// # Errors
    /// [`ModelError`] if that is not enough, or a term grows too large.
    pub fn of(
        program: &Program,
        graph: &DependencyGraph,
        terms: Terms,
        fuel: u64,
        rows: u64,
    ) -> Result<Self, ModelError> {
        let mut layout = Layout::new(program);
        for predicate in program.predicate_ids() {
            layout.derived(predicate, program.predicates[predicate.index()].arity);
        }
        let allowance = Allowance { fuel, rows };
        let relations = std::mem::take(&mut layout.relations);
        let unknown = |relation: &Relation| Estimate { rows: 0.0, distinct: vec![1.0; relation.arity()] };
        let estimates = relations.iter().map(unknown).collect();
        let mut evaluation =
            Evaluation { program, layout, memory: Memory::new(relations, terms, Arc::default()), estimates };
        evaluation.memory.allow(allowance);
        let result = graph.sccs.iter().try_for_each(|scc| evaluation.evaluate(scc));
        let model = Self { layout: evaluation.layout, memory: evaluation.memory };
        match result {
            Ok(()) => Ok(model),
            Err(Stopped { rule, limit }) => Err(ModelError {
                rule,
                limit,
                rows: program.predicate_ids().map(|predicate| (predicate, model.len(predicate))).collect(),
            }),
        }
    }

    /// How many rows a predicate has.
    #[must_use]
    pub fn len(&self, predicate: PredicateId) -> usize {
        self.memory.relations[self.relation(predicate) as usize].len() as usize
    }

    /// The rows of a predicate, numbered in the order in which they were derived.
    pub fn rows(&self, predicate: PredicateId) -> impl ExactSizeIterator<Item = &[u32]> {
        let relation = &self.memory.relations[self.relation(predicate) as usize];
        (0..relation.len()).map(|row| relation.row(row))
    }

    /// The row with a number.
    #[must_use]
    pub fn row(&self, predicate: PredicateId, row: usize) -> &[u32] {
        let row = u32::try_from(row).expect("rows are counted in 32 bits");
        self.memory.relations[self.relation(predicate) as usize].row(row)
    }

    /// The number of a row.
    pub fn find(&mut self, predicate: PredicateId, row: &[u32]) -> Option<u32> {
        let relation = self.relation(predicate);
        let relation = &mut self.memory.relations[relation as usize];
        if row.is_empty() {
            return (relation.len() > 0).then_some(0);
        }
        let index = relation.full_index();
        Some(relation.first(index, row.iter().copied())).filter(|&row| row != NONE)
    }

    /// The terms in the rows.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.memory.terms
    }

    fn relation(&self, predicate: PredicateId) -> RelationId {
        self.layout.get(Holding::Derived(predicate)).expect("every predicate was laid out")
    }
}

struct Evaluation<'p> {
    program: &'p Program,
    layout: Layout,
    memory: Memory,
    estimates: Vec<Estimate>,
}

impl Evaluation<'_> {
    fn evaluate(&mut self, scc: &Scc) -> Result<(), Stopped> {
        let is_inner = |literal: &Literal| match literal {
            Literal::Positive(atom) => scc.is_recursive && scc.predicates.contains(&atom.predicate),
            Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => false,
        };
        let mut rounds = Vec::new();
        for &id in &scc.rules {
            let rule = &self.program.rules[id.index()];
            let inner = (0..rule.body.len()).filter(|&place| is_inner(&rule.body[place]));
            let before = rounds.len();
            rounds.extend(inner.map(|place| (id, place)));
            if rounds.len() == before {
                let plan = self.plan(id, None);
                self.run(&plan)?;
            }
        }
        let head = |predicate: &PredicateId| {
            self.layout.get(Holding::Derived(*predicate)).expect("every predicate was laid out")
        };
        let heads: Vec<RelationId> = scc.predicates.iter().map(head).collect();
        self.measure(&heads);
        if !rounds.is_empty() {
            self.iterate(&rounds, &heads)?;
            self.measure(&heads);
        }
        Ok(())
    }

    /// Semi-naive rounds until nothing new comes.
    fn iterate(&mut self, rounds: &[(RuleId, usize)], heads: &[RelationId]) -> Result<(), Stopped> {
        let mut plans: Vec<Plan> = Vec::new();
        let mut planned_at: Vec<u32> = Vec::new();
        loop {
            let mut is_growing = false;
            for &head in heads {
                let relation = &mut self.memory.relations[head as usize];
                relation.delta_start = if relation.visible_end == NONE { 0 } else { relation.visible_end };
                relation.visible_end = relation.len();
                is_growing |= relation.delta_start < relation.visible_end;
            }
            if !is_growing {
                break;
            }
            let sizes: Vec<u32> =
                heads.iter().map(|&head| self.memory.relations[head as usize].len()).collect();
            if plans.is_empty() || sizes.iter().zip(&planned_at).any(|(now, then)| *now / 2 > *then + 8) {
                self.measure(heads);
                plans = rounds.iter().map(|&(id, place)| self.plan(id, Some(place))).collect();
                planned_at = sizes;
            }
            for plan in &plans {
                self.run(plan)?;
            }
        }
        for &head in heads {
            let relation = &mut self.memory.relations[head as usize];
            (relation.delta_start, relation.visible_end) = (0, NONE);
        }
        Ok(())
    }

    /// Plans keep their indexes in the layout, so the relations lie there while they are made.
    fn plan(&mut self, id: RuleId, delta: Option<usize>) -> Plan {
        std::mem::swap(&mut self.layout.relations, &mut self.memory.relations);
        let rule = &self.program.rules[id.index()];
        let query = Query { delta, ..Query::of(id, rule, &mut self.layout) };
        let (layout, estimates, calls) = (&mut self.layout, &self.estimates[..], &mut Calls::default());
        let Planned { plan, .. } = plan(&query, &mut Sources { layout, estimates, calls });
        std::mem::swap(&mut self.layout.relations, &mut self.memory.relations);
        plan
    }

    fn run(&mut self, plan: &Plan) -> Result<(), Stopped> {
        let mut registers = plan.registers.clone();
        self.memory.run(plan, &mut registers)
    }

    /// Notes the true sizes of relations.
    fn measure(&mut self, heads: &[RelationId]) {
        for &head in heads {
            let relation = &self.memory.relations[head as usize];
            let distinct = (0..relation.arity()).map(|column| distinct_values(relation.rows(), column));
            let estimate = Estimate { rows: f64::from(relation.len()), distinct: distinct.collect() };
            self.estimates[head as usize] = estimate;
        }
    }
}
