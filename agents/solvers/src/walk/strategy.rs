//! The strategies of all players, as a walk needs them.

use std::{error::Error, rc::Rc};

use croupier_engine::{Game, InformationSet, MoveId, Percepts, RoleId};

use super::WalkError;
use crate::tree::knowledge::{KnowledgeBuilder, KnowledgeId, PerceptsId};

/// Returns the probability of each of these legal moves in an information set; they add up to one. Several threads ask, each for
/// another role.
pub type StrategyFunction<'s> =
    dyn Fn(&InformationSet, &[MoveId]) -> Result<Vec<f64>, Box<dyn Error + Send + Sync>> + Sync + 's;

/// A strategy of all players.
pub enum Followed<'s> {
    /// Each legal move with the same probability, whatever is known.
    Uniform,
    /// By information set; called once for every information set that is reached.
    Asked(&'s StrategyFunction<'s>),
}

/// The strategy in one information set.
struct LocalStrategy {
    moves: Rc<[MoveId]>,
    probabilities: Rc<[f64]>,
}

/// The strategy, as far as it was requested.
pub(super) struct Strategies<'s, 'g> {
    game: &'g Game,
    followed: Followed<'s>,
    knowledge: KnowledgeBuilder,
    /// By information set.
    said: Vec<Option<LocalStrategy>>,
    /// By how many moves there are.
    uniform: Vec<Option<Rc<[f64]>>>,
}

impl<'s, 'g> Strategies<'s, 'g> {
    /// Nothing requested yet.
    pub(super) fn new(game: &'g Game, followed: Followed<'s>) -> Self {
        let players = game.roles().players().count();
        Self {
            game,
            followed,
            knowledge: KnowledgeBuilder::new(vec![Vec::new(); players]),
            said: Vec::new(),
            uniform: Vec::new(),
        }
    }

    /// Whether players' knowledge matters.
    pub(super) fn looks_at_knowledge(&self) -> bool {
        matches!(self.followed, Followed::Asked(_))
    }

    /// Each player's information set before the first turn.
    pub(super) fn initial(&self) -> Vec<KnowledgeId> {
        self.knowledge.initial()
    }

    /// The id of a set of percepts.
    pub(super) fn percepts(&mut self, percepts: &Percepts) -> PerceptsId {
        self.knowledge.percepts(percepts)
    }

    /// A player's information set after one more turn.
    pub(super) fn learn(
        &mut self,
        before: KnowledgeId,
        own_move: MoveId,
        percepts: PerceptsId,
    ) -> KnowledgeId {
        self.knowledge.extend(before, own_move, percepts)
    }

    /// The probability of each of this many moves if knowledge does not matter.
    pub(super) fn uniform(&mut self, moves: usize) -> Rc<[f64]> {
        let places = self.uniform.len().max(moves + 1);
        self.uniform.resize(places, None);
        let even = || std::iter::repeat_n(1.0 / moves as f64, moves).collect();
        Rc::clone(self.uniform[moves].get_or_insert_with(even))
    }

    /// The probability of each of these legal moves for `role` in an information set.
    pub(super) fn of(
        &mut self,
        role: RoleId,
        known: KnowledgeId,
        moves: &[MoveId],
    ) -> Result<Rc<[f64]>, WalkError> {
        let Followed::Asked(asked) = self.followed else { return Ok(self.uniform(moves.len())) };
        let places = self.said.len().max(known.index() + 1);
        self.said.resize_with(places, || None);
        if let Some(said) = &self.said[known.index()] {
            if *said.moves != *moves {
                return Err(self.unknown_moves(role));
            }
            return Ok(Rc::clone(&said.probabilities));
        }
        // Nobody who has one move needs to be asked.
        let probabilities = match moves {
            [_] => vec![1.0],
            _ => asked(&InformationSet { role, turns: self.knowledge.turns(known) }, moves)
                .map_err(WalkError::Strategy)?,
        };
        assert_eq!(probabilities.len(), moves.len(), "a probability for each move");
        let probabilities: Rc<[f64]> = probabilities.into();
        self.said[known.index()] =
            Some(LocalStrategy { moves: moves.into(), probabilities: Rc::clone(&probabilities) });
        Ok(probabilities)
    }

    /// The error that a role cannot know its legal moves.
    pub(super) fn unknown_moves(&self, role: RoleId) -> WalkError {
        WalkError::UnknownMoves { role: self.game.roles().name(role).to_owned() }
    }

    /// The game that it is for.
    pub(super) fn game(&self) -> &'g Game {
        self.game
    }
}
