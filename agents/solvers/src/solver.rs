//! An algorithm at work on one game.

use crate::{
    algorithm::Algorithm,
    checkpoint::{Checkpoint, CheckpointError},
    form::SequenceForm,
    full::{FullIterations, Weighting},
    policy::Policy,
    sampling::{SampledIterations, Samples},
    tables::Tables,
    tree::GameTree,
};

/// Iterations of one algorithm on one game, which can be interrupted by a checkpoint and go on from it bit by bit.
///
/// ```
/// use croupier_solvers::{Algorithm, GameTree, Samples, SequenceForm, Solver, TreeLimits};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
/// let tree = GameTree::new(&game, &TreeLimits { histories_max: 1_000 }, &mut |_| {})?;
/// let form = SequenceForm::new(&tree);
/// let mut solver = Solver::new(&tree, &form, Algorithm::CfrPlus, Samples::single([0; 32]));
/// solver.advance(10);
/// let checkpoint = solver.checkpoint("kuhn");
/// solver.advance(10);
/// // Resuming from the checkpoint gives the same result.
/// let mut resumed = Solver::resume(&tree, &form, &checkpoint, "kuhn")?;
/// resumed.advance(10);
/// assert_eq!(resumed.average_policy(), solver.average_policy());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver<'g> {
    tree: &'g GameTree,
    form: &'g SequenceForm,
    algorithm: Algorithm,
    samples: Samples,
    iterations: u64,
    tables: Tables,
    memory: AlgorithmMemory,
}

/// What an algorithm keeps besides its tables, all of which is derived from them.
#[derive(Debug)]
enum AlgorithmMemory {
    Full(Weighting, FullIterations),
    Sampled(SampledIterations),
}

impl<'g> Solver<'g> {
    /// An algorithm before its first iteration. `form` must be that of `tree`; only sampling depends on `samples`.
    #[must_use]
    pub fn new(tree: &'g GameTree, form: &'g SequenceForm, algorithm: Algorithm, samples: Samples) -> Self {
        Self::with(tree, form, algorithm, samples, 0, Tables::new(form.sequences_count()))
    }

    /// An algorithm resumed from a checkpoint: it continues as if it had not been interrupted.
    ///
    /// # Errors
    /// [`CheckpointError`] if it is not of the game that the caller calls `game`, or damaged.
    pub fn resume(
        tree: &'g GameTree,
        form: &'g SequenceForm,
        checkpoint: &Checkpoint,
        game: &str,
    ) -> Result<Self, CheckpointError> {
        let tables = checkpoint.tables(game, form.sequences_count())?;
        let Checkpoint { algorithm, seed, samples: per_iteration, iterations, .. } = *checkpoint;
        let samples = Samples { seed, per_iteration };
        Ok(Self::with(tree, form, algorithm, samples, iterations, tables))
    }

    fn with(
        tree: &'g GameTree,
        form: &'g SequenceForm,
        algorithm: Algorithm,
        samples: Samples,
        iterations: u64,
        tables: Tables,
    ) -> Self {
        let memory = match algorithm.weighting() {
            Some(weighting) => AlgorithmMemory::Full(weighting, FullIterations::new(form, &tables)),
            None if algorithm == Algorithm::OutcomeSampling => {
                AlgorithmMemory::Sampled(SampledIterations::outcome(samples))
            }
            None => AlgorithmMemory::Sampled(SampledIterations::external(samples)),
        };
        Self { tree, form, algorithm, samples, iterations, tables, memory }
    }

    /// Which algorithm it is.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// What samples are drawn, if it draws any.
    #[must_use]
    pub fn samples(&self) -> Samples {
        self.samples
    }

    /// How many iterations have been made.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Memory of the solver, in bytes, without the tree and the sequence form.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let numbers = match &self.memory {
            AlgorithmMemory::Full(..) => 4 * self.form.sequences_count() + self.form.sets_count(),
            AlgorithmMemory::Sampled(_) => 2 * self.form.sequences_count(),
        };
        (numbers * size_of::<f64>()) as u64
    }

    /// Runs this many more iterations. The result depends neither on the threads of the calling rayon pool
    /// nor on how iterations are divided between calls.
    pub fn advance(&mut self, iterations: u64) {
        let Self { tree, form, tables, .. } = self;
        for iteration in self.iterations + 1..=self.iterations + iterations {
            match &mut self.memory {
                AlgorithmMemory::Full(weighting, full) => full.iterate(form, *weighting, iteration, tables),
                AlgorithmMemory::Sampled(sampled) => sampled.iterate(tree, form, iteration, tables),
            }
        }
        self.iterations += iterations;
    }

    /// The average strategy, which approaches an equilibrium. Uniform in information sets that no iteration reached.
    #[must_use]
    pub fn average_policy(&self) -> Policy {
        Policy::normalised(self.form, &self.tables.averages)
    }

    /// Everything needed to resume later; `game` is the caller's identifier of the game.
    #[must_use]
    pub fn checkpoint(&self, game: &str) -> Checkpoint {
        Checkpoint::new(game, self.algorithm, self.samples, self.iterations, &self.tables)
    }
}
