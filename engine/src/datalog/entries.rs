//! Compiles relations that are computed on demand: plans for each combination of known arguments.

use super::{
    builder::ReasonerBuilder,
    callee::{Callee, CalleeEntry, Filed},
    calls::Request,
    layout::Layout,
    plan::Plan,
    planner::{Goal, GoalOrder, Planned, Query},
};
use crate::{
    id::{PredicateId, RuleId},
    rules::{Atom, Literal, Rule, Scc, Term},
};

impl<'r> ReasonerBuilder<'r> {
    /// Callees without entries, one for each component that is computed on demand.
    pub(super) fn open_callees(&mut self) {
        for &position in self.on_demand {
            let scc = &self.sccs[position];
            let heads = scc.predicates.iter().map(|&predicate| {
                self.layout.derived(predicate, self.program.predicates[predicate.index()].arity)
            });
            let heads = heads.collect();
            let phase = self.phases[scc.predicates[0].index()];
            self.callees.push(Callee { phase, heads, entries: Vec::new(), rounds: Vec::new() });
        }
    }

    /// Compiles every entry that some plan requests, and those that these request in turn.
    pub(super) fn complete_callees(&mut self) {
        let mut is_growing = true;
        while is_growing {
            is_growing = false;
            for callee in 0..self.callees.len() {
                while let Some(request) =
                    self.calls.requests[callee].get(self.callees[callee].entries.len()).cloned()
                {
                    self.add_entry(callee, &request);
                    is_growing = true;
                }
            }
        }
    }

    fn add_entry(&mut self, callee: usize, request: &Request) {
        let scc = &self.sccs[self.on_demand[callee]];
        let arity = self.program.predicates[request.predicate.index()].arity;
        let head = self.layout.derived(request.predicate, arity);
        let asked_index = self.layout.relations[request.asked as usize].full_index();
        let is_sought = request.places.len() == arity && !scc.is_recursive;
        let sought = is_sought.then(|| self.layout.relations[head as usize].full_index());
        let entry = CalleeEntry { head, asked: request.asked, asked_index, sought, plans: Vec::new() };
        self.callees[callee].entries.push(entry);
        for &id in &scc.rules {
            let rule = &self.program.rules[id.index()];
            if rule.head.predicate == request.predicate {
                let plans = if scc.is_recursive {
                    self.recursive_plans(callee, id, rule, request)
                } else {
                    vec![self.answer(&CalledRule { id, rule, request, inner: &[] }, 0, self.order).plan]
                };
                self.file(callee, plans, scc.is_recursive);
            }
        }
    }

    fn file(&mut self, callee: usize, plans: Vec<Plan>, is_recursive: bool) {
        for plan in plans {
            let filed = Filed { plan, file: self.files };
            self.files += 1;
            let callee = &mut self.callees[callee];
            let entry = callee.entries.last_mut().expect("it was just added");
            if is_recursive { callee.rounds.push(filed) } else { entry.plans.push(filed) }
        }
    }

    /// The plans of a rule for when it is called, when the relations it depends on within its component grow, and for what it requests
    /// from the component itself.
    fn recursive_plans(&mut self, callee: usize, id: RuleId, rule: &'r Rule, request: &Request) -> Vec<Plan> {
        let scc: &'r Scc = &self.sccs[self.on_demand[callee]];
        let called = CalledRule { id, rule, request, inner: &scc.predicates };
        let Planned { plan, joined, .. } = self.answer(&called, 0, self.order);
        let mut plans = vec![plan];
        // Goal 0 is the question itself, so that literal `n` of the body is goal `n + 1`.
        let inner: Vec<usize> = (0..joined.len())
            .filter(|&place| joined[place].0 > 0 && called.inner_atom(joined[place].0).is_some())
            .collect();
        for (number, &place) in inner.iter().enumerate() {
            let (goal, known) = &joined[place];
            plans.push(self.answer(&called, *goal, GoalOrder::Fewest).plan);
            let before: Vec<usize> = joined[..place].iter().map(|(goal, _)| *goal).collect();
            let atom = called.inner_atom(*goal).expect("it is one of these");
            let is_restricted = |place: &usize| called.is_restricted(&atom.arguments[*place], &before);
            let known = known.iter().copied().filter(is_restricted);
            let (entry, places) = self.calls.ask(callee, atom.predicate, known.collect(), &mut self.layout);
            let asked = &self.calls.requests[callee][entry];
            let terms: Vec<&Term> = places.iter().map(|&place| &atom.arguments[place]).collect();
            if before.len() == 1 && asked == request && terms == called.known_terms() {
                // It asks what it was asked.
                continue;
            }
            let head = asked.asked;
            // The question is asked when the rule is, and again when what stands before the literal grows.
            let deltas = std::iter::once(0).chain(inner[..number].iter().map(|&earlier| joined[earlier].0));
            for delta in deltas.collect::<Vec<_>>() {
                let all = called.goals();
                let place_of = before.iter().position(|&goal| goal == delta).expect("it stands before");
                let query = Query {
                    rule: id,
                    variables: rule.variables.len(),
                    goals: before.iter().map(|&goal| all[goal].clone()).collect(),
                    delta: Some(place_of),
                    order: GoalOrder::Fewest,
                    head,
                    terms: terms.clone(),
                    inner: called.inner,
                };
                plans.push(self.plan(&query).plan);
            }
        }
        plans
    }

    /// The plan that concludes the head of a rule from a question, led by the `delta`-th goal.
    fn answer(&mut self, called: &CalledRule<'_>, delta: usize, order: GoalOrder) -> Planned {
        let query = called.query(delta, order, &mut self.layout);
        let planned = self.plan(&query);
        self.add_estimate(planned.plan.head, &planned.conclusions);
        planned
    }
}

/// A rule that is called with known values of some arguments of its head.
struct CalledRule<'a> {
    id: RuleId,
    rule: &'a Rule,
    request: &'a Request,
    /// The relations of its component, if that is recursive.
    inner: &'a [PredicateId],
}

impl<'a> CalledRule<'a> {
    fn known_terms(&self) -> Vec<&'a Term> {
        self.request.places.iter().map(|&place| &self.rule.head.arguments[place]).collect()
    }

    /// The question, then the body.
    fn goals(&self) -> Vec<Goal<'a>> {
        let question = Goal::Asked(self.request.asked, self.known_terms());
        std::iter::once(question).chain(self.rule.body.iter().map(Goal::Literal)).collect()
    }

    /// The atom of a goal, if its relation belongs to the component.
    fn inner_atom(&self, goal: usize) -> Option<&'a Atom> {
        match &self.rule.body[goal - 1] {
            Literal::Positive(atom) if self.inner.contains(&atom.predicate) => Some(atom),
            _ => None,
        }
    }

    /// Whether a term exists when it is requested after these goals: otherwise questions could request ever larger
    /// terms although no conclusion has them.
    fn is_restricted(&self, term: &Term, before: &[usize]) -> bool {
        let is_there = |&goal: &usize| match goal.checked_sub(1).map(|place| &self.rule.body[place]) {
            None => self.known_terms().contains(&term),
            Some(Literal::Positive(atom)) => atom.arguments.contains(term),
            Some(Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..)) => false,
        };
        matches!(term, Term::Variable(_)) || term.is_ground() || before.iter().any(is_there)
    }

    fn query(&self, delta: usize, order: GoalOrder, layout: &mut Layout) -> Query<'a> {
        let query = Query::of(self.id, self.rule, layout);
        Query { goals: self.goals(), delta: Some(delta), order, inner: self.inner, ..query }
    }
}
