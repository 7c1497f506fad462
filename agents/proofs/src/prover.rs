//! A SAT solver over the gates of a circuit, asked one question after the other.

use batsat::{Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use croupier_belief::{BoundedSolver, Conflicts, Formula};
use croupier_engine::stages::propnet::{Gates, Wire};

use crate::partial::PartialGates;

/// Clauses that may be learnt for one question.
const CONFLICTS: u32 = 30_000;

/// Clauses that are learnt before it is asked whether the time is over.
const CONFLICTS_AT_ONCE: u32 = 1_000;

/// So many gates are known from the beginning if something that is always true needs no others.
const SMALL: usize = 200;

/// As many clauses as it costs to find that gates contradict what was found.
const CONFLICTS_WORTH: u32 = 20;

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Nothing makes it true.
    Impossible,
    /// Something does: [`Prover::holds`] says what.
    Possible,
    /// The solver gave up.
    Unknown,
}

/// A solver, and the literals of the wires that questions are about.
pub(crate) struct Prover {
    solver: BoundedSolver,
    literals: Vec<Lit>,
    /// Of a large circuit, what the solver knows of it.
    partial: Option<PartialGates>,
}

impl Prover {
    /// A solver for what satisfies these clauses; `wires` are what questions are about, by their places. `None` if nothing does.
    pub(crate) fn new(gates: &Gates, clauses: &[Vec<Wire>], wires: &[Wire]) -> Option<Self> {
        let mut formula = Formula::new(gates);
        clauses.iter().for_each(|clause| formula.add(clause));
        let literals: Vec<(u32, bool)> = wires.iter().map(|&wire| formula.literal_of(wire)).collect();
        // The constant is a node as any other, and false.
        let fixed = formula.literal_of(Wire::TRUE);
        let (mut solver, variables) = formula.search(CONFLICTS, [])?;
        let literal = |(variable, is_denied): (u32, bool)| Lit::new(variables[variable as usize], !is_denied);
        let is_sound = solver.add_clause_reuse(&mut vec![literal(fixed)]);
        let literals = literals.into_iter().map(literal).collect();
        is_sound.then_some(Self { solver, literals, partial: None })
    }

    /// The same, for a large circuit: of what clauses need, the solver knows as much as its answers needed.
    pub(crate) fn of_large(gates: &Gates, clauses: &[Vec<Wire>], wires: &[Wire]) -> Option<Self> {
        Self::known_in_part(gates, clauses, wires, SMALL)
    }

    /// The same; what clauses need is known from the beginning if it is no more than `small` gates.
    fn known_in_part(gates: &Gates, clauses: &[Vec<Wire>], wires: &[Wire], small: usize) -> Option<Self> {
        let needed = clauses.iter().flatten().chain(wires).chain([&Wire::TRUE]);
        let mut partial = PartialGates::new(gates, needed.copied());
        let mut solver = Solver::new(SolverOpts::default(), Conflicts { left: CONFLICTS });
        let literals = wires.iter().map(|&wire| partial.literal(wire, &mut solver)).collect();
        wires.iter().for_each(|&wire| partial.know(wire, usize::MAX, &mut solver));
        clauses.iter().flatten().for_each(|&wire| partial.know(wire, small, &mut solver));
        let fixed = [vec![Wire::TRUE]];
        for clause in clauses.iter().chain(&fixed) {
            let mut own: Vec<Lit> = clause.iter().map(|&wire| partial.literal(wire, &mut solver)).collect();
            partial.demand(&own);
            if !solver.add_clause_reuse(&mut own) {
                return None;
            }
        }
        Some(Self { solver, literals, partial: Some(partial) })
    }

    /// The literal of the wire at a place.
    pub(crate) fn literal(&self, place: usize) -> Lit {
        self.literals[place]
    }

    /// A literal of its own.
    pub(crate) fn fresh(&mut self) -> Lit {
        let var: Var = self.solver.new_var(lbool::UNDEF, true);
        Lit::new(var, true)
    }

    /// At least one of these holds from now on.
    pub(crate) fn demand(&mut self, mut literals: Vec<Lit>) {
        if let Some(partial) = &mut self.partial {
            partial.demand(&literals);
        }
        // Whatever contradicts everything is found by the next question.
        let _ = self.solver.add_clause_reuse(&mut literals);
    }

    /// Whether all of these can hold together, unless `is_over` says first that the time is.
    pub(crate) fn ask(&mut self, literals: &[Lit], is_over: &dyn Fn() -> bool) -> Proof {
        self.ask_at_most(CONFLICTS, literals, is_over)
    }

    /// The same, with so many clauses at most that are learnt, in thousands.
    pub(crate) fn ask_at_most(
        &mut self,
        conflicts: u32,
        literals: &[Lit],
        is_over: &dyn Fn() -> bool,
    ) -> Proof {
        let mut left = conflicts;
        while left > 0 {
            // What was learnt is kept from one time to the next.
            self.solver.cb_mut().left = CONFLICTS_AT_ONCE;
            let found = self.solver.solve_limited(literals);
            if found == lbool::FALSE {
                return Proof::Impossible;
            }
            if found != lbool::TRUE {
                left = left.saturating_sub(CONFLICTS_AT_ONCE);
            } else if self.partial.as_mut().is_none_or(|partial| partial.agrees(&mut self.solver, literals)) {
                return Proof::Possible;
            } else {
                left = left.saturating_sub(CONFLICTS_WORTH);
            }
            if is_over() {
                break;
            }
        }
        Proof::Unknown
    }

    /// Whether what was found to be impossible needs this literal of those that were asked for.
    pub(crate) fn is_needed(&self, literal: Lit) -> bool {
        self.solver.unsat_core_contains_var(literal.var())
    }

    /// Whether a literal holds in what was found to be possible.
    pub(crate) fn holds(&self, literal: Lit) -> bool {
        match &self.partial {
            Some(partial) => partial.holds(literal, &self.solver),
            None => self.solver.value_lit(literal) == lbool::TRUE,
        }
    }
}

/// Whether a wire is false in all that satisfies these clauses: so it is where nothing does.
pub(crate) fn is_impossible(
    gates: &Gates,
    clauses: &[Vec<Wire>],
    wire: Wire,
    is_over: &dyn Fn() -> bool,
) -> bool {
    Prover::new(gates, clauses, &[wire])
        .is_none_or(|mut prover| prover.ask(&[prover.literal(0)], is_over) == Proof::Impossible)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INPUTS: usize = 5;

    /// Gates over a few inputs, and wires of some of them, from numbers.
    fn circuit(numbers: &[(usize, usize)]) -> (Gates, Vec<Wire>) {
        let mut gates = Gates::new(u32::try_from(INPUTS).expect("a few"));
        let mut wires: Vec<Wire> = (0..INPUTS).map(|input| gates.input(input)).collect();
        for &(left, right) in numbers {
            let [left, right] = [left, right].map(|number| {
                let wire = wires[number / 2 % wires.len()];
                if number % 2 == 0 { wire } else { !wire }
            });
            let wire = gates.and(left, right);
            wires.push(wire);
        }
        (gates, wires)
    }

    proptest! {
        #[test]
        fn what_is_known_in_part_gives_the_answers_of_what_is_known_whole(
            numbers in prop::collection::vec((0_usize..100, 0_usize..100), 1..60),
            demanded in prop::collection::vec(prop::collection::vec(0_usize..60, 1..4), 0..4),
            asked in prop::collection::vec((0_usize..60, any::<bool>()), 1..6),
        ) {
            let (gates, wires) = circuit(&numbers);
            let wire = |number: usize| wires[number % wires.len()];
            let clauses: Vec<Vec<Wire>> =
                demanded.iter().map(|clause| clause.iter().map(|&number| wire(number)).collect()).collect();
            // What is asked about is known whole: so of inputs, under demands of which little is known.
            let inputs = &wires[..INPUTS];
            let whole = Prover::new(&gates, &clauses, inputs);
            let part = Prover::known_in_part(&gates, &clauses, inputs, 0);
            if let (Some(mut whole), Some(mut part)) = (whole, part) {
                for &(number, is_true) in &asked {
                    let place = number % INPUTS;
                    let found = [&mut whole, &mut part].map(|prover| {
                        let literal = prover.literal(place);
                        let literal = if is_true { literal } else { !literal };
                        let proof = prover.ask(&[literal], &|| false);
                        (proof, proof != Proof::Possible || prover.holds(literal))
                    });
                    prop_assert_eq!(found[0], found[1]);
                    prop_assert!(found[1].1);
                }
            }
        }
    }
}
