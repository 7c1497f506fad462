//! What every command says that plays by a strategy in a file, or expects others to: how much of what it met the strategy knew.

use croupier_tests::command::Program;
use serde_json::{Value, json};

use crate::program;

fn value(program: &Program, arguments: &[&str]) -> Value {
    serde_json::from_str(&program.output(&[arguments, &["--json"]].concat())).expect("JSON")
}

/// A policy of a game, as `croupier solve` writes it after a few iterations.
fn solved(program: &Program, game: &str) -> String {
    let path = program.path(&format!("{game}.json"));
    program.output(&["solve", game, "--iterations", "5", "--policy", &path]);
    path
}

/// A policy with these information sets of another only, changed by `change`.
fn kept(
    program: &Program,
    policy: &str,
    name: &str,
    is_kept: impl Fn(&str) -> bool,
    change: impl Fn(&mut Value),
) -> String {
    let mut table: Value = serde_json::from_slice(&std::fs::read(policy).expect("a file")).expect("JSON");
    let sets = table["information_sets"].as_object_mut().expect("an object");
    sets.retain(|set, _| is_kept(set));
    sets.values_mut().for_each(change);
    program.file(name, table.to_string())
}

fn assert_refused(program: &Program, arguments: &[&str], parts: &[&str]) {
    let ended = program.run(arguments);
    assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.stderr);
    for part in parts {
        assert!(ended.stderr.contains(part), "{part:?} is missing for {arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn a_policy_of_another_game_is_an_error_wherever_it_is_used() {
    let program = program("coverage-none");
    let solved = solved(&program, "leduc");
    // With its rules a policy says at once that they are others.
    let other = ["error[unfit-policy]", "its rules differ in more than names and order"];
    uses_are_refused(
        &program,
        &solved,
        &Said { none: &other, json: &["unfit-policy", "its rules differ"], model: &other },
    );
    let mut table: Value = serde_json::from_str(&std::fs::read_to_string(&solved).unwrap()).unwrap();
    assert!(table.as_object_mut().unwrap().remove("rules").is_some());
    let nameless = program.file("nameless.json", table.to_string());
    let none = ["error[unfit-policy]", "knew 0 of ", "it was made for another game"];
    let unfit = ["error[unfit-policy]", "the model of ", "knew 0 of "];
    uses_are_refused(
        &program,
        &nameless,
        &Said { none: &none, json: &["unfit-policy", "knew 0 of 12"], model: &unfit },
    );
}

/// What is said of a policy that knows nothing.
struct Said<'s> {
    none: &'s [&'s str],
    json: &'s [&'s str],
    model: &'s [&'s str],
}

/// Uses a policy of Leduc in Kuhn wherever there is use for one.
fn uses_are_refused(program: &Program, file: &str, said: &Said<'_>) {
    let Said { none, json, model: unfit } = *said;
    let leduc = format!("policy:{file}");
    for more in [&[][..], &["--walk"], &["--json"], &["--walk", "--json"]] {
        let arguments = [&["evaluate", "kuhn", "--player", &leduc], more].concat();
        let none = if more.contains(&"--json") { json } else { none };
        assert_refused(program, &arguments, none);
        let ended = program.run(&arguments);
        assert!(!ended.stdout.contains("exploitability"), "no figures of uniform play: {}", ended.stdout);
    }
    let (one, record) = (format!("1={leduc}"), program.path("m.jsonl"));
    let seats = ["--seat", &one, "--seat", "2=random", "--seed", "1"];
    assert_refused(
        program,
        &[&["play", "kuhn", "-n", "5", "-o", &record, "--force"][..], &seats].concat(),
        none,
    );
    let players = format!("{leduc},random");
    let arguments = ["tournament", "kuhn", "--players", &players, "--matches", "2", "--seed", "1"];
    assert_refused(program, &arguments, none);
    // A model that fits nothing would pass for uniform play too.
    let model = format!("alice={leduc}");
    let modelled = ["play", "kuhn", "--seat", "2=ismcts:iterations=20", "--seat", "1=random", "--seed", "1"];
    assert_refused(program, &[&modelled[..], &["--model", &model, "-n", "3"]].concat(), unfit);
    let random = ["play", "kuhn", "--seat", "1=random", "--seat", "2=random", "--seed", "1"];
    program.output(&[&random[..], &["-n", "1", "-o", &record, "--force"]].concat());
    let belief = ["belief", &record, "--role", "bob", "--match", "1", "--turn", "3", "--model", &model];
    assert_refused(program, &belief, unfit);
}

#[test]
fn every_use_of_a_policy_says_how_much_it_knew() {
    let program = program("coverage-all");
    let kuhn = solved(&program, "kuhn");
    let player = format!("policy:{kuhn}");
    let evaluate = ["evaluate", "kuhn", "--player", &player];
    let all = json!({ "met": 12, "known": 12, "first_unknown": null });
    assert_eq!(value(&program, &evaluate)["coverage"], all, "kuhn has twelve information sets");
    assert_eq!(value(&program, &[&evaluate[..], &["--walk"]].concat())["coverage"], all);
    assert_eq!(value(&program, &["evaluate", "kuhn", "--player", "random"])["coverage"], Value::Null);
    for more in [&[][..], &["--walk"]] {
        let text = program.output(&[&evaluate[..], more].concat());
        assert!(text.contains("knew 12 of 12 information sets that it met\n"), "{text}");
    }
    // Whoever plays both roles meets an information set for each move that somebody chose: the record has as many.
    let (one, record) = (format!("1={player}"), program.path("m.jsonl"));
    let two = format!("2={player}");
    let play = ["play", "kuhn", "--seat", &one, "--seat", &two, "-n", "20", "--seed", "1"];
    let played = value(&program, &[&play[..], &["-o", &record]].concat());
    let replayed = value(&program, &["replay", &record]);
    for role in ["alice", "bob"] {
        let turns = replayed["matches"].as_array().expect("matches").iter();
        let choices = turns.flat_map(|one| one["turns"].as_array().expect("turns"));
        let chosen =
            choices.filter(|turn| turn["legal"][role].as_array().is_some_and(|legal| legal.len() > 1));
        let count = chosen.count();
        assert!(count > 0);
        let expected = json!({ "met": count, "known": count, "first_unknown": null });
        assert_eq!(played["coverage"][role], expected);
        let text = program.output(&play);
        assert!(text.contains(&format!("knew {count} of {count} information sets that it met\n")), "{text}");
    }
    let players = format!("{player},random");
    let tournament = ["tournament", "kuhn", "--players", &players, "--matches", "4", "--seed", "1"];
    let found = value(&program, &tournament);
    let of = |name: &str| {
        let players = found["players"].as_array().expect("players");
        players.iter().find(|one| one["player"] == name).expect("it took part")["coverage"].clone()
    };
    assert_eq!((&of(&player)["met"], of("random")), (&of(&player)["known"], Value::Null));
    assert!(of(&player)["met"].as_u64().is_some_and(|met| met > 0));
    let model = format!("1={player}");
    let belief = ["belief", &record, "--role", "bob", "--match", "1", "--turn", "3", "--model", &model];
    let told = value(&program, &belief)["coverage"].clone();
    assert!(told["met"] == told["known"] && told["met"].as_u64().is_some_and(|met| met > 0), "{told}");
    let text = program.output(&belief);
    assert!(text.contains("the model of "), "{text}");
}

#[test]
fn a_policy_that_knows_few_information_sets_is_a_warning_in_every_format() {
    let program = program("coverage-few");
    let kuhn = solved(&program, "kuhn");
    // Six of the twelve are alice's.
    let half = kept(&program, &kuhn, "half.json", |set| set.starts_with("(alice"), |_| {});
    let player = format!("policy:{half}");
    let evaluate = ["evaluate", "kuhn", "--player", &player];
    for arguments in [evaluate.to_vec(), [&evaluate[..], &["--walk"]].concat()] {
        let ended = program.run(&arguments);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        for part in ["warning[few-known]: ", "knew 6 of 12", "did not know is (bob "] {
            assert!(ended.stderr.contains(part), "{part:?} is missing: {}", ended.stderr);
        }
        let found = value(&program, &arguments)["coverage"].clone();
        assert_eq!((&found["met"], &found["known"]), (&json!(12), &json!(6)));
        assert!(found["first_unknown"].as_str().is_some_and(|first| first.starts_with("(bob ")), "{found}");
    }
    // In one role of a match it may fit, and in the other it does not.
    let arguments = |role: &str, other: &str| {
        let (own, other) = (format!("{role}={player}"), format!("{other}=random"));
        ["play", "kuhn", "-n", "10", "--seed", "1", "--seat"]
            .map(str::to_owned)
            .into_iter()
            .chain([own, "--seat".to_owned(), other])
            .collect::<Vec<String>>()
    };
    let fits = program.run(&arguments("alice", "bob"));
    assert_eq!(fits.code, 0, "{}", fits.stderr);
    assert!(!fits.stderr.contains("few-known"), "{}", fits.stderr);
    let unfit = program.run(&arguments("bob", "alice"));
    assert_eq!(unfit.code, 2);
    assert!(unfit.stderr.contains("error[unfit-policy]: Bob "), "{}", unfit.stderr);
}

#[test]
fn an_illegal_move_in_a_policy_is_an_error_in_play_as_in_evaluate() {
    let program = program("coverage-illegal");
    let kuhn = solved(&program, "kuhn");
    let wrong = kept(&program, &kuhn, "wrong.json", |_| true, |moves| *moves = json!({ "raise": 1.0 }));
    let player = format!("policy:{wrong}");
    let says = ["error[player-failed]", "the policy plays raise, which is illegal, in the information set ("];
    assert_refused(&program, &["evaluate", "kuhn", "--player", &player], &says);
    let seat = format!("1={player}");
    let play = ["play", "kuhn", "--seat", &seat, "--seat", "2=random", "--seed", "1"];
    for more in [&["-n", "1"][..], &["-n", "200"]] {
        assert_refused(&program, &[&play[..], more].concat(), &says);
    }
    let players = format!("{player},random");
    let tournament = ["tournament", "kuhn", "--players", &players, "--matches", "2", "--seed", "1"];
    assert_refused(&program, &tournament, &says);
    let model = format!("1={player}");
    let modelled =
        ["play", "kuhn", "--seat", "2=ismcts:iterations=20", "--seat", "1=random", "--model", &model];
    assert_refused(&program, &[&modelled[..], &["--seed", "1", "-n", "3"]].concat(), &says);
}
