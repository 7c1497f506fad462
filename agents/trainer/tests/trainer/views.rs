//! Views of what seats could believe, in games of every kind: sound markup, true to the belief, and the same for who knows the same.

use std::sync::Arc;

use croupier_belief::{Methods, Opponents, ParticleOptions};
use croupier_engine::{Game, InformationSet};
use croupier_games::{GameFacts, SeatBelief, find};
use croupier_picture::{ReviewView, SpreadRow, TrainerView};
use croupier_trainer::TrainerOptions;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::enumeration::{game, trainer};

/// Cards, hands, boards with hidden pieces, dice, and games that hide nothing.
const GAMES: [&str; 12] = [
    "battleship-4x4",
    "dark-hex-3x3",
    "goofspiel-4",
    "hanabi-small",
    "hearts-small",
    "holdem",
    "latent-tic-tac-toe",
    "leduc",
    "liars-dice",
    "phantom-tic-tac-toe",
    "stratego-small",
    "tic-tac-toe",
];

/// Attributes that may stand in a view: none runs anything or fetches anything, and none is an id of the page.
const ATTRIBUTES: [&str; 30] = [
    "aria-label",
    "class",
    "cx",
    "cy",
    "d",
    "data-turn",
    "fill",
    "fill-opacity",
    "focusable",
    "font-family",
    "font-size",
    "font-weight",
    "height",
    "opacity",
    "r",
    "role",
    "rx",
    "scope",
    "stroke",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-width",
    "text-anchor",
    "transform",
    "viewBox",
    "width",
    "x",
    "x1",
    "y",
    "y1",
];

/// What a role knows after some turns of a random match.
fn known(game: &Game, seat: usize, turns: usize, seed: u64) -> InformationSet {
    let (mut scratch, mut rng) = (game.scratch(), ChaCha8Rng::seed_from_u64(seed));
    let role = game.roles().players().nth(seat).unwrap();
    let (mut known, mut state) = (InformationSet::initial(role), game.initial_state().clone());
    for _ in 0..turns {
        let Some(joint_move) = game.random_joint_move(&state, &mut rng, &mut scratch).unwrap() else { break };
        let turn = game.turn(&state, &joint_move, &mut scratch).unwrap();
        known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
        state = turn.successor;
    }
    known
}

fn belief(game: &Arc<Game>, facts: &GameFacts, known: &InformationSet) -> SeatBelief {
    let sample = (ParticleOptions { particles: 60, ..ParticleOptions::STANDARD }, [0; 32]);
    let brief = TrainerOptions::brief([0; 32]);
    let methods = Methods { sample: Some(sample), ..brief.methods };
    let options = TrainerOptions { methods, prospects: 1, ..brief };
    let mut trainer = trainer(game, known.role, options).with_opponents(Opponents::uniform(), "uniform play");
    trainer.take_all(known);
    let (looks, holders) = (|fluent: &str| facts.look(fluent), |fluent: &str| facts.holder_of(fluent));
    trainer.belief(&looks, &holders, &|fluent| facts.tells(fluent), &mut || false).unwrap()
}

fn view(game: &Game, facts: &GameFacts, known: &InformationSet, belief: &SeatBelief) -> TrainerView {
    let of = |is_proved: bool| {
        let likely = belief.likely.iter().filter(move |likely| likely.is_proved == is_proved);
        likely.map(|likely| likely.fact.as_str())
    };
    let scene = facts.scene(of(true), of(false));
    let roles = game.roles();
    let players: Vec<&str> = roles.players().map(|role| roles.name(role)).collect();
    TrainerView::of(facts, &scene, &players, roles.name(known.role), belief)
}

/// That markup is sound and asks for nothing from elsewhere.
fn check_markup(markup: &str) {
    let document = roxmltree::Document::parse(markup).unwrap_or_else(|error| panic!("{error}: {markup}"));
    for element in document.descendants() {
        for attribute in element.attributes() {
            assert!(ATTRIBUTES.contains(&attribute.name()), "{} in {markup}", attribute.name());
            assert!(!attribute.value().contains("://"), "{}", attribute.value());
        }
        let is_figure = element.tag_name().name() == "svg";
        assert!(!is_figure || !element.attribute("aria-label").unwrap_or_default().is_empty());
    }
}

#[test]
fn views_of_all_kinds_of_games_are_sound() {
    let (mut grids, mut boards, mut spreads, mut lines) = (0, 0, 0, 0);
    for name in GAMES {
        let game = game(name);
        let facts = find(name).unwrap().facts().unwrap();
        for (turns, seed) in [(0, 1), (5, 2), (9, 3)] {
            let known = known(&game, 1, turns, seed);
            let belief = belief(&game, &facts, &known);
            let view = view(&game, &facts, &known, &belief);
            check_markup(&view.html());
            check_markup(&view.svg());
            // What is drawn as uncertain never looks known.
            let shares = view.lines.iter().map(|(_, share)| *share);
            assert!(shares.into_iter().all(|share| share < 1.0), "{name}");
            grids += view.grids.len();
            boards += view.boards.len();
            spreads += view.spreads.len();
            lines += view.lines.len();
            assert!(name != "tic-tac-toe" || view.is_certain());
        }
    }
    assert!(grids > 0 && boards > 2 && spreads > 2 && lines > 2, "{grids} {boards} {spreads} {lines}");
}

#[test]
fn each_hidden_thing_of_a_view_has_all_of_its_probability() {
    // A hand of Leduc poker: the other's card is somewhere, so the shares of what it may be add up to one.
    let game = game("leduc");
    let facts = find("leduc").unwrap().facts().unwrap();
    let known = known(&game, 0, 3, 5);
    let view = view(&game, &facts, &known, &belief(&game, &facts, &known));
    let [spread] = view.spreads.as_slice() else { panic!("one spread: {:?}", view.spreads) };
    let total: f64 = spread.rows.iter().map(|row| row.shares.iter().sum::<f64>()).sum();
    assert!((total - 1.0).abs() < 1e-9, "{spread:?}");
}

#[test]
fn hidden_cards_are_listed_as_the_words_of_the_game_list_them() {
    for (name, turns) in [("gin-rummy-small", 7), ("hearts-small", 7), ("leduc", 2)] {
        let game = game(name);
        let entry = find(name).unwrap();
        let facts = entry.facts().unwrap();
        let known = known(&game, 1, turns, 3);
        let view = view(&game, &facts, &known, &belief(&game, &facts, &known));
        let [spread] = view.spreads.as_slice() else { panic!("one spread of {name}: {:?}", view.spreads) };
        let lines = entry.facts_toml.split("[symbols]").nth(1).unwrap();
        let place = |row: &SpreadRow| {
            let thing = row.thing.replace('T', "10");
            lines.find(&format!("\"{thing}\"")).unwrap_or_else(|| panic!("{thing} of {name}"))
        };
        assert!(spread.rows.len() > 2, "{:?}", spread.rows);
        assert!(spread.rows.is_sorted_by_key(place), "{name}: {:?}", spread.rows);
    }
}

#[test]
fn a_grid_has_every_hand_once() {
    let game = game("holdem");
    let facts = find("holdem").unwrap().facts().unwrap();
    let known = known(&game, 1, 4, 7);
    let view = view(&game, &facts, &known, &belief(&game, &facts, &known));
    let [grid] = view.grids.as_slice() else { panic!("one grid") };
    assert_eq!((grid.ranks.len(), grid.cells.len(), grid.cells[0].len()), (13, 13, 13));
    let total: f64 = grid.cells.iter().flatten().map(|cell| cell.probability).sum();
    assert!((total - 1.0).abs() < 1e-9);
    let name = |row: usize, column: usize| grid.cells[row][column].name.as_str();
    assert_eq!([name(0, 0), name(0, 1), name(1, 0), name(12, 12)], ["AA", "AKs", "AKo", "22"]);
    // 50 cards are left: 1,225 hands, and exactly those are counted.
    assert_eq!(grid.hands, 1_225);
    assert_eq!(grid.cells.iter().flatten().map(|cell| cell.hands).sum::<usize>(), 1_225);
}

#[test]
fn hostile_words_stay_words() {
    let game = game("kuhn");
    let text = "title = '</svg><script>'\nsummary = 'S'\n[symbols]\nalice = '<b onclick=x>'\nking = '&\"<i>'\n\
        [table]\n'(hand ?player ?card)' = '{player} holds {card*}'\n[scene]\n\
        '(hand ?player ?card)' = 'card ?card in hand of ?player'\n[moves]\npass = '<u>'";
    let facts = GameFacts::parse(text).unwrap();
    let known = known(&game, 1, 2, 1);
    let view = view(&game, &facts, &known, &belief(&game, &facts, &known));
    check_markup(&view.html());
    check_markup(&view.svg());
    let mut trainer = trainer(&game, known.role, TrainerOptions::brief([0; 32]));
    trainer.take_all(&crate::views::known(&game, 1, 9, 1));
    let review = ReviewView::of(&facts, &trainer.review(&mut || false).unwrap());
    check_markup(&review.html());
}
