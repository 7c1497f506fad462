//! Strategies in files are played in every copy of their game, whatever it calls things.

use std::{collections::BTreeMap, sync::Arc};

use croupier_belief::Names;
use croupier_engine::{ByRole, Game, InformationSet, Options, RoleId, Status, draw::draw_index};
use croupier_games::{blueprints, find};
use croupier_players::{Budget, PlayerError, PlayerKind, PolicyError, Solutions, policy_table};
use croupier_solvers::{GameTree, Policy, SequenceForm, TreeLimits};
use croupier_tests::{renamed::renamed, size};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

fn game(rules: &str) -> Arc<Game> {
    Arc::new(Game::compile(rules, &Options::PLAY).expect("sound rules").game)
}

/// What players know at their choices in random matches.
fn choices(game: &Game, matches: u64) -> Vec<InformationSet> {
    let (mut rng, mut scratch) = (ChaCha8Rng::seed_from_u64(5), game.scratch());
    let mut choices = Vec::new();
    for _ in 0..matches {
        let mut state = game.initial_state().clone();
        let mut known = ByRole::from_fn(game.roles(), InformationSet::initial);
        while let Ok(Status::Running { legal }) = game.status(&state, &mut scratch) {
            for role in game.roles().players().filter(|&role| legal[role].len() > 1) {
                choices.push(known[role].clone());
            }
            let joint_move = game.random_joint_move(&state, &mut rng, &mut scratch);
            let joint_move = joint_move.expect("sound rules").expect("the match runs");
            for role in game.roles().players() {
                let percepts = game.percepts(&state, &joint_move, role, &mut scratch).expect("sound rules");
                known[role].turns.push((joint_move.of(role), percepts));
            }
            state = game.successor(&state, &joint_move, &mut scratch).expect("sound rules");
        }
    }
    choices
}

/// How likely a kind of player plays each move, by the names of the game.
fn strategy(kind: &PlayerKind, game: &Arc<Game>, known: &InformationSet) -> BTreeMap<Arc<str>, f64> {
    let mut player = kind.player(Arc::clone(game), known.role, [1; 32]).expect("it is there");
    let decision = player.choose(known, &mut Budget::Own).expect("it is there");
    let strategy = decision.strategy.expect("a mixed strategy");
    decision.moves.iter().zip(strategy).map(|(&played, p)| (game.move_text(played), p)).collect()
}

/// Compares what a kind plays in a game and in a renamed copy, exactly; how many choices were compared.
fn assert_same_play(kind: &PlayerKind, rules: &str, matches: u64) -> usize {
    let copy = game(&renamed(rules, 4));
    let names = Names::of(&copy, &game(rules).rules().program().to_string()).expect("only names differ");
    let original = names.written(&copy);
    let known = choices(&copy, matches);
    for known in &known {
        let there = strategy(kind, original, &names.written_set(&copy, known).expect("it is there"));
        let own = |name: &str| {
            names.own_move(&copy, original.move_id(name).expect("it is there")).expect("it is there")
        };
        let expected: BTreeMap<_, f64> =
            there.iter().map(|(name, &p)| (copy.move_text(own(name)), p)).collect();
        assert_eq!(strategy(kind, &copy, known), expected);
    }
    known.len()
}

#[test]
fn the_blueprint_of_holdem_is_played_under_other_names() {
    let solutions = Solutions::with_blueprints(blueprints());
    let kind = "resolve:deals=1".parse::<PlayerKind>().unwrap().sharing(&solutions);
    assert!(assert_same_play(&kind, find("holdem").unwrap().rules, 8) > 10);
}

/// A policy in which no two moves are as likely.
fn uneven(rules: &str) -> PlayerKind {
    let game = game(rules);
    let tree =
        GameTree::new(&game, &TreeLimits { histories_max: 100_000 }, &mut |_| {}).expect("it is there");
    let form = SequenceForm::new(&tree);
    let policy = Policy::from_fn(&form, |id, moves| {
        let weights: Vec<f64> = (0..moves.len()).map(|place| (1 + (place + id.index()) % 7) as f64).collect();
        let sum: f64 = weights.iter().sum();
        moves.iter_mut().zip(weights).for_each(|(p, weight)| *p = weight / sum);
    });
    let table = policy_table(&game, &tree, &form, &policy).expect("it is there");
    // As it is read from a file.
    PlayerKind::of_policy_file("uneven.json", table.to_json().into_bytes()).expect("it is there")
}

#[test]
fn a_policy_is_played_under_other_names() {
    for name in ["kuhn", "leduc", "kuhn-3", "exploding-bomb", "tiny-hanabi"] {
        let rules = find(name).unwrap().rules;
        assert!(assert_same_play(&uneven(rules), rules, 20) > 10, "{name}");
    }
}

#[test]
fn a_policy_of_other_rules_is_refused_though_all_names_are_the_same() {
    let rules = find("kuhn").unwrap().rules;
    let other = game(&rules.replace("(payoff 2 100  0)", "(payoff 2 90 10)"));
    let alice = other.roles().find("alice").unwrap();
    let refused = uneven(rules).player(other, alice, [1; 32]).map(|_| ());
    assert_eq!(refused, Err(PlayerError::Policy(PolicyError::OtherGame)));
}

/// Twenty small games of every sort.
const GAMES: [&str; 20] = [
    "banker-and-thief",
    "blind-breakthrough-5x5",
    "breakthrough",
    "connect-four",
    "exploding-bomb",
    "goofspiel-4",
    "guess-six",
    "krieg-tic-tac-toe-4x4",
    "kuhn",
    "latent-tic-tac-toe",
    "leduc",
    "liars-dice",
    "mastermind-2x3",
    "monty-hall",
    "nim",
    "number-guessing",
    "phantom-tic-tac-toe",
    "pig",
    "tic-tac-toe",
    "tiny-hanabi",
];

/// The goal of a player of a kind in a match against random ones.
fn goal(game: &Arc<Game>, kind: &PlayerKind, role: RoleId, number: u8) -> f64 {
    let (mut rng, mut scratch) = (ChaCha8Rng::from_seed([number; 32]), game.scratch());
    let mut player = kind.player(Arc::clone(game), role, [number; 32]).expect("a role");
    let (mut state, mut known) = (game.initial_state().clone(), InformationSet::initial(role));
    loop {
        match game.status(&state, &mut scratch).expect("sound rules") {
            Status::Terminal { goals } => return f64::from(goals[role].value()),
            Status::Running { legal } => {
                let chosen = player.choose(&known, &mut Budget::Own).expect("a move").chosen;
                let drawn = ByRole::from_fn(game.roles(), |other| match other == role {
                    true => vec![chosen],
                    false => vec![legal[other][draw_index(legal[other].len(), &mut rng)]],
                });
                let joint_move = game.joint_moves(&drawn).next().expect("a move for each role");
                let percepts = game.percepts(&state, &joint_move, role, &mut scratch).expect("sound rules");
                known.turns.push((chosen, percepts));
                state = game.successor(&state, &joint_move, &mut scratch).expect("sound rules");
            }
        }
    }
}

#[test]
fn players_are_as_strong_under_other_names() {
    const MATCHES: u8 = 10;
    let games = GAMES.map(|name| {
        let rules = find(name).unwrap().rules;
        let (original, copy) = (game(rules), game(&renamed(rules, 9)));
        let there = original.renaming_to(&copy).unwrap();
        (original, copy, there)
    });
    // The first two have trees of either sort.
    let kinds = [
        "uct:iterations=30",
        "mo-ismcts:iterations=30",
        "belief:iterations=30",
        "ismcts:iterations=30",
        "pooled-ismcts:iterations=30",
    ];
    for kind in kinds.into_iter().take(size(2, 5)) {
        let kind: PlayerKind = kind.parse().unwrap();
        let (mut difference, mut variance, mut won) = (0.0, 0.0, 0.0);
        for (original, copy, there) in &games {
            let role = original.roles().players().next().unwrap();
            let results = [(original, role), (copy, there.role(role))].map(|(game, role)| {
                let goals: Vec<f64> = (0..MATCHES).map(|number| goal(game, &kind, role, number)).collect();
                let mean = goals.iter().sum::<f64>() / f64::from(MATCHES);
                let spread: f64 = goals.iter().map(|goal| (goal - mean).powi(2)).sum();
                (mean, spread / f64::from(MATCHES) / f64::from(MATCHES - 1))
            });
            difference += results[0].0 - results[1].0;
            variance += results[0].1 + results[1].1;
            won += results[0].0 + results[1].0;
        }
        let deviations = difference / f64::sqrt(variance);
        assert!(deviations.abs() < 4.0, "{kind}: {difference} over {} games", GAMES.len());
        // Whoever only draws is at about 48 there.
        let mean = won / 2.0 / GAMES.len() as f64;
        assert!(mean > 60.0, "{kind}: {mean}");
    }
}
