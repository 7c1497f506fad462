//! The clauses of the turns of an information set.

use batsat::{SolverInterface, Var, lbool};
use croupier_engine::{draw::draw_index, stages::propnet::Wire};
use rand_core::Rng;

use crate::{
    formula::{BoundedSolver, Formula},
    rescue::unroll::{MoveChoice, Unrolled},
};

/// The result of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// By turn and role, the numbers of moves that satisfy all clauses.
    Model(Vec<Vec<u32>>),
    /// Nothing satisfies them.
    Impossible,
    /// The limit was reached.
    GivenUp,
}

/// The clauses of a circuit, and the moves that satisfy them.
pub(super) struct Clauses<'u> {
    formula: Formula<'u>,
    choices: &'u [Vec<MoveChoice>],
}

impl<'u> Clauses<'u> {
    /// The clauses of all turns; `last` is a base and whether it should be true after the last of them.
    pub(super) fn new(unrolled: &'u Unrolled, last: Option<(usize, bool)>) -> Self {
        let mut formula = Formula::new(&unrolled.gates);
        for clause in &unrolled.clauses {
            formula.add(clause);
        }
        if let Some((base, is_true)) = last {
            let wire = unrolled.bases[base];
            formula.add(&[if is_true { wire } else { !wire }]);
        }
        Self { formula, choices: &unrolled.choices }
    }

    /// The literal of a wire, defined by as many clauses as it needs.
    pub(super) fn literal_of(&mut self, wire: Wire) -> (u32, bool) {
        self.formula.literal_of(wire)
    }

    /// A solver with all clauses, as [`Formula::search`] gives it.
    pub(super) fn search(
        &self,
        conflicts: u32,
        guesses: impl IntoIterator<Item = (u32, bool)>,
    ) -> Option<(BoundedSolver, Vec<Var>)> {
        self.formula.search(conflicts, guesses)
    }

    /// Looks for a model, by guessing a random move of each choice first.
    pub(super) fn solve(&self, conflicts: u32, rng: &mut impl Rng) -> Solved {
        let mut guesses = Vec::new();
        for choice in self.choices.iter().flatten().filter(|choice| !choice.moves.is_empty()) {
            let guessed = draw_index(choice.moves.len(), rng);
            for (index, &(_, made)) in choice.moves.iter().enumerate() {
                guesses.extend(self.formula.variable_of(made).map(|variable| (variable, index == guessed)));
            }
        }
        let Some((mut solver, variables)) = self.formula.search(conflicts, guesses) else {
            return Solved::Impossible;
        };
        let result = solver.solve_limited(&[]);
        if result == lbool::TRUE {
            self.model(|variable| solver.value_var(variables[variable as usize]) == lbool::TRUE)
        } else if result == lbool::FALSE {
            Solved::Impossible
        } else {
            Solved::GivenUp
        }
    }

    /// The move of each choice that is made.
    fn model(&self, is_true: impl Fn(u32) -> bool) -> Solved {
        let is_made = |wire: Wire| self.formula.variable_of(wire).is_some_and(&is_true);
        let made = |choice: &MoveChoice| {
            let mut moves = choice.moves.iter();
            moves.find(|&&(_, wire)| is_made(wire)).expect("one move of each choice is made").0
        };
        Solved::Model(self.choices.iter().map(|choices| choices.iter().map(made).collect()).collect())
    }

    /// Rules out these moves, all together.
    pub(super) fn forbid(&mut self, model: &[Vec<u32>]) {
        let mut other = Vec::new();
        for (choice, number) in self.choices.iter().flatten().zip(model.iter().flatten()) {
            // A choice between one move only says nothing.
            if let Some(&(_, made)) =
                choice.moves.iter().find(|(known, _)| known == number).filter(|_| choice.moves.len() > 1)
            {
                other.push(!made);
            }
        }
        self.formula.add(&other);
    }
}
