//! Neural networks that take a seat: from an ONNX file to the probabilities of legal moves.
//!
//! A file holds one network and the names of the game that it was made for. [`Net::read`] refuses what is no such file, and a seat
//! refuses a game with other names; so column 17 means in a match what it meant in training. Features are those of
//! [`Space::row`](croupier_training::Space::row).
//!
//! # The file
//! - one input `observation`, float32 `[N, F]`: first a one-hot number of the player, then the player's features, 0 or 1, and zeros
//!   up to the features of the player with the most;
//! - one output `logits`, float32 `[N, M]`: the first columns are the player's moves, and what follows is ignored;
//! - operators out of [`OPERATORS`], weights inside the file, an operator set out of [`OPERATOR_SETS`];
//! - in `metadata_props` the key `croupier` with JSON: `version` 1, `game`, `rules_sha256`, `observation` (`percepts`), `last`, and
//!   `players`, each with `role`, `features` and `moves`.
//!
//! The probabilities of legal moves are the softmax over their columns. Weights that are not finite are refused; where sums overflow, a seat
//! has an error, and a belief takes the choice to be uniform.
//!
//! # What makes a game the same
//! Roles, features and moves have the same names in the same order. Names are canonical terms, so they are the same wherever the rules
//! come from: a message of a server has other spaces and comments than the file, and therefore another digest. `rules_sha256` is the
//! digest of the text that was trained on, for people and for error messages. Rules that differ in goals alone have the same names, and a
//! net plays them as it learned.
//!
//! # What is the same everywhere
//! Sums of 32 bits are computed in the order of the weights, and functions in software: a file comes to the same bits on every machine.
//!
//! This package is pure: bytes are arguments; no clock, no entropy, no I/O, no log.
#![forbid(unsafe_code)]

mod error;
mod names;
mod onnx;
mod weights;
mod graph;
mod network;
mod strategy;
mod net;

pub use error::NetError;
pub use graph::{OPERATOR_SETS, OPERATORS};
pub use names::{Names, PlayerNames};
pub use net::Net;
pub use strategy::NetStrategy;
