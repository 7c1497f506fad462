//! Equilibria of games that are small enough to be enumerated.
//!
//! A game becomes a [`GameTree`], that becomes a [`SequenceForm`], a [`Solver`] iterates on both, and an [`Evaluation`] says
//! exactly how good a [`Policy`] is.
//!
//! This package is pure: no clock, no entropy (a seed of 32 bytes is an argument), no I/O, no log. Threads are those of
//! the rayon pool that it is called in, and change no bit of a result.
//!
//! ```
//! use croupier_engine::{Game, Options};
//! use croupier_solvers::{Algorithm, Evaluation, GameTree, Samples, SequenceForm, Solver, TreeLimits};
//!
//! // Matching pennies: left wins if both show the same.
//! let rules = "
//!     (role left) (role right)
//!     (init start)
//!     (<= (legal ?r (show ?c)) (role ?r) (coin ?c) (true start))
//!     (coin heads) (coin tails)
//!     (<= (next same) (does left (show ?c)) (does right (show ?c)))
//!     (<= (next over) (true start))
//!     (<= terminal (true over))
//!     (<= (goal left 100) (true same))
//!     (<= (goal left 0) (not (true same)))
//!     (<= (goal right 0) (true same))
//!     (<= (goal right 100) (not (true same)))
//!     (<= (sees ?r end) (role ?r) (true start))";
//! let game = Game::compile(rules, &Options::PLAY).expect("the rules are sound").game;
//! let limits = TreeLimits { histories_max: 1_000 };
//! let tree = GameTree::new(&game, &limits, &mut |_| {}).expect("a small game");
//! let form = SequenceForm::new(&tree);
//! let mut solver = Solver::new(&tree, &form, Algorithm::CfrPlus, Samples::single([0; 32]));
//! solver.advance(100);
//! let evaluation = Evaluation::new(&form, &solver.average_policy());
//! assert!((evaluation.players[0].value - 50.0).abs() < 1e-9);
//! assert!(evaluation.nash_conv() < 1e-9);
//! ```
#![forbid(unsafe_code)]

mod tree;

mod form;

mod policy;

mod evaluation;

mod algorithm;

mod tables;

mod full;

mod sampling;

mod checkpoint;

mod solver;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use checkpoint::{CHECKPOINT_FORMAT, Checkpoint, CheckpointError};
pub use evaluation::{Evaluation, PlayerValue, best_response_policy};
pub use form::SequenceForm;
pub use policy::Policy;
pub use sampling::Samples;
pub use solver::Solver;
pub use tree::{
    GameTree, InformationSetId, MenuId, Node, NodeId, OutcomeId, TreeError, TreeEstimate, TreeLimits,
    TreeSizes, estimate_histories,
};
