//! Compiles checked rules to stages. Plans are made when the sizes of the relations that they join are known.

use std::sync::Arc;

use super::{
    callee::Callee,
    calls::Calls,
    estimate::{Estimate, distinct_values, relation_id},
    layout::{Holding, Layout},
    machine::{Allowance, Memory, Stopped},
    overrun::Overrun,
    phase::RelationPhase,
    plan::RelationId,
    planner::{GoalOrder, Planned, Query, Sources, plan},
    question::Question,
    stage::{Registers, SccPlans, run_goals, run_stage},
    terms::Terms,
};
use crate::{
    id::{PredicateId, RuleId, TermId},
    limits::LimitError,
    rules::{DependencyGraph, Keyword, Literal, Program, Scc},
};

/// The components that are computed on demand, and how they are planned.
#[derive(Clone, Debug)]
pub(super) struct OnDemand {
    /// Positions of components of the dependency graph, ascending.
    pub(super) sccs: Vec<usize>,
    /// The order of goals in rules that are evaluated on demand.
    pub(super) order: GoalOrder,
}

/// A reasoner in the making.
pub(super) struct ReasonerBuilder<'r> {
    pub(super) program: &'r Program,
    pub(super) sccs: &'r [Scc],
    pub(super) phases: Vec<RelationPhase>,
    questions: Vec<u8>,
    pub(super) layout: Layout,
    pub(super) estimates: Vec<Estimate>,
    pub(super) stages: Vec<SccPlans>,
    /// The rule that first gave each row of `goal`, if it is static.
    pub(super) goal_rules: Vec<RuleId>,
    terms: Option<Terms>,
    allowance: Allowance,
    /// Whether the estimates come from play, so that no plan need guess.
    is_measured: bool,
    /// The components that are computed on demand.
    pub(super) on_demand: &'r [usize],
    pub(super) order: GoalOrder,
    pub(super) calls: Calls,
    pub(super) callees: Vec<Callee>,
    /// Register files of the plans of callees so far.
    pub(super) files: usize,
}

impl<'r> ReasonerBuilder<'r> {
    pub(super) fn new(
        program: &'r Program,
        graph: &'r DependencyGraph,
        terms: Terms,
        allowance: Allowance,
        on_demand: &'r OnDemand,
    ) -> Self {
        let needs = |keyword: Keyword| match program.keyword(keyword) {
            Some(predicate) => graph.dependents(&[predicate]),
            None => vec![false; program.predicates.len()],
        };
        let (on_state, on_joint) = (needs(Keyword::True), needs(Keyword::Does));
        let phases = program.predicate_ids().map(|predicate| {
            match (on_joint[predicate.index()], on_state[predicate.index()]) {
                (true, _) => RelationPhase::Joint,
                (false, true) => RelationPhase::State,
                (false, false) => RelationPhase::Static,
            }
        });
        let components = on_demand.sccs.iter().map(|&position| graph.sccs[position].predicates.clone());
        let mut builder = Self {
            program,
            sccs: &graph.sccs,
            phases: phases.collect(),
            questions: question_bits(program, graph),
            layout: Layout::new(program),
            estimates: Vec::new(),
            stages: Vec::new(),
            goal_rules: Vec::new(),
            terms: Some(terms),
            allowance,
            is_measured: false,
            on_demand: &on_demand.sccs,
            order: on_demand.order,
            calls: Calls::of(components),
            callees: Vec::new(),
            files: 0,
        };
        builder.open_callees();
        builder
    }

    /// Compiles the components of one phase; those of the static phase are evaluated too.
    ///
    /// # Errors
    /// The limit that a component of the static phase exceeded.
    pub(super) fn compile(&mut self, phase: RelationPhase) -> Result<(), Overrun> {
        for (position, scc) in self.sccs.iter().enumerate() {
            let first = scc.predicates[0];
            let needed = scc.predicates.iter().any(|predicate| self.is_needed(*predicate));
            if self.phases[first.index()] != phase
                || !needed
                || self.on_demand.binary_search(&position).is_ok()
            {
                continue;
            }
            let stage = self.stage(scc, phase);
            self.complete_callees();
            if phase == RelationPhase::Static {
                self.evaluate(&stage).map_err(|limit| Overrun { scc: Some(position), limit })?;
            } else {
                self.stages.push(stage);
            }
        }
        if phase == RelationPhase::Static {
            // What was asked here is asked again in each state, so that no state costs less for what came before.
            for relation in self.callees.iter().flat_map(Callee::relations) {
                self.layout.relations[relation as usize].clear();
            }
        }
        Ok(())
    }

    /// Replans the phases that are not static, now that the sizes of relations are measured.
    pub(super) fn recompile(&mut self, sizes: Vec<Option<Estimate>>) -> Result<(), Overrun> {
        self.stages.clear();
        self.calls.clear();
        for callee in &mut self.callees {
            callee.entries.clear();
            callee.rounds.clear();
        }
        self.files = 0;
        for (relation, size) in sizes.into_iter().enumerate() {
            if let Some(size) = size {
                self.set_estimate(relation_id(relation), size);
            }
        }
        self.is_measured = true;
        self.compile(RelationPhase::State)?;
        self.compile(RelationPhase::Joint)
    }

    fn is_needed(&self, predicate: PredicateId) -> bool {
        self.questions[predicate.index()] != 0
    }

    fn stage(&mut self, scc: &Scc, phase: RelationPhase) -> SccPlans {
        let questions =
            scc.predicates.iter().fold(0, |bits, predicate| bits | self.questions[predicate.index()]);
        let heads = scc.predicates.iter().map(|&predicate| {
            self.layout.derived(predicate, self.program.predicates[predicate.index()].arity)
        });
        let mut stage =
            SccPlans { phase, questions, once: Vec::new(), rounds: Vec::new(), heads: heads.collect() };
        for &id in &scc.rules {
            self.plan_rule(id, scc, &mut stage);
        }
        for &head in &stage.heads {
            self.trim_estimate(head);
        }
        stage
    }

    fn plan_rule(&mut self, id: RuleId, scc: &Scc, stage: &mut SccPlans) {
        let rule = &self.program.rules[id.index()];
        let is_inner = |literal: &Literal| match literal {
            Literal::Positive(atom) => scc.is_recursive && scc.predicates.contains(&atom.predicate),
            Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => false,
        };
        let inner: Vec<usize> =
            (0..rule.body.len()).filter(|&position| is_inner(&rule.body[position])).collect();
        let mut query = Query::of(id, rule, &mut self.layout);
        let is_asking = rule.body.iter().filter_map(Literal::atom);
        if is_asking.map(|atom| self.calls.callee(atom.predicate)).any(|callee| callee.is_some()) {
            query.order = self.order;
        }
        if inner.is_empty() {
            let Planned { plan, conclusions, .. } = self.plan(&query);
            self.add_estimate(plan.head, &conclusions);
            stage.once.push(plan);
        }
        for position in inner {
            query.delta = Some(position);
            let Planned { plan, conclusions, .. } = self.plan(&query);
            self.add_estimate(plan.head, &conclusions);
            stage.rounds.push(plan);
        }
    }

    pub(super) fn plan(&mut self, query: &Query<'_>) -> Planned {
        let Self { layout, estimates, calls, .. } = self;
        plan(query, &mut Sources { layout, estimates, calls })
    }

    /// Expects one more rule's conclusions in a relation.
    pub(super) fn add_estimate(&mut self, head: RelationId, conclusions: &Estimate) {
        if self.is_measured {
            return;
        }
        let arity = self.layout.relations[head as usize].arity();
        let mut sum = match self.estimates.get(head as usize) {
            Some(known) if known.rows >= 0.0 => known.clone(),
            _ => Estimate { rows: 0.0, distinct: vec![0.0; arity] },
        };
        sum.rows += conclusions.rows;
        for (column, values) in sum.distinct.iter_mut().zip(&conclusions.distinct) {
            *column += values;
        }
        self.set_estimate(head, sum);
    }

    /// A column has no more values than there are rows, and no fewer than one.
    fn trim_estimate(&mut self, head: RelationId) {
        if let Some(estimate) = self.estimates.get_mut(head as usize) {
            for column in &mut estimate.distinct {
                *column = column.min(estimate.rows).max(1.0);
            }
        }
    }

    /// Fills the relations of a static stage, and notes their true sizes.
    fn evaluate(&mut self, stage: &SccPlans) -> Result<(), LimitError> {
        let terms = self.terms.take().expect("the builder has its terms between evaluations");
        let callees = if stage.has_calls() { Arc::from(self.callees.clone()) } else { Arc::default() };
        let mut memory = Memory::new(std::mem::take(&mut self.layout.relations), terms, callees);
        memory.allow(self.allowance);
        let mut registers = Registers::of(std::slice::from_ref(stage));
        let result = if self.relation_of(Keyword::Goal).is_some_and(|goal| stage.heads.contains(&goal)) {
            run_goals(stage, 0, &mut memory, &mut registers, &mut self.goal_rules)
        } else {
            run_stage(stage, 0, &mut memory, &mut registers)
        };
        self.layout.relations = memory.relations;
        self.terms = Some(memory.terms);
        result.map_err(|Stopped { rule, limit }| limit.by(self.program.places()[rule.index()].clone()))?;
        for &head in &stage.heads {
            let relation = &self.layout.relations[head as usize];
            let distinct = (0..relation.arity()).map(|column| distinct_values(relation.rows(), column));
            let estimate = Estimate { rows: f64::from(relation.len()), distinct: distinct.collect() };
            self.set_estimate(head, estimate);
        }
        Ok(())
    }

    pub(super) fn set_estimate(&mut self, relation: RelationId, estimate: Estimate) {
        for known in self.estimates.len()..=relation as usize {
            let arity = self.layout.relations[known].arity();
            // Not yet known, which a negative number of rows says to `add_estimate` alone.
            self.estimates.push(Estimate { rows: -1.0, distinct: vec![4.0; arity] });
        }
        self.estimates[relation as usize] = estimate;
    }

    /// Assumes that states have as many fluents of each function as the initial one, or a few.
    pub(super) fn estimate_fluents(&mut self, initial: &[TermId]) {
        // Placing every atom makes all relations of fluents and moves known.
        for rule in &self.program.rules {
            self.layout.place(&rule.head);
            for atom in rule.body.iter().filter_map(Literal::atom) {
                self.layout.place(atom);
            }
        }
        let terms = self.terms.take().expect("the builder has its terms between evaluations");
        for relation in 0..self.layout.holdings.len() {
            let id = relation_id(relation);
            let rows: Vec<&[u32]> = match self.layout.holdings[relation] {
                Holding::Fluent(symbol, arity) => {
                    let parts = initial.iter().map(|term| terms.parts(term.raw()));
                    let same =
                        parts.filter(|(found, arguments)| *found == symbol && arguments.len() == arity);
                    same.map(|(_, arguments)| arguments).collect()
                }
                Holding::Derived(_)
                | Holding::AnyFluent
                | Holding::Move(..)
                | Holding::AnyMove
                | Holding::Asked(..) => continue,
            };
            let arity = self.layout.relations[relation].arity();
            let estimate = if rows.is_empty() {
                Estimate { rows: if arity == 0 { 0.5 } else { 4.0 }, distinct: vec![3.0; arity] }
            } else {
                let distinct = (0..arity).map(|column| distinct_values(rows.iter().copied(), column));
                Estimate { rows: rows.len() as f64, distinct: distinct.collect() }
            };
            self.set_estimate(id, estimate);
        }
        for (relation, holding) in self.layout.holdings.clone().into_iter().enumerate() {
            let id = relation_id(relation);
            let arity = self.layout.relations[relation].arity();
            match holding {
                Holding::Move(..) | Holding::AnyMove => {
                    self.set_estimate(id, Estimate { rows: 1.0, distinct: vec![1.0; arity] });
                }
                Holding::AnyFluent => {
                    let rows = initial.len().max(4) as f64;
                    self.set_estimate(id, Estimate { rows, distinct: vec![rows] });
                }
                Holding::Derived(_) | Holding::Fluent(..) | Holding::Asked(..) => {}
            }
        }
        self.terms = Some(terms);
    }

    pub(super) fn relation_of(&self, keyword: Keyword) -> Option<RelationId> {
        self.layout.get(Holding::Derived(self.program.keyword(keyword)?))
    }

    /// The distinct values of a column of a keyword's relation.
    pub(super) fn column(&self, keyword: Keyword, column: usize) -> Vec<TermId> {
        let Some(relation) = self.relation_of(keyword) else { return Vec::new() };
        let rows = self.layout.relations[relation as usize].rows();
        rows.map(|row| TermId::from_raw(row[column])).collect()
    }

    /// The roles in file order: facts run in that order.
    pub(super) fn role_terms(&self) -> Vec<TermId> {
        self.column(Keyword::Role, 0)
    }
}

/// For each predicate, the questions that need it, as bits; a high bit means that it is needed at the start.
fn question_bits(program: &Program, graph: &DependencyGraph) -> Vec<u8> {
    const START: u8 = 1 << 7;
    let mut bits = vec![0; program.predicates.len()];
    let asked = Question::ALL.map(|question| (question.keyword(), question.bit()));
    for (keyword, bit) in asked.into_iter().chain([(Keyword::Init, START), (Keyword::Role, START)]) {
        let Some(root) = program.keyword(keyword) else { continue };
        let mut open = vec![root];
        while let Some(predicate) = open.pop() {
            if bits[predicate.index()] & bit == 0 {
                bits[predicate.index()] |= bit;
                open.extend(graph.edges_of(predicate).map(|edge| edge.body));
            }
        }
    }
    bits
}
