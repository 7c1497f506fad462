//! Games of any size: every family gives games that strict checks accept, and that are worth what they should be.

use croupier_engine::{Game, Options, Scratch, State, Status, Strictness};
use croupier_games::{GameFacts, ParameterKind, ParameterValues, families, find, find_family, starter};
use croupier_tests::table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

fn strictly(rules: &str) -> Game {
    let options = Options { strictness: Strictness::Strict, ..Options::PLAY };
    let compiled = Game::compile(rules, &options).unwrap_or_else(|error| panic!("{error}\n{rules}"));
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    compiled.game
}

fn member(family: &str, values: &[(&str, u32)]) -> Game {
    let values: ParameterValues =
        values.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
    let family = find_family(family).expect("a family");
    strictly(&family.rules(&values).expect("a member"))
}

/// What is won on average by a player that plays a legal move that begins with the first of these words that fits.
fn value(game: &Game, state: &State, words: &[&str], scratch: &mut Scratch) -> f64 {
    let player = game.roles().players().next().expect("a game for one player");
    let chance = game.roles().random().expect("and chance");
    let Status::Running { legal } = game.status(state, scratch).expect("sound rules") else {
        let goal = game.goal(state, player, scratch).expect("sound rules").expect("a goal");
        return f64::from(goal.value());
    };
    let begins = |word: &str| {
        legal[player].iter().find(|&&id| game.move_text(id).trim_start_matches('(').starts_with(word))
    };
    let chosen = words.iter().find_map(|word| begins(word));
    let chosen = *chosen.unwrap_or(&legal[player][0]);
    let drawn = legal[chance].clone();
    let mut sum = 0.0;
    for &drawn_move in &drawn {
        let moves =
            croupier_engine::ByRole::from_fn(
                game.roles(),
                |role| {
                    if role == player { chosen } else { drawn_move }
                },
            );
        let joint_move = game.joint_move(state, moves, scratch).expect("legal moves");
        let next = game.successor(state, &joint_move, scratch).expect("sound rules");
        sum += value(game, &next, words, scratch);
    }
    sum / drawn.len() as f64
}

#[test]
fn every_family_and_the_starter_pass_strict_checks() {
    strictly(starter());
    for family in families() {
        let least = family.parameters.iter().filter_map(|parameter| match parameter.kind {
            ParameterKind::Number { range, standard: Some(_), .. } => {
                Some((parameter.name.to_owned(), range.0.max(1).into()))
            }
            _ => None,
        });
        strictly(&family.rules(&least.collect()).expect("the smallest game"));
        strictly(&family.rules(&ParameterValues::new()).expect("the standard game"));
    }
}

#[test]
fn who_switches_among_many_doors_wins_unless_the_first_choice_was_right() {
    for doors in 3..=6 {
        let game = member("monty-hall", &[("doors", doors)]);
        let (n, mut scratch) = (f64::from(doors), game.scratch());
        let mut worth = |words: &[&str]| value(&game, game.initial_state(), words, &mut scratch);
        assert!((worth(&["choose", "switch"]) - 100.0 * (n - 1.0) / n).abs() < 1e-9, "{doors} doors");
        assert!((worth(&["choose", "stay"]) - 100.0 / n).abs() < 1e-9, "{doors} doors");
    }
}

#[test]
fn asking_in_the_starter_is_worth_what_its_comment_says() {
    let game = strictly(starter());
    let mut scratch = game.scratch();
    assert!((value(&game, game.initial_state(), &["say heads"], &mut scratch) - 50.0).abs() < 1e-9);
    // Who asks knows the side; who then always says heads is right half the time, and has paid.
    assert!((value(&game, game.initial_state(), &["ask", "say heads"], &mut scratch) - 40.0).abs() < 1e-9);
}

#[test]
fn heads_up_hands_of_the_family_are_those_of_the_catalogue() {
    let heads_up = find("no-limit-holdem").expect("a game of the catalogue");
    let known = strictly(heads_up.rules);
    let made = member("no-limit-holdem", &[]);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..300 {
        let (mut ours, mut theirs) = (Table::new(&made), Table::new(&known));
        // The first card is bob's in the family, as it is dealt from the button's left.
        let hole: Vec<String> = (0..4).map(|_| deal(&mut theirs, &mut rng)).collect();
        for index in [1, 0, 3, 2] {
            ours.play(&[("random", &hole[index])]);
        }
        while theirs.goals().is_none() {
            let speaker = ["alice", "bob"].into_iter().find(|name| !theirs.legal(name).contains("noop"));
            let Some(name) = speaker else {
                let dealt = deal(&mut theirs, &mut rng);
                ours.play(&[("random", &dealt)]);
                continue;
            };
            assert_eq!(ours.legal(name), theirs.legal(name), "{:?}", theirs.fluents());
            let mut choice = theirs.random_move(name, &mut rng);
            if choice == "fold" {
                choice = theirs.random_move(name, &mut rng);
            }
            assert_eq!(ours.play(&[(name, &choice)]), theirs.play(&[(name, &choice)]), "{name}: {choice}");
        }
        let (goals, known) = (ours.goals().expect("the same end"), theirs.goals().expect("the end"));
        for (name, goal) in goals {
            assert_eq!(goal - 40, known[&name] - 50, "chips won by {name}");
        }
    }
}

fn deal(table: &mut Table<'_>, rng: &mut ChaCha8Rng) -> String {
    let dealt = table.random_move("random", rng);
    table.play(&[("random", &dealt)]);
    dealt
}
