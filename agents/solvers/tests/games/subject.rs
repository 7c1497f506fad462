//! The games that are solved, and how their numbers are read.

use std::num::NonZeroU32;

use croupier_engine::{Game, Options};
use croupier_solvers::{
    Algorithm, Evaluation, GameTree, Samples, SequenceForm, Solver, TreeError, TreeLimits,
};

pub(crate) const BATTLESHIPS_IN_FOG: &str = include_str!("../../../../games-ii/battleships-in-fog/rules.gdl");
pub(crate) const KUHN: &str = include_str!("../../../../games-ii/kuhn/rules.gdl");
pub(crate) const LEDUC: &str = include_str!("../../../../games-ii/leduc/rules.gdl");
pub(crate) const MONTY_HALL: &str = include_str!("../../../../games-ii/monty-hall/rules.gdl");
pub(crate) const SPY_VS_SPY: &str = include_str!("../../../../games-ii/spy-vs-spy/rules.gdl");
pub(crate) const TIC_TAC_TOE: &str = include_str!("../../../../games-ii/tic-tac-toe/rules.gdl");

/// A game, its tree and its sequence form.
pub(crate) struct Subject {
    pub(crate) game: Game,
    pub(crate) tree: GameTree,
    pub(crate) form: SequenceForm,
}

pub(crate) fn game(rules: &str) -> Game {
    Game::compile(rules, &Options::PLAY).unwrap().game
}

pub(crate) fn tree(game: &Game, histories_max: u64) -> Result<GameTree, TreeError> {
    GameTree::new(game, &TreeLimits { histories_max }, &mut |_| {})
}

impl Subject {
    pub(crate) fn new(rules: &str) -> Self {
        let game = game(rules);
        let tree = tree(&game, 1_000_000).unwrap();
        let form = SequenceForm::new(&tree);
        Self { game, tree, form }
    }

    pub(crate) fn solver(&self, algorithm: Algorithm) -> Solver<'_> {
        self.sampler(algorithm, 1)
    }

    /// A solver that draws so many samples an iteration.
    pub(crate) fn sampler(&self, algorithm: Algorithm, per_iteration: u32) -> Solver<'_> {
        let samples = Samples { seed: [7; 32], per_iteration: NonZeroU32::new(per_iteration).unwrap() };
        Solver::new(&self.tree, &self.form, algorithm, samples)
    }

    /// What an algorithm comes to.
    pub(crate) fn solved(&self, algorithm: Algorithm, iterations: u64) -> Evaluation {
        let mut solver = self.solver(algorithm);
        solver.advance(iterations);
        Evaluation::new(&self.form, &solver.average_policy())
    }
}
