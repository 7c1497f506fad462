//! An algorithm at work on one game.

use crate::{
    algorithm::Algorithm,
    form::SequenceForm,
    full::FullIterations,
    policy::Policy,
    tables::Tables,
    tree::GameTree,
};

/// Iterations of one algorithm on one game, which can be interrupted by a checkpoint and go on from it bit by bit.
#[derive(Debug)]
pub struct Solver<'g> {
    tree: &'g GameTree,
    form: &'g SequenceForm,
    algorithm: Algorithm,
    seed: [u8; 32],
    iterations: u64,
    tables: Tables,
    full: FullIterations,
}

impl<'g> Solver<'g> {
    /// An algorithm before its first iteration. `form` has to be that of `tree`; only sampling depends on `seed`.
    #[must_use]
    pub fn new(tree: &'g GameTree, form: &'g SequenceForm, algorithm: Algorithm, seed: [u8; 32]) -> Self {
        let tables = Tables::new(form.sequences_count());
        let full = FullIterations::new(form, &tables);
        Self { tree, form, algorithm, seed, iterations: 0, tables, full }
    }

    /// How many iterations have been made.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Makes so many more iterations. The result depends neither on the threads of the rayon pool that this is called in,
    /// nor on how iterations are divided between calls.
    pub fn advance(&mut self, iterations: u64) {
        for iteration in self.iterations + 1..=self.iterations + iterations {
            self.full.iterate(self.form, self.algorithm, iteration, &mut self.tables);
        }
        self.iterations += iterations;
    }

    /// What was played on average: what approaches an equilibrium. Uniform where no iteration has come.
    #[must_use]
    pub fn average_policy(&self) -> Policy {
        Policy::normalised(self.form, &self.tables.averages)
    }
}
