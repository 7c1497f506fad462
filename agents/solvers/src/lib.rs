//! Computes equilibria of games that are small enough to be enumerated.
//!
//! A game is expanded to a [`GameTree`], which is converted to a [`SequenceForm`]; a [`Solver`] iterates on both, and an [`Evaluation`]
//! measures exactly how good a [`Policy`] is.
//!
//! This package is pure: no clock, no entropy (a seed of 32 bytes is an argument), no I/O, no log. It uses the threads of
//! the calling rayon pool, whose number never affects a result.
//!
//! ```
#![doc = include_str!("../examples/solve.rs")]
//! ```
#![forbid(unsafe_code)]

mod lanes;
mod tree;
mod walk;
mod gadget;
mod form;
mod policy;
mod evaluation;
mod resolving;
mod algorithm;
mod tables;
mod full;
mod sampling;
mod checkpoint;
mod solver;
mod deal;
mod equilibrium;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use checkpoint::{CHECKPOINT_FORMAT, Checkpoint, CheckpointError};
pub use deal::{
    AbstractSolver, BLUEPRINT_MAGIC, Blueprint, BlueprintEntry, BlueprintError, BoardForm, DealError,
    DealSampling, Exploited, Exploiter, HandGame, HandStates, HandTape, LocalBestResponse, LocalResult,
    MoveTree, PublicPart,
};
pub use equilibrium::Equilibrium;
pub use evaluation::{Evaluation, PlayerValue, best_response_policy};
pub use form::SequenceForm;
pub use policy::Policy;
pub use resolving::{Former, Resolving};
pub use sampling::Samples;
pub use solver::Solver;
pub use tree::{
    Beyond, GameTree, GoalSum, Horizon, InformationSetId, MenuId, Node, NodeId, OutcomeId, Properties, Root,
    TreeError, TreeEstimate, TreeLimits, TreeSizes, estimate_histories, is_far_beyond,
};
pub use walk::{Followed, StrategyFunction, Walk, WalkError, WalkProgress, WalkSolver};
