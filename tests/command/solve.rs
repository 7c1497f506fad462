//! `croupier solve` as a user meets it: what it says, what it keeps, and what it refuses.

use croupier_tests::{command::Program, renamed::renamed};
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

#[test]
fn kuhn_is_solved_in_the_units_of_the_literature() {
    let program = program("solve-kuhn");
    let solved = json(&program, &["solve", "kuhn", "--iterations", "2000"]);
    // H. W. Kuhn, A simplified two-person poker (1950).
    let value = solved["roles"]["alice"]["payoff"]["value"].as_f64().expect("a value");
    assert!((value + 1.0 / 18.0).abs() < 1e-4, "{value}");
    assert!(solved["payoff"]["exploitability"].as_f64().is_some_and(|far| far < 1e-3));
    assert_eq!((&solved["terminal"], &solved["information_sets"]), (&30.into(), &12.into()));
    let text = program.output(&["solve", "kuhn"]);
    let parts = [
        "58 histories",
        "12 information sets (Alice 6, Bob 6)",
        "bytes for each history",
        "-0.0555",
        "-1/18",
    ];
    assert_says(&text, &parts);
    let before = json(&program, &["solve", "leduc", "--iterations", "0"]);
    // OpenSpiel, nash_conv of the uniform policy of leduc_poker.
    let uniform = before["payoff"]["nash_conv"].as_f64().expect("a number");
    assert!((uniform - 4.747_222_222_222_222).abs() < 1e-9, "{uniform}");
}

#[test]
fn interruptions_and_threads_change_no_byte() {
    let program = program("solve-checkpoint");
    for algorithm in ["cfr", "cfr+", "linear-cfr", "discounted-cfr", "external-sampling", "outcome-sampling"]
    {
        let seed: &[&str] = if algorithm.ends_with("sampling") { &["--seed", "5"] } else { &[] };
        let solve = |iterations: &str, threads: &str, checkpoint: &str, policy: &str| {
            let arguments = ["solve", "leduc", "--algorithm", algorithm, "--iterations", iterations];
            let files = ["--threads", threads, "--checkpoint", checkpoint, "--policy", policy];
            json(&program, &[&arguments, &files, seed].concat())
        };
        let [whole, parts] = ["whole", "parts"].map(|name| program.path(&format!("{algorithm}-{name}")));
        let [one, two] = ["one.json", "two.json"].map(|name| program.path(&format!("{algorithm}-{name}")));
        solve("50", "1", &whole, &one);
        solve("20", "3", &parts, &two);
        let rest = solve("50", "2", &parts, &two);
        assert_eq!(rest["iterations_from_checkpoint"], 20);
        assert_eq!(program.contents(&whole), program.contents(&parts), "{algorithm}");
        assert_eq!(program.contents(&one), program.contents(&two), "{algorithm}");
    }
}

#[test]
fn a_policy_is_played_as_it_is_written() {
    let program = program("solve-policy");
    let policy = program.path("kuhn.json");
    program.output(&["solve", "kuhn", "--iterations", "10000", "--policy", &policy]);
    let seats = [
        "--seat".to_owned(),
        format!("alice=policy:{policy}"),
        "--seat".to_owned(),
        format!("bob=policy:{policy}"),
    ];
    let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
    let play = ["play", "kuhn", "--matches", "3000", "--seed", "1", "--json"];
    let played: Value = serde_json::from_str(&program.output(&[&play[..], &seats].concat())).expect("JSON");
    let text = played.to_string();
    // The value of the game is -1/18; 3,000 matches leave a standard error of 0.03 chips.
    let mean = played["roles"]["alice"]["payoff"]["mean"].as_f64().unwrap_or_else(|| panic!("{text}"));
    assert!((mean + 1.0 / 18.0).abs() < 0.12, "{mean}");
    let uniform = program.path("uniform.json");
    program.output(&["export", "kuhn", "--format", "policy", "--output", &uniform]);
    let table: Value = serde_json::from_slice(&program.contents(&uniform)).expect("JSON");
    assert_eq!(table["information_sets"].as_object().expect("a table").len(), 12);
    assert_eq!(table["information_sets"]["(alice (noop (hole jack)) (noop (dealt bob)))"]["bet"], 0.5);
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    let program = program("solve-refusals");
    let large = program.refusal(&["solve", "holdem", "--histories-max", "1000"]);
    assert_says(&large, &["error[game-too-large]", "limit is 1000", "about", "--histories-max"]);
    assert_says(
        &program.refusal(&["export", "kuhn", "--format", "efg", "--histories-max", "10"]),
        &["limit is 10"],
    );
    assert_says(&program.refusal(&["solve", "khun"]), &["error[unknown-game]", "kuhn"]);
    assert_says(&program.refusal(&["solve", "kuhn", "--algorithm", "cfr++"]), &["cfr+", "outcome-sampling"]);
    let seeded = program.refusal(&["solve", "kuhn", "--seed", "1"]);
    assert_says(&seeded, &["error[no-sampling]", "external-sampling"]);
    let checkpoint = program.path("c");
    let solve = |game: &'static str, rest: &[&'static str]| {
        [&["solve", game, "--checkpoint", &checkpoint][..], rest]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    program.output(&["solve", "kuhn", "--iterations", "20", "--checkpoint", &checkpoint]);
    let refused = |game, rest: &[&'static str], says: &str| {
        assert_says(&program.refusal(&solve(game, rest)), &["error[bad-checkpoint]", says]);
    };
    refused("kuhn", &["--algorithm", "cfr"], "another algorithm");
    refused("kuhn", &["--iterations", "19"], "20 iterations already");
    refused("leduc", &[], "from another game");
    assert_eq!(program.file("c", "{}"), checkpoint);
    refused("kuhn", &[], "no checkpoint");
    assert_eq!(program.file("c", [0xff; 100]), checkpoint);
    refused("kuhn", &[], "no checkpoint");
    let nowhere = program.path("missing/c");
    assert_says(&program.refusal(&["solve", "kuhn", "--policy", &nowhere]), &["error[unwritable-file]"]);
    assert_says(&program.refusal(&["solve", "kuhn", "--checkpoint", &nowhere]), &["error[unwritable-file]"]);
}

#[test]
fn seed_and_samples_belong_to_their_checkpoint() {
    let program = program("solve-seeds");
    let checkpoint = program.path("c");
    let solve =
        ["solve", "kuhn", "--algorithm", "external-sampling", "--checkpoint", &checkpoint, "--iterations"];
    program.output(&[&solve[..], &["10", "--seed", "1"]].concat());
    program.output(&[&solve[..], &["20"]].concat());
    program.output(&[&solve[..], &["30", "--seed", "1"]].concat());
    let refused = program.refusal(&[&solve[..], &["40", "--seed", "2"]].concat());
    assert_says(&refused, &["error[bad-checkpoint]", "another seed"]);
    program.output(&[&solve[..], &["40", "--samples", "1"]].concat());
    let refused = program.refusal(&[&solve[..], &["50", "--samples", "2"]].concat());
    assert_says(&refused, &["error[bad-checkpoint]", "another number of samples"]);
    let refused = program.refusal(&["solve", "kuhn", "--samples", "2"]);
    assert_says(&refused, &["error[no-sampling]", "--samples"]);
}

/// A walk comes to what the tree comes to, and what it writes is worth what it says.
#[test]
fn a_walk_solves_without_a_tree() {
    let program = program("solve-walk");
    let (policy, part) = (program.path("leduc.json"), program.path("part.json"));
    let walked = json(&program, &["solve", "leduc", "--walk", "-n", "10", "--policy", &policy]);
    let whole = json(&program, &["solve", "leduc", "-n", "10", "--no-symmetry"]);
    let far = |answer: &Value| answer["payoff"]["exploitability"].as_f64().expect("a number");
    assert!((far(&walked) - far(&whole)).abs() < 1e-3, "{walked} and {whole}");
    assert_eq!(walked["information_sets"], whole["information_sets"]);
    let curve = walked["curve"].as_array().expect("points");
    let made: Vec<u64> = curve.iter().filter_map(|point| point["iterations"].as_u64()).collect();
    assert_eq!(made, [1, 2, 4, 8, 10]);
    assert_eq!(curve[4]["exploitability"], walked["exploitability"]);
    let written = json(&program, &["evaluate", "leduc", "--walk", "--player", &format!("policy:{policy}")]);
    assert!((far(&walked) - far(&written)).abs() < 1e-5, "{walked} and {written}");
    // Somebody folds now and then, so that with a bound not everything is kept.
    let bounded = ["solve", "leduc", "--walk", "-n", "60", "--policy", &part, "--reach-min", "0.1"];
    let bounded = json(&program, &bounded);
    assert!(
        bounded["policy_information_sets"].as_u64() < walked["policy_information_sets"].as_u64(),
        "{bounded}"
    );
    let text = program.output(&["solve", "kuhn", "--walk", "-n", "2", "-o", &part, "--force"]);
    assert_says(
        &text,
        &["58 states", "exploitability (NashConv / 2)", "policy: 12 information sets", "known: "],
    );
    for (wrong, says) in [
        (["--algorithm", "outcome-sampling"], "error[bad-algorithm]"),
        (["--seed", "1"], "error[no-sampling]"),
        (["--reach-min", "2"], "0.001"),
        (["--checkpoint", "c"], "cannot be used with"),
    ] {
        assert_says(&program.refusal(&[&["solve", "kuhn", "--walk"], &wrong[..]].concat()), &[says]);
    }
}

/// The strategy of sampled deals goes into a file that `policy:FILE` plays, and is judged on the whole tree.
#[test]
fn deals_are_sampled_and_what_they_come_to_is_played() {
    let program = program("solve-abstract");
    let file = program.path("leduc.blueprint");
    let solve = |algorithm: &str, iterations: &str| {
        let how = ["--abstract", "1000", "--algorithm", algorithm, "--iterations", iterations, "--seed", "1"];
        json(&program, &[&["solve", "leduc", "--force", "--policy", &file], &how[..]].concat())
    };
    let far = || {
        let player = format!("policy:{file}");
        json(&program, &["evaluate", "leduc", "--player", &player])["payoff"]["exploitability"].as_f64()
    };
    let solved = solve("external-sampling", "12");
    assert_eq!((&solved["iterations"], &solved["deals"]), (&12.into(), &12_288.into()));
    let early = far().expect("a number");
    solve("chance-sampling", "60");
    let late = far().expect("a number");
    // Uniform play: 2.37.
    assert!(late < early && early < 2.0 && late < 0.5, "{early} and then {late}");
    let seats = ["--seat", &format!("alice=policy:{file}"), "--seat", "bob=random", "--seed", "1"];
    assert_says(&program.output(&[&["play", "leduc"], &seats[..]].concat()), &["Alice (policy:"]);
    // With other names it is the same game, and with another payoff another one, however alike the rest is.
    let rules = include_str!("../../games-ii/leduc/rules.gdl");
    let renamed = renamed(rules, 3);
    let far_renamed = {
        let (copy, player) = (program.file("renamed.gdl", &renamed), format!("policy:{file}"));
        json(&program, &["evaluate", &copy, "--player", &player])["exploitability"]
            .as_f64()
            .expect("a number")
    };
    // Goals of Leduc are three for a chip.
    assert!((far_renamed - 3.0 * late).abs() < 1e-6, "{far_renamed} and {late}");
    let other = program.file("other.gdl", rules.replace("(payoff 13 89 11)", "(payoff 13 90 10)"));
    assert_says(&program.refusal(&[&["play", &other], &seats[..]].concat()), &["differ in more than names"]);
}

/// Hold'em's strategy is found by its rules, wherever they are read from and whatever they call things.
#[test]
fn a_strategy_that_comes_with_a_game_is_played_from_a_file_with_its_rules_too() {
    let program = program("solve-own-copy");
    let rules = include_str!("../../games-ii/holdem/rules.gdl");
    let other = rules.replace("raise", "push");
    let (copy, other) = (program.file("copy.gdl", rules), program.file("other.gdl", &other));
    let capped = program.file("capped.gdl", rules.replace("(then_bets 3 4)", ""));
    let moves = |game: &str| {
        let seats =
            ["--seat", "2=resolve:descents=2,deals=0", "--seat", "1=random", "--seed", "1", "-n", "4"];
        let record = program.path("match.jsonl");
        program.output(&[&["play", game, "--record", &record, "--force"], &seats[..]].concat());
        let replayed = json(&program, &["replay", &record]);
        let matches = replayed["matches"].as_array().expect("matches");
        matches.iter().map(|one| one["turns"].to_string()).collect::<String>()
    };
    let own = moves("holdem");
    assert!(own == moves(&copy), "the same rules are played the same way");
    assert!(own == moves(&other).replace("push", "raise"), "by other names too");
    assert!(own != moves(&capped), "with another cap it is another game: it searches");
}

#[test]
fn sampling_deals_is_refused_where_chance_does_more() {
    let program = program("solve-no-deal");
    let refused = |arguments: &[&str]| program.refusal(&[&["solve"], arguments].concat());
    let sampling = ["--abstract", "10", "--algorithm", "chance-sampling"];
    assert_says(
        &refused(&[&["monty-hall"], &sampling[..]].concat()),
        &["no-deal", "the legal moves depend on earlier moves of chance"],
    );
    assert_says(&refused(&["leduc", "--abstract", "10"]), &["bad-algorithm", "chance-sampling"]);
    assert_says(&refused(&["leduc", "--algorithm", "chance-sampling"]), &["bad-algorithm", "--abstract"]);
    assert_says(&refused(&["kuhn", "--minutes", "0"]), &["minutes"]);
    let file = program.file("no.blueprint", "croupier-blueprint/1\n{}\n");
    let seat = format!("alice=policy:{file}");
    assert_says(&program.refusal(&["play", "kuhn", "--seat", &seat]), &["not a blueprint file"]);
}
