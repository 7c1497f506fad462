//! Equilibria of games that are small enough to be enumerated.
#![forbid(unsafe_code)]

mod tree;

mod form;

mod policy;

mod evaluation;

mod algorithm;

mod tables;

mod full;

mod solver;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use evaluation::{Evaluation, PlayerValue, best_response_policy};
pub use form::SequenceForm;
pub use policy::Policy;
pub use solver::Solver;
pub use tree::{
    GameTree, InformationSetId, MenuId, Node, NodeId, OutcomeId, TreeError, TreeLimits, TreeSizes, estimate_histories,
};
