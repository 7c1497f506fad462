//! What a seat could believe now, and after the match what the best player of the game would have done at each of its decisions.
//!
//! A [`Trainer`] follows what a role did and was told. [`Trainer::belief`] says how likely each thing is that the role cannot know;
//! [`Trainer::review`] goes through the role's decisions with the strategy of the best player of the game, and says what each move was
//! worth. Both are functions of the rules, of the role's information set, of a model of the others, and of a method with its budget:
//! nothing here has ever seen a state of the match. Their answers are data of `croupier-games`, so that who draws them needs no agent.
//!
//! # Where the numbers of a review come from
//!
//! At each own decision the others hold what they may hold by chance and by their strategy (`line.rs`), the move is made, and from there
//! on everybody goes by the strategy ([`KnownStrategy`](croupier_players::KnownStrategy)). If few histories follow, all are counted, and
//! the values are the counterfactual values of the strategy; otherwise they are means of playouts, paired so that all moves meet the same
//! histories (`continuation.rs`). Where no strategy is known, a search estimates them.
//!
//! This package is pure: no clock (a closure says when time is up), no entropy (a seed of 32 bytes is an argument), no I/O, no log.
#![forbid(unsafe_code)]

mod options;
mod model;
mod held;
mod line;
mod continuation;
mod decision;
mod trainer;

pub use held::held_hands;
pub use options::{TrainerError, TrainerOptions};
pub use trainer::{Holders, Trainer};
