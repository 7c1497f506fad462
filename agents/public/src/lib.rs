//! Public belief states: what everybody sees of a match, what each player may know beside it, and how likely each of that is.
//!
//! [`PublicEyes`] tell, by the rules, which percepts are *public*. A [`PublicNode`] is a *public state*: all histories in which the public
//! percepts of every turn are the same, and each player's *private states* in them, which are its information sets there.
//! [`PublicNode::expand`] gives the public states of the next turn. A [`PublicBelief`] is a public state with a *range* for each player: how
//! likely its own moves, under a policy that everybody knows, have led to each of its private states. The probability of a history is
//! that of chance times one number of each range, so that values and policies are functions of the public state and all ranges.
//!
//! All histories of a public state are enumerated, and everything is exact, or [`PublicError::TooMany`] says how many there would be. A
//! [`PublicSample`] has some of them, as weighted particles, and gives the same [`PublicBelief`] with the private states that it found. A
//! [`PublicBeliever`] takes the one that fits, and says which.
//!
//! # Sources
//! N. Brown, A. Bakhtin, A. Lerer, Q. Gong: Combining Deep Reinforcement Learning and Search for Imperfect-Information Games, NeurIPS
//! 2020, section 4. M. Schmid et al.: Student of Games, Science Advances 9, 2023.
#![forbid(unsafe_code)]

mod error;
mod eyes;
mod limits;
mod growing;
mod node;
mod belief;
mod watched;
mod sample;
mod believer;
mod pairs;
mod names;
mod dealt;
mod state;
mod together;
mod tree;
mod discount;
mod gadget;
mod search;
mod label;
mod features;
mod listed;
mod dealt_tree;
mod space;
mod leaves;
mod searching;
mod standing;
mod self_play;
mod seat;

pub use belief::{PublicBelief, PublicChoice, PublicPolicy, UniformPlay};
pub use believer::{PublicBeliever, PublicMethods, PublicOutlook};
pub use dealt::DealtState;
pub use error::PublicError;
pub use eyes::PublicEyes;
pub use gadget::Alternative;
pub use leaves::{ValueNetwork, ZeroValues};
pub use limits::PublicLimits;
pub use node::{PrivateState, PublicHistory, PublicNode};
pub use sample::PublicSample;
pub use search::{LeafRanges, LeafValues, PublicSearch};
pub use searching::LookAhead;
pub use seat::SearchingSeat;
pub use self_play::{Example, FoundStrategy, SelfPlay, SelfPlaySettings};
pub use space::{PublicSpace, ValueUnit};
pub use state::PublicState;
pub use tree::{PublicTree, TreeDepth};
