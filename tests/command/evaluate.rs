//! `croupier evaluate` as a user meets it: exact figures of players, and what it refuses.

use croupier_tests::{command::Program, size};
use serde_json::Value;

use crate::program;

fn json(program: &Program, arguments: &[&str]) -> Value {
    serde_json::from_str(&program.output(&[arguments, &["--json"]].concat())).expect("JSON")
}

fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn uniform_play_is_as_exploitable_as_openspiel_says() {
    let program = program("evaluate-uniform");
    // OpenSpiel, nash_conv of the uniform policies of kuhn_poker and leduc_poker.
    for (game, nash_conv) in [("kuhn", 0.916_666_666_666_667), ("leduc", 4.747_222_222_222_222)] {
        let found = json(&program, &["evaluate", game, "--player", "random"]);
        assert!((number(&found["payoff"]["nash_conv"]) - nash_conv).abs() < 1e-9, "{found}");
        assert_eq!(found["known_exactly"], found["information_sets"]);
        assert_eq!(found["decisions"], found["information_sets"], "one question each");
        assert_eq!(found["corrected"], Value::Null);
    }
}

#[test]
fn a_solved_policy_loses_nothing_against_the_equilibrium() {
    let program = program("evaluate-policy");
    let policy = program.path("kuhn.json");
    let solved = json(&program, &["solve", "kuhn", "--iterations", "1000", "--policy", &policy]);
    let player = format!("policy:{policy}");
    let found = json(&program, &["evaluate", "kuhn", "--player", &player, "--against-equilibrium"]);
    let far = |value: &Value| number(&value["payoff"]["nash_conv"]);
    assert!((far(&found) - far(&solved)).abs() < 1e-9, "{found} {solved}");
    let against = &found["against_equilibrium"];
    // Kuhn 1950: the game is worth -1/18 chip to alice.
    assert!((number(&against["roles"]["alice"]["equilibrium"]) + 1.0 / 18.0).abs() < 2e-3, "{against}");
    let bound = far(&found) + number(&against["nash_conv"]);
    assert!(number(&against["mean_difference"]).abs() <= bound, "{against}");
    // Whoever always passes gives up the ante wherever the other one bets.
    let passive = json(&program, &["evaluate", "kuhn", "--player", "call", "--against-equilibrium"]);
    assert!(number(&passive["against_equilibrium"]["mean_difference"]) < -0.05, "{passive}");
}

#[test]
fn choices_are_counted_over_seeds_and_threads_change_nothing() {
    let program = program("evaluate-search");
    let policy = program.path("read.json");
    let arguments = ["evaluate", "kuhn", "--player", "ismcts:particles=20", "--iterations", "60"];
    let evaluate = |threads: &str, seeds: &str| {
        let rest = ["--seed", "1", "--seeds", seeds, "--threads", threads, "--policy", &policy, "--force"];
        json(&program, &[&arguments[..], &rest].concat())
    };
    let (one, two) = (evaluate("1", "12"), evaluate("2", "12"));
    assert_eq!((&one["roles"], &one["corrected"]), (&two["roles"], &two["corrected"]));
    assert_eq!((&one["known_exactly"], &one["decisions"]), (&0.into(), &(12 * 12).into()));
    assert_eq!(one["mean_iterations"], 60.0);
    assert!(number(&one["corrected"]["margin_95"]) >= 0.0);
    // What was written is what was measured.
    let read = json(&program, &["evaluate", "kuhn", "--player", &format!("policy:{policy}")]);
    assert!((number(&read["nash_conv"]) - number(&one["nash_conv"])).abs() < 1e-9, "{read} {one}");
    assert_eq!(evaluate("1", "1")["corrected"], Value::Null);
    let text = program.output(&[&arguments[..], &["--seeds", "2", "--seed", "1"]].concat());
    assert_says(
        &text,
        &["counted over 2 seeds in all 12", "exploitability (NashConv / 2): ", "jackknife over 2 groups"],
    );
}

#[test]
fn a_local_best_response_wins_less_than_the_best_and_more_than_the_policy_itself() {
    let program = program("evaluate-local");
    let policy = program.path("leduc.bin");
    for (iterations, is_good) in [("1", false), ("200", true)] {
        program.output(&[
            "solve",
            "leduc",
            "--abstract",
            "50",
            "--algorithm",
            "chance-sampling",
            "--iterations",
            iterations,
            "--seed",
            "1",
            "--policy",
            &policy,
            "--force",
        ]);
        let player = format!("policy:{policy}");
        // Exactly, over the whole tree.
        let exact = json(&program, &["evaluate", "leduc", "--player", &player]);
        let evaluate = |matches: &str, threads: &str| {
            let player = ["evaluate", "leduc", "--player", &player, "--local-best-response"];
            let arguments = ["--matches", matches, "--threads", threads, "--seed", "1"];
            json(&program, &[&player[..], &arguments[..]].concat())
        };
        let local = evaluate(size("300", "1000"), "2");
        assert_eq!(evaluate("20", "2")["all"], evaluate("20", "1")["all"], "threads change nothing");
        for role in ["alice", "bob"] {
            let [best, own] =
                ["best_response", "value"].map(|what| number(&exact["roles"][role]["payoff"][what]));
            let [least, most] = [0, 1].map(|end| number(&local["roles"][role]["interval_95"][end]));
            let margin = (most - least) / 2.0;
            assert!(least - margin <= best, "{role}: {local} {exact}");
            // Of what nearly never plays as it should, looking one decision ahead finds out most.
            assert!(
                is_good || (least > own && least + margin > (own + best) / 2.0),
                "{role}: {local} {exact}"
            );
        }
    }
}

#[test]
fn an_exploiter_wins_what_a_best_response_does() {
    let program = program("evaluate-exploiter");
    let policy = program.path("leduc.bin");
    let solved = ["solve", "leduc", "--abstract", "50", "--algorithm", "chance-sampling"];
    program.output(&[&solved[..], &["--iterations", "5", "--seed", "1", "--policy", &policy]].concat());
    let player = format!("policy:{policy}");
    let exact = json(&program, &["evaluate", "leduc", "--player", &player]);
    let arguments = ["evaluate", "leduc", "--player", &player, "--exploiter", "--seed", "1"];
    let evaluate = |more: &[&str]| json(&program, &[&arguments[..], more].concat());
    let learnt = ["--exploiter-iterations", "60", "--threads"];
    let found = evaluate(&[&learnt[..], &["2"]].concat());
    assert_eq!(found["all"], evaluate(&[&learnt[..], &["1"]].concat())["all"], "threads change nothing");
    for role in ["alice", "bob"] {
        let best = number(&exact["roles"][role]["payoff"]["best_response"]);
        let [least, most] = [0, 1].map(|end| number(&found["roles"][role]["interval_95"][end]));
        let margin = (most - least) / 2.0;
        assert!(least - margin <= best && best <= most + margin + 0.1, "{role}: {found} {exact}");
    }
    let short = evaluate(&["--minutes", "0.01", "--matches", "100", "--buckets", "3"]);
    assert_eq!((&short["matches"], &short["buckets_each"]), (&100.into(), &3.into()));
    assert!(number(&short["iterations"]) >= 1.0, "{short}");
    let text =
        program.output(&[&arguments[..], &["--exploiter-iterations", "1", "--matches", "10"]].concat());
    assert_says(&text, &["an exploiter of policy", "1 iterations, 1024 deals", "a best response wins"]);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let program = program("evaluate-refusals");
    let large = program.refusal(&["evaluate", "holdem", "--player", "random", "--histories-max", "1000"]);
    assert_says(&large, &["error[game-too-large]", "--histories-max"]);
    assert_says(&program.refusal(&["evaluate", "kuhn", "--player", "human"]), &["error[bad-agent]", "human"]);
    assert_says(&program.refusal(&["evaluate", "kuhn", "--player", "blief"]), &["did you mean 'belief'"]);
    assert_says(
        &program.refusal(&["evaluate", "kuhn", "--player", "random", "--move-time", "0"]),
        &["seconds"],
    );
    assert_says(&program.refusal(&["evaluate", "kuhn"]), &["--player"]);
    let unknown = program.refusal(&["evaluate", "holdem", "--player", "belief", "--local-best-response"]);
    assert_says(&unknown, &["error[unknown-strategy]", "policy:FILE"]);
    let unknown = program.refusal(&["evaluate", "holdem", "--player", "belief", "--exploiter"]);
    assert_says(&unknown, &["error[unknown-strategy]", "an exploiter has to know", "policy:FILE"]);
    let alone = program.refusal(&["evaluate", "kuhn", "--player", "random", "--minutes", "1"]);
    assert_says(&alone, &["--exploiter"]);
    let both = program.refusal(&[
        "evaluate",
        "holdem",
        "--player",
        "resolve",
        "--local-best-response",
        "--seeds",
        "3",
    ]);
    assert_says(&both, &["--seeds", "--local-best-response"]);
}

/// At a tenth of a second a move: at most 0.01 of a chip in Kuhn, 0.10 in Leduc, 0.05 and 0.02 of the stake in the others.
#[test]
fn resolve_is_nearly_unexploitable_in_small_games() {
    let program = program("evaluate-resolve");
    for (game, most) in [("kuhn", 0.01), ("leduc", 0.10), ("liars-dice", 0.05), ("goofspiel-4", 0.02)] {
        let clocks = ["--move-time", "0.1", "--start-time", "60", "--threads", "1"];
        let arguments = [&["evaluate", game, "--player", "resolve", "--seed", "1"], &clocks[..]].concat();
        let found = json(&program, &arguments);
        let exploitability = number(&found["payoff"]["exploitability"]);
        assert!(exploitability <= most, "{game}: {exploitability}");
        assert_eq!(found["known_exactly"], found["information_sets"], "{game}");
    }
}

#[test]
fn a_walk_without_a_tree_says_what_the_tree_says() {
    let program = program("evaluate-walk");
    let policy = program.path("leduc.json");
    program.output(&["solve", "leduc", "--iterations", "50", "--policy", &policy]);
    for (game, player) in [
        ("kuhn", "random"),
        ("liars-dice", "random"),
        ("leduc", "call"),
        ("leduc", &format!("policy:{policy}")),
        ("leduc", "resolve"),
    ] {
        let asked = ["evaluate", game, "--player", player];
        let (whole, walked) = (json(&program, &asked), json(&program, &[&asked[..], &["--walk"]].concat()));
        let far = number(&whole["exploitability"]) - number(&walked["exploitability"]);
        assert!(far.abs() < 1e-6, "{game}: {whole} and {walked}");
        // Those whose result is settled need no walk.
        assert!(number(&walked["histories"]) > 40.0, "{walked}");
    }
    let text = program.output(&["evaluate", "kuhn", "--player", "random", "--walk"]);
    assert!(text.contains("0.4583 chips"), "{text}");
    let unknown = program.refusal(&["evaluate", "kuhn", "--player", "ismcts", "--walk"]);
    assert_says(&unknown, &["error[unknown-strategy]", "mixed strategy", "policy:FILE"]);
    assert_says(
        &program.refusal(&["evaluate", "kuhn", "--player", "random", "--walk", "--seeds", "5"]),
        &["--seeds"],
    );
}
