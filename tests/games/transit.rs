//! The pursuit that nobody sees: how often each outcome occurs under random play, against a calculation
//! that knows the board and nothing of the rules text, and against the game as it was played in competitions.

use std::collections::BTreeMap;

use croupier_engine::{Game, State, Status};
use croupier_tests::{
    corpus::shared,
    table::{Table, Texts, compile, compile_text},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

/// Turns of a match that nothing ends before.
const TURNS: usize = 29;

type Square = (i32, i32);

const TRANSIT_STEPS: [Square; 4] = [(0, 0), (0, 1), (1, 1), (-1, 1)];
const PATROL_STEPS: [Square; 5] = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)];

/// The squares of the corridor that these steps lead to.
fn reached((x, y): Square, steps: &[Square]) -> Vec<Square> {
    let all = steps.iter().map(|(dx, dy)| (x + dx, y + dy));
    let is_square =
        |&(x, y): &Square| (1..=4).contains(&x) && (1..=8).contains(&y) && !(x == 1 && (y == 4 || y == 5));
    all.filter(is_square).collect()
}

/// Probability that transit is across after each turn under random play, and the number of situations that
/// are possible after it and not over before the turn.
fn calculated() -> Vec<(f64, usize)> {
    let mut running = BTreeMap::from([(((2, 1), (3, 8)), 1.0)]);
    let mut across = 0.0;
    let mut by_turn = Vec::new();
    for turn in 0..TURNS {
        let mut after: BTreeMap<(Square, Square), f64> = BTreeMap::new();
        for ((transit, patrol), probability) in running {
            let followers: Vec<_> = if turn % 2 == 0 {
                reached(patrol, &PATROL_STEPS).into_iter().map(|square| (transit, square)).collect()
            } else {
                reached(transit, &TRANSIT_STEPS).into_iter().map(|square| (square, patrol)).collect()
            };
            let share = probability / followers.len() as f64;
            for follower in followers {
                *after.entry(follower).or_default() += share;
            }
        }
        let situations = after.len();
        after.retain(|(transit, patrol), _| transit != patrol);
        across += after.iter().filter(|((transit, _), _)| transit.1 == 8).map(|(_, p)| p).sum::<f64>();
        after.retain(|(transit, _), _| transit.1 != 8);
        by_turn.push((across, situations));
        running = after;
    }
    by_turn
}

/// The same from the rules.
fn from_the_rules(game: &Game) -> Vec<(f64, usize)> {
    let mut scratch = game.scratch();
    let transit = game.roles().find("transit").expect("a role of the game");
    let mut running: Vec<(State, f64)> = vec![(game.initial_state().clone(), 1.0)];
    let mut across = 0.0;
    let mut by_turn = Vec::new();
    for turn in 1..=TURNS {
        let mut after: BTreeMap<u64, (State, f64)> = BTreeMap::new();
        for (state, probability) in &running {
            let Status::Running { legal } = game.status(state, &mut scratch).expect("a status") else {
                panic!("it is over before turn {turn}")
            };
            let joint_moves: Vec<_> = game.joint_moves(&legal).collect();
            for joint_move in &joint_moves {
                let successor = game.successor(state, joint_move, &mut scratch).expect("a successor");
                let entry = after.entry(successor.stable_hash()).or_insert((successor, 0.0));
                entry.1 += probability / joint_moves.len() as f64;
            }
        }
        let situations = after.len();
        running.clear();
        for (state, probability) in after.into_values() {
            match game.status(&state, &mut scratch).expect("a status") {
                Status::Running { .. } => running.push((state, probability)),
                Status::Terminal { goals } => {
                    let goal = goals.get(transit).expect("a goal").value();
                    assert!(goal == 0 || goal == 100);
                    across += probability * f64::from(goal) / 100.0;
                }
            }
        }
        by_turn.push((across, situations));
    }
    assert!(running.is_empty(), "the patrol wins after {TURNS} turns");
    by_turn
}

#[test]
fn random_play_of_transit_has_the_calculated_outcomes_after_every_turn() {
    let game = compile("transit");
    for (turn, (found, expected)) in from_the_rules(&game).into_iter().zip(calculated()).enumerate() {
        assert_eq!(found.1, expected.1, "situations after turn {}", turn + 1);
        assert!((found.0 - expected.0).abs() < 1e-9, "turn {}: {found:?}, not {expected:?}", turn + 1);
    }
    let (across, _) = calculated()[TURNS - 1];
    assert!((across - 0.6096).abs() < 5e-5, "{across} is not what the facts of the game state");
}

fn theirs_of(own: &str) -> String {
    match own {
        "noop" => "(move nowhere)".to_owned(),
        _ => own
            .replace("(go ", "(move ")
            .replace("stay", "nowhere")
            .replace("north_east", "deast")
            .replace("north_west", "dwest"),
    }
}

#[test]
fn transit_goes_as_in_the_competitions() {
    let Some(theirs) = shared("gdl2").into_iter().find(|file| file.name == "transit") else {
        croupier_tests::skipped("corpus: the game is not beside the checkout");
        return;
    };
    let (ours, theirs) = (compile("transit"), compile_text(&theirs.text));
    let mut rng = ChaCha8Rng::seed_from_u64(48);
    let mut ends: BTreeMap<i32, usize> = BTreeMap::new();
    for _ in 0..300 {
        let mut tables = (Table::new(&ours), Table::new(&theirs));
        let goals = loop {
            let goals = tables.0.goals();
            assert_eq!(goals, tables.1.goals());
            if let Some(goals) = goals {
                break goals;
            }
            let moves = ["transit", "patrol"].map(|role| {
                let legal: Texts = tables.0.legal(role).iter().map(|text| theirs_of(text)).collect();
                assert_eq!(legal, tables.1.legal(role), "{role}");
                tables.0.random_move(role, &mut rng)
            });
            let told = tables.0.play(&[("transit", &moves[0]), ("patrol", &moves[1])]);
            let is_over = tables.0.goals().is_some();
            assert!(is_over || told.values().all(Texts::is_empty), "nobody sees anything before the end");
            tables.1.play(&[("transit", &theirs_of(&moves[0])), ("patrol", &theirs_of(&moves[1]))]);
        };
        *ends.entry(goals["transit"]).or_default() += 1;
    }
    assert!(ends.len() == 2 && ends.values().all(|&count| count > 50), "{ends:?}");
}
