//! Games of dice, cards and codes against chance or a bluff, each beside its bookkeeping in Rust.

use std::collections::BTreeMap;

use croupier_engine::{Game, State, Status};
use croupier_tests::{
    size,
    table::{Table, Texts, below, compile},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

fn texts<const N: usize>(terms: [String; N]) -> Texts {
    terms.into_iter().collect()
}

const COLOURS: [&str; 6] = ["red", "green", "blue", "yellow", "brown", "orange"];

/// Numbers of colours below six in four positions.
type Code = [usize; 4];

fn all_codes() -> Vec<Code> {
    (0..1_296).map(|index| [index / 216, index / 36 % 6, index / 6 % 6, index % 6]).collect()
}

fn colours(code: Code) -> String {
    code.map(|colour| COLOURS[colour]).join(" ")
}

/// Black and white pegs by definition: right colours in place, and as many others as both have of each colour.
fn pegs(code: Code, guess: Code) -> (usize, usize) {
    let black = (0..4).filter(|&position| code[position] == guess[position]).count();
    let count = |code: Code, colour| code.iter().filter(|&&one| one == colour).count();
    let all: usize = (0..6).map(|colour| count(code, colour).min(count(guess, colour))).sum();
    (black, all - black)
}

/// The guess that leaves the fewest codes in the worst case; one that may be right before others: Knuth's rule.
fn knuth_guess(left: &[Code]) -> Code {
    if left.len() == 1_296 {
        return [0, 0, 1, 1];
    }
    let worst = |guess: Code| {
        let mut answers = [0; 25];
        for &code in left {
            let (black, white) = pegs(code, guess);
            answers[5 * black + white] += 1;
        }
        answers.into_iter().max().expect("25 answers")
    };
    let ranked = all_codes().into_iter().map(|guess| (worst(guess), !left.contains(&guess), guess));
    ranked.min().expect("1296 guesses").2
}

/// Guesses until the code is found, by the pegs that the game gives.
fn break_code(game: &Game, code: Code, book: &mut BTreeMap<Vec<String>, Code>) -> i32 {
    let mut table = Table::new(game);
    table.play(&[("random", &format!("(hide {})", colours(code)))]);
    let mut left = all_codes();
    let mut answers = Vec::new();
    for guesses in 1.. {
        let guess = *book.entry(answers.clone()).or_insert_with(|| knuth_guess(&left));
        let told = table.play(&[("breaker", &format!("(guess {})", colours(guess)))]);
        let (black, white) = pegs(code, guess);
        assert_eq!(told["breaker"], texts([format!("(pegs {black} {white})")]), "{code:?} {guess:?}");
        if black == 4 {
            assert_eq!(table.goals().expect("the end")["breaker"], 110 - 10 * guesses);
            return guesses;
        }
        assert_eq!(table.goals(), None);
        left.retain(|&code| pegs(code, guess) == (black, white));
        answers.push(format!("{black} {white}"));
    }
    unreachable!("guesses have no end")
}

/// D. E. Knuth, The computer as master mind (1976): five guesses suffice, and his strategy needs 4.478 on
/// average, against 4.340 at best. One code in three is enough to see it.
#[test]
fn five_guesses_break_any_code() {
    let game = compile("mastermind-4x6");
    let mut book = BTreeMap::new();
    let codes: Vec<_> = all_codes().into_iter().step_by(3).collect();
    let needed: Vec<i32> = codes.iter().map(|&code| break_code(&game, code, &mut book)).collect();
    assert_eq!(needed.iter().max(), Some(&5));
    let mean = f64::from(needed.iter().sum::<i32>()) / codes.len() as f64;
    assert!((4.34..4.6).contains(&mean), "{mean}");
}

#[test]
fn a_code_that_ten_guesses_miss_is_shown() {
    let game = compile("mastermind-4x6");
    let mut table = Table::new(&game);
    table.play(&[("random", "(hide red green blue blue)")]);
    for guess in 1..=10 {
        assert_eq!(table.goals(), None);
        let told = &table.play(&[("breaker", "(guess blue blue green orange)")])["breaker"];
        assert_eq!(told.len(), if guess == 10 { 5 } else { 1 });
        assert!(told.contains("(pegs 0 3)"), "{told:?}");
        assert_eq!(told.contains("(code 2 green)"), guess == 10);
    }
    assert_eq!(table.goals().expect("the end")["breaker"], 0);
}

/// What every player gets on average under random play, by merging equal states.
fn random_value(game: &Game, player: &str) -> f64 {
    let mut scratch = game.scratch();
    let role = game.roles().find(player).expect("a player of the game");
    let mut running: Vec<(State, f64)> = vec![(game.initial_state().clone(), 1.0)];
    let mut value = 0.0;
    while !running.is_empty() {
        let mut after: BTreeMap<u64, (State, f64)> = BTreeMap::new();
        for (state, probability) in running {
            match game.status(&state, &mut scratch).expect("a status") {
                Status::Terminal { goals } => {
                    value += probability * f64::from(goals.get(role).expect("a goal").value());
                }
                Status::Running { legal } => {
                    let joint_moves: Vec<_> = game.joint_moves(&legal).collect();
                    for joint_move in &joint_moves {
                        let successor =
                            game.successor(&state, joint_move, &mut scratch).expect("a successor");
                        let entry = after.entry(successor.stable_hash()).or_insert((successor, 0.0));
                        entry.1 += probability / joint_moves.len() as f64;
                    }
                }
            }
        }
        running = after.into_values().collect();
    }
    value
}

/// Newton's answer to Pepys: 31031 of 46656 throws of six dice show a six, and any other guesses do as well.
#[test]
fn one_of_six_guesses_is_right_as_often_as_newton_says() {
    let value = random_value(&compile("guess-six"), "guesser");
    assert!((value - 100.0 * 31_031.0 / 46_656.0).abs() < 1e-9, "{value}");
    assert!((value - 66.51).abs() < 5e-3, "{value}");
}

const PLAYERS: [&str; 2] = ["alice", "bob"];

/// One game of pig; the goals, and the turns that passed.
fn play_pig(game: &Game, daring: usize, rng: &mut ChaCha8Rng) -> ([i32; 2], usize) {
    let mut table = Table::new(game);
    let (mut points, mut total, mut mover, mut turns) = ([0, 0], 0, 0, 0);
    while points[mover] + total < 100 && turns < 100 {
        assert_eq!(table.goals(), None, "{points:?} {total}");
        let can_hold: &[&str] = if total > 0 { &["hold", "throw"] } else { &["throw"] };
        assert_eq!(table.legal(PLAYERS[mover]), can_hold.iter().map(|&text| text.to_owned()).collect());
        assert_eq!(table.legal(PLAYERS[1 - mover]), texts(["noop".to_owned()]));
        let holds = total > 0 && below(rng, daring) == 0;
        let told = table.play(&[(PLAYERS[mover], if holds { "hold" } else { "throw" })]);
        let said = if holds { "hold" } else { "throw" };
        assert!(told.values().all(|told| *told == texts([format!("(did {} {said})", PLAYERS[mover])])));
        if holds {
            points[mover] += total;
            (total, mover, turns) = (0, 1 - mover, turns + 1);
            continue;
        }
        let rolled = table.random_move("random", rng);
        let told = table.play(&[("random", &rolled)]);
        assert!(told.values().all(|told| *told == texts([format!("(did random {rolled})")])));
        let face: i32 = rolled.trim_start_matches("(roll ").trim_end_matches(')').parse().expect("a face");
        if face == 1 {
            (total, mover, turns) = (0, 1 - mover, turns + 1);
        } else {
            total += face;
        }
    }
    let goals = table.goals().unwrap_or_else(|| panic!("it is over: {points:?} {total}"));
    let goals = PLAYERS.map(|player| goals[player]);
    let mut expected = [50, 50];
    if points[mover] + total >= 100 {
        expected[mover] = 100;
        expected[1 - mover] = 0;
    }
    assert_eq!(goals, expected, "{points:?} {total} after {turns} turns");
    (goals, turns)
}

#[test]
fn pig_is_won_with_a_hundred_points() {
    let game = compile("pig");
    let mut rng = ChaCha8Rng::seed_from_u64(100);
    let mut ends: BTreeMap<[i32; 2], usize> = BTreeMap::new();
    let mut longest = 0;
    for hand in 0..240 {
        // Who holds at once wins slowly, and who never holds hardly ever.
        let (goals, turns) = play_pig(&game, [2, 6, 300][hand % 3], &mut rng);
        *ends.entry(goals).or_default() += 1;
        longest = longest.max(turns);
    }
    assert_eq!(longest, 100, "some matches are drawn");
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 5), "{ends:?}");
}

/// The sum of a blackjack hand by definition: one ace may count eleven.
fn worth(cards: &[String]) -> i32 {
    let counts = |card: &String| match &card[..1] {
        "a" => 1,
        "t" | "j" | "q" | "k" => 10,
        number => number.parse().expect("a number card"),
    };
    let sum: i32 = cards.iter().map(counts).sum();
    let has_ace = cards.iter().any(|card| card.starts_with('a'));
    if has_ace && sum <= 11 { sum + 10 } else { sum }
}

/// Bets won with these hands, the natural blackjack being two cards worth 21.
fn bets_won(player: &[String], dealer: &[String]) -> f64 {
    let is_natural = |cards: &[String]| cards.len() == 2 && worth(cards) == 21;
    match (is_natural(player), is_natural(dealer)) {
        (true, true) => 0.0,
        (true, false) => 1.5,
        (false, true) => -1.0,
        (false, false) if worth(player) > 21 => -1.0,
        (false, false) if worth(dealer) > 21 => 1.0,
        (false, false) => f64::from((worth(player) - worth(dealer)).signum()),
    }
}

/// A card of the deck that is left, and what the player is told of it.
fn draw(table: &mut Table<'_>, rng: &mut ChaCha8Rng) -> (String, Texts) {
    let dealt = table.random_move("random", rng);
    let told = table.play(&[("random", &dealt)]).remove("player").expect("a player");
    (dealt.trim_start_matches("(deal ").trim_end_matches(')').to_owned(), told)
}

/// One hand; the player draws up to `courage`. What it wins, and the cards seen.
fn play_blackjack(game: &Game, courage: i32, rng: &mut ChaCha8Rng) -> f64 {
    let mut table = Table::new(game);
    let (mut player, mut dealer) = (Vec::new(), Vec::new());
    for hand in ["player", "dealer", "player"] {
        let (card, told) = draw(&mut table, rng);
        assert_eq!(told, texts([format!("(dealt {hand} {card})")]));
        if hand == "player" { player.push(card) } else { dealer.push(card) }
    }
    let (hidden, mut told) = draw(&mut table, rng);
    assert!(told.remove("face_down"));
    dealer.push(hidden.clone());
    let shown = texts([format!("(shown {hidden})")]);
    let mut is_over = worth(&player) == 21 || worth(&dealer) == 21;
    assert_eq!(told, if is_over { shown.clone() } else { Texts::new() });
    while !is_over && worth(&player) < courage {
        assert_eq!(table.legal("player"), texts(["draw".to_owned(), "stand".to_owned()]));
        assert!(table.play(&[("player", "draw")])["player"].is_empty());
        assert_eq!(table.legal("random").len(), 52 - player.len() - dealer.len());
        let (card, told) = draw(&mut table, rng);
        player.push(card.clone());
        is_over = worth(&player) > 21;
        let mut expected = texts([format!("(dealt player {card})")]);
        expected.extend(is_over.then(|| format!("(shown {hidden})")));
        assert_eq!(told, expected);
    }
    if !is_over {
        assert_eq!(table.play(&[("player", "stand")])["player"], shown);
        while worth(&dealer) < 17 {
            let (card, told) = draw(&mut table, rng);
            assert_eq!(told, texts([format!("(dealt dealer {card})")]));
            dealer.push(card);
        }
    }
    let won = bets_won(&player, &dealer);
    let goal = table.goals().unwrap_or_else(|| panic!("it is over: {player:?} {dealer:?}"))["player"];
    assert!((f64::from(goal) - (40.0 + 40.0 * won)).abs() < 1e-9, "{player:?} {dealer:?}: {goal}");
    won
}

/// Hand by hand beside the bookkeeping; who does as the dealer does loses, because he draws first.
#[test]
fn blackjack_is_paid_as_the_house_says() {
    let game = compile("blackjack");
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let mut outcomes: BTreeMap<i32, usize> = BTreeMap::new();
    let mut sum = 0.0;
    let hands = size(2_000, 6_000);
    for _ in 0..hands {
        let won = play_blackjack(&game, 17, &mut rng);
        sum += won;
        *outcomes.entry((2.0 * won) as i32).or_default() += 1;
    }
    for courage in [12, 15, 19, 21, 22] {
        for _ in 0..size(100, 300) {
            play_blackjack(&game, courage, &mut rng);
        }
    }
    assert_eq!(outcomes.keys().copied().collect::<Vec<_>>(), [-2, 0, 2, 3]);
    // Baldwin and others give 5.6 % for the mimic; 6000 hands have a standard error of 1.3 %, and 2000 one of 2.2 %.
    let mean = sum / f64::from(hands);
    assert!((mean + 0.056).abs() < size(0.088, 0.05), "{mean}: {outcomes:?}");
}

/// The values of meier from the lowest to the highest.
const MEIER: [&str; 21] = [
    "3 1", "3 2", "4 1", "4 2", "4 3", "5 1", "5 2", "5 3", "5 4", "6 1", "6 2", "6 3", "6 4", "6 5", "1 1",
    "2 2", "3 3", "4 4", "5 5", "6 6", "2 1",
];

fn rank_in_meier(throw: [usize; 2]) -> usize {
    let text = format!("{} {}", throw.iter().max().expect("two"), throw.iter().min().expect("two"));
    MEIER.iter().position(|value| *value == text).expect("two dice have a value")
}

/// All throws and all announcements, each doubted at once.
#[test]
fn a_meier_player_who_is_doubted_must_have_what_was_announced() {
    let game = compile("meier");
    let mut throws = [0; 3];
    for throw in (0..36).map(|index| [index / 6 + 1, index % 6 + 1]) {
        let rank = rank_in_meier(throw);
        throws[usize::from(rank >= 14) + usize::from(rank == 20)] += 1;
        for (announced, value) in MEIER.iter().enumerate() {
            let mut table = Table::new(&game);
            let told = table.play(&[("random", &format!("(throw {} {})", throw[0], throw[1]))]);
            assert_eq!(told["alice"], texts([format!("(threw {})", MEIER[rank])]));
            assert!(told["bob"].is_empty());
            assert_eq!(table.legal("alice").len(), 21);
            let told = table.play(&[("alice", &format!("(announce {value})"))]);
            assert!(told.values().all(|told| *told == texts([format!("(announces alice {value})")])));
            assert_eq!(table.legal("bob").contains("believe"), announced < 20);
            let told = table.play(&[("bob", "doubt")]);
            assert!(told.values().all(|told| told.contains(&format!("(under_the_cup {})", MEIER[rank]))));
            let goals = table.goals().expect("the end");
            let expected = if announced > rank { [0, 100] } else { [100, 0] };
            assert_eq!(PLAYERS.map(|player| goals[player]), expected, "{throw:?} as {value}");
        }
    }
    assert_eq!(throws, [28, 6, 2]);
}

#[test]
fn announcements_in_meier_rise_until_somebody_doubts() {
    let game = compile("meier");
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let mut longest = 0;
    for _ in 0..200 {
        let mut table = Table::new(&game);
        let (mut speaker, mut last, mut rounds): (usize, Option<usize>, usize) = (0, None, 0);
        loop {
            let thrown = table.random_move("random", &mut rng);
            let told = table.play(&[("random", &thrown)]);
            assert!(told[PLAYERS[1 - speaker]].is_empty(), "the cup hides it");
            let above = MEIER.iter().skip(last.map_or(0, |last| last + 1));
            let expected: Texts = above.map(|value| format!("(announce {value})")).collect();
            let legal = table.legal(PLAYERS[speaker]);
            assert_eq!(legal, expected);
            // Small steps, so that matches get long.
            let low = MEIER[last.map_or(0, |last| last + 1) + below(&mut rng, 3).min(legal.len() - 1)];
            table.play(&[(PLAYERS[speaker], &format!("(announce {low})"))]);
            last = MEIER.iter().position(|value| *value == low);
            rounds += 1;
            let answer = table.random_move(PLAYERS[1 - speaker], &mut rng);
            let answer = if last < Some(20) && below(&mut rng, 3) > 0 { "believe" } else { answer.as_str() };
            table.play(&[(PLAYERS[1 - speaker], answer)]);
            if answer == "doubt" {
                assert!(table.goals().is_some());
                break;
            }
            speaker = 1 - speaker;
        }
        longest = longest.max(rounds);
    }
    assert!(longest > 6, "{longest}");
}
