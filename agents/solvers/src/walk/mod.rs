//! Evaluates strategies in games whose tree does not fit in memory, by walking through the histories without storing them.
//!
//! A player's best response needs, in each of its information sets, all histories of that set with their probabilities under the others'
//! strategies and chance, and nothing from other information sets. So the walk descends the tree of what *one* player knows:
//! a node is an information set with its histories, its children are what the player may know a turn later, and on the way
//! back up the best move of each is determined. Memory is needed only for one path and the nodes beside it.
//!
//! Histories of an information set that lead to the same state, and that the other players cannot tell apart either, have the
//! same future and are merged. If the other players choose without regard to what they know, these are any two histories in
//! the same state: there are far fewer positions than ways to reach them.
//!
//! # Sources
//! M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, "Accelerating Best Response Calculation in Large Extensive Games",
//! IJCAI 2011: this is their walk over public states with the responder's information sets instead; it needs no
//! structure of deals and bets, and so supports any rules.

mod branching;
mod piece;
mod strategy;

use std::ops::ControlFlow;

use croupier_engine::{Game, GameError};

pub use self::strategy::{Asked, Followed};
use self::{branching::Branching, piece::Piece, strategy::Strategies};
use crate::{
    evaluation::{Evaluation, PlayerValue},
    lanes::Lookers,
};

/// Histories that are walked through together, about: more of them fill the lanes better and take more memory.
const PIECE: usize = 16_384;

/// Why a walk ended early.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// Only networks are walked through.
    #[error("a walk needs rules that can be compiled to a network that fits in memory")]
    NoNetwork,
    /// A player cannot know its legal moves, so no strategy can be defined for it.
    #[error(
        "{role} cannot know its legal moves: they differ between histories with the same information set"
    )]
    UnknownMoves {
        /// Name of the role.
        role: String,
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
}

/// The value of an information set for its player, times the probability that the others and chance let it
/// occur.
#[derive(Clone, Copy, Debug, Default)]
struct Worth {
    /// If the player follows the strategy too.
    value: f64,
    /// If it does its best.
    best: f64,
}

/// A walk for one player.
struct Descent<'w, 's, 'g> {
    branching: Branching<'w, 's, 'g>,
    piece: usize,
    histories: u64,
    /// Told how many histories were walked through, and says whether to go on.
    progress: &'w mut dyn FnMut(u64) -> ControlFlow<()>,
}

impl<'g> Walk<'g> {
    /// A walk through a game.
    ///
    /// # Errors
    /// [`WalkError::NoNetwork`].
    pub fn new(game: &'g Game) -> Result<Self, WalkError> {
        Ok(Self { game, lookers: Lookers::new(game).ok_or(WalkError::NoNetwork)?, piece: PIECE })
    }

    /// The same with this many histories together; results differ only by rounding.
    #[must_use]
    pub fn with_piece(self, piece: usize) -> Self {
        Self { piece: piece.max(1), ..self }
    }

    /// The value of the strategy for every player, and of a best response against it. `progress` is called after every
    /// piece with the number of histories walked through so far, and can stop the walk by [`ControlFlow::Break`].
    ///
    /// # Errors
    /// If a player cannot know its legal moves, rules or strategy fail somewhere, or `progress` stops it.
    ///
    /// # Complexity
    /// Each player's walk visits every history once, except for those that are merged (see the module). Memory grows with
    /// the length of a match times the size of one piece, and with a strategy that depends on the others'
    /// information sets, by some 60 bytes each.
    pub fn evaluate(
        &self,
        followed: Followed<'_>,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Evaluation, WalkError> {
        let (mut players, mut histories) = (Vec::new(), 0);
        let mut strategies = Strategies::new(self.game, followed);
        for role in self.game.roles().players() {
            let branching = Branching::new(self.game, &self.lookers, role, &mut strategies);
            let mut descent = Descent { branching, piece: self.piece, histories, progress };
            let worth = descent.start()?;
            histories = descent.histories;
            players.push(PlayerValue { value: worth.value, best_response: worth.best });
        }
        Ok(Evaluation { players })
    }
}

impl Descent<'_, '_, '_> {
    /// The value of a match for the player.
    fn start(&mut self) -> Result<Worth, WalkError> {
        let piece = self.branching.first();
        Ok(self.worth(&piece)?[0])
    }

    /// The value of each information set of a piece.
    fn worth(&mut self, piece: &Piece) -> Result<Vec<Worth>, WalkError> {
        self.histories += piece.len() as u64;
        if (self.progress)(self.histories).is_break() {
            return Err(WalkError::Interrupted);
        }
        let branches = self.branching.branch(piece)?;
        let mut found = branches.ended.clone();
        let mut moves: Vec<Vec<Worth>> =
            branches.own.iter().map(|own| vec![Worth::default(); own.len()]).collect();
        for part in branches.next.parts(self.piece) {
            let (first, part) = (part.start, branches.next.part(part));
            for (place, worth) in self.worth(&part)?.into_iter().enumerate() {
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
