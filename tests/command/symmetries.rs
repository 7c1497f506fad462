//! What commands make of symmetries: `show --symmetries`, and `solve` with and without them.

use std::collections::BTreeMap;

use croupier_tests::command::Program;
use serde_json::Value;

fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
}

fn json(program: &Program, arguments: &[&str]) -> Value {
    serde_json::from_str(&program.output(&[arguments, &["--json"]].concat())).expect("JSON")
}

#[test]
fn symmetries_are_printed_with_their_number_and_what_each_generator_changes() {
    let program = crate::program("symmetries-show");
    assert_says(&program.output(&["show", "kuhn", "--symmetries"]), &["1, the identity alone"]);
    let board = program.output(&["show", "tic-tac-toe", "--symmetries"]);
    assert_says(&board, &["8, from 3 generators", "(mark a b) <-> (mark b a)", "(mark 1 _) <-> (mark 3 _)"]);
    let suits = json(&program, &["show", "holdem", "--symmetries"]);
    assert_eq!((suits["order"].as_str(), suits["whole"].as_bool()), (Some("24"), Some(true)));
    let seats = json(&program, &["show", "goofspiel-4", "--symmetries"]);
    assert_eq!(seats["generators"][0]["roles"]["alice"], "bob");
}

#[test]
fn a_game_is_solved_to_the_same_policy_with_and_without_symmetries() {
    let program = crate::program("symmetries-solve");
    let solved = |name: &str, rest: &[&str]| {
        let file = program.path(name);
        let arguments = ["solve", "leduc", "--iterations", "40", "--policy", &file];
        let report = json(&program, &[&arguments[..], rest].concat());
        let table: Value = serde_json::from_slice(&program.contents(name)).expect("JSON");
        let sets: BTreeMap<String, Value> =
            serde_json::from_value(table["information_sets"].clone()).expect("information sets");
        (report, sets)
    };
    let ((reduced, some), (whole, all)) = (solved("some.json", &[]), solved("all.json", &["--no-symmetry"]));
    assert_eq!((&reduced["symmetries"], &whole["symmetries"]), (&Value::from(8), &Value::from(1)));
    assert!(reduced["histories"].as_u64() < whole["histories"].as_u64().map(|histories| histories / 3));
    let [one, other] = [&reduced, &whole].map(|report| report["nash_conv"].as_f64().expect("a number"));
    assert!((one - other).abs() < 1e-9, "{one} and {other}");
    assert!(some.keys().eq(all.keys()), "both have every information set");
    for (known, strategy) in &some {
        for (played, probability) in strategy.as_object().expect("moves") {
            let other = all[known][played].as_f64().expect("the same moves");
            assert!((probability.as_f64().expect("a number") - other).abs() < 1e-6, "{known}: {played}");
        }
    }
}
