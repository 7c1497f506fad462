//! The interface between a match and a program that chooses moves.

use std::{fmt, ops::ControlFlow};

use croupier_belief::{BeliefError, Coverage};
use croupier_engine::{
    GameError, InformationSet, MoveId, RoleId,
    draw::{draw_index, unit_interval, weighted_place},
};
use rand_core::Rng;
use thiserror::Error;

use crate::{
    Approaches,
    ending::OpenEnds,
    plan::{TOLERANCE, Worth},
};

/// Someone who chooses the moves of one role.
///
/// A player is created for one game, role and seed, and then asked once per turn.
pub trait Player: fmt::Debug + Send {
    /// The role that it plays.
    fn role(&self) -> RoleId;

    /// The move to play for a role that did and was told `known` and may move now.
    ///
    /// Cheapest if each call adds one turn; any other information set of the role is
    /// accepted too. Unless the budget is a deadline, the answer depends only on the game, the role, the
    /// seed, `known` and the budget, and never on earlier calls.
    ///
    /// # Errors
    /// [`PlayerError`]. The player may be asked again afterwards.
    fn choose(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Result<Decision, PlayerError>;

    /// How probable it makes each of `moves`, which are the legal moves in `known`; `None` if it does not know its mixed
    /// strategy. A player that goes by a file need not work out the legal moves first, which takes it most of a decision.
    ///
    /// # Errors
    /// As [`choose`](Self::choose).
    fn strategy(
        &mut self,
        known: &InformationSet,
        moves: &[MoveId],
    ) -> Result<Option<Vec<f64>>, PlayerError> {
        Ok(self.choose(known, &mut Budget::Own)?.strategy_over(moves))
    }

    /// Precomputes what depends on the rules alone, as far as the budget allows: this is what a start clock is for. Without it
    /// the first decisions do that work. It does not affect the choices unless a budget is a deadline.
    fn prepare(&mut self, _budget: &mut Budget<'_>) {}

    /// Goes on with work that its next decisions under a clock may use, while others choose. Decisions without a clock do not depend on it.
    fn ponder(&mut self, _budget: &mut Budget<'_>) {}

    /// The ends that its searches met since it was made and that no match can have, if there were any: a warning about
    /// the rules, and about what its choices rest on.
    fn open_ends(&self) -> Option<OpenEnds> {
        None
    }

    /// How often the strategy from a file that it goes by, or those of its models, had an entry since it was made; `None` if no
    /// file tells it what to play or expect.
    fn coverage(&self) -> Option<Coverage> {
        None
    }

    /// In which of its ways it decided where it had a choice, since it was made; `None` if it has only one way.
    fn approaches(&self) -> Option<Approaches> {
        None
    }

    /// Frees data that the next decision can recompute: a player that is not asked for a while takes less
    /// memory, and still chooses the same moves.
    fn release(&mut self) {}
}

/// How long a player may compute.
///
/// It bounds only the search. Updating the belief with new turns comes first and is
/// bounded by the options of the belief.
pub enum Budget<'d> {
    /// The number of iterations that the player was made with.
    Own,
    /// This number of iterations instead.
    Iterations(u32),
    /// The number of iterations that the player was made with, unless the closure says that nobody wants the answer any more, which is then
    /// worth nothing. This is no clock: the answer is that of [`Own`](Self::Own).
    Interruptible(&'d mut (dyn FnMut() -> bool + Send)),
    /// The player's own number of iterations, ended early as soon as the closure says that
    /// time is up. The closure is called before each iteration or round of iterations, and in playouts on a network before each turn:
    /// a round that is incomplete then does not count.
    Until(&'d mut (dyn FnMut() -> bool + Send)),
    /// Time that nobody else has a use for, until the closure says that it is over: a player that gets better with more iterations makes
    /// more than its own number. Otherwise as [`Until`](Self::Until).
    Offered(&'d mut (dyn FnMut() -> bool + Send)),
}

/// A move, and why it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move to play; legal in every state that the player considers possible.
    pub chosen: MoveId,
    /// The legal moves that it was chosen from, in canonical order; at least one.
    pub moves: Vec<MoveId>,
    /// The player's mixed strategy in this information set: the probability with which it chooses each of `moves`, over
    /// the draws of its seed. Not negative, and adds up to one except for rounding. `None` if the player does not know it: a
    /// search that draws states and playouts chooses by their results, and its distribution can only be estimated
    /// by asking with many seeds.
    pub strategy: Option<Vec<f64>>,
    /// The search statistics of each legal move, in canonical order; empty without a search.
    pub estimates: Vec<Estimate>,
    /// Iterations done.
    pub iterations: u32,
    /// Why the player stopped there.
    pub stop: StopReason,
}

impl Decision {
    /// The player's mixed strategy over another list of moves: [`strategy`](Self::strategy) for those that are among its own, 0
    /// for the others, scaled to a sum of one. `None` if it does not know its strategy, or plays none of them.
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

/// The search statistics of one move.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The move.
    pub chosen: MoveId,
    /// How often the move, or the representative of its symmetry class, was tried; 1 if its value was computed
    /// instead, 0 if it cannot be the best.
    pub visits: u32,
    /// The mean goal of those tries; `None` if there were none.
    pub mean_goal: Option<f64>,
}

/// Why a player stopped computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// There was one legal move, or the kind of player does not search.
    WithoutSearch,
    /// The role plays against chance alone, and all possibilities were enumerated: the means are exact.
    Planned,
    /// It is proved what to play: no other move is better if the opponent plays its best. With two players this takes for granted that what
    /// one gains the other loses in every end, as in all ends that the search has met.
    Proved,
    /// All iterations were done.
    IterationLimit(u32),
    /// Time was up.
    Deadline,
}

/// Why there is no decision.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// Only chance plays `random`.
    #[error("the role random is played by chance and cannot have a player")]
    RandomRole,
    /// The information set belongs to another role.
    #[error("this player was asked to move for a role that it does not play")]
    OtherRole,
    /// In every state that the player holds possible the match is over or it has no legal move.
    #[error("turn {turn}: no state that agrees with the percepts has a legal move")]
    NothingToPlay {
        /// The turn, counted from 0.
        turn: usize,
    },
    /// A model was given for a role that is not a player.
    #[error("a model was given for {role}, which is not a player in this game")]
    ModelledRole {
        /// The given role.
        role: String,
    },
    /// A policy plays an illegal move.
    #[error("the policy plays {played}, which is illegal, in the information set {information_set}")]
    PolicyMove {
        /// Where, as [`information_set_text`](croupier_engine::Game::information_set_text) writes it.
        information_set: String,
        /// The move.
        played: String,
    },
    /// A table of probabilities is for another game.
    #[error(transparent)]
    Policy(#[from] crate::PolicyError),
    /// A blueprint is for another game, or invalid.
    #[error("the blueprint cannot be used: {problem}")]
    Blueprint {
        /// Why not.
        problem: String,
    },
    /// A strategy that was brought from elsewhere is of another game, or has no probabilities for these moves.
    #[error("{problem}")]
    Brought {
        /// The problem, as a sentence.
        problem: String,
    },
    /// There is no belief from which to choose.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// The rules fail in a state that the match may reach.
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
            Self::Own | Self::Interruptible(_) | Self::Until(_) | Self::Offered(_) => own,
        }
    }

    /// Whether work that reports its progress may continue: as long as there is time.
    pub(crate) fn flow(&mut self) -> ControlFlow<()> {
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// What says whether time is up, to be asked on any thread.
    pub(crate) fn clock(&mut self) -> Option<&mut (dyn FnMut() -> bool + Send)> {
        match self {
            Self::Interruptible(is_over) | Self::Until(is_over) | Self::Offered(is_over) => {
                Some(&mut **is_over)
            }
            Self::Own | Self::Iterations(_) => None,
        }
    }

    /// The same clock, for work that is bounded by a number of its own.
    pub(crate) fn unnumbered(&mut self) -> Budget<'_> {
        match self {
            Self::Interruptible(is_over) => Budget::Interruptible(&mut **is_over),
            Self::Until(is_over) => Budget::Until(&mut **is_over),
            Self::Offered(is_over) => Budget::Offered(&mut **is_over),
            Self::Own | Self::Iterations(_) => Budget::Own,
        }
    }

    /// Whether there is a clock.
    pub(crate) fn is_timed(&self) -> bool {
        matches!(self, Self::Until(_) | Self::Offered(_))
    }

    /// Whether time is up.
    pub(crate) fn is_over(&mut self) -> bool {
        match self {
            Self::Interruptible(is_over) | Self::Until(is_over) | Self::Offered(is_over) => is_over(),
            Self::Own | Self::Iterations(_) => false,
        }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("Own"),
            Self::Iterations(limit) => f.debug_tuple("Iterations").field(limit).finish(),
            Self::Interruptible(_) => f.write_str("Interruptible(..)"),
            Self::Until(_) => f.write_str("Until(..)"),
            Self::Offered(_) => f.write_str("Offered(..)"),
        }
    }
}

impl Decision {
    /// The best of `moves`, given their values, of which there is at least one; among equals one that ends the match at once, if
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

    /// The move at the index that a search chose, with its statistics; the strategy is unknown.
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
