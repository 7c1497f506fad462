//! Games that are the same but for names and order are found to be, and no others.

use croupier_engine::{
    ByRole, Game, InformationSet, MoveId, Options, Status,
    game::{Backend, Renaming},
};
use croupier_games::{catalogue, find};
use croupier_tests::renamed::renamed;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

fn game(rules: &str) -> Game {
    // A renaming is of the rules, whatever plays them.
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    Game::compile(rules, &options).unwrap_or_else(|error| panic!("{error:?}\n{rules}")).game
}

fn sorted(mut moves: Vec<MoveId>) -> Vec<MoveId> {
    moves.sort_unstable();
    moves
}

/// Plays a random match of one game, and the same one of the other; compares all that players can do, are told and get.
fn assert_same_match(name: &str, [one, other]: [&Game; 2], renaming: &Renaming, seed: u64, turns: usize) {
    let back = renaming.inverse();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut scratch, mut other_scratch) = (one.scratch(), other.scratch());
    let (mut state, mut image) = (one.initial_state().clone(), other.initial_state().clone());
    let mut known = ByRole::from_fn(one.roles(), InformationSet::initial);
    for turn in 0..turns {
        let statuses = [one.status(&state, &mut scratch), other.status(&image, &mut other_scratch)];
        let (legal, others) = match statuses.map(|status| status.expect("sound rules")) {
            [Status::Running { legal }, Status::Running { legal: others }] => (legal, others),
            [Status::Terminal { goals }, Status::Terminal { goals: others }] => {
                for role in one.roles().players() {
                    assert_eq!(goals.get(role), others.get(renaming.role(role)), "{name}");
                }
                break;
            }
            _ => panic!("{name}: one match is over after {turn} turns, and the other is not"),
        };
        for role in one.roles().all() {
            let played = |&played: &MoveId| renaming.played(one, other, played).expect("a move of the rules");
            let images = sorted(legal[role].iter().map(played).collect());
            assert_eq!(images, sorted(others[renaming.role(role)].clone()), "{name}, turn {turn}");
        }
        let joint_move =
            one.random_joint_move(&state, &mut rng, &mut scratch).expect("it is there").expect("it is there");
        let chosen = ByRole::from_fn(other.roles(), |role| {
            vec![renaming.played(one, other, joint_move.of(back.role(role))).expect("it is there")]
        });
        let joint_image = other.joint_moves(&chosen).next().expect("it is there");
        for role in one.roles().players() {
            let percepts = one.percepts(&state, &joint_move, role, &mut scratch).expect("it is there");
            known[role].turns.push((joint_move.of(role), percepts));
            let own = renaming.information_set(one, other, &known[role]).expect("it is there");
            let percepts =
                other.percepts(&image, &joint_image, own.role, &mut other_scratch).expect("it is there");
            assert_eq!(own.turns.last(), Some(&(joint_image.of(own.role), percepts)), "{name}, turn {turn}");
            assert_eq!(back.information_set(other, one, &own).as_ref(), Some(&known[role]), "{name}");
        }
        state = one.successor(&state, &joint_move, &mut scratch).expect("it is there");
        image = other.successor(&image, &joint_image, &mut other_scratch).expect("it is there");
    }
}

#[test]
fn a_renamed_reordered_copy_of_every_game_has_the_same_matches() {
    catalogue().iter().for_each(|entry| {
        let copy = renamed(entry.rules, 1);
        let games = [entry.rules, &copy].map(game);
        let [one, other] = [&games[0], &games[1]];
        let renaming = one.renaming_to(other);
        let renaming = renaming.unwrap_or_else(|| panic!("{} is not its copy\n{copy}", entry.name));
        (0..2).for_each(|seed| assert_same_match(entry.name, [one, other], &renaming, seed, 12));
    });
}

#[test]
fn the_text_of_rules_in_normal_form_reads_as_itself() {
    for entry in catalogue() {
        let text = game(entry.rules).rules().program().to_string();
        assert_eq!(game(&text).rules().program().to_string(), text, "{}", entry.name);
    }
    // A negated comparison is written as one.
    let rules = "(role a) (init x) (init y) (legal a wait) (<= terminal (true ?x) (true ?y) (not (distinct ?x ?y))) (goal a 50)";
    let text = game(rules).rules().program().to_string();
    assert!(text.contains("(<= terminal (true ?x) (true ?y) (not (distinct ?x ?y)))"), "{text}");
    assert_eq!(game(&text).rules().program().to_string(), text);
}

#[test]
fn a_game_is_no_renaming_of_a_variant() {
    // One fact each: another payoff, a cap of three raises, one way to win less.
    let variants = [
        ("kuhn", "(payoff 2 100  0)", "(payoff 2 90 10)"),
        ("holdem", "(then_bets 3 4)", ""),
        ("leduc", "(payoff 13 89 11)", "(payoff 13 11 89)"),
    ];
    for (name, fact, instead) in variants {
        let rules = find(name).unwrap().rules;
        assert!(rules.contains(fact), "{name}");
        let variant = renamed(&rules.replace(fact, instead), 2);
        let [one, other, copy] = [rules, &variant, &renamed(rules, 2)].map(game);
        assert!(one.renaming_to(&other).is_none(), "{name}");
        assert!(one.renaming_to(&copy).is_some(), "{name}");
    }
}
