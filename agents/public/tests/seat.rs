//! A seat does in every information set what the search does that is played from the beginning.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::sync::Arc;

use croupier_engine::{Game, Options, game::Looker};
use croupier_public::{
    FoundStrategy, LookAhead, PublicError, PublicEyes, PublicLimits, PublicSpace, SearchingSeat, SelfPlay,
    SelfPlaySettings, TreeDepth, ValueNetwork,
};

const HISTORIES_MAX: usize = 100_000;

/// Values that depend on every number of a row, and nothing that anybody would want.
struct Odd {
    inputs: usize,
    outputs: usize,
}

impl ValueNetwork for Odd {
    fn values(&mut self, rows: usize, inputs: &[f32]) -> Result<Vec<f32>, PublicError> {
        assert_eq!(inputs.len(), rows * self.inputs);
        let value = |row: &[f32], output: usize| {
            let weighted =
                row.iter().enumerate().map(|(input, x)| x * ((input * 7 + output * 5) % 11) as f32);
            (weighted.sum::<f32>() + output as f32).sin()
        };
        let all = inputs.chunks_exact(self.inputs);
        Ok(all.flat_map(|row| (0..self.outputs).map(move |output| value(row, output))).collect())
    }
}

fn game(name: &str) -> Arc<Game> {
    let rules = croupier_games::find(name).unwrap().rules;
    Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game)
}

fn found(game: Arc<Game>, growth: u32) -> (Vec<FoundStrategy>, SearchingSeat, Odd) {
    let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
    let limits = PublicLimits { histories: HISTORIES_MAX };
    let space = Arc::new(PublicSpace::new(&game, &mut eyes, &mut looker, &limits).unwrap());
    let depth = TreeDepth { choices: 2, histories: HISTORIES_MAX, boards: TreeDepth::BOARDS };
    let ahead = LookAhead { depth, iterations: 20, growth };
    let mut network = Odd { inputs: space.inputs(), outputs: space.outputs() };
    let mut play =
        SelfPlay::new(Arc::clone(&game), Arc::clone(&space), ahead, SelfPlaySettings::STANDARD, [0; 32])
            .unwrap();
    let strategies = play.strategies(&mut network).unwrap();
    (strategies, SearchingSeat::new(game, space, ahead).unwrap(), network)
}

#[test]
fn a_seat_plays_the_strategies_of_searches_from_the_beginning() {
    for (name, growth) in
        [("kuhn", 0), ("leduc", 0), ("goofspiel-4", 0), ("kuhn", 1), ("leduc", 6), ("goofspiel-4", 2)]
    {
        let (strategies, mut seat, mut network) = found(game(name), growth);
        assert!(strategies.len() > 10, "{name}");
        // Of both players in turn, in an order that is not that of the searches.
        for FoundStrategy { known, legal, probabilities } in strategies.into_iter().rev() {
            let backwards: Vec<_> = legal.iter().rev().copied().collect();
            let of_seat = seat.probabilities(&mut network, &known, &backwards).unwrap();
            for (one, other) in of_seat.iter().rev().zip(&probabilities) {
                assert!((one - other).abs() < 1e-9, "{name}: {of_seat:?} and {probabilities:?} backwards");
            }
        }
    }
}
