//! Evaluates strategies in games whose tree does not fit in memory, by walking through the histories without storing them.
//!
//! A player's best response needs, in each of its information sets, all histories of that set with their probabilities under the others'
//! strategies and chance, and nothing from other information sets. So the walk descends the tree of what *one* player knows:
//! a node is an information set with its histories, its children are what the player may know a turn later, and on the way
//! back up the best move of each is determined. Memory is needed only for one path and the nodes beside it.
//!
//! If the states of the game can be numbered (`graph.rs`), a history is three numbers, states whose result is settled are
//! counted at once instead of walked through, and threads share the work (`response.rs`). Otherwise the histories of many
//! information sets are rows of bits on lanes (`branching.rs`), however many states there are.
//!
//! Histories of an information set that lead to the same state, and that the other players cannot tell apart either, have the
//! same future and are merged. If the other players choose without regard to what they know, these are any two histories in
//! the same state: there are far fewer positions than ways to reach them. For numbered states, information sets from which
//! a player goes on alike whatever happens count as one (`growth.rs`).
//!
//! [`WalkSolver`] iterates on numbered states (`solver.rs`): in each iteration it walks through the histories for every
//! player, as for a best response, and updates the player's regrets on the way back up. The tree of a player's
//! information sets (`sets.rs`) has a regret and an average beside each probability.
//!
//! # Sources
//! M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, "Accelerating Best Response Calculation in Large Extensive Games",
//! IJCAI 2011: this is their walk over public states with the responder's information sets instead; it needs no
//! structure of deals and bets, and so supports any rules.

mod belief;
mod branching;
mod explorer;
mod graph;
mod growth;
mod piece;
mod regrets;
mod response;
mod sets;
mod settled;
mod solver;
mod strategy;

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use croupier_engine::{Game, GameError, LimitError};
use rayon::prelude::*;

use self::{
    branching::Branching, graph::StateGraph, growth::Growth, piece::WalkPiece, response::Response,
    sets::SetTree, strategy::Strategies,
};
pub use self::{
    solver::WalkSolver,
    strategy::{Followed, StrategyFunction},
};
use crate::{
    algorithm::Algorithm,
    evaluation::{Evaluation, PlayerValue},
    lanes::Lookers,
};

/// Histories that are walked through together, about: more of them fill the lanes better and take more memory.
const PIECE: usize = 16_384;

/// On numbered states, which take much less time for each history, a thread takes this many times as many.
const PIECES: usize = 64;

/// Turns of a match that can be walked through on lanes, at most: each takes a part of the stack.
const DEPTH_MAX: usize = 2_000;

/// Why a walk ended early.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// Only networks are walked through.
    #[error("a walk needs rules that can be compiled to a network that fits in memory")]
    NoNetwork,
    /// A player cannot know its legal moves, so no strategy can be defined for it. On numbered states this is noticed between
    /// histories in which the player still has to choose; `croupier check` looks at all of them.
    #[error(
        "{role} cannot know its legal moves: they differ between histories with the same information set"
    )]
    UnknownMoves {
        /// Name of the role.
        role: String,
    },
    /// Only numbered states are iterated over.
    #[error("iterations need a game with at most {limit} states that never comes back to one")]
    NotNumbered {
        /// The limit.
        limit: usize,
    },
    /// Somebody has too many information sets.
    #[error("a player has more than {limit} information sets, or moves in them")]
    TooManySets {
        /// The limit.
        limit: usize,
    },
    /// Walks visit everything.
    #[error("{algorithm} draws samples, and a walk visits every history")]
    Sampling {
        /// The algorithm.
        algorithm: Algorithm,
    },
    /// The caller stopped the walk.
    #[error("the walk was interrupted")]
    Interrupted,
    /// The rules fail somewhere.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The strategy fails somewhere.
    #[error("{0}")]
    Strategy(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The value of a strategy that everyone follows, by a walk through all histories.
///
/// ```
/// use std::ops::ControlFlow;
/// use croupier_solvers::{Followed, Walk};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
/// let evaluation = Walk::new(&game)?.evaluate(Followed::Uniform, &mut |_| ControlFlow::Continue(()))?;
/// // OpenSpiel has 0.916667 chips for uniform play; a chip is worth 25 here.
/// assert!((evaluation.nash_conv() / 25.0 - 0.916_667).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Walk<'g> {
    game: &'g Game,
    lookers: Lookers<'g>,
    /// Histories that are walked through together.
    piece: usize,
    /// States that may be numbered.
    states_max: usize,
}

/// How far a walk has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkProgress {
    /// Histories that were walked through.
    pub histories: u64,
    /// The share of the information sets that were asked about before the walk, from 0 to 1: of each information set, what follows
    /// its moves counts as equally much.
    pub asked: f64,
    /// The share of the walk, likewise.
    pub walked: f64,
}

/// Is told of progress now and then, and can stop the work by [`ControlFlow::Break`].
type OnProgress<'p> = dyn FnMut(WalkProgress) -> ControlFlow<()> + Send + 'p;

/// Adds what was done meanwhile, from any thread; fails if the walk is stopped.
type Count<'w> = dyn Fn(WalkProgress) -> Result<(), WalkError> + Sync + 'w;

/// The value of an information set for its player, times the probability that the others and chance let it
/// occur.
#[derive(Clone, Copy, Debug, Default)]
struct Worth {
    /// If the player follows the strategy too.
    value: f64,
    /// If it does its best.
    best: f64,
}

/// A walk for one player on lanes.
struct LaneWalk<'w, 's, 'g> {
    branching: Branching<'w, 's, 'g>,
    piece: usize,
    turns_max: usize,
    count: &'w Count<'w>,
}

impl<'g> Walk<'g> {
    /// A walk through a game.
    ///
    /// # Errors
    /// [`WalkError::NoNetwork`].
    pub fn new(game: &'g Game) -> Result<Self, WalkError> {
        Ok(Self {
            game,
            lookers: Lookers::new(game).ok_or(WalkError::NoNetwork)?,
            piece: PIECE,
            states_max: graph::STATES_MAX,
        })
    }

    /// The same with at most this many states that are numbered [default: 2^22]: a game with more, or whose states take more than
    /// half a gigabyte, is walked through on lanes. Results differ only by rounding.
    #[must_use]
    pub fn with_states_max(self, states_max: usize) -> Self {
        Self { states_max, ..self }
    }

    /// The same with this many histories together: on lanes, or 64 times as many by one thread. Results differ only by rounding.
    #[must_use]
    pub fn with_piece(self, piece: usize) -> Self {
        Self { piece: piece.max(1), ..self }
    }

    /// The value of the strategy for every player, and of a best response against it. `progress` is told of it now and then, and
    /// can stop the walk by [`ControlFlow::Break`].
    ///
    /// # Errors
    /// If a player cannot know its legal moves, rules or strategy fail somewhere, or `progress`
    /// stops it.
    ///
    /// # Complexity
    /// Each player's walk visits every history once, except for those that are merged or need no walk (see the module).
    /// Memory grows with the number of states, if they are numbered, and with the length of a match; for a strategy that
    /// depends on information sets also with those in which somebody chooses, by some 50 bytes each.
    pub fn evaluate(
        &self,
        followed: Followed<'_>,
        progress: &mut OnProgress<'_>,
    ) -> Result<Evaluation, WalkError> {
        let players = self.game.roles().players().count();
        let count = counting(players, progress);
        let mut go_on = || count(WalkProgress::default());
        match explorer::explore(self.game, &self.lookers, self.states_max, &mut go_on)? {
            Some(graph) => self.evaluate_on_graph(&graph, &followed, &count),
            None => self.evaluate_on_lanes(followed, &count),
        }
    }

    /// Histories below an information set from which on several threads share it.
    fn split_from(&self) -> f64 {
        (self.piece * PIECES) as f64
    }

    fn evaluate_on_graph(
        &self,
        graph: &StateGraph,
        followed: &Followed<'_>,
        count: &Count<'_>,
    ) -> Result<Evaluation, WalkError> {
        let players = 0..graph.players.len();
        let sets: Vec<SetTree> = match followed {
            Followed::Uniform => Vec::new(),
            Followed::Asked(asked) => {
                let growth = |player| Growth::new(self.game, graph, player, *asked, count);
                let sets = |player| growth(player).joining_alike().tree();
                players.clone().into_par_iter().map(sets).collect::<Result<_, _>>()?
            }
        };
        let value = |player| Response::new(self.game, graph, &sets, player, self.split_from(), count).value();
        Ok(Evaluation { players: players.map(value).collect::<Result<_, WalkError>>()? })
    }

    fn evaluate_on_lanes(&self, followed: Followed<'_>, count: &Count<'_>) -> Result<Evaluation, WalkError> {
        let mut strategies = Strategies::new(self.game, followed);
        let turns_max = self.game.limits().turns.min(DEPTH_MAX);
        let value = |role| {
            let branching = Branching::new(self.game, &self.lookers, role, &mut strategies);
            let worth = LaneWalk { branching, piece: self.piece, turns_max, count }.start()?;
            Ok(PlayerValue { value: worth.value, best_response: worth.best })
        };
        let players = self.game.roles().players().map(value).collect::<Result<_, WalkError>>()?;
        Ok(Evaluation { players })
    }
}

/// Adds up for `progress`, which can stop the walk, what is done for each of so many players.
fn counting(
    players: usize,
    progress: &mut OnProgress<'_>,
) -> impl Fn(WalkProgress) -> Result<(), WalkError> + Sync {
    let counted = Mutex::new((WalkProgress::default(), progress));
    move |done| {
        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, progress) = &mut *counted;
        all.histories += done.histories;
        all.asked += done.asked / players as f64;
        all.walked += done.walked / players as f64;
        if progress(*all).is_break() { Err(WalkError::Interrupted) } else { Ok(()) }
    }
}

impl LaneWalk<'_, '_, '_> {
    /// The value of a match for the player.
    fn start(&mut self) -> Result<Worth, WalkError> {
        let piece = self.branching.first();
        Ok(self.worth(0, &piece, 1.0)?[0])
    }

    /// The value of each information set of a piece, `depth` turns into the match; a share of the walk.
    fn worth(&mut self, depth: usize, piece: &WalkPiece, share: f64) -> Result<Vec<Worth>, WalkError> {
        if depth > self.turns_max {
            return Err(GameError::from(LimitError::Turns { limit: self.turns_max as u64 }).into());
        }
        let branches = self.branching.branch(piece)?;
        let parts = branches.next.parts(self.piece);
        let walked = if parts.is_empty() { share } else { 0.0 };
        (self.count)(WalkProgress { histories: piece.len() as u64, walked, ..WalkProgress::default() })?;
        let mut found = branches.ended.clone();
        let mut moves: Vec<Vec<Worth>> =
            branches.own.iter().map(|own| vec![Worth::default(); own.len()]).collect();
        let share = share / parts.len() as f64;
        for part in parts {
            let (first, part) = (part.start, branches.next.part(part));
            for (place, worth) in self.worth(depth + 1, &part, share)?.into_iter().enumerate() {
                let above = branches.above[first + place];
                moves[above.set][above.place].add(worth, 1.0);
            }
        }
        for ((found, moves), own) in found.iter_mut().zip(&moves).zip(&branches.own) {
            let best = moves.iter().map(|worth| worth.best).max_by(f64::total_cmp);
            found.best += best.unwrap_or(0.0);
            found.value += own.iter().zip(moves).map(|(share, worth)| share * worth.value).sum::<f64>();
        }
        Ok(found)
    }
}

impl Worth {
    /// Adds another, so much of it.
    fn add(&mut self, other: Self, weight: f64) {
        self.value += weight * other.value;
        self.best += weight * other.best;
    }
}
