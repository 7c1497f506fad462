//! Sizes of game trees by full enumeration, against published numbers and against the oracle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use croupier_engine::{
    Game, Limits, Options, State, Status,
    game::{TreeCounts, TreeError, count_tree},
    syntax,
};
use croupier_tests::{
    corpus::{self, catalogue_game},
    oracle::{Oracle, Terms},
};
use toml::{Table, Value};

/// Chance nodes, decision nodes, terminal histories and information sets of a game.
///
/// The numbers for Kuhn poker and Leduc hold'em are those of M. Lanctot et al., OpenSpiel
/// (arXiv:1908.09453), counted by its `get_all_states` with one card a chance node; those for Kuhn
/// also follow from H. W. Kuhn, A simplified two-person poker (1950): 30 deals and betting lines. Those for three
/// players and for tiny Hanabi were counted by the same function.
const PUBLISHED: &[(&str, [u64; 4])] = &[
    ("kuhn", [4, 24, 30, 12]),
    ("kuhn-3", [17, 288, 312, 48]),
    ("leduc", [157, 3_780, 5_520, 936]),
    ("tiny-hanabi", [3, 16, 36, 8]),
];

const HISTORIES_MAX: u64 = 2_000_000;

fn compile(name: &str) -> Game {
    Game::compile(&catalogue_game(name).text, &Options::PLAY).expect("a game of the catalogue compiles").game
}

fn count(game: &Game) -> TreeCounts {
    count_tree(game, HISTORIES_MAX, &mut game.scratch()).expect("a tree that is small enough")
}

fn summary(counts: &TreeCounts) -> [u64; 4] {
    let information_sets = counts.information_sets.iter().map(|(_, count)| count).sum();
    [counts.chance, counts.decision, counts.terminal, information_sets]
}

#[test]
fn small_poker_games_have_the_published_sizes() {
    for &(name, expected) in PUBLISHED {
        let counts = count(&compile(name));
        assert_eq!(summary(&counts), expected, "{name}: chance, decision, terminal, information sets");
        let inner: u64 = expected[..2].iter().sum();
        let all: u64 = counts.histories_by_depth.iter().sum();
        assert_eq!(all, inner + expected[2], "{name}: every history is one of the three kinds");
    }
}

#[test]
fn the_facts_of_a_game_state_the_sizes_that_are_counted() {
    for file in corpus::catalogue() {
        let facts = fs::read_to_string(file.path.with_file_name("game.toml")).expect("readable facts");
        let facts: Table = facts.parse().expect("facts are TOML");
        let Some(stated) = facts.get("counts").and_then(Value::as_table) else { continue };
        let counts = count(&compile(&file.name));
        let found = ["chance", "decision", "terminal", "information_sets"].into_iter().zip(summary(&counts));
        for (key, found) in found.filter(|(key, _)| stated.contains_key(*key)) {
            let stated = stated[key].as_integer().and_then(|count| u64::try_from(count).ok());
            assert_eq!(stated, Some(found), "{}: {key}", file.name);
        }
    }
}

#[test]
fn a_tree_beyond_the_bound_is_refused_with_the_bound() {
    let game = compile("kuhn");
    let count = |histories_max| count_tree(&game, histories_max, &mut game.scratch());
    assert_eq!(count(57), Err(TreeError::TooLarge(57)));
    assert!(count(58).is_ok());
}

/// What the oracle counts by itself, with information sets made of prints.
#[derive(Default)]
struct OracleCounts {
    chance: u64,
    decision: u64,
    terminal: u64,
    information_sets: BTreeSet<(String, Knowledge)>,
}

/// Own moves and percepts, turn by turn.
type Knowledge = Vec<(String, Terms)>;

fn oracle_counts(name: &str) -> OracleCounts {
    let (description, _) = syntax::read_prefix(&catalogue_game(name).text, &Limits::STANDARD);
    let oracle = Oracle::new(&description, u64::MAX).expect("the oracle takes the rules");
    let known: BTreeMap<_, _> = oracle.roles().iter().map(|role| (role.clone(), Knowledge::new())).collect();
    let mut counts = OracleCounts::default();
    visit(&oracle, &oracle.initial_state().expect("an initial state"), &known, &mut counts);
    counts
}

fn visit(oracle: &Oracle, state: &Terms, known: &BTreeMap<String, Knowledge>, counts: &mut OracleCounts) {
    let view = oracle.view(state).expect("a view of the state");
    if view.is_terminal {
        counts.terminal += 1;
        return;
    }
    for (role, _) in view.legal.iter().filter(|(_, moves)| moves.len() > 1) {
        if role == "random" {
            counts.chance += 1;
        } else {
            counts.decision += 1;
            counts.information_sets.insert((role.clone(), known[role].clone()));
        }
    }
    let mut joint_moves = vec![BTreeMap::new()];
    for (role, moves) in &view.legal {
        let with = |joint_move: &BTreeMap<String, String>, played: &String| {
            let mut joint_move = joint_move.clone();
            joint_move.insert(role.clone(), played.clone());
            joint_move
        };
        joint_moves =
            joint_moves.iter().flat_map(|one| moves.iter().map(move |played| with(one, played))).collect();
    }
    for joint_move in joint_moves {
        let consequence = oracle.consequence(state, &joint_move).expect("a successor");
        let mut known = known.clone();
        for (role, knowledge) in &mut known {
            knowledge.push((joint_move[role].clone(), consequence.sees[role].clone()));
        }
        visit(oracle, &consequence.successor, &known, counts);
    }
}

#[test]
fn the_oracle_counts_the_published_sizes_too() {
    for &(name, expected) in PUBLISHED {
        let counts = oracle_counts(name);
        let information_sets = u64::try_from(counts.information_sets.len()).expect("a count fits 64 bits");
        assert_eq!([counts.chance, counts.decision, counts.terminal, information_sets], expected, "{name}");
    }
}

/// Goal of each player at the end, averaged over all histories when every choice is uniform.
fn uniform_values(game: &Game) -> Vec<f64> {
    let mut scratch = game.scratch();
    let mut values = vec![0.0; game.roles().players().count()];
    let mut open: Vec<(State, f64)> = vec![(game.initial_state().clone(), 1.0)];
    while let Some((state, probability)) = open.pop() {
        match game.status(&state, &mut scratch).expect("a status") {
            Status::Terminal { goals } => {
                for (value, (_, goal)) in values.iter_mut().zip(goals.iter()) {
                    *value += probability * f64::from(goal.value());
                }
            }
            Status::Running { legal } => {
                let joint_moves: Vec<_> = game.joint_moves(&legal).collect();
                let share =
                    f64::from(u32::try_from(joint_moves.len()).expect("a small number of joint moves"));
                for joint_move in &joint_moves {
                    let successor = game.successor(&state, joint_move, &mut scratch).expect("a successor");
                    open.push((successor, probability / share));
                }
            }
        }
    }
    values
}

/// By hand: of the five betting lines only two end without a showdown, which is fair by symmetry.
/// bet-pass has probability 1/4 and wins a chip, pass-bet-pass 1/8 and loses one: 1/8 of a chip, 25
/// goal points each.
#[test]
fn uniform_play_of_kuhn_poker_is_worth_an_eighth_of_a_chip() {
    let values = uniform_values(&compile("kuhn"));
    assert!((values[0] - (50.0 + 25.0 / 8.0)).abs() < 1e-9, "{values:?}");
    assert!((values[0] + values[1] - 100.0).abs() < 1e-9, "{values:?}");
}

/// Switching finds the car unless the first choice did: two times in three. Uniform play switches half
/// of the time, so it finds the car half of the time.
#[test]
fn uniform_play_of_monty_hall_wins_half_of_the_time() {
    let values = uniform_values(&compile("monty-hall"));
    assert!((values[0] - 50.0).abs() < 1e-9, "{values:?}");
}

/// By hand: half of the time the agent asks, and then cuts either wire all the same, which is worth 45; else 50.
#[test]
fn uniform_play_of_the_exploding_bomb_is_worth_47_and_a_half() {
    let values = uniform_values(&compile("exploding-bomb"));
    assert!((values[0] - (45.0 + 50.0) / 2.0).abs() < 1e-9, "{values:?}");
}

/// Three guesses of nine codes, each right with the same chance whatever was said before.
#[test]
fn uniform_play_of_mastermind_misses_three_times_with_eight_ninths_each() {
    let values = uniform_values(&compile("mastermind-2x3"));
    assert!((values[0] - 100.0 * (1.0 - (8.0_f64 / 9.0).powi(3))).abs() < 1e-9, "{values:?}");
}
