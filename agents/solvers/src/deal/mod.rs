//! Strategies for games that are too large for a tree, in which chance only deals.
//!
//! In hold'em chance deals cards, and the deal changes neither the legal moves nor what players are told about moves. So
//! all deals share one tree of players' moves, the [`MoveTree`] (`move_tree.rs`), which is built on lanes with a
//! different deal in each, and checked in every lane. Hold'em's has 17,239 turns. What a player knows is then exactly its
//! place in that tree and its hand: what it was told in the turns of chance.
//!
//! *Hands.* `rollout.rs` evaluates a hand: it deals the unknown cards again on lanes, everyone plays the line with the
//! fewest choices whose end the deal decides, and the mean goals of the runouts in ascending order are the hand's feature
//! vector. `buckets.rs` clusters features by k-means; the distance between two is that of their distributions. A hand has
//! the same feature everywhere, because its draws depend on the hand alone, in the form that it shares with all that
//! symmetries of the rules or another order of the deal make of it (`likeness.rs`): 169 hands before the flop, each with
//! a bucket of its own.
//!
//! *Iterations.* `ends.rs` follows new deals through the network once, to the values of all ends. `walk.rs` descends the
//! tree of moves with 512 of them at once, and updates regrets and averages by information set and bucket. `solver.rs`
//! adds up the updates of all blocks, in order; seven of eight iterations play deals that were drawn before. An iteration
//! that a clock interrupts (`clock.rs`) is not made at all. A [`Blueprint`] is the average strategy, quantised to 1/255:
//! 3.5 MB for hold'em with 200 buckets a round.
//!
//! *Lower bounds of exploitability.* `local.rs` plays an opponent that knows the blueprint: it keeps 128 deals consistent
//! with its observations (`consistent.rs`), weighted by the blueprint's probabilities, chooses the best response one
//! decision at a time, and assumes that everything after the round is checked and called (`passive.rs`). `exploiter.rs`
//! learns a best response: it walks the tree of moves with new deals (`response.rs`), with hands told apart both by the
//! blueprint's buckets and by finer ones (`paired.rs`), and deviates from the blueprint where the deals so far say that
//! it pays.
//!
//! *Hands and boards.* Where chance deals each player a hand first and later only what all are told, `hands` takes a game of two players
//! apart into what everybody has seen and the pairs of hands beside it: a search with a learned value works on these.

mod clock;
mod machine;
mod vocabulary;
mod move_tree;
mod likeness;
mod rollout;
mod buckets;
mod abstraction;
mod walk;
mod consistent;
mod passive;
mod local;
mod ends;
mod paired;
mod response;
mod blueprint;
mod solver;
mod exploiter;
mod hands;

use croupier_engine::RoleId;
use thiserror::Error;

pub use blueprint::{BLUEPRINT_MAGIC, Blueprint, BlueprintEntry, BlueprintError};
pub use exploiter::{Exploited, Exploiter};
pub use hands::{BoardForm, HandGame, HandStates, HandTape, PublicPart};
pub use local::{LocalBestResponse, LocalResult};
pub use move_tree::MoveTree;
pub use solver::AbstractSolver;
pub use walk::DealSampling;

use machine::LANES;

/// Why a game cannot be taken apart into a deal and the players' moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DealError {
    /// The tape of a network is needed.
    #[error("the rules cannot be compiled to a network, so deals cannot be played in parallel")]
    NoNetwork,
    /// The tree of the players' moves is too large.
    #[error("the players' moves alone form more than {nodes_max} histories")]
    TooLarge {
        /// The bound.
        nodes_max: usize,
    },
    /// The legal moves depend on the deal.
    #[error("the legal moves depend on earlier moves of chance")]
    LegalMoves {
        /// The role of the legal moves.
        role: RoleId,
    },
    /// A player has no legal move.
    #[error("a player has no legal move in some state")]
    Stuck {
        /// Who.
        role: RoleId,
    },
    /// Whether the match is over depends on the deal.
    #[error("the end of a match depends on earlier moves of chance")]
    Ends,
    /// A player is told of the deal together with moves.
    #[error("what a player is told about moves depends on earlier moves of chance")]
    Percepts {
        /// Who.
        role: RoleId,
    },
    /// A player cannot know its legal moves.
    #[error("a player cannot know its legal moves")]
    UnknownMoves {
        /// Who.
        role: RoleId,
    },
    /// A match ends without a goal for a player.
    #[error("a match ends without a goal for a player")]
    NoGoal {
        /// Who.
        role: RoleId,
    },
    /// There was no time left.
    #[error("the players' moves were not all followed in time")]
    Interrupted,
    /// Some move of chance is too rare to be met.
    #[error("some move of chance is too rare to occur in many deals")]
    Rare,
    /// More or fewer players than two.
    #[error("hands are told apart for two players, and there are {count}")]
    Players {
        /// How many.
        count: usize,
    },
    /// Too many deals of two hands.
    #[error("there are more than {most} deals of two hands")]
    TooManyHands {
        /// The bound.
        most: usize,
    },
    /// Chance decides something of which no player is told before it counts.
    #[error("chance decides something before the first choice that neither player is told")]
    Untold,
    /// A player is dealt something alone after somebody had a choice.
    #[error("a player is told something by chance alone after the first choice")]
    LateHands {
        /// Who.
        role: RoleId,
    },
    /// Two moves look the same to everybody.
    #[error("what becomes public does not tell which moves the players made")]
    HiddenMoves,
    /// What chance can deal depends on the hands in another way than that each excludes some.
    #[error("which later moves of chance are legal depends on both hands together, or on the players' moves")]
    Boards,
}
