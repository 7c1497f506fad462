//! Full sight for one role as a rule: who has it knows the match, nobody else is told more, and the record says so.

use std::sync::Arc;

use croupier_belief::{ExactBelief, ExactOptions};
use croupier_engine::{Game, InformationSet, Limits, Options, Status, stages::rules::with_role_sight};
use croupier_tests::corpus::catalogue_game;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::Value;

use crate::program;

#[test]
fn who_has_full_sight_holds_only_the_true_state_possible_and_others_are_told_what_they_were() {
    for name in ["kuhn", "leduc"] {
        let rules = catalogue_game(name).text;
        let compile = |text: &str| Game::compile(text, &Options::PLAY).expect("the rules are sound").game;
        let plain = compile(&rules);
        let open = Arc::new(compile(&with_role_sight(&rules, "bob", &Limits::STANDARD)));
        let (mut scratch, mut plain_scratch) = (open.scratch(), plain.scratch());
        let role = |name: &str| open.roles().find(name).expect("a role");
        let (alice, bob) = (role("alice"), role("bob"));
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::from_seed([seed; 32]);
            let mut state = open.initial_state().clone();
            let mut known = InformationSet::initial(bob);
            let mut belief = ExactBelief::new(Arc::clone(&open), bob, ExactOptions::STANDARD).expect("bob");
            while let Some(joint_move) =
                open.random_joint_move(&state, &mut rng, &mut scratch).expect("sound rules")
            {
                let turn = open.turn(&state, &joint_move, &mut scratch).expect("sound rules");
                let terms = open.state_terms(&state);
                let same = plain.state_of(terms.iter().map(|term| &**term)).expect("the same fluents");
                let texts = joint_move.moves().iter().map(|(role, &played)| (role, open.move_text(played)));
                let texts: Vec<_> = texts.collect();
                let moves = croupier_engine::ByRole::from_fn(plain.roles(), |role| {
                    let (_, text) = texts.iter().find(|(known, _)| *known == role).expect("a move each");
                    plain.find_move(&same, role, text, &mut plain_scratch).expect("a legal move")
                });
                let played = plain.joint_move(&same, moves, &mut plain_scratch).expect("legal moves");
                let before = plain.turn(&same, &played, &mut plain_scratch).expect("sound rules");
                assert_eq!(
                    open.percept_terms(&turn.percepts[alice]),
                    plain.percept_terms(&before.percepts[alice]),
                    "alice is told what she was told"
                );
                known.turns.push((joint_move.of(bob), turn.percepts[bob].clone()));
                belief.advance(joint_move.of(bob), &turn.percepts[bob]).expect("a belief");
                state = turn.successor;
                assert_eq!(belief.histories_count(), 1, "{name}: {known:?}");
                assert_eq!(belief.distribution().iter().next().expect("a state").0, &state);
            }
            assert!(matches!(open.status(&state, &mut scratch), Ok(Status::Terminal { .. })));
        }
    }
}

#[test]
fn a_match_with_full_sight_says_so_and_replays() {
    let program = program("sighted");
    let path = program.path("sighted.jsonl");
    let output = program.output(&[
        "play",
        "kuhn",
        "--full-sight",
        "Bob",
        "--seat",
        "alice=random",
        "--seed",
        "3",
        "--matches",
        "20",
        "--record",
        &path,
        "--json",
    ]);
    let report: Value = serde_json::from_str(&output).expect("JSON");
    assert!(
        report["players"]["bob"].as_str().is_some_and(|kind| kind.starts_with("uct:")),
        "{}",
        report["players"]
    );

    let text = String::from_utf8(program.contents("sighted.jsonl")).expect("UTF-8");
    let genesis: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    assert_eq!(genesis["game"]["full_sight"], serde_json::json!(["bob"]));
    let rules = genesis["game"]["rules"].as_str().expect("a text");
    assert!(rules.ends_with("(<= (sees bob (full_sight ?q ?m))\n    (does ?q ?m))\n"), "{rules}");
    assert!(program.output(&["replay", &path, "--verify"]).contains("20"));

    // Whoever takes the words out of the header has another match.
    let altered = text.replacen(r#""full_sight":["bob"],"#, "", 1);
    assert_ne!(altered, text);
    let altered = program.file("altered.jsonl", altered);
    assert_ne!(program.run(&["replay", &altered, "--verify"]).code, 0);
}

#[test]
fn full_sight_never_pays_for_a_showdown_that_it_loses() {
    // Bob sees both cards. UCT takes alice to see them too: so with the worse card a bluff loses, and bob gives up one
    // chip, 25; with the better card bob never folds, 75 or 100. A bet that is called and lost, 0, is never made.
    let program = program("cheat");
    let output = program.output(&[
        "play",
        "kuhn",
        "--full-sight",
        "bob",
        "--seat",
        "alice=random",
        "--seed",
        "11",
        "--matches",
        "200",
        "--json",
    ]);
    let report: Value = serde_json::from_str(&output).expect("JSON");
    let matches = report["matches"].as_array().expect("a list");
    let goals: Vec<i64> = matches.iter().filter_map(|one| one["goals"]["bob"].as_i64()).collect();
    assert_eq!(goals.len(), 200);
    assert!(goals.iter().all(|goal| [25, 75, 100].contains(goal)), "{goals:?}");
    // Half of the deals are won; four standard deviations of 200 are 29.
    let won = goals.iter().filter(|&&goal| goal > 50).count();
    assert!((71..=129).contains(&won), "{won}");
}

#[test]
fn full_sight_for_nobody_is_refused() {
    let program = program("nobody");
    let told = program.refusal(&["play", "kuhn", "--full-sight", "carol"]);
    assert!(told.contains("the game has no player 'carol'") && told.contains("alice (1), bob (2)"), "{told}");
    let told = program.refusal(&["play", "tic-tac-toe", "--full-sight", "x"]);
    assert!(told.contains("every role sees every move"), "{told}");
}

#[test]
fn a_policy_is_read_from_a_file() {
    let program = program("policies");
    let table = program.file(
        "bets.json",
        r#"{"format": "croupier-policy/1",
            "information_sets": {"(alice (noop (hole king)) (noop (dealt bob)))": {"bet": 1.0}}}"#,
    );
    let seat = format!("alice=policy:{table}");
    let arguments = ["play", "kuhn", "--seat", &seat, "--seat", "bob=random", "--seed", "1", "--json"];
    assert!(program.output(&arguments).contains("policy:"));
    let told = program.refusal(&["play", "kuhn", "--seat", "alice=policy:no-such-file.json"]);
    assert!(told.contains("no-such-file.json"), "{told}");
    let broken = program.file("broken.json", "{");
    let told = program.refusal(&["play", "kuhn", "--seat", &format!("alice=policy:{broken}")]);
    assert!(told.contains("error[bad-policy]") && told.contains("broken.json"), "{told}");
}
