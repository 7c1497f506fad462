//! Why there is no public belief.

use croupier_belief::BeliefError;
use croupier_engine::{GameError, SightError};
use croupier_solvers::{DealError, TreeEstimate};
use thiserror::Error;

/// Why there is no public belief.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PublicError {
    /// What is public cannot be read off the rules.
    #[error(transparent)]
    Sight(SightError),
    /// A public state has more histories than allowed, or all that are wanted together have.
    #[error(
        "after {turns} turns there are more than {most} histories; {private} private states of the players were counted"
    )]
    TooMany {
        /// Turns since the start.
        turns: usize,
        /// The limit.
        most: usize,
        /// Private states of all players together, as far as they were counted.
        private: usize,
    },
    /// A game has more than a hundred times as many histories as allowed, by an estimate.
    #[error("the game has {estimate} histories, as estimated by random descents, but the limit is {most}")]
    FarTooMany {
        /// How many.
        estimate: TreeEstimate,
        /// The limit.
        most: usize,
    },
    /// Too much would have to be looked at to find the histories with the same public percepts.
    #[error("after {turns} turns more than {most} joint moves lead on from a public state")]
    TooManyMoves {
        /// Turns since the start.
        turns: usize,
        /// The limit.
        most: usize,
    },
    /// No match leads to these public percepts.
    #[error("no match can lead to what everybody was told in turn {turn}")]
    Impossible {
        /// The turn, from 1 on.
        turn: usize,
    },
    /// A player cannot know its legal moves.
    #[error("{role} cannot know its legal moves in {information_set}")]
    UnknownMoves {
        /// Name of the role.
        role: String,
        /// The information set.
        information_set: String,
    },
    /// A policy gives no distribution over the legal moves.
    #[error(
        "a policy gives {given} probabilities for {legal} legal moves of {role}, or none that add up to one"
    )]
    Policy {
        /// Name of the role.
        role: String,
        /// How many it gives.
        given: usize,
        /// How many moves are legal.
        legal: usize,
    },
    /// A policy failed; why, in words.
    #[error("{0}")]
    PolicyFailed(String),
    /// No sample was found.
    #[error(transparent)]
    Sample(BeliefError),
    /// A public state that a space does not have.
    #[error("the public state is of another game, or of other rules")]
    Unknown,
    /// Chance does not only deal hands and a board.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// A game that is too large to be looked at as a whole, and not one of hands and a board.
    #[error(
        "{listed}; and it is not a game in which chance only deals two players their hands and a board: {by_hands}"
    )]
    NeitherWay {
        /// Why not all histories are looked at.
        listed: Box<PublicError>,
        /// Why not pairs of hands instead.
        by_hands: DealError,
    },
    /// There are too many information sets to list what is done in each.
    #[error(
        "what the search does in all information sets is not listed where hands and boards are too many: play matches instead"
    )]
    NotListed,
    /// The rules fail somewhere.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl PublicError {
    /// Whether there is too much to enumerate: a sample may do.
    #[must_use]
    pub fn is_of_size(&self) -> bool {
        matches!(
            self,
            Self::TooMany { .. }
                | Self::FarTooMany { .. }
                | Self::TooManyMoves { .. }
                | Self::NeitherWay { .. }
        )
    }
}
