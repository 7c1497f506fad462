//! Random matches, each in a game of its own, and pictures of what roles know in them.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, Options, RoleId, State};
use croupier_games::{Entry, GameFacts, Scene};
use croupier_picture::Picture;
use croupier_table::{Seen, scene_of_states};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

/// A match so far, in a game that has met the terms of this match and of no other.
pub(crate) struct Walk {
    pub(crate) game: Arc<Game>,
    pub(crate) facts: GameFacts,
    pub(crate) states: Vec<State>,
    /// The joint moves as printed.
    pub(crate) history: Vec<String>,
    /// What each player did and was told, in the order of the players.
    known: Vec<InformationSet>,
}

pub(crate) fn compiled(entry: &Entry) -> Game {
    Game::compile(entry.rules, &Options::PLAY).unwrap().game
}

impl Walk {
    /// A match of this seed, for so many turns at most.
    pub(crate) fn new(game: &Game, facts: &GameFacts, seed: u64, turns: usize) -> Self {
        let game = Arc::new(game.fork());
        let mut scratch = game.scratch();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut known: Vec<InformationSet> = game.roles().players().map(InformationSet::initial).collect();
        let (mut states, mut history) = (vec![game.initial_state().clone()], Vec::new());
        for _ in 0..turns {
            let state = states.last().unwrap();
            let Some(joint_move) = game.random_joint_move(state, &mut rng, &mut scratch).unwrap() else {
                break;
            };
            let turn = game.turn(state, &joint_move, &mut scratch).unwrap();
            for own in &mut known {
                own.turns.push((joint_move.of(own.role), turn.percepts[own.role].clone()));
            }
            let moves = joint_move.moves().iter().map(|(_, &id)| game.move_text(id).to_string());
            history.push(moves.collect::<Vec<_>>().join(" "));
            states.push(turn.successor);
        }
        Self { game, facts: facts.clone(), states, history, known }
    }

    pub(crate) fn players(&self) -> Vec<&str> {
        self.game.roles().players().map(|role| self.game.roles().name(role)).collect()
    }

    fn of(&self, role: RoleId) -> &InformationSet {
        self.known.iter().find(|known| known.role == role).unwrap()
    }

    /// What a role did and was told, as text: equal for matches that it cannot tell apart.
    pub(crate) fn told(&self, role: RoleId) -> Vec<String> {
        let turn = |(own, percepts): &(_, _)| {
            let percepts = self.game.percept_terms(percepts);
            format!("{} {}", self.game.move_text(*own), percepts.join(" "))
        };
        self.of(role).turns.iter().map(turn).collect()
    }

    /// The picture of a role, and how it was a turn before.
    pub(crate) fn picture(&self, role: RoleId) -> Picture {
        let mut seen = Seen::new(Arc::clone(&self.game), self.of(role).clone()).unwrap();
        let seat = Some(self.game.roles().name(role));
        let turns = self.history.len();
        let draw = |scene: &Scene, before: Option<&Picture>| {
            Picture::of(&self.facts, scene, &self.players(), seat, before)
        };
        let before = draw(&seen.after(turns.saturating_sub(1), &self.facts).unwrap(), None);
        draw(&seen.after(turns, &self.facts).unwrap(), Some(&before))
    }

    /// The picture of somebody who saw all states.
    pub(crate) fn whole(&self, seat: Option<&str>) -> Picture {
        let scene = scene_of_states(&self.game, &self.facts, self.states.iter());
        Picture::of(&self.facts, &scene, &self.players(), seat, None)
    }

    /// The legal moves of a role at the end, as text.
    pub(crate) fn legal(&self, role: RoleId) -> Vec<Arc<str>> {
        let mut scratch = self.game.scratch();
        let state = self.states.last().unwrap();
        if self.game.is_terminal(state, &mut scratch).unwrap() {
            return Vec::new();
        }
        let moves = self.game.legal_moves(state, role, &mut scratch).unwrap();
        moves.iter().map(|&id| self.game.move_text(id)).collect()
    }
}
