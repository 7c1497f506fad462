//! `croupier bench`: what it prints has every figure, and nothing in it is impossible.

use serde_json::Value;

use crate::program;

fn number(object: &Value, key: &str) -> f64 {
    object[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {object}"))
}

/// Best and median of a rate.
fn rate(object: &Value, key: &str) -> [f64; 2] {
    let [best, median] = ["best", "median"].map(|which| number(&object[key], which));
    assert!(best >= median && median > 0.0, "{key}: {best} and {median}");
    [best, median]
}

#[test]
fn every_figure_of_a_game_is_there_and_they_fit_together() {
    let printed =
        program("bench-json").output(&["bench", "tic-tac-toe", "kuhn", "--seconds", "0.05", "--json"]);
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert!(report["machine"]["processor"].as_str().is_some_and(|name| !name.is_empty()), "{report}");
    let games = report["games"].as_array().expect("games");
    let names: Vec<&str> = games.iter().filter_map(|game| game["game"].as_str()).collect();
    assert_eq!(names, ["tic-tac-toe", "kuhn"]);
    for game in games {
        rate(game, "lifted_playouts_per_second");
        let network = &game["network"];
        let [playouts, _] = rate(network, "playouts_per_second");
        let [turns, _] = rate(network, "turns_per_second");
        let length = number(network, "turns_per_playout");
        assert!((turns / playouts - length).abs() < 1e-6 * length, "turns are playouts times their length");
        assert!(length > 2.0 && length < 10.0, "{length} turns");
        rate(network, "gate_lanes_per_second");
        assert!(number(network, "tape_bytes") >= number(network, "ops_per_turn"));
    }
    // 64.84 by full enumeration; a thousand playouts and more have a standard error of 1.4 at most.
    let mean = number(&games[0]["network"]["mean_goals"], "x");
    assert!((mean - 64.84).abs() < 8.0, "x gets {mean}");
}

#[test]
fn nonsense_is_refused_before_anything_takes_long() {
    let program = program("bench-refusals");
    for (arguments, part) in [
        (["bench", "khun", "--seconds", "600"], "kuhn"),
        (["bench", "kuhn", "--seconds", "0"], "from 0.001 to 600"),
        (["bench", "kuhn", "--seconds", "soon"], "a number of seconds"),
    ] {
        let said = program.refusal(&arguments);
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
}
