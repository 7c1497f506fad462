//! The compiled program: what is computed once, what for each state, what for each joint move.

use std::sync::Arc;

use super::{
    LimitError,
    layout::{Holding, Layout},
    machine::Memory,
    plan::{Plan, RelationId},
    planner::{Estimate, plan},
    relation::Relation,
    terms::{Terms, Vocabulary},
};
use crate::{
    check::CheckedRules,
    id::{PredicateId, RoleId, RuleId, TermId},
    limits::Limits,
    rules::{Keyword, Literal, Program, Scc},
};

/// A question that a state, or a state and a joint move, can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is the match over?
    Terminal,
    /// What may be played?
    Legal,
    /// What is it worth?
    Goal,
    /// What is true next?
    Next,
    /// Who is told what?
    Sees,
}

impl Question {
    const ALL: [Self; 5] = [Self::Terminal, Self::Legal, Self::Goal, Self::Next, Self::Sees];

    fn keyword(self) -> Keyword {
        match self {
            Self::Terminal => Keyword::Terminal,
            Self::Legal => Keyword::Legal,
            Self::Goal => Keyword::Goal,
            Self::Next => Keyword::Next,
            Self::Sees => Keyword::Sees,
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// When a relation can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// Once and for all.
    Static,
    /// When the state is known.
    State,
    /// When the joint move is known too.
    Joint,
}

/// One strongly connected component of the dependency graph, compiled.
#[derive(Debug)]
struct Stage {
    phase: Phase,
    /// The questions it is needed for, as bits.
    questions: u8,
    /// Plans that run once.
    once: Vec<Plan>,
    /// Plans that run until nothing new comes, each with a delta.
    rounds: Vec<Plan>,
    /// The relations that it fills.
    heads: Vec<RelationId>,
}

/// A program compiled for evaluation. Immutable; each thread asks it through a [`Session`].
#[derive(Debug)]
pub struct Reasoner {
    stages: Vec<Stage>,
    layout: Layout,
    answers: [Option<RelationId>; 5],
    roles: Vec<TermId>,
    initial: Vec<TermId>,
    vocabulary: Arc<Vocabulary>,
    fuel: u64,
}

/// Numbers about a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReasonerStatistics {
    /// Relations kept.
    pub relations: usize,
    /// Rows of relations that hold in every state.
    pub static_rows: usize,
    /// Plans, semi-naive variants included, that run for each state or joint move.
    pub plans: usize,
}

impl Reasoner {
    /// Compiles checked rules, and computes what holds in every state.
    ///
    /// # Errors
    /// [`LimitError`] if that takes more fuel or terms than allowed.
    pub fn new(rules: &CheckedRules, limits: &Limits) -> Result<Self, LimitError> {
        let program = rules.program();
        let vocabulary = Arc::new(Vocabulary::new(program.symbols.clone(), *limits)?);
        let mut builder = Builder::new(rules, vocabulary.reader(), limits);
        builder.compile(Phase::Static)?;
        let initial = builder.column(Keyword::Init, 0);
        let roles = builder.role_terms();
        builder.estimate_fluents(&initial);
        builder.compile(Phase::State)?;
        builder.compile(Phase::Joint)?;
        let answers = Question::ALL.map(|question| builder.relation_of(question.keyword()));
        Ok(Self {
            stages: builder.stages,
            layout: builder.layout,
            answers,
            roles,
            initial,
            vocabulary,
            fuel: limits.fuel,
        })
    }

    /// The roles in the order of the rules.
    #[must_use]
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The fluents that are true at the beginning.
    #[must_use]
    pub fn initial(&self) -> &[TermId] {
        &self.initial
    }

    /// The terms that the game has met.
    #[must_use]
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// Numbers about what was compiled.
    #[must_use]
    pub fn statistics(&self) -> ReasonerStatistics {
        ReasonerStatistics {
            relations: self.layout.relations.len(),
            static_rows: self.layout.relations.iter().map(|relation| relation.len() as usize).sum(),
            plans: self.stages.iter().map(|stage| stage.once.len() + stage.rounds.len()).sum(),
        }
    }
}

/// A reasoner in the making. Plans are made when the sizes of what they join are known.
struct Builder<'r> {
    program: &'r Program,
    sccs: &'r [Scc],
    phases: Vec<Phase>,
    questions: Vec<u8>,
    rules_of: Vec<Vec<RuleId>>,
    layout: Layout,
    estimates: Vec<Estimate>,
    stages: Vec<Stage>,
    terms: Option<Terms>,
    fuel: u64,
}

impl<'r> Builder<'r> {
    fn new(rules: &'r CheckedRules, terms: Terms, limits: &Limits) -> Self {
        let (program, graph) = (rules.program(), rules.graph());
        let needs = |keyword: Keyword| match program.keyword(keyword) {
            Some(predicate) => graph.dependents(&[predicate]),
            None => vec![false; program.predicates.len()],
        };
        let (on_state, on_joint) = (needs(Keyword::True), needs(Keyword::Does));
        let phases = program.predicate_ids().map(|predicate| {
            match (on_joint[predicate.index()], on_state[predicate.index()]) {
                (true, _) => Phase::Joint,
                (false, true) => Phase::State,
                (false, false) => Phase::Static,
            }
        });
        let mut rules_of = vec![Vec::new(); program.predicates.len()];
        for id in program.rule_ids() {
            rules_of[program.rules[id.index()].head.predicate.index()].push(id);
        }
        Self {
            program,
            sccs: &graph.sccs,
            rules_of,
            phases: phases.collect(),
            questions: question_bits(rules),
            layout: Layout::new(program),
            estimates: Vec::new(),
            stages: Vec::new(),
            terms: Some(terms),
            fuel: limits.fuel,
        }
    }

    /// Compiles the components of one phase; those of the static phase are evaluated too.
    fn compile(&mut self, phase: Phase) -> Result<(), LimitError> {
        for scc in self.sccs {
            let first = scc.predicates[0];
            let needed = scc.predicates.iter().any(|predicate| self.is_needed(*predicate));
            if self.phases[first.index()] != phase || !needed {
                continue;
            }
            let stage = self.stage(scc, phase);
            if phase == Phase::Static {
                self.evaluate(&stage)?;
            } else {
                self.stages.push(stage);
            }
        }
        Ok(())
    }

    fn is_needed(&self, predicate: PredicateId) -> bool {
        self.questions[predicate.index()] != 0
    }

    fn stage(&mut self, scc: &Scc, phase: Phase) -> Stage {
        let questions =
            scc.predicates.iter().fold(0, |bits, predicate| bits | self.questions[predicate.index()]);
        let heads = scc.predicates.iter().map(|&predicate| {
            self.layout.derived(predicate, self.program.predicates[predicate.index()].arity)
        });
        let mut stage =
            Stage { phase, questions, once: Vec::new(), rounds: Vec::new(), heads: heads.collect() };
        let rules = scc.predicates.iter().flat_map(|predicate| self.rules_of[predicate.index()].clone());
        let mut rules: Vec<RuleId> = rules.collect();
        rules.sort_unstable();
        for id in rules {
            self.plan_rule(id, scc, &mut stage);
        }
        for &head in &stage.heads {
            self.trim_estimate(head);
        }
        stage
    }

    fn plan_rule(&mut self, id: RuleId, scc: &Scc, stage: &mut Stage) {
        let rule = &self.program.rules[id.index()];
        let is_inner = |literal: &Literal| match literal {
            Literal::Positive(atom) => scc.is_recursive && scc.predicates.contains(&atom.predicate),
            Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => false,
        };
        let inner: Vec<usize> =
            (0..rule.body.len()).filter(|&position| is_inner(&rule.body[position])).collect();
        if inner.is_empty() {
            let (plan, conclusions) = plan(id, rule, None, &mut self.layout, &self.estimates);
            self.add_estimate(plan.head, &conclusions);
            stage.once.push(plan);
        }
        for position in inner {
            let (plan, conclusions) = plan(id, rule, Some(position), &mut self.layout, &self.estimates);
            self.add_estimate(plan.head, &conclusions);
            stage.rounds.push(plan);
        }
    }

    /// Expects one more rule's conclusions in a relation.
    fn add_estimate(&mut self, head: RelationId, conclusions: &Estimate) {
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
    fn evaluate(&mut self, stage: &Stage) -> Result<(), LimitError> {
        let terms = self.terms.take().expect("the builder has its terms between evaluations");
        let mut memory = Memory::new(std::mem::take(&mut self.layout.relations), terms);
        memory.fuel = self.fuel;
        let mut registers = Registers::of(std::slice::from_ref(stage));
        let result = run_stage(stage, 0, &mut memory, &mut registers);
        self.layout.relations = memory.relations;
        self.terms = Some(memory.terms);
        result.map_err(|error| error.with_fuel(self.fuel))?;
        for &head in &stage.heads {
            let relation = &self.layout.relations[head as usize];
            let distinct = (0..relation.arity()).map(|column| distinct_values(relation.rows(), column));
            let estimate = Estimate { rows: f64::from(relation.len()), distinct: distinct.collect() };
            self.set_estimate(head, estimate);
        }
        Ok(())
    }

    fn set_estimate(&mut self, relation: RelationId, estimate: Estimate) {
        for known in self.estimates.len()..=relation as usize {
            let arity = self.layout.relations[known].arity();
            // Not yet known, which a negative number of rows says to `add_estimate` alone.
            self.estimates.push(Estimate { rows: -1.0, distinct: vec![4.0; arity] });
        }
        self.estimates[relation as usize] = estimate;
    }

    /// Expects states to have as many fluents of each function as the initial one, or a few.
    fn estimate_fluents(&mut self, initial: &[TermId]) {
        // Placing every atom makes all relations of fluents and moves known.
        for rule in &self.program.rules {
            self.layout.place(&rule.head);
            for atom in rule.body.iter().filter_map(Literal::atom) {
                self.layout.place(atom);
            }
        }
        let terms = self.terms.take().expect("the builder has its terms between evaluations");
        for relation in 0..self.layout.holdings.len() {
            let id = RelationId::try_from(relation).expect("limits keep relations few");
            let rows: Vec<&[u32]> = match self.layout.holdings[relation] {
                Holding::Fluent(symbol, arity) => {
                    let parts = initial.iter().map(|term| terms.parts(term.raw()));
                    let same =
                        parts.filter(|(found, arguments)| *found == symbol && arguments.len() == arity);
                    same.map(|(_, arguments)| arguments).collect()
                }
                Holding::Derived(_) | Holding::AnyFluent | Holding::Move(..) | Holding::AnyMove => continue,
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
            let id = RelationId::try_from(relation).expect("limits keep relations few");
            let arity = self.layout.relations[relation].arity();
            match holding {
                Holding::Move(..) | Holding::AnyMove => {
                    self.set_estimate(id, Estimate { rows: 1.0, distinct: vec![1.0; arity] });
                }
                Holding::AnyFluent => {
                    let rows = initial.len().max(4) as f64;
                    self.set_estimate(id, Estimate { rows, distinct: vec![rows] });
                }
                Holding::Derived(_) | Holding::Fluent(..) => {}
            }
        }
        self.terms = Some(terms);
    }

    fn relation_of(&self, keyword: Keyword) -> Option<RelationId> {
        self.layout.get(Holding::Derived(self.program.keyword(keyword)?))
    }

    /// The distinct values of a column of a keyword's relation.
    fn column(&self, keyword: Keyword, column: usize) -> Vec<TermId> {
        let Some(relation) = self.relation_of(keyword) else { return Vec::new() };
        let rows = self.layout.relations[relation as usize].rows();
        rows.map(|row| TermId::from_raw(row[column])).collect()
    }

    /// The roles in file order: facts run in that order.
    fn role_terms(&self) -> Vec<TermId> {
        self.column(Keyword::Role, 0)
    }
}

/// For each predicate, the questions that need it, as bits; a high bit for what the start needs.
fn question_bits(rules: &CheckedRules) -> Vec<u8> {
    const START: u8 = 1 << 7;
    let (program, graph) = (rules.program(), rules.graph());
    let mut bits = vec![0; program.predicates.len()];
    let asked = Question::ALL.map(|question| (question.keyword(), question.bit()));
    for (keyword, bit) in asked.into_iter().chain([(Keyword::Init, START), (Keyword::Role, START)]) {
        let Some(root) = program.keyword(keyword) else { continue };
        let mut open = vec![root];
        while let Some(predicate) = open.pop() {
            if bits[predicate.index()] & bit == 0 {
                bits[predicate.index()] |= bit;
                open.extend(graph.needs(predicate));
            }
        }
    }
    bits
}

fn distinct_values<'r>(rows: impl Iterator<Item = &'r [u32]>, column: usize) -> f64 {
    let mut values: Vec<u32> = rows.map(|row| row[column]).collect();
    values.sort_unstable();
    values.dedup();
    values.len() as f64
}

/// The register files of all plans of some stages, in order.
#[derive(Debug)]
struct Registers {
    once: Vec<Vec<Vec<u32>>>,
    rounds: Vec<Vec<Vec<u32>>>,
}

impl Registers {
    fn of(stages: &[Stage]) -> Self {
        let files = |plans: &[Plan]| plans.iter().map(|plan| plan.registers.clone()).collect();
        Self {
            once: stages.iter().map(|stage| files(&stage.once)).collect(),
            rounds: stages.iter().map(|stage| files(&stage.rounds)).collect(),
        }
    }
}

/// Evaluates one stage to its fixpoint. Its relations are empty before.
fn run_stage(
    stage: &Stage,
    number: usize,
    memory: &mut Memory,
    registers: &mut Registers,
) -> Result<(), LimitError> {
    for (plan, file) in stage.once.iter().zip(&mut registers.once[number]) {
        memory.run(plan, file)?;
    }
    if stage.rounds.is_empty() {
        return Ok(());
    }
    loop {
        let mut is_growing = false;
        for &head in &stage.heads {
            let relation = &mut memory.relations[head as usize];
            relation.delta_start =
                if relation.visible_end == super::relation::NONE { 0 } else { relation.visible_end };
            relation.visible_end = relation.len();
            is_growing |= relation.delta_start < relation.visible_end;
        }
        if !is_growing {
            break;
        }
        for (plan, file) in stage.rounds.iter().zip(&mut registers.rounds[number]) {
            memory.run(plan, file)?;
        }
    }
    for &head in &stage.heads {
        let relation = &mut memory.relations[head as usize];
        (relation.delta_start, relation.visible_end) = (0, super::relation::NONE);
    }
    Ok(())
}

/// One thread's evaluation of one reasoner: a state, perhaps a joint move, and what follows.
#[derive(Debug)]
pub struct Session {
    memory: Memory,
    registers: Registers,
    is_done: Vec<bool>,
    /// Where fluents and moves go: by fluent, and by term for moves.
    fluent_routes: Vec<Option<RelationId>>,
    any_fluent: Option<RelationId>,
    any_move: Option<RelationId>,
    inputs_state: Vec<RelationId>,
    inputs_joint: Vec<RelationId>,
    /// The rule that first gave each row of `goal`.
    goal_rules: Vec<RuleId>,
}

impl Session {
    /// A session with nothing loaded.
    #[must_use]
    pub fn new(reasoner: &Reasoner) -> Self {
        let layout = &reasoner.layout;
        let inputs = |wanted: fn(&Holding) -> bool| {
            let relations = layout.holdings.iter().enumerate().filter(|(_, holding)| wanted(holding));
            relations.map(|(id, _)| RelationId::try_from(id).expect("limits keep relations few")).collect()
        };
        Self {
            memory: Memory::new(layout.relations.clone(), reasoner.vocabulary.reader()),
            registers: Registers::of(&reasoner.stages),
            is_done: vec![false; reasoner.stages.len()],
            fluent_routes: Vec::new(),
            any_fluent: layout.get(Holding::AnyFluent),
            any_move: layout.get(Holding::AnyMove),
            inputs_state: inputs(|holding| matches!(holding, Holding::Fluent(..) | Holding::AnyFluent)),
            inputs_joint: inputs(|holding| matches!(holding, Holding::Move(..) | Holding::AnyMove)),
            goal_rules: Vec::new(),
        }
    }

    /// The terms that this session knows.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.memory.terms
    }

    /// Forgets everything and makes these fluents true.
    pub fn load_state(&mut self, reasoner: &Reasoner, fluents: impl Iterator<Item = crate::FluentId>) {
        self.clear(reasoner, Phase::State);
        self.memory.fuel = reasoner.fuel;
        for fluent in fluents {
            if fluent.index() >= self.fluent_routes.len() {
                self.route_fluents(reasoner);
            }
            let term = self.memory.terms.fluent_term(fluent);
            if let Some(relation) = self.fluent_routes[fluent.index()] {
                let (_, arguments) = self.memory.terms.parts(term.raw());
                self.memory.relations[relation as usize].append(arguments);
            }
            if let Some(relation) = self.any_fluent {
                self.memory.relations[relation as usize].append(&[term.raw()]);
            }
        }
    }

    fn route_fluents(&mut self, reasoner: &Reasoner) {
        self.memory.terms.catch_up();
        for index in self.fluent_routes.len()..self.memory.terms.fluents_count() {
            let fluent = crate::FluentId::new(index).expect("fluents were counted when interned");
            let (symbol, arguments) = self.memory.terms.parts(self.memory.terms.fluent_term(fluent).raw());
            self.fluent_routes.push(reasoner.layout.get(Holding::Fluent(symbol, arguments.len())));
        }
    }

    /// Forgets the joint move there was, and lets each role do this.
    pub fn load_joint(&mut self, reasoner: &Reasoner, moves: impl Iterator<Item = (RoleId, TermId)>) {
        self.clear(reasoner, Phase::Joint);
        self.memory.fuel = reasoner.fuel;
        let mut row = Vec::new();
        for (role, played) in moves {
            if !self.memory.terms.knows(played) {
                self.memory.terms.catch_up();
            }
            let role = reasoner.roles[role.index()].raw();
            let (symbol, arguments) = self.memory.terms.parts(played.raw());
            if let Some(relation) = reasoner.layout.get(Holding::Move(symbol, arguments.len())) {
                row.clear();
                row.push(role);
                row.extend_from_slice(arguments);
                self.memory.relations[relation as usize].append(&row);
            }
            if let Some(relation) = self.any_move {
                self.memory.relations[relation as usize].append(&[role, played.raw()]);
            }
        }
    }

    /// Forgets what depends on a phase or a later one.
    fn clear(&mut self, reasoner: &Reasoner, from: Phase) {
        if from == Phase::State {
            self.goal_rules.clear();
            for &relation in &self.inputs_state {
                self.memory.relations[relation as usize].clear();
            }
        }
        for &relation in &self.inputs_joint {
            self.memory.relations[relation as usize].clear();
        }
        for (stage, is_done) in reasoner.stages.iter().zip(&mut self.is_done) {
            if *is_done && stage.phase >= from {
                *is_done = false;
                for &head in &stage.heads {
                    self.memory.relations[head as usize].clear();
                }
            }
        }
    }

    /// Computes what a question needs and is not there yet.
    ///
    /// # Errors
    /// [`LimitError`]; nothing may be asked then until another state is loaded.
    pub fn derive(&mut self, reasoner: &Reasoner, question: Question) -> Result<(), LimitError> {
        for (number, stage) in reasoner.stages.iter().enumerate() {
            if self.is_done[number] || stage.questions & question.bit() == 0 {
                continue;
            }
            self.is_done[number] = true;
            let result = if reasoner.answers[Question::Goal as usize]
                .is_some_and(|goal| stage.heads.contains(&goal))
            {
                self.run_goals(stage, number)
            } else {
                run_stage(stage, number, &mut self.memory, &mut self.registers)
            };
            result.map_err(|error| error.with_fuel(reasoner.fuel))?;
        }
        Ok(())
    }

    /// Evaluates the stage of `goal`, noting which rule gave what; a recursive one is not told apart.
    fn run_goals(&mut self, stage: &Stage, number: usize) -> Result<(), LimitError> {
        if !stage.rounds.is_empty() {
            return run_stage(stage, number, &mut self.memory, &mut self.registers);
        }
        for (plan, file) in stage.once.iter().zip(&mut self.registers.once[number]) {
            self.memory.run(plan, file)?;
            let len = self.memory.relations[plan.head as usize].len() as usize;
            self.goal_rules.resize(len.max(self.goal_rules.len()), plan.rule);
        }
        Ok(())
    }

    /// The rows that answer a question, after [`derive`](Self::derive).
    pub fn answers(&self, reasoner: &Reasoner, question: Question) -> impl Iterator<Item = &[u32]> {
        let relation: Option<&Relation> =
            reasoner.answers[question as usize].map(|id| &self.memory.relations[id as usize]);
        relation.into_iter().flat_map(Relation::rows)
    }

    /// The rule that first gave the `row`-th answer to [`Question::Goal`].
    #[must_use]
    pub fn goal_rule(&self, row: usize) -> Option<RuleId> {
        self.goal_rules.get(row).copied()
    }
}
