//! Environments against matches played one by one: what is written follows from what each role did and was told.

mod beliefs;
mod features;
mod lanes;

use std::sync::Arc;

use croupier_engine::{
    ByPlayer, Game, InformationSet, JointMove, Options, State, draw::draw_index, game::Scratch,
};
use croupier_training::{Arrays, EnvironmentSettings, Features, VectorEnvironment};
use rand_chacha::ChaCha8Rng;

fn game(name: &str) -> Arc<Game> {
    let rules = croupier_games::find(name).expect("a game of the catalogue").rules;
    Arc::new(Game::compile(rules, &Options::PLAY).expect("rules that compile").game)
}

fn settings(lanes: usize, features: Features) -> EnvironmentSettings {
    EnvironmentSettings {
        lanes,
        seed: [7; 32],
        features,
        seats: Vec::new(),
        turns_max: 1000,
        is_parallel: true,
        traces: true,
        knowledge: true,
        finals: true,
    }
}

/// Arrays of an environment's own.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    features: Vec<u8>,
    probabilities: Vec<f32>,
    mask: Vec<u8>,
    acting: Vec<u8>,
    goals: Vec<f32>,
    done: Vec<u8>,
    truncated: Vec<u8>,
    turn: Vec<u32>,
}

impl Shown {
    fn new(environment: &VectorEnvironment) -> Self {
        let (lanes, space) = (environment.settings().lanes, environment.space());
        let seats = lanes * space.players.len();
        // Whatever stood there before is overwritten.
        Self {
            features: vec![9; if space.has_probabilities() { 0 } else { seats * space.features_count() }],
            probabilities: vec![
                9.0;
                if space.has_probabilities() { seats * space.features_count() } else { 0 }
            ],
            mask: vec![9; seats * space.moves_count()],
            acting: vec![9; seats],
            goals: vec![9.0; seats],
            done: vec![9; lanes],
            truncated: vec![9; lanes],
            turn: vec![9; lanes],
        }
    }

    fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            features: &mut self.features,
            probabilities: &mut self.probabilities,
            mask: &mut self.mask,
            acting: &mut self.acting,
            goals: &mut self.goals,
            done: &mut self.done,
            truncated: &mut self.truncated,
            turn: &mut self.turn,
        }
    }

    /// A random legal column for every lane and player.
    fn random_moves(&self, environment: &VectorEnvironment, rng: &mut ChaCha8Rng) -> Vec<i32> {
        let columns = environment.space().moves_count();
        let of_seat = |mask: &[u8]| {
            let legal: Vec<usize> = (0..columns).filter(|&column| mask[column] == 1).collect();
            i32::try_from(legal[draw_index(legal.len(), rng)]).expect("few moves")
        };
        self.mask.chunks(columns).map(of_seat).collect()
    }
}

/// A game, and working memory for its slow and obvious engine.
struct Judge {
    game: Arc<Game>,
    scratch: Scratch,
}

impl Judge {
    fn new(name: &str) -> Self {
        let game = game(name);
        Self { scratch: game.lifted_scratch(), game }
    }
}

/// A match played again, turn by turn.
struct Replayed {
    state: State,
    known: ByPlayer<InformationSet>,
}

fn replay(judge: &mut Judge, joint_moves: &[Vec<u32>]) -> Replayed {
    let Judge { game, scratch } = judge;
    let network = game.network().expect("a network");
    let mut state = game.initial_state().clone();
    let mut known = ByPlayer::from_fn(game.roles(), InformationSet::initial);
    for numbers in joint_moves {
        let made: JointMove = network.joint_move(numbers);
        let turn = game.turn(&state, &made, scratch).expect("legal moves");
        for (role, known) in known.iter_mut() {
            known.turns.push((made.of(role), turn.percepts[role].clone()));
        }
        state = turn.successor;
    }
    Replayed { state, known }
}
