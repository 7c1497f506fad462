//! Games in which knowing, finding out or keeping secret is what pays: their values by enumeration of
//! everything a player can know, against what follows from the definition of each game by hand.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use croupier_engine::{ByRole, Game, MoveId, Scratch, State, Status};
use croupier_tests::{
    corpus::catalogue_game,
    table::{Table, Texts, below, compile},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

fn expect(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}");
}

/// States that the only player cannot tell apart, with the probability of each.
type Belief = Vec<(State, f64)>;

/// What the only player of a game gets with the best use of all that can be known.
struct Solver<'g> {
    game: &'g Game,
    scratch: Scratch,
    /// Moves that the player never makes.
    forbidden: &'g [&'g str],
}

impl Solver<'_> {
    /// Mean goal over `belief` when at most `turns` more are played; a match that takes longer is worth 0.
    fn value(&mut self, belief: &Belief, turns: usize) -> f64 {
        let game = self.game;
        let player = game.roles().players().next().expect("a player");
        let mut choices: Option<Vec<MoveId>> = None;
        let mut lists = Vec::new();
        for (state, probability) in belief {
            match game.status(state, &mut self.scratch).expect("a status") {
                Status::Terminal { goals } => {
                    let goal = goals.get(player).expect("a goal").value();
                    assert!(
                        belief
                            .iter()
                            .all(|(other, _)| game.is_terminal(other, &mut self.scratch) == Ok(true))
                    );
                    lists
                        .push((probability * f64::from(goal), ByRole::from_fn(game.roles(), |_| Vec::new())));
                }
                Status::Running { legal } => {
                    let own = choices.get_or_insert_with(|| legal[player].clone());
                    assert_eq!(*own, legal[player], "the player knows what is legal");
                    lists.push((0.0, legal));
                }
            }
        }
        let Some(mut choices) = choices else { return lists.iter().map(|(value, _)| value).sum() };
        if turns == 0 {
            return 0.0;
        }
        choices.retain(|&id| !self.forbidden.contains(&&*game.move_text(id)));
        let values = choices.iter().map(|&choice| {
            let mut cases: BTreeMap<Vec<String>, Belief> = BTreeMap::new();
            for ((state, probability), (_, legal)) in belief.iter().zip(&lists) {
                let joint_moves: Vec<_> =
                    game.joint_moves(legal).filter(|joint| joint.of(player) == choice).collect();
                let share = probability / joint_moves.len() as f64;
                for joint_move in &joint_moves {
                    let turn = game.turn(state, joint_move, &mut self.scratch).expect("a turn");
                    let told = turn.percepts.get(player).expect("percepts");
                    let told = game.percept_terms(told).iter().map(ToString::to_string).collect();
                    cases.entry(told).or_default().push((turn.successor, share));
                }
            }
            cases.values().map(|case| self.value(case, turns - 1)).sum::<f64>()
        });
        values.fold(0.0, f64::max)
    }
}

/// The value of a game with one player, who may not make some moves.
fn best(name: &str, forbidden: &[&str], turns: usize) -> f64 {
    let game = compile(name);
    let mut solver = Solver { game: &game, scratch: game.scratch(), forbidden };
    solver.value(&vec![(game.initial_state().clone(), 1.0)], turns)
}

#[test]
fn the_exploding_bomb_is_worth_90_with_the_question_and_50_without() {
    expect(best("exploding-bomb", &[], 9), 90.0, "whoever may ask");
    expect(best("exploding-bomb", &["ask"], 9), 50.0, "whoever may not");
}

/// The same solver on a game whose value everybody knows: Selvin (1975).
#[test]
fn monty_hall_is_worth_two_thirds_to_who_switches_and_one_third_to_who_stays() {
    expect(best("monty-hall", &[], 9), 200.0 / 3.0, "the best");
    expect(best("monty-hall", &["switch"], 9), 100.0 / 3.0, "staying");
}

/// Black and white pegs as anybody counts them: same place, and then what the colours have in common.
fn pegs(guess: [usize; 2], code: [usize; 2]) -> (usize, usize) {
    let count = |pegs: [usize; 2], colour| pegs.iter().filter(|&&peg| peg == colour).count();
    let black = (0..2).filter(|&place| guess[place] == code[place]).count();
    let common: usize = (0..3).map(|colour| count(guess, colour).min(count(code, colour))).sum();
    (black, common - black)
}

const COLOURS: [&str; 3] = ["red", "green", "blue"];

fn codes() -> Vec<[usize; 2]> {
    (0..9).map(|code| [code / 3, code % 3]).collect()
}

fn code_text(verb: &str, [first, second]: [usize; 2]) -> String {
    format!("({verb} {} {})", COLOURS[first], COLOURS[second])
}

#[test]
fn mastermind_counts_the_pegs_of_every_guess_at_every_code() {
    let game = compile("mastermind-2x3");
    for code in codes() {
        for guess in codes() {
            let mut table = Table::new(&game);
            assert!(table.play(&[("random", &code_text("hide", code))])["breaker"].is_empty());
            let told = &table.play(&[("breaker", &code_text("guess", guess))])["breaker"];
            let (black, white) = pegs(guess, code);
            assert_eq!(*told, Texts::from([format!("(pegs {black} {white})")]), "{guess:?} at {code:?}");
            assert_eq!(table.goals().is_some(), black == 2);
        }
    }
}

/// A guess has at most five answers, one of them being that it is right, so that two guesses find at most
/// five codes of nine; after the best first guess no answer leaves more than four codes, and three guesses
/// find them all. One turn more hides the code.
#[test]
fn one_two_and_three_guesses_find_one_five_and_nine_codes() {
    for (guesses, found) in [(1, 1.0), (2, 5.0), (3, 9.0)] {
        expect(best("mastermind-2x3", &[], 1 + guesses), 100.0 * found / 9.0, "mastermind");
    }
}

/// What the breaker may know: guesses, each with its pegs, from the definition of the pegs alone.
fn mastermind_information_sets(codes: &[[usize; 2]], guesses: usize) -> u64 {
    if guesses == 0 || codes.is_empty() {
        return 0;
    }
    let mut sets = 1;
    for guess in self::codes() {
        let mut answers: BTreeMap<(usize, usize), Vec<[usize; 2]>> = BTreeMap::new();
        for &code in codes.iter().filter(|&&code| code != guess) {
            answers.entry(pegs(guess, code)).or_default().push(code);
        }
        sets += answers.values().map(|left| mastermind_information_sets(left, guesses - 1)).sum::<u64>();
    }
    sets
}

/// Nine codes, nine guesses, of which eight miss; `tests/games/counts.rs` compares the engine's count of the tree
/// with the facts of the game.
#[test]
fn the_stated_size_of_mastermind_follows_from_the_pegs() {
    let facts = catalogue_game("mastermind-2x3").path.with_file_name("game.toml");
    let facts: toml::Table = fs::read_to_string(facts).expect("facts").parse().expect("TOML");
    let stated = ["chance", "decision", "terminal", "information_sets"]
        .map(|key| facts["counts"][key].as_integer().and_then(|count| u64::try_from(count).ok()));
    let decision = 9 * (1 + 8 + 8 * 8);
    let terminal = 9 * (1 + 8 + 8 * 8 * 9);
    let expected = [1, decision, terminal, mastermind_information_sets(&codes(), 3)];
    assert_eq!(stated, expected.map(Some));
}

#[test]
fn every_question_about_every_number_is_answered_truly() {
    let game = compile("number-guessing");
    for secret in 1..=32 {
        for asked in 2..=32 {
            let mut table = Table::new(&game);
            table.play(&[("random", &format!("(think_of {secret})"))]);
            let told = &table.play(&[("guesser", &format!("(ask_less {asked})"))])["guesser"];
            let expected = if secret < asked { "yes" } else { "no" };
            assert_eq!(*told, Texts::from([expected.to_owned()]), "is {secret} less than {asked}?");
        }
    }
}

/// Asks `questions` questions that halve what is left, then guesses.
fn halve_and_guess(game: &Game, secret: u32, questions: u32) -> i32 {
    let mut table = Table::new(game);
    table.play(&[("random", &format!("(think_of {secret})"))]);
    let (mut first, mut end) = (1, 33);
    for _ in 0..questions {
        let middle = u32::midpoint(first, end);
        let told = &table.play(&[("guesser", &format!("(ask_less {middle})"))])["guesser"];
        if told.contains("yes") { end = middle } else { first = middle }
    }
    assert_eq!(table.legal("guesser").iter().any(|text| text.starts_with("(ask_less")), questions < 5);
    table.play(&[("guesser", &format!("(guess {first})"))]);
    table.goals().expect("the end")["guesser"]
}

/// The figures of Schofield and Thielscher for the two extremes: 3.125 for guessing at once, 100 for five
/// questions. Each question doubles what can be told apart, and no strategy does better than that.
#[test]
fn each_question_doubles_what_guessing_is_worth() {
    let game = compile("number-guessing");
    for (questions, expected) in (0..).zip([3.125, 6.25, 12.5, 25.0, 50.0, 100.0]) {
        let sum: i32 = (1..=32).map(|secret| halve_and_guess(&game, secret, questions)).sum();
        expect(f64::from(sum) / 32.0, expected, "number guessing");
    }
}

const BANKS: [&str; 3] = ["north", "east", "west"];

/// Notes in each of the three banks.
type Balances = [usize; 3];

fn all_balances() -> Vec<Balances> {
    let pairs = (0..=10).flat_map(|north| (0..=10 - north).map(move |east| (north, east)));
    pairs.map(|(north, east)| [north, east, 10 - north - east]).collect()
}

/// Plays a match with these balances, paid in in any order; the goals of the banker and the thief.
fn rob(game: &Game, broken: usize, balances: Balances, robbed: usize, rng: &mut ChaCha8Rng) -> [i32; 2] {
    let mut table = Table::new(game);
    let told = table.play(&[("random", &format!("(break {})", BANKS[broken]))]);
    assert_eq!(told["banker"], Texts::from([format!("(broken {})", BANKS[broken])]));
    assert!(told["thief"].is_empty(), "{told:?}");
    let mut left: Vec<usize> = (0..3).flat_map(|bank| vec![bank; balances[bank]]).collect();
    while !left.is_empty() {
        let bank = left.swap_remove(below(rng, left.len()));
        let told = table.play(&[("banker", &format!("(pay_in {})", BANKS[bank]))]);
        let published = (0..3).map(|bank| format!("(balance {} {})", BANKS[bank], balances[bank]));
        let published = if left.is_empty() { published.collect() } else { Texts::new() };
        assert_eq!(told["thief"], published, "{balances:?}");
        assert!(told["banker"].is_empty(), "{told:?}");
    }
    table.play(&[("thief", &format!("(rob {})", BANKS[robbed]))]);
    let goals = table.goals().expect("the end");
    ["banker", "thief"].map(|player| goals[player])
}

/// What the banker can be sure of with these balances, if nothing tells the banks apart but the balances:
/// the thief robs each bank with a probability that leaves the banker no more than the answer in any of
/// them. It is the least `c` at which robbing bank `i` with probability `1 - c / balance(i)` is possible in
/// all banks that hold more than `c`.
fn sure_of(balances: Balances) -> f64 {
    let mut sorted = balances.map(|notes| 10.0 * f64::from(u8::try_from(notes).expect("ten notes")));
    sorted.sort_by(|a, b| b.total_cmp(a));
    let with_decoys = |banks: usize| {
        let inverse: f64 = sorted[..banks].iter().map(|dollars| 1.0 / dollars).sum();
        if sorted[banks - 1] > 0.0 { (banks - 1) as f64 / inverse } else { 0.0 }
    };
    (1..=3).map(with_decoys).fold(0.0, f64::max)
}

#[test]
fn the_banker_keeps_25_for_sure_40_from_a_greedy_thief_and_67_from_a_blind_one() {
    let game = compile("banker-and-thief");
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let mut greedy = 0.0_f64;
    let mut blind = 0.0_f64;
    for balances in all_balances() {
        let richest = *balances.iter().max().expect("three banks");
        let targets: BTreeSet<usize> = (0..3).filter(|&bank| balances[bank] == richest).collect();
        for broken in 0..3 {
            let dollars = 10 * i32::try_from(balances[broken]).expect("ten notes");
            let kept = [0, 1, 2].map(|robbed| {
                let expected = if robbed == broken { [0, dollars] } else { [dollars, 0] };
                let goals = rob(&game, broken, balances, robbed, &mut rng);
                assert_eq!(goals, expected, "{balances:?}, {broken} broken, {robbed} robbed");
                f64::from(goals[0])
            });
            let from_greedy = targets.iter().map(|&robbed| kept[robbed]).sum::<f64>() / targets.len() as f64;
            greedy = greedy.max(from_greedy);
            blind = blind.max(kept.iter().sum::<f64>() / 3.0);
        }
    }
    expect(greedy, 40.0, "against a thief who robs the richest bank");
    expect(blind, 200.0 / 3.0, "against a thief who robs any bank");
    expect(sure_of([5, 5, 0]), 25.0, "half of the money in a decoy");
    let most = all_balances().into_iter().map(sure_of).fold(0.0, f64::max);
    expect(most, 25.0, "the best of all balances");
}
