//! How far chance favoured players.

use croupier_engine::{ByPlayer, Game, JointMove, Options, State, game::Backend};
use croupier_players::{Luck, LuckError, LuckMeter};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::referee::{KUHN, LEDUC, game};

/// The turns of a random match.
fn random_match(game: &Game, seed: u8) -> Vec<(State, JointMove)> {
    let (mut scratch, mut rng) = (game.scratch(), ChaCha8Rng::from_seed([seed; 32]));
    let (mut turns, mut state) = (Vec::new(), game.initial_state().clone());
    while let Some(joint_move) = game.random_joint_move(&state, &mut rng, &mut scratch).expect("sound rules")
    {
        let next = game.successor(&state, &joint_move, &mut scratch).expect("sound rules");
        turns.push((std::mem::replace(&mut state, next), joint_move));
    }
    turns
}

fn measure(game: &Game, seed: u8) -> ByPlayer<Luck> {
    let joint_moves: Vec<JointMove> = random_match(game, seed).into_iter().map(|(_, made)| made).collect();
    LuckMeter::new(game).expect("a network").measure(&joint_moves, [seed; 32]).expect("the game has goals")
}

#[test]
fn the_better_card_of_kuhn_is_worth_the_ante() {
    let game = game(KUHN);
    let [alice, bob] = ["alice", "bob"].map(|name| game.roles().find(name).expect("a role"));
    let mut has_won = [false; 2];
    for seed in 0..20 {
        let luck = measure(&game, seed);
        let turns = random_match(&game, seed);
        let dealt = game.state_terms(&turns[2].0);
        let card = |name: &str| {
            let place = ["jack", "queen", "king"].iter().position(|card| {
                let hand = format!("(hand {name} {card})");
                dealt.iter().any(|fact| **fact == *hand)
            });
            place.unwrap_or_else(|| panic!("{name} has a card in {dealt:?}"))
        };
        // Everyone passes in playouts, so the better card wins one chip, which is 25 in goals; before the deal each may win as
        // well as lose it. A mean over 2,048 playouts is off by less than four times 25 / sqrt(2048).
        let wins = card("alice") > card("bob");
        let expected = if wins { 25.0 } else { -25.0 };
        has_won[usize::from(wins)] = true;
        assert!((luck[alice][0] - expected).abs() < 2.3, "{:?}, not {expected}", luck[alice]);
        assert!((luck[alice][0] + luck[bob][0]).abs() < 1e-9, "what alice wins bob loses");
        assert_eq!([luck[alice][1], luck[bob][1]], [0.0; 2], "nothing is dealt later");
    }
    assert_eq!(has_won, [true; 2]);
}

#[test]
fn what_players_choose_in_the_turn_of_chance_is_no_luck() {
    // Who bets on heads has half the stake in expectation, and twice as much at stake with the higher bet.
    let rules = "(role me) (role random) (init begun) (legal me 1) (legal me 2) (legal random heads) (legal random tails)
        (<= (next (bet ?n)) (does me ?n)) (<= (next (came ?side)) (does random ?side)) (<= terminal (not (true begun)))
        (<= (goal me 100) (true (bet 2)) (true (came heads))) (<= (goal me 50) (true (bet 1)) (true (came heads)))
        (<= (goal me 0) (true (came tails)))";
    let game = Game::compile(rules, &Options::PLAY).expect("the rules are sound").game;
    let me = game.roles().find("me").expect("a role");
    let mut seen = Vec::new();
    for seed in 0..40 {
        let turns = random_match(&game, seed);
        let made = &turns[0].1;
        let text = |role| game.move_text(made.of(role)).to_string();
        let random = game.roles().random().expect("a role");
        let stake = if text(me) == "2" { 50.0 } else { 25.0 };
        let expected = if text(random) == "heads" { stake } else { -stake };
        let luck = measure(&game, seed)[me];
        assert!((luck[0] - expected).abs() < 5.0 && luck[1] == 0.0, "{luck:?}, not {expected}");
        seen.push(expected as i32);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [-50, -25, 25, 50]);
}

#[test]
fn luck_has_no_mean_whatever_is_played() {
    let game = game(LEDUC);
    let alice = game.roles().find("alice").expect("a role");
    let each: Vec<Luck> = (0..200).map(|seed| measure(&game, seed)[alice]).collect();
    for part in [0, 1] {
        let values: Vec<f64> = each.iter().map(|luck| luck[part]).collect();
        let mean = values.iter().sum::<f64>() / 200.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 199.0;
        assert!(variance > 0.0, "chance decides something");
        assert!(mean.abs() < 4.0 * (variance / 200.0).sqrt(), "{mean} of {variance}");
    }
}

#[test]
fn without_a_network_luck_is_not_told() {
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    let lifted = Game::compile(KUHN, &options).expect("the rules are sound").game;
    assert_eq!(LuckMeter::new(&lifted).err(), Some(LuckError::NoNetwork));
}
