//! Every JSON that comes out of the command line is what its schema says: the schemas are closed, so that a field which they do
//! not name fails here.

use std::{collections::BTreeSet, fs, path::PathBuf};

use croupier_tests::command::Program;
use jsonschema::Validator;
use serde_json::Value;

use crate::program;

/// Games of every kind: with and without units, chance, sight and networks.
const GAMES: [&str; 5] = ["kuhn", "tic-tac-toe", "holdem", "liars-dice", "monty-hall"];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/schemas")
}

fn schema(name: &str) -> Value {
    let path = folder().join(format!("{name}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("a schema is JSON")
}

fn validator(name: &str) -> Validator {
    jsonschema::validator_for(&schema(name)).expect("a schema of draft 2020-12")
}

fn assert_matches(validator: &Validator, value: &Value, what: &str) {
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}\n{value}");
}

/// That what a command printed has the schema that it names; the name.
pub(crate) fn assert_valid(value: &Value) -> String {
    let named = value["schema"].as_str().unwrap_or_else(|| panic!("no schema is named in {value}"));
    let name = named.strip_prefix("croupier/").expect("schemas are called croupier/NAME");
    assert_matches(&validator(name), value, name);
    name.to_owned()
}

fn assert_lines(name: &str, text: &str) {
    let validator = validator(name);
    assert!(!text.is_empty(), "{name}: the file is empty");
    for line in text.lines() {
        assert_matches(&validator, &serde_json::from_str(line).expect("a line is JSON"), name);
    }
}

/// What these commands print, one way or another: the names of its schemas.
fn names(program: &Program, commands: &[&str]) -> BTreeSet<String> {
    let name = |command: &&str| {
        let folder = program.path("");
        let words: Vec<String> =
            command.split_whitespace().map(|word| word.replace("FOLDER/", &folder)).collect();
        let ended = program.run(&words);
        let value = serde_json::from_str(&ended.stdout);
        assert_valid(
            &value.unwrap_or_else(|error| panic!("{command}: {error}: {}{}", ended.stdout, ended.stderr)),
        )
    };
    commands.iter().map(name).collect()
}

fn expected(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn schemas_are_closed_and_of_the_draft_that_they_name() {
    for entry in fs::read_dir(folder()).expect("a folder of schemas") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        let name = name.strip_suffix(".json").expect("schemas alone");
        let schema = schema(name);
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        let version = schema["properties"]["version"]["const"].as_u64().unwrap_or(1);
        assert_eq!(schema["$id"], format!("urn:croupier:schema:{name}:{version}"));
        assert_closed(&schema, name);
    }
}

fn assert_closed(schema: &Value, name: &str) {
    if schema["properties"].is_object() {
        assert_eq!(schema["additionalProperties"], false, "{name}: {schema}");
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|field| assert_closed(field, name)),
        Value::Array(items) => items.iter().for_each(|item| assert_closed(item, name)),
        _ => {}
    }
}

#[test]
fn sessions() {
    let program = program("schemas-sessions");
    for (game, more) in [("tic-tac-toe", ""), ("liars-dice", "--stack 2"), ("kuhn", "-n 2")] {
        let seats = "--seat 1=random --seat 2=random --seed 1 --record FOLDER/s.jsonl --force";
        let play = format!("play {game} --session {more} {seats} --json");
        assert_eq!(
            names(&program, &[&play, "replay FOLDER/s.jsonl --verify --json"]),
            expected(&["session", "verify-session"])
        );
        let text = String::from_utf8(program.contents("s.jsonl")).expect("UTF-8");
        let (_, matches) = text
            .lines()
            .partition::<Vec<&str>, _>(|line| line.contains("\"session\":\"") || line.contains("\"terms\""));
        assert_lines("record", &matches.join("\n"));
    }
}

#[test]
fn croupier_schema_lists_and_prints_every_file() {
    let program = program("schema-command");
    let files = fs::read_dir(folder()).expect("a folder of schemas").count();
    let list = program.output(&["schema"]);
    assert_eq!(list.lines().count(), files, "{list}");
    for line in list.lines() {
        let name = line.split_whitespace().next().expect("a name");
        let printed: Value = serde_json::from_str(&program.output(&["schema", name])).expect("JSON");
        assert_eq!(printed, schema(name), "{name}");
    }
    let path = program.path("s.json");
    program.output(&["schema", "play", "-o", &path]);
    assert!(program.refusal(&["schema", "play", "-o", &path]).contains("file-exists"));
}

#[test]
fn games_and_rules() {
    let program = program("schemas-rules");
    let _ = program.file("broken.gdl", "(role a) (<= (legal a ?x) (true ?y)) (init s)");
    let _ = program.file(
        "endless.gdl",
        "(role a) (init s) (legal a go) (next s) (goal a 50) (<= terminal (true t)) (<= (next t) (true u))",
    );
    for game in GAMES.into_iter().chain(["chicken"]) {
        assert_eq!(names(&program, &[&format!("show {game} --json")]), expected(&["show"]));
    }
    let found = names(
        &program,
        &[
            "games --json",
            "games no-such-word --json",
            "show kuhn --counts --json",
            "show holdem --counts=500 --json",
            "show kuhn --engine --json",
            "show kuhn --engine=datalog --json",
            "show kuhn --symmetries --json",
            "check kuhn --json",
            "check chicken --json",
            "check FOLDER/broken.gdl --json",
            "check FOLDER/endless.gdl --json",
            "explain unsafe-variable --json",
            "explain --json",
            "key new -o FOLDER/my.key --json",
            "key show FOLDER/my.key --json",
        ],
    );
    assert_eq!(
        found,
        expected(&[
            "games",
            "show-counts",
            "show-engine",
            "show-symmetries",
            "check",
            "explain",
            "explain-all",
            "key"
        ])
    );
}

#[test]
fn matches_and_their_records() {
    let program = program("schemas-matches");
    let _ = program.file(
        "failing.gdl",
        "(role a) (init s) (legal a go) (<= (next t) (true s)) (<= terminal (true t)) (<= (goal a 50) (true s))",
    );
    for game in GAMES {
        let record = format!("FOLDER/{game}.jsonl");
        let play = format!("play {game} --seed 1 -n 2 --seat 1=random --record {record} --json");
        let replay = format!("replay {record} --json");
        let seen = format!("replay {record} --role 1 --json");
        let verify = format!("replay {record} --verify --json");
        assert_eq!(
            names(&program, &[&play, &replay, &seen, &verify]),
            expected(&["play", "replay", "verify"])
        );
        let lines = String::from_utf8(program.contents(&format!("{game}.jsonl"))).expect("UTF-8");
        assert_lines("record", &lines);
    }
    let played = names(&program, &["play FOLDER/failing.gdl --seed 1 --seat 1=random --json"]);
    assert_eq!(played, expected(&["play"]));
    // A record that is cut off, and one that somebody changed.
    let whole = String::from_utf8(program.contents("kuhn.jsonl")).expect("UTF-8");
    let lines: Vec<&str> = whole.lines().collect();
    let _ = program.file("cut.jsonl", format!("{}\n", lines[..lines.len() - 3].join("\n")));
    let _ = program.file("changed.jsonl", whole.replacen("\"move\":\"", "\"move\":\"x", 1));
    let verified = names(
        &program,
        &["replay FOLDER/cut.jsonl --verify --json", "replay FOLDER/changed.jsonl --verify --json"],
    );
    assert_eq!(verified, expected(&["verify"]));
}

#[test]
fn real_time_matches_and_their_records() {
    let program = program("schemas-real-time");
    let found = names(
        &program,
        &[
            "play dutch-auction --seed 1 -n 2 --record FOLDER/m.jsonl --json",
            "replay FOLDER/m.jsonl --json",
            "replay FOLDER/m.jsonl --role 1 --json",
            "replay FOLDER/m.jsonl --verify --json",
            "simulate chicken --playouts 100 --seed 1 --json",
        ],
    );
    let all = ["play-real-time", "replay-real-time", "verify", "simulate-real-time"];
    assert_eq!(found, expected(&all));
    assert_lines("record-real-time", &String::from_utf8(program.contents("m.jsonl")).expect("UTF-8"));
}

#[test]
fn statistics() {
    let program = program("schemas-statistics");
    let _ = program.file(
        "endless.gdl",
        "(role a) (init s) (legal a go) (next s) (<= terminal (true t)) (<= (next t) (true u)) (goal a 101)",
    );
    let found = names(
        &program,
        &[
            "tournament kuhn --players random,call,raise --matches 2 --seed 1 --results FOLDER/t.jsonl --record FOLDER/m.jsonl --json",
            "tournament tic-tac-toe --players random,first-legal --matches 2 --rating glicko2 --json",
            "tournament chicken --players random,wait --matches 2 --json",
            "tournament kuhn --players random,call,raise --format swiss --rounds 2 --duplicate -o FOLDER/s.jsonl --json",
            "luck FOLDER/m.jsonl --json",
            "simulate holdem --playouts 20 --trace FOLDER/holdem.trace --seed 1 --json",
            "simulate tic-tac-toe --playouts 20 -o FOLDER/ttt.trace --seed 1 --json",
            "simulate FOLDER/endless.gdl --playouts 2 --json",
            "bench kuhn --seconds 0.01 --json",
        ],
    );
    assert_eq!(found, expected(&["tournament", "luck", "simulate", "bench"]));
    for (schema, file) in
        [("results", "t.jsonl"), ("results", "s.jsonl"), ("trace", "holdem.trace"), ("trace", "ttt.trace")]
    {
        assert_lines(schema, &String::from_utf8(program.contents(file)).expect("UTF-8"));
    }
}

#[test]
fn solving_and_beliefs() {
    let program = program("schemas-solving");
    program.output(&["play", "kuhn", "--seed", "1", "--record", &program.path("m.jsonl")]);
    let found = names(
        &program,
        &[
            "solve kuhn -n 20 -o FOLDER/p.json --checkpoint FOLDER/c.json --json",
            "solve leduc --algorithm external-sampling -n 2 --seed 1 --json",
            "solve kuhn --evaluate FOLDER/p.json --json",
            "evaluate kuhn --player call --against-equilibrium --json",
            "evaluate kuhn --player belief:iterations=5 --seeds 4 --seed 1 --json",
            "evaluate kuhn --player random --walk --json",
            "solve kuhn --walk -n 4 -o FOLDER/walk.json --json",
            "solve leduc --abstract 4 --algorithm chance-sampling -n 2 --seed 1 -o FOLDER/leduc.bin --json",
            "evaluate leduc --player policy:FOLDER/leduc.bin --local-best-response --matches 2 --seed 1 --json",
            "evaluate leduc --player policy:FOLDER/leduc.bin --exploiter --exploiter-iterations 2 --matches 2 --seed 1 --json",
            "belief FOLDER/m.jsonl --role 2 --turn 2 --histories 2 --json",
            "belief FOLDER/m.jsonl --role bob --turn 1 --method particle --particles 20 --json",
            "belief FOLDER/m.jsonl --public --turn 2 --json",
            "belief kuhn --public --turn 2 --method particle --particles 20 --json",
            "review FOLDER/m.jsonl --role bob --json",
            "analyze kuhn --json",
            "analyze chess --seconds 1 --question terminates --json",
            "analyze bomb-party --json",
        ],
    );
    let all = [
        "solve",
        "evaluate",
        "solve-abstract",
        "solve-walk",
        "evaluate-walk",
        "evaluate-local",
        "evaluate-exploiter",
        "belief",
        "public-belief",
        "review",
        "analyze",
        "analyze-real-time",
    ];
    assert_eq!(found, expected(&all));
    for (name, file) in [("policy", "p.json"), ("checkpoint", "c.json")] {
        let value: Value = serde_json::from_slice(&program.contents(file)).expect("JSON");
        assert_matches(&validator(name), &value, name);
    }
}

#[test]
fn a_query_answers_what_its_rules_ask() {
    let program = program("schemas-query");
    let record = program.path("m.jsonl");
    program.output(&["play", "kuhn", "--seed", "1", "-o", &record]);
    let rules = "(<= (query ?c) (true (card alice ?c)))";
    let told =
        program.output(&["belief", &record, "--role", "bob", "--turn", "2", "--query", rules, "--json"]);
    assert_eq!(assert_valid(&serde_json::from_str(&told).expect("JSON")), "belief");
}

#[test]
fn errors_are_json_where_the_answer_is() {
    let program = program("schemas-errors");
    let broken = program.file("broken.gdl", "(role a");
    let cases: [(&[&str], &str); 5] = [
        (&["replay", "nowhere.jsonl", "--json"], "unreadable-file"),
        (&["play", "holden", "--json"], "unknown-game"),
        (&["play", "kuhn", "--json", "--seat", "nobody=random"], "unknown-role"),
        (&["play", "kuhn", "--json", "--sedd", "1"], "unknown-argument"),
        (&["play", &broken, "--json"], "rules-refused"),
    ];
    for (arguments, code) in cases {
        let ended = program.run(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{arguments:?}");
        let error: Value = serde_json::from_str(&ended.stderr).unwrap_or_else(|_| panic!("{}", ended.stderr));
        assert_eq!(assert_valid(&error), "error");
        assert_eq!(error["code"], code, "{error}");
        assert!(!error["message"].as_str().expect("text").is_empty());
    }
    assert!(program.run(&["play", "holden"]).stderr.starts_with("error[unknown-game]"));
}

#[test]
fn replays_have_the_legal_moves_and_the_payoffs() {
    let program = program("schemas-legal");
    let record = program.path("m.jsonl");
    let played = program.output(&["play", "kuhn", "--seed", "1", "-o", &record, "--json"]);
    let played: Value = serde_json::from_str(&played).expect("JSON");
    // Kuhn counts chips: a goal of 50 is nothing, and what one wins the other loses.
    let payoffs = played["matches"][0]["payoffs"].as_object().expect("payoffs");
    assert_eq!(payoffs.values().filter_map(Value::as_f64).sum::<f64>(), 0.0);
    assert_eq!(played["unit"], "chips");
    let replayed: Value =
        serde_json::from_str(&program.output(&["replay", &record, "--json"])).expect("JSON");
    let shown = &replayed["matches"][0];
    assert_eq!(
        (&shown["outcome"]["payoffs"], &shown["unit"]),
        (&played["matches"][0]["payoffs"], &played["unit"])
    );
    let whole = shown["turns"].as_array().expect("turns");
    for turn in whole {
        for (role, played) in turn["moves"].as_object().expect("moves") {
            assert!(turn["legal"][role].as_array().expect("legal moves").contains(played), "{turn}");
        }
    }
    for (number, role) in [("1", "alice"), ("p2", "bob")] {
        let seen = program.output(&["replay", &record, "--json", "--role", number]);
        let seen: Value = serde_json::from_str(&seen).expect("JSON");
        assert_eq!(seen["matches"][0]["role"], role);
        assert!(seen["matches"][0].get("outcome").is_none(), "what a match was worth is no percept");
        for (own, turn) in seen["matches"][0]["turns"].as_array().expect("turns").iter().zip(whole) {
            assert_eq!(own["legal"], turn["legal"][role], "{own}");
        }
    }
    // Where the rules leave a player in the dark, so does the replay.
    let dark = program.file(
        "dark.gdl",
        "(role random) (role a) (init start) (<= (legal random heads) (true start)) (<= (legal random tails) (true start))
         (<= (legal random wait) (not (true start))) (<= (legal a wait) (true start))
         (<= (next (side ?s)) (does random ?s) (distinct ?s wait)) (<= (next over) (not (true start)))
         (<= (legal a left) (true (side heads))) (<= (legal a right) (true (side tails))) (<= (legal a wait) (true over))
         (<= (sees a nothing) (true never)) (<= terminal (true over)) (<= (goal a 50) (true over))",
    );
    let record = program.path("dark.jsonl");
    program.output(&["play", &dark, "--seed", "1", "--seat", "a=first-legal", "-o", &record]);
    let seen: Value =
        serde_json::from_str(&program.output(&["replay", &record, "--json", "--role", "a"])).expect("JSON");
    let turns = &seen["matches"][0]["turns"];
    assert_eq!(
        (&turns[0]["legal"], &turns[1]["legal"]),
        (&serde_json::json!(["wait"]), &Value::Null),
        "{seen}"
    );
}
