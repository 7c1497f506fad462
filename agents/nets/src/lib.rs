//! Neural networks as players: from an ONNX file to the probabilities of legal moves.
//!
//! A file holds one network and the names of the game that it was trained on. [`Net::read`] rejects anything else, and a seat
//! rejects a game with different names, so column 17 means the same in a match as in training. Features are those of
//! [`Space::row`](croupier_training::Space::row).
//!
//! # The file
//! - one input `observation`, float32 `[N, F]`: first the player, one-hot, then the player's features, 0 or 1, then zeros
//!   up to the number of features of the widest player;
//! - one output `logits`, float32 `[N, M]`: the first columns are the player's moves, any others are ignored;
//! - operators from [`OPERATORS`], weights inside the file, an operator set from [`OPERATOR_SETS`];
//! - in `metadata_props` the key `croupier` with JSON: `version` 1, `game`, `rules` (which may be missing), `rules_sha256`, `observation` (`percepts`), `last`, and
//!   `players`, each with `role`, `features` and `moves`.
//!
//! The probabilities of legal moves are the softmax over their columns. Files with weights that are not finite are rejected; if sums
//! overflow, a seat reports an error, and a belief assumes a uniform choice.
//!
//! # Matching a net to a game
//! Roles, features and moves must have the same names in the same order. Names are canonical terms, so they are the same wherever the
//! rules come from: rules in a server's message have other spaces and comments than the file, and therefore another digest. Where names
//! differ, and the file has `rules` that differ from those of the game only in names and order, the net plays by the names of those. `rules_sha256`
//! is the digest of the text used for training, for people and for error messages. Rules that differ only in goals have the same names, and a
//! net plays them as it was trained.
//!
//! A [`BeliefNet`] reads the same rows; its names also have `fluents`, whose probabilities are what it writes.
//!
//! A net is matched when someone takes a seat. After that a [`NetStrategy`] is a function of the information set; in a
//! game with other names `renamed.rs` translates for it.
//!
//! # From a file to a move
//! [`Net::read`] checks a file by itself: `onnx.rs` has the messages of the file format, and `graph.rs` checks the graph,
//! rejects anything unknown, and produces a program of nine operators that `network.rs` evaluates.
//!
//! `croupier-players` does not depend on nets: `PlayerKind::Brought` holds a `StrategyFile`, a trait that higher packages
//! implement, and the programs that read files connect the two. `BroughtPlayer` finds the legal moves with a small belief
//! and reports its mixed strategy; as an opponent model in a belief, the strategy is evaluated directly.
//!
//! # Reproducibility
//! 32-bit sums are computed in the order of the weights, and functions in software: a file gives bit-identical results on every machine.
//!
//! This package is pure: bytes are arguments; no clock, no entropy, no I/O, no log.
#![forbid(unsafe_code)]

mod error;
mod names;
mod onnx;
mod weights;
mod graph;
mod network;
mod rows;
mod strategy;
mod renamed;
mod net;
mod value_net;
mod belief_net;

pub use belief_net::{BeliefNet, NetGuide};
pub use error::{GraphError, NetError, OperatorError};
pub use graph::{OPERATOR_SETS, OPERATORS};
pub use names::{Names, PlayerNames};
pub use net::Net;
pub use strategy::NetStrategy;
pub use value_net::ValueNet;
