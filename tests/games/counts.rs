//! Sizes of game trees by full enumeration, against published numbers and against the oracle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use croupier_engine::{
    Game, Limits, Options, State, Status,
    game::{DepthCounts, count_tree},
    stages::syntax,
};
use croupier_tests::{
    corpus::{self, catalogue_game},
    oracle::{Oracle, Terms, View},
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

fn count(game: &Game) -> DepthCounts {
    let counts = count_tree(game, HISTORIES_MAX, &mut game.scratch()).expect("rules that do not fail");
    assert!(counts.is_whole, "a tree that is small enough");
    counts.total()
}

fn summary(counts: &DepthCounts) -> [u64; 4] {
    let information_sets = counts.information_sets.iter().map(|(_, count)| count).sum();
    [counts.chance, counts.decision, counts.terminal, information_sets]
}

#[test]
fn small_poker_games_have_the_published_sizes() {
    for &(name, expected) in PUBLISHED {
        let counts = count(&compile(name));
        assert_eq!(summary(&counts), expected, "{name}: chance, decision, terminal, information sets");
        let inner: u64 = expected[..2].iter().sum();
        assert_eq!(counts.histories, inner + expected[2], "{name}: every history is one of the three kinds");
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

/// Kuhn poker: 3 cards, 6 deals, then lines of one to three words of two kinds.
#[test]
fn a_tree_is_counted_depth_by_depth_as_far_as_the_bound_allows() {
    let game = compile("kuhn");
    let histories = |histories_max| {
        let counts = count_tree(&game, histories_max, &mut game.scratch()).expect("rules that do not fail");
        (counts.by_depth.iter().map(|depth| depth.histories).collect::<Vec<_>>(), counts.is_whole)
    };
    assert_eq!(histories(58), (vec![1, 3, 6, 12, 24, 12], true));
    assert_eq!(histories(57), (vec![1, 3, 6, 12, 24], false));
    assert_eq!(histories(1), (vec![1], false));
}

/// What the oracle counts by itself in histories of one length, with information sets made of prints.
#[derive(Default)]
struct OracleCounts {
    histories: u64,
    chance: u64,
    decision: u64,
    terminal: u64,
    information_sets: BTreeMap<String, BTreeSet<Knowledge>>,
}

/// Own moves and percepts, turn by turn.
type Knowledge = Vec<(String, Terms)>;

/// A state, and what each role knows in it.
type OracleNode = (Terms, BTreeMap<String, Knowledge>);

impl OracleCounts {
    /// Looks at a node, and gives the joint moves that go on from it.
    fn add(&mut self, view: &View, known: &BTreeMap<String, Knowledge>) -> Vec<BTreeMap<String, String>> {
        self.histories += 1;
        if view.is_terminal {
            self.terminal += 1;
            return Vec::new();
        }
        for (role, _) in view.legal.iter().filter(|(_, moves)| moves.len() > 1) {
            if role == "random" {
                self.chance += 1;
            } else {
                self.decision += 1;
                self.information_sets.entry(role.clone()).or_default().insert(known[role].clone());
            }
        }
        let mut joint_moves = vec![BTreeMap::new()];
        for (role, moves) in &view.legal {
            let with = |joint_move: &BTreeMap<String, String>, played: &String| {
                let mut joint_move = joint_move.clone();
                joint_move.insert(role.clone(), played.clone());
                joint_move
            };
            let extended = |one| moves.iter().map(move |played| with(one, played));
            joint_moves = joint_moves.iter().flat_map(extended).collect();
        }
        joint_moves
    }

    /// Histories, chance, decision, terminal, and the information sets of each player.
    fn row(&self, players: &[&str]) -> Vec<u64> {
        let sets = players.iter().map(|&player| self.information_sets.get(player).map_or(0, BTreeSet::len));
        let sets = sets.map(|count| u64::try_from(count).expect("a count fits 64 bits"));
        [self.histories, self.chance, self.decision, self.terminal].into_iter().chain(sets).collect()
    }
}

/// Depth by depth, as deep as there are at most `histories_max` in all.
fn oracle_counts(rules: &str, histories_max: usize) -> Vec<OracleCounts> {
    let (description, _) = syntax::read_prefix(rules, &Limits::STANDARD);
    let oracle = Oracle::new(&description, u64::MAX).expect("the oracle takes the rules");
    // The oracle knows GDL-II alone; a game that never speaks of `sees` is one of GDL, where everybody sees all moves.
    let has_full_sight = !description.clauses.iter().any(|clause| clause.head.name() == Some("sees"));
    let known = oracle.roles().iter().map(|role| (role.clone(), Knowledge::new())).collect();
    let mut level: Vec<OracleNode> = vec![(oracle.initial_state().expect("an initial state"), known)];
    let mut by_depth = Vec::new();
    let mut visited = 0;
    while !level.is_empty() && visited + level.len() <= histories_max {
        visited += level.len();
        let mut counts = OracleCounts::default();
        let mut next = Vec::new();
        let mut is_too_wide = false;
        for (state, known) in &level {
            let joint_moves = counts.add(&oracle.view(state).expect("a view of the state"), known);
            is_too_wide |= visited + next.len() + joint_moves.len() > histories_max;
            if !is_too_wide {
                next.extend(
                    joint_moves
                        .iter()
                        .map(|joint_move| oracle_child(&oracle, state, known, joint_move, has_full_sight)),
                );
            }
        }
        by_depth.push(counts);
        level = if is_too_wide { Vec::new() } else { next };
    }
    by_depth
}

fn oracle_child(
    oracle: &Oracle,
    state: &Terms,
    known: &BTreeMap<String, Knowledge>,
    joint_move: &BTreeMap<String, String>,
    has_full_sight: bool,
) -> OracleNode {
    let consequence = oracle.consequence(state, joint_move).expect("a successor");
    let mut known = known.clone();
    for (role, knowledge) in &mut known {
        let mut seen = consequence.sees[role].clone();
        if has_full_sight {
            seen.extend(joint_move.iter().map(|(mover, played)| format!("(does {mover} {played})")));
        }
        knowledge.push((joint_move[role].clone(), seen));
    }
    (consequence.successor, known)
}

#[test]
fn the_oracle_counts_the_published_sizes_too() {
    for &(name, expected) in PUBLISHED {
        let by_depth = oracle_counts(&catalogue_game(name).text, usize::MAX);
        let sum = |count: fn(&OracleCounts) -> u64| by_depth.iter().map(count).sum::<u64>();
        let sets =
            |counts: &OracleCounts| counts.information_sets.values().map(|sets| sets.len() as u64).sum();
        let found = [sum(|one| one.chance), sum(|one| one.decision), sum(|one| one.terminal), sum(sets)];
        assert_eq!(found, expected, "{name}");
    }
}

/// The files beside the rules are what the engine counted; the oracle counts their first lines again, as deep as
/// this many histories go.
const ORACLE_HISTORIES_MAX: usize = 200;

#[test]
fn the_oracle_counts_what_stands_beside_the_rules() {
    let mut lines = 0;
    for file in corpus::catalogue() {
        let written = fs::read_to_string(file.path.with_file_name("counts.txt")).expect("counts");
        let mut written = written.lines();
        let head = written.next().expect("a head");
        let players: Vec<&str> = head.split("sets of ").skip(1).map(str::trim).collect();
        for (depth, counts) in oracle_counts(&file.text, ORACLE_HISTORIES_MAX).iter().enumerate() {
            let row: Vec<u64> = written
                .next()
                .expect("as deep as the oracle went")
                .split_whitespace()
                .map(|number| number.parse().expect("a number"))
                .collect();
            let expected: Vec<u64> = std::iter::once(depth as u64).chain(counts.row(&players)).collect();
            assert_eq!(row, expected, "{}: {head}", file.name);
            lines += 1;
        }
    }
    assert!(lines > 100, "the oracle counted {lines} lines only");
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
