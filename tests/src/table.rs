//! A game at a table: played by the text of its moves, with what each player is told.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{ByRole, Game, JointMove, Options, RoleId, Scratch, State, Status};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::corpus::catalogue_game;

/// Printed terms: legal moves, percepts or fluents.
pub type Texts = BTreeSet<String>;

/// A game of the catalogue, compiled as it is for play.
///
/// # Panics
/// If there is none of this name, or it does not compile.
#[must_use]
pub fn compile(name: &str) -> Game {
    compile_text(&catalogue_game(name).text)
}

/// Rules, compiled as they are for play.
///
/// # Panics
/// If they do not compile.
#[must_use]
pub fn compile_text(rules: &str) -> Game {
    Game::compile(rules, &Options::PLAY).expect("rules that compile").game
}

/// A random number below `bound`; the bias is negligible for the bounds of a test.
///
/// # Panics
/// If `bound` is 0.
pub fn below(rng: &mut impl Rng, bound: usize) -> usize {
    let bound = u64::try_from(bound).expect("a small bound");
    usize::try_from(rng.next_u64() % bound).expect("it is below the bound")
}

/// Any of these.
///
/// # Panics
/// If there are none.
pub fn any(texts: &Texts, rng: &mut impl Rng) -> String {
    texts.iter().nth(below(rng, texts.len())).expect("it is below their number").clone()
}

/// How often so many matches ended in each way, played one after the other with draws of one seed.
pub fn ends<E: Ord>(
    seed: u64,
    matches: usize,
    mut play: impl FnMut(&mut ChaCha8Rng) -> E,
) -> BTreeMap<E, usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut ends = BTreeMap::new();
    for _ in 0..matches {
        *ends.entry(play(&mut rng)).or_default() += 1;
    }
    ends
}

/// One match of a game.
#[derive(Debug)]
pub struct Table<'g> {
    game: &'g Game,
    scratch: Scratch,
    state: State,
}

impl<'g> Table<'g> {
    /// A match that has not begun.
    #[must_use]
    pub fn new(game: &'g Game) -> Self {
        Self::at(game, game.initial_state().clone())
    }

    /// A match that has come to this state.
    #[must_use]
    pub fn at(game: &'g Game, state: State) -> Self {
        Self { game, scratch: game.scratch(), state }
    }

    /// The state of the match.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The fluents that hold.
    #[must_use]
    pub fn fluents(&self) -> Texts {
        self.game.state_terms(&self.state).iter().map(ToString::to_string).collect()
    }

    /// What a role may do.
    ///
    /// # Panics
    /// If the game has no such role, or cannot say.
    pub fn legal(&mut self, role: &str) -> Texts {
        let id = self.role(role);
        let legal = self.game.legal_moves(&self.state, id, &mut self.scratch).expect("legal moves");
        legal.iter().map(|&id| self.game.move_text(id).to_string()).collect()
    }

    /// Any legal move of a role.
    ///
    /// # Panics
    /// If the role has none.
    pub fn random_move(&mut self, role: &str, rng: &mut impl Rng) -> String {
        let legal = self.legal(role);
        any(&legal, rng)
    }

    /// Plays one turn; roles that are not named play their only move. The answer is what each player is told.
    ///
    /// # Panics
    /// If a move is not legal, or a role that is not named has several.
    pub fn play(&mut self, moves: &[(&str, &str)]) -> BTreeMap<String, Texts> {
        let joint_move = self.joint_move(moves);
        let turn = self.game.turn(&self.state, &joint_move, &mut self.scratch).expect("a turn");
        self.state = turn.successor;
        let texts = |percepts| self.game.percept_terms(percepts).iter().map(ToString::to_string).collect();
        let told = turn.percepts.iter();
        told.map(|(role, percepts)| (self.game.roles().name(role).to_owned(), texts(percepts))).collect()
    }

    fn joint_move(&mut self, moves: &[(&str, &str)]) -> JointMove {
        let found = ByRole::from_fn(self.game.roles(), |role| {
            let name = self.game.roles().name(role);
            if let Some((_, text)) = moves.iter().find(|(named, _)| *named == name) {
                return self
                    .game
                    .find_move(&self.state, role, text, &mut self.scratch)
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            let legal = self.game.legal_moves(&self.state, role, &mut self.scratch).expect("legal moves");
            assert_eq!(legal.len(), 1, "{name} has a choice and is not named in {moves:?}");
            legal[0]
        });
        self.game.joint_move(&self.state, found, &mut self.scratch).expect("a joint move")
    }

    /// Goals by player where the match is over, else `None`.
    ///
    /// # Panics
    /// If the game cannot say.
    pub fn goals(&mut self) -> Option<BTreeMap<String, i32>> {
        match self.game.status(&self.state, &mut self.scratch).expect("a status") {
            Status::Running { .. } => None,
            Status::Terminal { goals } => {
                let goals = goals.iter();
                Some(
                    goals
                        .map(|(role, goal)| (self.game.roles().name(role).to_owned(), goal.value()))
                        .collect(),
                )
            }
        }
    }

    fn role(&self, name: &str) -> RoleId {
        self.game.roles().find(name).expect("a role of the game")
    }
}
