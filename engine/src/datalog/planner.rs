//! Rule to plan: in which order the literals are joined, and by which indexes.

use super::{
    calls::Calls,
    estimate::Estimate,
    layout::Layout,
    plan::{Action, Plan, PlanStep, Register, RelationId, Rows},
};
use crate::{
    id::{PredicateId, RuleId, SymbolId},
    rules::{Atom, Literal, Rule, Term},
};

/// What plans are made by and added to.
pub(super) struct Sources<'p> {
    pub(super) layout: &'p mut Layout,
    pub(super) estimates: &'p [Estimate],
    pub(super) calls: &'p mut Calls,
}

/// The input of planning: goals that must hold together, and their conclusion.
pub(super) struct Query<'r> {
    pub(super) rule: RuleId,
    /// How many variables the rule has.
    pub(super) variables: usize,
    pub(super) goals: Vec<Goal<'r>>,
    /// The goal that sees the last round's rows and comes first.
    pub(super) delta: Option<usize>,
    pub(super) order: GoalOrder,
    pub(super) head: RelationId,
    pub(super) terms: Vec<&'r Term>,
    /// The relations of the component that is being planned: within it nothing is called.
    pub(super) inner: &'r [PredicateId],
}

/// One goal of a query.
#[derive(Clone)]
pub(super) enum Goal<'r> {
    /// A literal of the rule.
    Literal(&'r Literal),
    /// The rule is called with these values.
    Asked(RelationId, Vec<&'r Term>),
}

/// How the next goal is chosen among those that can be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GoalOrder {
    /// The one with the fewest expected matches, by the usual independence assumption: rows of the relation over
    /// the distinct values of each bound column.
    Fewest,
    /// The same without a penalty for requesting all rows of a relation that is computed on demand.
    Blind,
    /// The goals in the order of the text, and tests as early as possible: what an author of rules for a
    /// prover has in mind.
    Written,
}

/// What became of a query.
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// The expected number of conclusions.
    pub(super) conclusions: Estimate,
    /// The goals in join order, each with the arguments that are known then; empty if the
    /// query is in no component.
    pub(super) joined: Vec<(usize, Vec<usize>)>,
}

impl<'r> Query<'r> {
    /// The query that a rule is.
    pub(super) fn of(id: RuleId, rule: &'r Rule, layout: &mut Layout) -> Self {
        Self {
            rule: id,
            variables: rule.variables.len(),
            goals: rule.body.iter().map(Goal::Literal).collect(),
            delta: None,
            order: GoalOrder::Fewest,
            head: layout.derived(rule.head.predicate, rule.head.arguments.len()),
            terms: rule.head.arguments.iter().collect(),
            inner: &[],
        }
    }
}

/// A plan for a query.
pub(super) fn plan(query: &Query<'_>, sources: &mut Sources<'_>) -> Planned {
    let mut planner = Planner {
        sources,
        inner: query.inner,
        blind: if query.order == GoalOrder::Blind { CALL } else { BLIND_CALL },
        is_bound: vec![false; query.variables],
        domains: vec![f64::INFINITY; query.variables],
        matches: 1.0,
        registers: vec![0; query.variables],
        constants: Vec::new(),
        steps: Vec::new(),
    };
    let mut joined = Vec::new();
    let mut open: Vec<usize> = (0..query.goals.len()).collect();
    if let Some(first) = query.delta {
        if !query.inner.is_empty() {
            joined.push((first, Vec::new()));
        }
        planner.take(&query.goals[first], Rows::Delta);
        open.retain(|&index| index != first);
    }
    while !open.is_empty() {
        let costs = open.iter().map(|&index| planner.cost(&query.goals[index]));
        let possible = costs.enumerate().filter_map(|(place, cost)| Some((cost?, place)));
        let (_, place) = match query.order {
            GoalOrder::Fewest | GoalOrder::Blind => possible.min_by(|one, other| one.0.total_cmp(&other.0)),
            GoalOrder::Written => {
                let mut possible: Vec<_> = possible.collect();
                let test = possible.iter().position(|(_, place)| planner.is_test(&query.goals[open[*place]]));
                (!possible.is_empty()).then(|| possible.swap_remove(test.unwrap_or(0)))
            }
        }
        .expect("in a safe rule some literal can always be joined next");
        let next = open.remove(place);
        if !query.inner.is_empty() {
            joined.push((next, planner.known_places(&query.goals[next])));
        }
        planner.take(&query.goals[next], Rows::Total);
    }
    let conclusions = planner.conclusions(&query.terms);
    Planned { plan: planner.finish(query), conclusions, joined }
}

struct Planner<'p, 's> {
    sources: &'p mut Sources<'s>,
    inner: &'p [PredicateId],
    /// The cost of requesting all rows of a relation that is computed on demand.
    blind: f64,
    is_bound: Vec<bool>,
    /// The estimated number of values of each variable, given the goals so far.
    domains: Vec<f64>,
    /// The expected number of ways to satisfy the goals taken so far.
    matches: f64,
    /// Registers in use: the variables of the rule, then constants and intermediate terms.
    registers: Vec<u32>,
    constants: Vec<(SymbolId, Register)>,
    steps: Vec<PlanStep>,
}

/// The expected cost of a call besides its matches: more than any look-up.
const CALL: f64 = 2.0;

/// The cost of requesting all rows of a relation that is computed on demand.
const BLIND_CALL: f64 = 1e6;

impl Planner<'_, '_> {
    /// The expected number of ways to go on after joining a goal next; `None` if it cannot be.
    fn cost(&mut self, goal: &Goal<'_>) -> Option<f64> {
        let literal = match goal {
            Goal::Literal(literal) => literal,
            Goal::Asked(relation, columns) => return Some(self.matches_of(*relation, columns)),
        };
        let is_ready = literal.terms().all(|term| self.is_term_bound(term));
        match literal {
            Literal::Positive(atom) => {
                let (relation, columns) = self.sources.layout.place(atom);
                let matches = self.matches_of(relation, &columns);
                Some(match self.is_asked(atom) {
                    false => matches,
                    true if columns.iter().any(|term| self.is_term_bound(term)) => matches + CALL,
                    true => matches + self.blind,
                })
            }
            Literal::Negative(atom) => is_ready.then(|| if self.is_asked(atom) { 0.4 + CALL } else { 0.4 }),
            Literal::Distinct(..) | Literal::Same(..) => is_ready.then_some(0.0),
        }
    }

    /// The expected matches of a relation with terms in its columns.
    fn matches_of(&self, relation: RelationId, columns: &[&Term]) -> f64 {
        let bound: Vec<usize> =
            (0..columns.len()).filter(|&column| self.is_term_bound(columns[column])).collect();
        let is_ready = bound.len() == columns.len();
        let matches = self.estimate(relation, columns.len()).matches(bound.into_iter());
        if is_ready { matches.min(0.5) } else { matches }
    }

    /// What must be called before an atom can be looked up.
    fn callee(&self, atom: &Atom) -> Option<usize> {
        let callee = self.sources.calls.callee(atom.predicate)?;
        (!self.inner.contains(&atom.predicate)).then_some(callee)
    }

    /// Whether rows of an atom are computed because it is looked up.
    fn is_asked(&self, atom: &Atom) -> bool {
        self.sources.calls.callee(atom.predicate).is_some()
    }

    /// Whether a goal is known to hold or not by a look-up.
    fn is_test(&self, goal: &Goal<'_>) -> bool {
        match goal {
            Goal::Literal(literal) => {
                literal.terms().all(|term| self.is_term_bound(term))
                    && !literal.atom().is_some_and(|atom| self.is_asked(atom))
            }
            Goal::Asked(_, columns) => columns.iter().all(|term| self.is_term_bound(term)),
        }
    }

    /// The arguments of an atom whose values are known.
    fn known_places(&self, goal: &Goal<'_>) -> Vec<usize> {
        let Goal::Literal(literal) = goal else { return Vec::new() };
        let places = literal.terms().enumerate();
        places.filter(|(_, term)| self.is_term_bound(term)).map(|(place, _)| place).collect()
    }

    /// Joins a goal next.
    fn take(&mut self, goal: &Goal<'_>, rows: Rows) {
        self.matches *= self.cost(goal).unwrap_or(1.0);
        match goal {
            Goal::Asked(relation, columns) => {
                self.narrow(*relation, columns);
                self.look_up(*relation, columns.clone(), rows);
            }
            Goal::Literal(Literal::Positive(atom)) => {
                let (relation, columns) = self.sources.layout.place(atom);
                self.narrow(relation, &columns);
                self.call(atom);
                self.look_up(relation, columns, rows);
            }
            Goal::Literal(literal) => self.test(literal),
        }
    }

    /// Notes how many values variables can have at most.
    fn narrow(&mut self, relation: RelationId, columns: &[&Term]) {
        let estimate = self.estimate(relation, columns.len());
        for (column, term) in columns.iter().enumerate() {
            let domains = &mut self.domains;
            term.for_each_variable(&mut |variable| {
                domains[variable] = domains[variable].min(estimate.distinct[column].max(1.0));
            });
        }
    }

    /// The expected number of conclusions of a rule with these terms in its head, given the goals so far.
    fn conclusions(&self, terms: &[&Term]) -> Estimate {
        let values = |term: &&Term| {
            let mut values = 1.0;
            term.for_each_variable(&mut |variable| values *= self.domains[variable].min(1e6));
            values
        };
        let distinct: Vec<f64> = terms.iter().map(values).collect();
        Estimate { rows: self.matches.min(distinct.iter().product()), distinct }
    }

    fn estimate(&self, relation: RelationId, arity: usize) -> Estimate {
        let unknown = || Estimate { rows: 8.0, distinct: vec![4.0; arity] };
        let known = self.sources.estimates.get(relation as usize).filter(|estimate| estimate.rows >= 0.0);
        known.cloned().unwrap_or_else(unknown)
    }

    fn is_term_bound(&self, term: &Term) -> bool {
        let mut is_bound = true;
        term.for_each_variable(&mut |variable| is_bound &= self.is_bound[variable]);
        is_bound
    }

    fn test(&mut self, literal: &Literal) {
        match literal {
            Literal::Positive(_) => unreachable!("positive literals are looked up"),
            Literal::Negative(atom) => {
                self.call(atom);
                let (relation, columns) = self.sources.layout.place(atom);
                let key = columns.into_iter().map(|term| self.found(term)).collect();
                let index = self.sources.layout.relations[relation as usize].full_index();
                self.steps.push(PlanStep::Absent { relation, index, key });
            }
            Literal::Distinct(left, right, _) => {
                let (left, right) = (self.built(left), self.built(right));
                self.steps.push(PlanStep::Distinct(left, right));
            }
            Literal::Same(left, right, _) => {
                let (left, right) = (self.built(left), self.built(right));
                self.steps.push(PlanStep::Same(left, right));
            }
        }
    }

    /// A step that makes the rows of an atom be there, if it is computed on demand.
    fn call(&mut self, atom: &Atom) {
        let Some(callee) = self.callee(atom) else { return };
        let terms = &atom.arguments;
        let places = (0..terms.len()).filter(|&place| self.is_term_bound(&terms[place])).collect();
        let Sources { layout, calls, .. } = &mut *self.sources;
        let (entry, places) = calls.ask(callee, atom.predicate, places, layout);
        let key = places.into_iter().map(|place| self.built(&terms[place])).collect();
        self.steps.push(PlanStep::Call { callee, entry, key });
    }

    fn look_up(&mut self, relation: RelationId, columns: Vec<&Term>, rows: Rows) {
        let bound: Vec<usize> =
            (0..columns.len()).filter(|&column| self.is_term_bound(columns[column])).collect();
        let key: Vec<Register> = bound.iter().map(|&column| self.found(columns[column])).collect();
        let target = &mut self.sources.layout.relations[relation as usize];
        if bound.len() == columns.len() && rows == Rows::Total {
            let index = target.full_index();
            self.steps.push(PlanStep::Present { relation, index, key });
            return;
        }
        let index = if bound.is_empty() { None } else { Some(target.index_on(&bound)) };
        let mut matches = Vec::new();
        let free = (0..columns.len()).filter(|column| !bound.contains(column));
        let actions = free.map(|column| (column, self.action(columns[column], &mut matches))).collect();
        self.steps.push(match index {
            None => PlanStep::Scan { relation, rows, actions },
            Some(index) => PlanStep::Probe { relation, index, key, rows, actions },
        });
        self.take_apart(matches);
    }

    /// What to do with a value for `term`, which has an unbound variable.
    fn action<'t>(&mut self, term: &'t Term, matches: &mut Vec<(Register, &'t Term)>) -> Action {
        match term {
            Term::Variable(variable) if self.is_bound[*variable] => Action::Check(register(*variable)),
            Term::Variable(variable) => {
                self.is_bound[*variable] = true;
                Action::Bind(register(*variable))
            }
            Term::Constant(symbol) => Action::Check(self.constant(*symbol)),
            Term::Compound(..) => {
                let temporary = self.temporary();
                matches.push((temporary, term));
                Action::Bind(temporary)
            }
        }
    }

    /// Steps that match each register with its compound term, outermost first.
    fn take_apart(&mut self, mut matches: Vec<(Register, &Term)>) {
        while let Some((register, term)) = matches.pop() {
            let Term::Compound(symbol, arguments) = term else {
                unreachable!("only compounds are taken apart")
            };
            let actions = arguments.iter().map(|argument| self.action(argument, &mut matches));
            let actions = actions.collect::<Vec<_>>().into_iter().enumerate().collect();
            let step = PlanStep::Match { term: register, symbol: *symbol, arity: arguments.len(), actions };
            self.steps.push(step);
        }
    }

    /// The register of a bound term, found among the terms there are.
    fn found(&mut self, term: &Term) -> Register {
        self.compose(term, |symbol, arguments, into| PlanStep::Find { symbol, arguments, into })
    }

    /// The register of a bound term, made if it is not there.
    fn built(&mut self, term: &Term) -> Register {
        self.compose(term, |symbol, arguments, into| PlanStep::Build { symbol, arguments, into })
    }

    fn compose(&mut self, term: &Term, step: fn(SymbolId, Vec<Register>, Register) -> PlanStep) -> Register {
        match term {
            Term::Variable(variable) => register(*variable),
            Term::Constant(symbol) => self.constant(*symbol),
            Term::Compound(symbol, arguments) => {
                let arguments = arguments.iter().map(|argument| self.compose(argument, step)).collect();
                let into = self.temporary();
                self.steps.push(step(*symbol, arguments, into));
                into
            }
        }
    }

    fn constant(&mut self, symbol: SymbolId) -> Register {
        if let Some((_, register)) = self.constants.iter().find(|(known, _)| *known == symbol) {
            return *register;
        }
        let register = self.temporary();
        // The constant of symbol `i` is term `i` of every vocabulary.
        let raw = u32::try_from(symbol.index()).expect("limits keep symbols below 2^32");
        self.registers[usize::from(register)] = raw;
        self.constants.push((symbol, register));
        register
    }

    fn temporary(&mut self) -> Register {
        self.registers.push(0);
        register(self.registers.len() - 1)
    }

    fn finish(mut self, query: &Query<'_>) -> Plan {
        let body_len = self.steps.len();
        let mut in_head = vec![false; query.variables];
        for term in &query.terms {
            term.for_each_variable(&mut |variable| in_head[variable] = true);
        }
        let emit = query.terms.iter().map(|term| self.built(term)).collect();
        let head = query.head;
        let head_index = self.sources.layout.relations[head as usize].full_index();
        let mut back = Vec::with_capacity(self.steps.len() + 1);
        let mut latest = None;
        let mut resume = None;
        for (position, step) in self.steps.iter().enumerate() {
            back.push(latest);
            if step.is_generator() {
                latest = Some(position);
            }
            if position < body_len && binds_any(step, &in_head) {
                resume = latest;
            }
        }
        back.push(resume);
        let Self { steps, registers, .. } = self;
        Plan { rule: query.rule, head, head_index, emit, steps, back, registers }
    }
}

/// Whether a step binds a variable of the head.
fn binds_any(step: &PlanStep, in_head: &[bool]) -> bool {
    let (PlanStep::Scan { actions, .. } | PlanStep::Probe { actions, .. } | PlanStep::Match { actions, .. }) =
        step
    else {
        return false;
    };
    actions.iter().any(|(_, action)| match action {
        Action::Bind(register) => in_head.get(usize::from(*register)).copied().unwrap_or(false),
        Action::Check(_) => false,
    })
}

fn register(index: usize) -> Register {
    Register::try_from(index).expect("limits keep the registers of a rule few")
}
