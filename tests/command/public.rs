//! `croupier belief --public` as a user meets it: what everybody knows of a match.

use croupier_tests::command::Program;
use serde_json::Value;

use crate::program;

fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

fn json(program: &Program, arguments: &[&str]) -> Value {
    serde_json::from_str(&program.output(&[arguments, &["--json"]].concat())).expect("JSON")
}

/// A match of Kuhn poker in which alice bets whatever she has.
fn record(program: &Program) -> String {
    let record = program.path("m.jsonl");
    let seats = ["--seat", "alice=raise", "--seat", "bob=fold", "--seed", "2"];
    program.output(&[&["play", "kuhn", "--record", &record][..], &seats].concat());
    record
}

/// By the card in its information set, the probability and the range of each private state of a player.
fn cards(told: &Value, player: usize) -> Vec<(&'static str, f64, f64)> {
    let states = told["players"][player]["private"].as_array().expect("private states");
    let number = |state: &Value, field: &str| state[field].as_f64().expect("a number");
    let card = |state: &Value| {
        let known = state["information_set"].as_str().expect("text");
        ["jack", "queen", "king"].into_iter().find(|card| known.contains(card)).expect("a card")
    };
    let mut cards: Vec<_> = states
        .iter()
        .map(|state| (card(state), number(state, "probability"), number(state, "range")))
        .collect();
    cards.sort_by_key(|(card, ..)| *card);
    cards
}

#[test]
fn a_record_tells_what_everybody_knows_and_nothing_of_a_card() {
    let program = program("public-record");
    let record = record(&program);
    let asked = ["belief", &record, "--public", "--turn", "3"];
    let text = program.output(&asked);
    assert_says(
        &text,
        &["before turn 3: what everybody knows", "turn  2  Alice bets", "from all 6 histories"],
    );
    assert_says(&text, &["Alice: 3 private states, entropy 1.58 bits", "33.33 %"]);
    let told = json(&program, &asked);
    assert_eq!(
        (&told["match"], &told["histories"], &told["method"]),
        (&1.into(), &6.into(), &"exact".into())
    );
    assert_eq!(told["told"], serde_json::json!([[], [], ["(did alice bet)"]]));
    for player in 0..2 {
        for (_, probability, range) in cards(&told, player) {
            assert!((probability - 1.0 / 3.0).abs() < 1e-9 && (range - 1.0).abs() < 1e-9, "{told}");
        }
    }
    // A game with the same said to be public gives the same, whatever the cards were.
    let mut of_game =
        json(&program, &["belief", "kuhn", "--public", "--turn", "3", "--told", "2=(did alice bet)"]);
    assert!(of_game["match"].is_null());
    of_game["match"] = 1.into();
    assert_eq!(of_game, told);
}

#[test]
fn policies_of_all_players_make_the_ranges() {
    let program = program("public-models");
    let policy = program.path("kuhn.json");
    program.output(&["solve", "kuhn", "--policy", &policy]);
    let model = ["alice", "bob"].map(|role| format!("{role}=policy:{policy}"));
    let asked = ["belief", "kuhn", "--public", "--turn", "3", "--told", "2=(did alice bet)"];
    let asked = [&asked[..], &["--model", &model[0], "--model", &model[1]]].concat();
    let told = json(&program, &asked);
    assert_eq!(told["coverage"]["met"], told["coverage"]["known"]);
    // Alice bets with a king most, with a jack a third of that, and with a queen only by the tenth that is mixed in.
    let [jack, king, queen] = cards(&told, 0)[..] else { panic!("three cards: {told}") };
    assert!(king.2 == 1.0 && jack.2 < 0.5 && queen.2 < jack.2, "{told}");
    // Each card of alice leaves bob two, so a share is that of the range.
    let sum = king.2 + jack.2 + queen.2;
    assert!((king.1 - king.2 / sum).abs() < 1e-9 && (queen.1 - queen.2 / sum).abs() < 1e-9, "{told}");
    // Bob did nothing yet, but what alice did tells of his card.
    let of_bob = cards(&told, 1);
    assert!(of_bob.iter().all(|(_, _, range)| (range - 1.0).abs() < 1e-9), "{told}");
    assert!((of_bob[1].1 - (jack.2 + queen.2) / (2.0 * sum)).abs() < 1e-9, "{told}");
}

#[test]
fn a_sample_says_that_it_is_one() {
    let program = program("public-sample");
    let asked = ["belief", "phantom-tic-tac-toe", "--public", "--turn", "4", "--particles", "50"];
    let told = json(&program, &[&asked[..], &["--method", "particle"]].concat());
    assert_eq!(told["method"], "particle");
    assert!(told["particles"].as_u64().is_some_and(|count| (1..=50).contains(&count)), "{told}");
    assert!(told["effective_particles"].as_f64().is_some_and(|count| count <= 50.0 + 1e-6), "{told}");
    let text = program.output(&[&asked[..], &["--method", "particle", "--top", "2"]].concat());
    assert_says(&text, &["from a sample: ", "may be missing", " more; --json has everything"]);
    let exact = program.output(&asked);
    assert_says(&exact, &["from all ", "turn 0: "]);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let program = program("public-refused");
    let record = record(&program);
    let cases: [(&[&str], &[&str]); 9] = [
        (&["belief", &record, "--turn", "3"], &["--role"]),
        (&["belief", &record, "--public", "--role", "bob", "--turn", "3"], &["--role"]),
        (
            &["belief", &record, "--public", "--turn", "3", "--told", "2=x"],
            &["--told", "a record says itself"],
        ),
        (&["belief", "kuhn", "--role", "bob", "--turn", "3", "--told", "2=x"], &["--public"]),
        (&["belief", "kuhn", "--public", "--turn", "3", "--told", "(x)"], &["TURN=PERCEPT"]),
        (&["belief", "kuhn", "--public", "--turn", "3", "--told", "3=(x)"], &["turn 3 is not before turn 3"]),
        (
            &["belief", "kuhn", "--public", "--turn", "3"],
            &["what is said to be public in turn 2 cannot be", "(did alice bet), or (did alice pass)"],
        ),
        (&["belief", "kuhn", "--public", "--turn", "99"], &["turn 2 cannot be"]),
        (
            &["belief", "holdem", "--public", "--turn", "4", "--method", "exact"],
            &["error[no-belief]", "500000 histories", "--method particle"],
        ),
    ];
    for (arguments, said) in cases {
        assert_says(&program.refusal(arguments), said);
    }
    assert_says(&program.refusal(&["belief", "kunh", "--public", "--turn", "0"]), &["did you mean kuhn"]);
}
