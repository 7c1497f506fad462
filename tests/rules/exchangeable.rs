//! Beliefs on lanes go by values that can be exchanged, whatever the rules call them: as many are inferred as without the deals.

use std::sync::Arc;

use croupier_belief::{ExactBelief, ExactOptions};
use croupier_engine::{Game, Options};
use croupier_games::find;
use croupier_tests::renamed::renamed;
use croupier_training::{Arrays, EnvironmentSettings, Features, VectorEnvironment};

/// Matches side by side, in all of which the same is said over different cards.
const LANES: usize = 48;

fn compiled(rules: &str) -> Arc<Game> {
    Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game)
}

/// An environment, and what it shows.
struct Shown {
    environment: VectorEnvironment,
    probabilities: Vec<f32>,
    mask: Vec<u8>,
    acting: Vec<u8>,
}

impl Shown {
    fn begin(game: &Arc<Game>) -> Self {
        let settings = EnvironmentSettings {
            lanes: LANES,
            seed: [3; 32],
            features: Features::Belief { particles: 200 },
            seats: Vec::new(),
            turns_max: 100,
            is_parallel: false,
            traces: false,
            knowledge: true,
            finals: false,
        };
        let environment = VectorEnvironment::new(game, settings).expect("the game has a network");
        let space = environment.space();
        let seats = LANES * space.players.len();
        let probabilities = vec![0.0; seats * space.features_count()];
        let mask = vec![0; seats * space.moves_count()];
        let mut shown = Self { environment, probabilities, mask, acting: vec![0; seats] };
        shown.write(|environment, arrays| environment.reset([3; 32], arrays).expect("matches that begin"));
        shown
    }

    fn write(&mut self, what: impl FnOnce(&mut VectorEnvironment, Arrays<'_>)) {
        let (mut goals, mut done) = (vec![0.0; self.acting.len()], vec![0; LANES]);
        let (mut truncated, mut turn) = (vec![0; LANES], vec![0; LANES]);
        let arrays = Arrays {
            features: &mut [],
            probabilities: &mut self.probabilities,
            mask: &mut self.mask,
            acting: &mut self.acting,
            goals: &mut goals,
            done: &mut done,
            truncated: &mut truncated,
            turn: &mut turn,
        };
        what(&mut self.environment, arrays);
    }

    /// Everybody who has a choice makes the first of these moves that is legal.
    fn step(&mut self, wanted: &[&str]) {
        let space = self.environment.space();
        let columns = space.moves_count();
        let chosen = |seat: usize| {
            let player = &space.players[seat % space.players.len()];
            let column = |name: &&str| player.move_names.iter().position(|known| **known == **name);
            let mut columns_wanted = wanted.iter().filter_map(column);
            columns_wanted
                .find(|&column| self.mask[seat * columns + column] == 1)
                .map_or(-1, |column| column as i32)
        };
        let moves: Vec<i32> = (0..self.acting.len()).map(chosen).collect();
        self.write(|environment, arrays| {
            environment.step(&moves, arrays).expect("a step");
        });
    }

    /// The belief of everybody with a choice in some lanes is that of all histories.
    fn assert_exact(&self, game: &Arc<Game>) {
        let space = self.environment.space();
        let (players, size) = (space.players.len(), space.features_count());
        for seat in (0..self.acting.len()).step_by(37).filter(|&seat| self.acting[seat] == 1) {
            let known = self.environment.known(seat / players, seat % players).expect("it is kept");
            let exact =
                ExactBelief::of(Arc::clone(game), known, ExactOptions::STANDARD).expect("few histories");
            let names = &space.players[seat % players].feature_names;
            for (name, &found) in names.iter().zip(&self.probabilities[seat * size..][..size]) {
                let wanted = exact.distribution().probability(game.fluent_id(name).expect("a fluent"));
                assert!((f64::from(found) - wanted).abs() < 1e-6, "{name}: {found}, not {wanted}");
            }
        }
    }
}

#[test]
fn beliefs_of_a_renamed_reordered_deck_are_as_exact_and_inferred_as_rarely() {
    // By game: its cards, what is said, and how many information sets of all players that makes without the cards.
    for (name, cards, said, choices) in [
        ("holdem", 52, ["check", "call"], 8),
        ("leduc", 6, ["check", "call"], 4),
        ("kuhn", 3, ["pass", "pass"], 2),
    ] {
        let rules = find(name).expect("a bundled game").rules;
        let (game, copy) = (compiled(rules), compiled(&renamed(rules, 7)));
        let renaming = game.renaming_to(&copy).expect("only names differ");
        let image = |word: &&str| {
            let played = renaming.played(&game, &copy, game.move_id(word).expect("a term"));
            copy.move_text(played.expect("a move of the rules")).to_string()
        };
        let images: Vec<String> = said.iter().map(image).collect();
        let images: Vec<&str> = images.iter().map(String::as_str).collect();
        for (game, said) in [(&game, &said[..]), (&copy, &images)] {
            assert_eq!(game.exchangeable_values().class_sizes(), [cards], "{name}");
            let mut shown = Shown::begin(game);
            for _ in 1..choices {
                shown.assert_exact(game);
                shown.step(said);
            }
            shown.assert_exact(game);
            assert_eq!(shown.environment.beliefs_kept(), choices, "{name}");
        }
    }
}
