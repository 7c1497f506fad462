//! What a player is: the seam between a match and a program that chooses moves.

use std::{fmt, ops::ControlFlow};

use croupier_belief::BeliefError;
use croupier_engine::{
    GameError, InformationSet, MoveId, RoleId,
    draw::{draw_index, unit_interval, weighted_place},
};
use rand_core::Rng;
use thiserror::Error;

use crate::{
    ending::OpenEnds,
    plan::{TOLERANCE, Worth},
};

/// Someone who chooses the moves of one role.
///
/// A player is made for one game, role and seed, and then asked once a turn.
pub trait Player: fmt::Debug + Send {
    /// The role that it plays.
    fn role(&self) -> RoleId;

    /// The move to play for a role that did and was told `known` and may move now.
    ///
    /// Most cheaply asked with one more turn each time; any other information set of the role will do
    /// too. Unless the budget is a deadline, the answer depends only on the game, the role, the
    /// seed, `known` and the budget, and never on what was asked before.
    ///
    /// # Errors
    /// [`PlayerError`]. The player may be asked again.
    fn choose(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Result<Decision, PlayerError>;

    /// Computes ahead what depends on the rules alone, as far as the budget allows: what a start clock is for. Without it
    /// the first decisions do that work. What is chosen does not depend on it unless a budget is a deadline.
    fn prepare(&mut self, _budget: &mut Budget<'_>) {}

    /// The ends that its searches met since it was made and that no match can have, if there were any: a warning about
    /// the rules, and about what its choices rest on.
    fn open_ends(&self) -> Option<OpenEnds> {
        None
    }

    /// Frees what the next decision computes again where it needs it: a player that is not asked for a while takes less
    /// memory, and chooses the same.
    fn release(&mut self) {}
}

/// How long a player may think.
///
/// It bounds the search alone. Taking in what is new in the information set comes first and is
/// bounded by the options of the belief.
pub enum Budget<'d> {
    /// The number of iterations that the player was made with.
    Own,
    /// This number of iterations instead.
    Iterations(u32),
    /// The player's own number of iterations, but no further one as soon as the closure says that
    /// time is up. It is asked before each iteration or round of them, and in playouts on a network before each turn:
    /// a round that is not over then does not count.
    Until(&'d mut dyn FnMut() -> bool),
}

/// A move, and why it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move to play; legal wherever the player thinks it may be.
    pub chosen: MoveId,
    /// The legal moves that it was chosen from, in canonical order; at least one.
    pub moves: Vec<MoveId>,
    /// The player's mixed strategy in this information set: the probability with which it chooses each of `moves`, over
    /// the draws of its seed. Not negative, and of sum one but for rounding. `None` where the player does not know it: a
    /// search that draws states and playouts chooses by what came of them, and its distribution can only be estimated
    /// by asking with many seeds.
    pub strategy: Option<Vec<f64>>,
    /// What the search found about each legal move, in canonical order; empty without a search.
    pub estimates: Vec<Estimate>,
    /// Iterations done.
    pub iterations: u32,
    /// Why the player stopped there.
    pub stop: StopReason,
}

impl Decision {
    /// The player's mixed strategy over some other moves: [`strategy`](Self::strategy) where they are among its own, 0
    /// elsewhere, scaled to a sum of one. `None` if it does not know its strategy, or plays none of them.
    #[must_use]
    pub fn strategy_over(&self, moves: &[MoveId]) -> Option<Vec<f64>> {
        let strategy = self.strategy.as_ref()?;
        let mut probabilities = vec![0.0; moves.len()];
        for (played, probability) in self.moves.iter().zip(strategy) {
            if let Some(place) = moves.iter().position(|legal| legal == played) {
                probabilities[place] += probability;
            }
        }
        let sum: f64 = probabilities.iter().sum();
        (sum > 0.0).then(|| probabilities.iter().map(|one| one / sum).collect())
    }
}

/// What a search found about one move.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The move.
    pub chosen: MoveId,
    /// How often it was tried, or the one move of those that symmetries exchange with it; 1 if what it is worth was computed
    /// instead, 0 if it cannot be better than others.
    pub visits: u32,
    /// The mean goal of those tries; `None` if there were none.
    pub mean_goal: Option<f64>,
}

/// Why a player stopped thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// There was one legal move, or the kind of player does not search.
    WithoutSearch,
    /// The role plays against chance alone, and everything that may come was gone through: the means are exact.
    Planned,
    /// All iterations were done.
    IterationLimit(u32),
    /// Time was up.
    Deadline,
}

/// Why there is no decision.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// Chance plays `random`, nobody else.
    #[error("the role random is played by chance and cannot have a player")]
    RandomRole,
    /// The information set is of someone else.
    #[error("this player was asked to move for a role that it does not play")]
    OtherRole,
    /// In every state that the player holds possible the match is over or it has no legal move.
    #[error("turn {turn}: no state that agrees with the percepts has a legal move")]
    NothingToPlay {
        /// The turn, counted from 0.
        turn: usize,
    },
    /// A model is of a role that nobody plays.
    #[error("a model was given for {role}, which is not a player in this game")]
    ModelledRole {
        /// What was written.
        role: String,
    },
    /// A policy asks for what is not legal.
    #[error("the policy plays {played}, which is illegal, in the information set {information_set}")]
    PolicyMove {
        /// Where, as [`information_set_text`](croupier_engine::Game::information_set_text) writes it.
        information_set: String,
        /// The move.
        played: String,
    },
    /// A blueprint is of another game, or is none.
    #[error("the blueprint cannot be used: {problem}")]
    Blueprint {
        /// Why not.
        problem: String,
    },
    /// A strategy that was brought from elsewhere is of another game, or has no probabilities for these moves.
    #[error("{problem}")]
    Brought {
        /// What is wrong, as a sentence.
        problem: String,
    },
    /// There is no belief to choose from.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// The rules fail where the match may go.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl Budget<'_> {
    /// Whether to go on after `done` iterations, and if not, why.
    pub(crate) fn stop(&mut self, done: u32, own: u32) -> Option<StopReason> {
        let limit = self.limit(own);
        if done >= limit {
            return Some(StopReason::IterationLimit(limit));
        }
        self.is_over().then_some(StopReason::Deadline)
    }

    /// How many iterations there are at most.
    pub(crate) fn limit(&self, own: u32) -> u32 {
        match self {
            Self::Iterations(limit) => *limit,
            Self::Own | Self::Until(_) => own,
        }
    }

    /// Whether work that is told of its progress goes on: as long as there is time.
    pub(crate) fn flow(&mut self) -> ControlFlow<()> {
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether time is up.
    pub(crate) fn is_over(&mut self) -> bool {
        match self {
            Self::Until(is_over) => is_over(),
            Self::Own | Self::Iterations(_) => false,
        }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("Own"),
            Self::Iterations(limit) => f.debug_tuple("Iterations").field(limit).finish(),
            Self::Until(_) => f.write_str("Until(..)"),
        }
    }
}

impl Decision {
    /// The best of `moves`, of which this is the worth, at least of one; among equals one that ends the match at once, if
    /// there is any.
    pub(crate) fn planned(moves: &[MoveId], worths: &[Option<Worth>]) -> Self {
        let is_better = |one: Option<Worth>, other: Option<Worth>| match (one, other) {
            (Some(one), Some(other)) => {
                one.goal > other.goal + TOLERANCE
                    || one.goal > other.goal - TOLERANCE && one.ends > other.ends
            }
            (one, other) => one.is_some() && other.is_none(),
        };
        let best = (1..moves.len())
            .fold(0, |best, place| if is_better(worths[place], worths[best]) { place } else { best });
        let estimate = |(&chosen, worth): (&MoveId, &Option<Worth>)| Estimate {
            chosen,
            visits: u32::from(worth.is_some()),
            mean_goal: worth.map(|worth| worth.goal),
        };
        let estimates = moves.iter().zip(worths).map(estimate).collect();
        Self { estimates, stop: StopReason::Planned, ..Self::pure(moves.to_vec(), best) }
    }

    /// The move in this place, whatever the seed, without a search.
    pub(crate) fn pure(moves: Vec<MoveId>, place: usize) -> Self {
        let strategy = (0..moves.len()).map(|other| f64::from(u8::from(other == place))).collect();
        Self::mixed(moves, place, strategy)
    }

    /// The move in this place, drawn by a known strategy, without a search.
    pub(crate) fn mixed(moves: Vec<MoveId>, place: usize, strategy: Vec<f64>) -> Self {
        Self {
            chosen: moves[place],
            moves,
            strategy: Some(strategy),
            estimates: Vec::new(),
            iterations: 0,
            stop: StopReason::WithoutSearch,
        }
    }

    /// A move drawn from a mixed strategy.
    pub(crate) fn drawn(moves: Vec<MoveId>, strategy: Vec<f64>, rng: &mut impl Rng) -> Self {
        let point = unit_interval(rng) * strategy.iter().sum::<f64>();
        let place = weighted_place(point, strategy.iter().copied()).expect("probabilities have the sum one");
        Self::mixed(moves, place, strategy)
    }

    /// A move drawn with the same probability for each.
    pub(crate) fn drawn_uniformly(moves: Vec<MoveId>, rng: &mut impl Rng) -> Self {
        let place = draw_index(moves.len(), rng);
        let strategy = vec![1.0 / moves.len() as f64; moves.len()];
        Self::mixed(moves, place, strategy)
    }

    /// The move in the place that a search came to, with what it found about each; its strategy is not known.
    pub(crate) fn searched(
        moves: Vec<MoveId>,
        verdict: (usize, Vec<Estimate>),
        iterations: u32,
        stop: StopReason,
    ) -> Self {
        let (place, estimates) = verdict;
        Self { chosen: moves[place], moves, strategy: None, estimates, iterations, stop }
    }
}
