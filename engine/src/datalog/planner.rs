//! Rule to plan: in which order the literals are joined, and by which indexes.

use super::{
    estimate::Estimate,
    layout::Layout,
    plan::{Action, Plan, Register, RelationId, Rows, Step},
};
use crate::{
    id::{RuleId, SymbolId},
    rules::{Atom, Literal, Rule, Term},
};

/// A plan for `rule`, and what it is expected to conclude. With `delta`, that literal of the body
/// sees the last round's rows and comes first.
///
/// The next literal is always the one with the fewest expected matches, by the usual independence
/// assumption: rows of the relation over the distinct values of each bound column.
pub(super) fn plan(
    id: RuleId,
    rule: &Rule,
    delta: Option<usize>,
    layout: &mut Layout,
    estimates: &[Estimate],
) -> (Plan, Estimate) {
    let mut planner = Planner {
        layout,
        estimates,
        is_bound: vec![false; rule.variables.len()],
        domains: vec![f64::INFINITY; rule.variables.len()],
        matches: 1.0,
        registers: vec![0; rule.variables.len()],
        constants: Vec::new(),
        steps: Vec::new(),
    };
    let mut open: Vec<usize> = (0..rule.body.len()).collect();
    if let Some(first) = delta {
        planner.take(&rule.body[first], Rows::Delta);
        open.retain(|&index| index != first);
    }
    while !open.is_empty() {
        let best = open
            .iter()
            .enumerate()
            .filter_map(|(position, &index)| Some((planner.cost(&rule.body[index])?, position)))
            .min_by(|one, other| one.0.total_cmp(&other.0))
            .expect("in a safe rule some literal can always be joined next");
        planner.take(&rule.body[open.remove(best.1)], Rows::Total);
    }
    let estimate = planner.conclusions(&rule.head);
    (planner.finish(id, rule), estimate)
}

struct Planner<'p> {
    layout: &'p mut Layout,
    estimates: &'p [Estimate],
    is_bound: Vec<bool>,
    /// How many values each variable can have, as far as the literals taken so far tell.
    domains: Vec<f64>,
    /// The expected number of ways to satisfy the literals taken so far.
    matches: f64,
    /// Registers in use: the variables of the rule, then constants and intermediate terms.
    registers: Vec<u32>,
    constants: Vec<(SymbolId, Register)>,
    steps: Vec<Step>,
}

impl Planner<'_> {
    /// The expected number of ways to go on after joining `literal` next; `None` if it cannot be.
    fn cost(&mut self, literal: &Literal) -> Option<f64> {
        let is_ready = literal.terms().all(|term| self.is_term_bound(term));
        match literal {
            Literal::Positive(atom) => {
                let (relation, columns) = self.layout.place(atom);
                let bound: Vec<usize> =
                    (0..columns.len()).filter(|&column| self.is_term_bound(columns[column])).collect();
                let matches = self.estimate(relation, columns.len()).matches(bound.into_iter());
                Some(if is_ready { matches.min(0.5) } else { matches })
            }
            Literal::Negative(_) => is_ready.then_some(0.4),
            Literal::Distinct(..) | Literal::Same(..) => is_ready.then_some(0.0),
        }
    }

    /// Joins `literal` next.
    fn take(&mut self, literal: &Literal, rows: Rows) {
        self.matches *= self.cost(literal).unwrap_or(1.0);
        if let Literal::Positive(atom) = literal {
            let (relation, columns) = self.layout.place(atom);
            let estimate = self.estimate(relation, columns.len());
            for (column, term) in columns.into_iter().enumerate() {
                let domains = &mut self.domains;
                term.for_each_variable(&mut |variable| {
                    domains[variable] = domains[variable].min(estimate.distinct[column].max(1.0));
                });
            }
        }
        self.literal(literal, rows);
    }

    /// What a rule with this head is expected to conclude from the literals taken.
    fn conclusions(&self, head: &Atom) -> Estimate {
        let distinct: Vec<f64> = head
            .arguments
            .iter()
            .map(|term| {
                let mut values = 1.0;
                term.for_each_variable(&mut |variable| values *= self.domains[variable].min(1e6));
                values
            })
            .collect();
        Estimate { rows: self.matches.min(distinct.iter().product()), distinct }
    }

    fn estimate(&self, relation: RelationId, arity: usize) -> Estimate {
        let unknown = || Estimate { rows: 8.0, distinct: vec![4.0; arity] };
        let known = self.estimates.get(relation as usize).filter(|estimate| estimate.rows >= 0.0);
        known.cloned().unwrap_or_else(unknown)
    }

    fn is_term_bound(&self, term: &Term) -> bool {
        let mut is_bound = true;
        term.for_each_variable(&mut |variable| is_bound &= self.is_bound[variable]);
        is_bound
    }

    fn literal(&mut self, literal: &Literal, rows: Rows) {
        match literal {
            Literal::Positive(atom) => self.positive(atom, rows),
            Literal::Negative(atom) => {
                let (relation, columns) = self.layout.place(atom);
                let key = columns.into_iter().map(|term| self.found(term)).collect();
                let index = self.layout.relations[relation as usize].full_index();
                self.steps.push(Step::Absent { relation, index, key });
            }
            Literal::Distinct(left, right, _) => {
                let (left, right) = (self.built(left), self.built(right));
                self.steps.push(Step::Distinct(left, right));
            }
            Literal::Same(left, right, _) => {
                let (left, right) = (self.built(left), self.built(right));
                self.steps.push(Step::Same(left, right));
            }
        }
    }

    fn positive(&mut self, atom: &Atom, rows: Rows) {
        let (relation, columns) = self.layout.place(atom);
        let bound: Vec<usize> =
            (0..columns.len()).filter(|&column| self.is_term_bound(columns[column])).collect();
        let key: Vec<Register> = bound.iter().map(|&column| self.found(columns[column])).collect();
        let target = &mut self.layout.relations[relation as usize];
        if bound.len() == columns.len() && rows == Rows::Total {
            let index = target.full_index();
            self.steps.push(Step::Present { relation, index, key });
            return;
        }
        let index = if bound.is_empty() { None } else { Some(target.index_on(&bound)) };
        let mut matches = Vec::new();
        let free = (0..columns.len()).filter(|column| !bound.contains(column));
        let actions = free.map(|column| (column, self.action(columns[column], &mut matches))).collect();
        self.steps.push(match index {
            None => Step::Scan { relation, rows, actions },
            Some(index) => Step::Probe { relation, index, key, rows, actions },
        });
        self.take_apart(matches);
    }

    /// What to do with a value that stands for `term`, which has an unbound variable.
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
            let step = Step::Match { term: register, symbol: *symbol, arity: arguments.len(), actions };
            self.steps.push(step);
        }
    }

    /// The register of a bound term, found among the terms there are.
    fn found(&mut self, term: &Term) -> Register {
        self.compose(term, |symbol, arguments, into| Step::Find { symbol, arguments, into })
    }

    /// The register of a bound term, made if it is not there.
    fn built(&mut self, term: &Term) -> Register {
        self.compose(term, |symbol, arguments, into| Step::Build { symbol, arguments, into })
    }

    fn compose(&mut self, term: &Term, step: fn(SymbolId, Vec<Register>, Register) -> Step) -> Register {
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

    fn finish(mut self, id: RuleId, rule: &Rule) -> Plan {
        let body_len = self.steps.len();
        let mut in_head = vec![false; rule.variables.len()];
        for term in &rule.head.arguments {
            term.for_each_variable(&mut |variable| in_head[variable] = true);
        }
        let emit = rule.head.arguments.iter().map(|term| self.built(term)).collect();
        let head = self.layout.derived(rule.head.predicate, rule.head.arguments.len());
        let head_index = self.layout.relations[head as usize].full_index();
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
        Plan { rule: id, head, head_index, emit, steps, back, registers }
    }
}

/// Whether a step binds a variable of the head.
fn binds_any(step: &Step, in_head: &[bool]) -> bool {
    let (Step::Scan { actions, .. } | Step::Probe { actions, .. } | Step::Match { actions, .. }) = step
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
