//! A player's knowledge as the numbers of its space: for one information set in a seat, as for hundreds in lanes.

use croupier_engine::{InformationSet, MoveId, PerceptId, Percepts};

use crate::{PlayerSpace, Space, TrainingError};

/// The positions of a player's moves and percepts among the events of a turn.
#[derive(Clone, Debug)]
pub(crate) struct Events {
    /// Ascending by move.
    moves: Vec<(MoveId, usize)>,
    /// Ascending by percept.
    percepts: Vec<(PerceptId, usize)>,
}

impl Events {
    /// Of moves and percepts in the order of their columns.
    pub(crate) fn new(moves: &[MoveId], percepts: &[PerceptId]) -> Self {
        let mut moves: Vec<_> = moves.iter().copied().zip(0..).collect();
        let mut percepts: Vec<_> = percepts.iter().copied().zip(moves.len()..).collect();
        moves.sort_unstable();
        percepts.sort_unstable();
        Self { moves, percepts }
    }

    /// The column of a move.
    fn of_move(&self, played: MoveId) -> Option<usize> {
        place(&self.moves, played)
    }

    /// The column of a percept, after those of the moves.
    fn of_percept(&self, told: PerceptId) -> Option<usize> {
        place(&self.percepts, told)
    }
}

fn place<Id: Copy + Ord>(columns: &[(Id, usize)], id: Id) -> Option<usize> {
    let place = columns.binary_search_by_key(&id, |(known, _)| *known).ok()?;
    Some(columns[place].1)
}

impl Space {
    /// The features of a player that did and was told `known`: a byte for each, 0 or 1, and zeros up to
    /// [`features_count`](Self::features_count). A [`VectorEnvironment`](crate::VectorEnvironment) writes the same bytes in a lane
    /// in which the player has the same knowledge.
    ///
    /// A move that is never legal, or a percept that is never told, has no feature and changes none.
    ///
    /// ```
    /// use croupier_engine::{Game, InformationSet, Options};
    /// use croupier_training::{Features, Space};
    ///
    /// let rules = croupier_games::find("kuhn").ok_or("the catalogue has it")?.rules;
    /// let game = Game::compile(rules, &Options::PLAY)?.game;
    /// let alice = game.roles().find("alice").ok_or("a role of the game")?;
    /// let space = Space::new(&game, Features::Percepts { last: 1 })?;
    /// let mut known = InformationSet::initial(alice);
    /// known.turns.push(game.own_turn("noop", ["(hole king)"])?);
    /// let row = space.row(&known)?;
    /// // Her move and her card, ever and a turn ago.
    /// assert_eq!(row.iter().filter(|&&feature| feature == 1).count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainingError::NoKnowledge`] if features are a belief or show the state, or `known` is of no player.
    ///
    /// # Complexity
    /// Percepts of all turns times the logarithm of those that can be told, and the features once.
    pub fn row(&self, known: &InformationSet) -> Result<Vec<u8>, TrainingError> {
        let player = self.players.iter().find(|player| player.role == known.role);
        let player = player.filter(|_| self.shows_knowledge()).ok_or(TrainingError::NoKnowledge)?;
        let mut row = vec![0; self.features_count()];
        let events = player.events_count();
        // What ever came stands before what came in each of the last turns.
        let first = if self.keeps_all() { events } else { 0 };
        for (ago, turn) in known.turns.iter().rev().enumerate() {
            if ago >= self.turns_kept() && !self.keeps_all() {
                break;
            }
            for event in player.events_of(turn) {
                if self.keeps_all() {
                    row[event] = 1;
                }
                if ago < self.turns_kept() {
                    row[first + ago * events + event] = 1;
                }
            }
        }
        Ok(row)
    }
}

impl PlayerSpace {
    /// What happened to the player in a turn, as far as it can ever happen.
    fn events_of<'e>(&'e self, turn: &'e (MoveId, Percepts)) -> impl Iterator<Item = usize> + 'e {
        let (made, told) = turn;
        let told = told.iter().filter_map(|percept| self.events.of_percept(percept));
        self.events.of_move(*made).into_iter().chain(told)
    }

    /// The column of a move in the mask; `None` if it is never legal.
    #[must_use]
    pub fn column(&self, played: MoveId) -> Option<usize> {
        self.events.of_move(played)
    }
}
