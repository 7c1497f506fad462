//! Real-time games at the command line, and the files of their folders.

use std::{env, fs, path::PathBuf};

use croupier_games::real_time_catalogue;
use croupier_tests::{command::Program, corpus::workspace, size};
use serde_json::Value;

use crate::program;

fn folder(game: &str) -> PathBuf {
    workspace().join("games-ii/real-time").join(game)
}

/// Writes the file if that is asked for; else compares it with what the program says now.
fn compare(game: &str, file: &str, now: &str) {
    let path = folder(game).join(file);
    if env::var("CROUPIER_BLESS").is_ok() {
        fs::write(&path, now).expect("a writable folder");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let same = written.lines().zip(now.lines()).take_while(|(written, now)| written == now).count();
    let help = "`CROUPIER_BLESS=1 cargo test --test command real_time` writes it, if that is meant";
    assert!(written == now, "{game}: {file} differs in line {}; {help}", same + 1);
}

/// Two matches, of random players and of ones that search a little, where that takes no minutes.
fn played(program: &Program, game: &str) -> String {
    let mut all = String::new();
    let second = if game == "blitz-chess" { "first-legal:every=20" } else { "mc:iterations=30,particles=4" };
    for (index, agent) in ["random:every=0.7", second].into_iter().enumerate() {
        let file = format!("{game}-{index}.jsonl");
        let path = program.path(&file);
        let rules =
            real_time_catalogue().iter().find(|entry| entry.name == game).expect("a known game").rules;
        let game_of_rules =
            croupier_engine::realtime::RealTimeGame::compile(rules, &croupier_engine::Options::PLAY);
        let roles = game_of_rules.expect("sound rules").game.roles().clone();
        let seats: Vec<String> =
            roles.players().map(|role| format!("{}={agent}", roles.name(role))).collect();
        let mut arguments = vec!["play", game, "--seed", "42", "--record", &path];
        arguments.extend(seats.iter().flat_map(|seat| ["--seat", seat.as_str()]));
        program.output(&arguments);
        all.push_str(&String::from_utf8(program.contents(&file)).expect("records are UTF-8"));
    }
    all
}

#[test]
fn every_folder_has_records_that_replay_and_a_playthrough() {
    let program = program("real-time-folders");
    for entry in real_time_catalogue() {
        compare(entry.name, "records.jsonl", &played(&program, entry.name));
        let records = folder(entry.name).join("records.jsonl");
        let records = records.to_str().expect("a path in UTF-8");
        assert!(
            program
                .output(&["replay", records, "--verify"])
                .contains("all 2 matches are what their records say")
        );
        compare(entry.name, "playthrough.txt", &program.output(&["replay", records, "--match", "1"]));
        let expected = ["game.toml", "rules.gdl", "records.jsonl", "playthrough.txt"];
        for file in folder(entry.name).read_dir().expect("a folder") {
            let name = file.expect("a file").file_name();
            assert!(expected.iter().any(|known| name == *known), "{}: {name:?}", entry.name);
        }
    }
}

#[test]
fn blitz_games_are_what_the_converter_makes_of_their_games() {
    let program = program("real-time-blitz");
    for (game, seconds) in [("tic-tac-toe", "10"), ("chess", "180")] {
        let converted = program.output(&["convert", game, "--to", "rtgdl", "--clock", seconds]);
        let name = format!("blitz-{game}");
        let entry = real_time_catalogue().iter().find(|entry| entry.name == name).expect("a known game");
        // The words about the game, at the beginning, are its own.
        let behind_words = |rules: &str| -> Vec<String> {
            rules.lines().skip_while(|line| line.starts_with(';')).map(str::to_owned).collect()
        };
        assert_eq!(behind_words(entry.rules), behind_words(&converted), "{name}");
    }
}

#[test]
fn who_dawdles_loses_a_blitz_game_when_the_clock_has_run_out() {
    let program = program("real-time-dawdling");
    for (game, last, winner) in
        [("blitz-tic-tac-toe", "10.000001 s", "O wins"), ("blitz-chess", "180.000001 s", "Black wins")]
    {
        let said = program.output(&["play", game, "--seat", "1=wait", "--seat", "2=wait"]);
        assert!(said.contains(last) && said.contains(winner), "{said}");
    }
}

#[test]
fn every_game_passes_the_checks_and_is_listed() {
    let program = program("real-time-check");
    let listed: Value =
        serde_json::from_str(&program.output(&["games", "real-time", "--json"])).expect("JSON");
    let names: Vec<&str> =
        listed["games"].as_array().expect("a list").iter().filter_map(|game| game["name"].as_str()).collect();
    for entry in real_time_catalogue() {
        assert!(names.contains(&entry.name), "{names:?}");
        let said = program.output(&["check", entry.name, "--strict"]);
        assert!(said.contains("can be played; no errors, no warnings"), "{said}");
        let shown: Value =
            serde_json::from_str(&program.output(&["show", entry.name, "--json"])).expect("JSON");
        assert_eq!(shown["time"], "real", "{shown}");
        assert!(program.output(&["show", entry.name]).contains("nobody waits for a turn"), "{}", entry.name);
        let said = program.output(&["simulate", entry.name, "--playouts", size("8", "64"), "--seed", "1"]);
        assert!(said.contains("updates/s"), "{said}");
    }
}

#[test]
fn the_same_seed_gives_the_same_records_on_any_number_of_threads() {
    let program = program("real-time-threads");
    for threads in ["1", "2"] {
        let path = program.path(&format!("{threads}.jsonl"));
        program.output(&[
            "play",
            "dutch-auction",
            "--seed",
            "7",
            "-n",
            "70",
            "--seat",
            "1=random",
            "--seat",
            "2=random",
            "--threads",
            threads,
            "--record",
            &path,
        ]);
    }
    assert_eq!(program.contents("1.jsonl"), program.contents("2.jsonl"));
    let path = program.path("1.jsonl");
    let shown: Value =
        serde_json::from_str(&program.output(&["replay", &path, "--json", "--role", "ann", "--match", "3"]))
            .expect("JSON");
    let told = shown["matches"][0]["told"].as_array().expect("a list");
    assert!(
        told.iter().all(|told| told["role"] == "ann") && shown["matches"][0]["updates"].is_null(),
        "{shown}"
    );
    // The value of the other is in no line of what ann is shown.
    assert!(!shown.to_string().contains("(value bob"), "{shown}");
}

#[test]
fn a_record_that_was_altered_is_refused_with_its_place() {
    let program = program("real-time-altered");
    let path = program.path("m.jsonl");
    program.output(&["play", "chicken", "--seed", "1", "--seat", "white=random", "--record", &path]);
    let text = String::from_utf8(program.contents("m.jsonl")).expect("text");
    let altered = program.path("altered.jsonl");
    fs::write(&altered, text.replacen("\"at_us\":1000000", "\"at_us\":1000001", 1))
        .expect("a writable folder");
    let ended = program.run(&["replay", &altered, "--verify"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.stdout.contains("DIFFERS at line "), "{ended:?}");
}

#[test]
fn each_kind_of_game_refuses_what_belongs_to_the_other() {
    let program = program("real-time-options");
    let path = program.path("m.jsonl");
    program.output(&["play", "chicken", "--seed", "1", "--seat", "white=random", "--record", &path]);
    let before = program.contents("m.jsonl");
    let kuhn =
        ["play", "kuhn", "--seat", "alice=random", "--seat", "bob=random", "--record", &path, "--append"];
    assert!(program.refusal(&kuhn).contains("cannot append"));
    assert_eq!(program.contents("m.jsonl"), before, "one file holds one kind of record");
    let text = String::from_utf8(before).expect("text").replace("\"format\":6", "\"format\":9");
    let later = program.file("later.jsonl", text);
    assert!(program.refusal(&["replay", &later, "--verify"]).contains("a later version of Croupier"));
    for (arguments, said) in [
        (vec!["play", "chicken", "--play-clock", "3"], "nobody takes turns in this game"),
        (vec!["play", "kuhn", "--tick", "0.05"], "this game is played in turns"),
        (vec!["play", "chicken", "--seat", "white=ismcts"], "unknown player \"ismcts\""),
        (vec!["play", "chicken", "--tick", "0"], "a tick is a number of seconds"),
        (vec!["solve", "chicken"], "these rules have lifetimes"),
        (vec!["export", "chicken", "--format", "clingo"], "these rules have lifetimes"),
        (vec!["export", "chicken", "--format", "dot"], "these rules have lifetimes"),
        (vec!["export", "chicken", "--format", "efg"], "these rules have lifetimes"),
        (vec!["luck", &path], "nobody takes turns"),
        (vec!["belief", &path, "--role", "white", "--turn", "0"], "nobody takes turns"),
        (
            vec!["tournament", "chicken", "--players", "random,wait", "--play-clock", "3"],
            "nobody takes turns in this game",
        ),
        (vec!["tournament", "chicken", "--players", "random,ismcts"], "unknown player \"ismcts\""),
        (vec!["tournament", "chicken", "--players", "random,random"], "random takes part twice"),
    ] {
        let found = program.refusal(&arguments);
        assert!(found.contains(said), "{arguments:?}: {found}");
    }
}

/// The rules that docs/real-time.md builds piece by piece.
#[test]
fn the_rules_of_the_guide_are_a_game_without_its_goals() {
    let program = program("real-time-guide");
    let guide = fs::read_to_string(workspace().join("docs/real-time.md")).expect("the guide");
    let blocks = guide.split("\n```").skip(1).step_by(2);
    let rules: Vec<&str> = blocks.filter_map(|block| block.strip_prefix('\n')).collect();
    assert!(rules.len() >= 6, "{rules:?}");
    let goals = "\n(<= (goal ?b 50) (bidder ?b))\n";
    let path = program.file("auction.gdl", rules.join("\n") + goals);
    let said = program.output(&["check", &path, "--playouts", "0"]);
    assert!(said.contains("can be played"), "{said}");
}

/// A fluent that begins with two lifetimes.
const BEGINS_TWICE: &str = "(role ann)(legal ann (go a))(init 0.2 (p a))(init 0.4 (p a))(init 3 end)
(<= (next ?t (p ?x)) (true ?t (p ?x)))(<= (next ?t end) (true ?t end))
(<= terminal (expired end))(<= (goal ann 50) (expired end))";

/// A fluent that is given two lifetimes: it expires twice only where both are kept.
const TWICE_LATER: &str = "(role ann) (init 1 first) (init 4 end) (legal ann go)
(<= (next 1 lamp) (expired first)) (<= (next 2 lamp) (expired first)) (<= (next ?t lamp) (true ?t lamp))
(<= (next ?t end) (true ?t end)) (<= (next ?t first) (true ?t first)) (<= (next infinity once) (expired lamp))
(<= (next infinity once) (true infinity once)) (<= (next infinity twice) (expired lamp) (true infinity once))
(<= (next infinity twice) (true infinity twice)) (<= terminal (expired end))
(<= (goal ann 100) (true infinity twice)) (<= (goal ann 0) (not two)) (<= two (true infinity twice))";

/// Nothing ends it.
const ENDLESS: &str = "(role ann) (init 1 tick) (legal ann go) (<= (next 1 tick) (expired tick))
(<= (next ?t tick) (true ?t tick)) (<= terminal (true infinity never))
(<= (next infinity never) (true infinity never)) (goal ann 50)";

#[test]
fn simulate_plays_exactly_as_many_matches_as_it_was_asked_for_on_every_engine() {
    let program = program("real-time-exact");
    let twice = program.file("twice.gdl", BEGINS_TWICE);
    let later = program.file("later.gdl", TWICE_LATER);
    let simulated = |game: &str, engine: &str, playouts: u64| -> Value {
        let count = playouts.to_string();
        let arguments = ["simulate", game, "--playouts", &count, "--engine", engine, "--seed", "1", "--json"];
        serde_json::from_str(&program.run(&arguments).stdout).expect("JSON")
    };
    for (game, mean) in [(twice.as_str(), 50.0), (&later, 100.0)] {
        for playouts in [1, 63, 513, 1_000] {
            for engine in ["propnet", "datalog"] {
                let found = simulated(game, engine, playouts);
                assert_eq!((&found["playouts"], &found["failed"]), (&playouts.into(), &0.into()), "{found}");
                assert_eq!(found["mean_goals"]["ann"], mean, "{engine}: {found}");
            }
        }
    }
    for playouts in [1, 5_000] {
        for engine in ["propnet", "datalog"] {
            let found = simulated("chicken", engine, playouts);
            assert_eq!((&found["playouts"], &found["failed"]), (&playouts.into(), &0.into()), "{found}");
        }
    }
    // The whole of what is played is counted: a match of chicken has at least the update that ends it.
    let found = simulated("chicken", "propnet", 1);
    assert!(found["updates"].as_u64().is_some_and(|updates| (1..100).contains(&updates)), "{found}");
}

#[test]
fn engines_of_real_time_games_count_the_same_matches_and_failures() {
    let program = program("real-time-counts");
    let endless = program.file("endless.gdl", ENDLESS);
    let games = ["chicken", "reaction", "war-of-attrition", "dutch-auction", &endless];
    for game in games {
        let counts = ["propnet", "datalog"].map(|engine| {
            let arguments =
                ["simulate", game, "--playouts", "6", "--engine", engine, "--seed", "1", "--json"];
            let ended = program.run(&arguments);
            let found: Value = serde_json::from_str(&ended.stdout).expect("JSON");
            (found["playouts"].clone(), found["failed"].clone(), ended.code)
        });
        assert_eq!(counts[0], counts[1], "{game}");
        let failed = if game == endless { 6 } else { 0 };
        assert_eq!(counts[0].1, failed, "{game}");
    }
}

#[test]
fn goals_beyond_the_language_are_played_in_real_time_on_every_engine() {
    let program = program("real-time-goals");
    let rules = TWICE_LATER.replace("(goal ann 100)", "(goal ann -250)");
    let game = program.file("below.gdl", rules);
    for engine in ["propnet", "datalog"] {
        let arguments = ["simulate", &game, "--playouts", "70", "--engine", engine, "--seed", "1", "--json"];
        let found: Value = serde_json::from_str(&program.output(&arguments)).expect("JSON");
        assert_eq!(
            (&found["failed"], &found["mean_goals"]["ann"]),
            (&0.into(), &(-250.0).into()),
            "{engine}"
        );
    }
    let played = program.run(&["play", &game, "--seat", "1=mc:iterations=20,particles=2", "--seed", "1"]);
    assert_eq!(played.code, 0, "{}", played.stderr);
    assert!(
        played.stderr.contains("warning[goal-value]: the rules gave a goal of -250"),
        "{}",
        played.stderr
    );
}

#[test]
fn what_analyze_finds_is_a_record_that_verifies_and_questions_about_turns_have_no_meaning() {
    let program = program("real-time-analyze");
    let found = program.path("found");
    // Chance lights the fuse: a seed is found with which it does.
    for game in ["chicken", "bomb-party"] {
        let said = program.output(&["analyze", game, "--witnesses", &found]);
        assert!(
            said.contains("proved   terminates") && said.contains("can expire together with a move"),
            "{said}"
        );
    }
    let files = ["expires-apart-timer", "expires-apart-burning", "weakly-winnable-cat-100"];
    for file in files {
        let record = program.path(&format!("found/{file}.jsonl"));
        let told = program.output(&["replay", &record, "--verify"]);
        assert!(told.contains("OK"), "{file}: {told}");
    }
    for (game, question, code) in
        [("chicken", "alternating", "no-turns"), ("kuhn", "non-zeno", "no-real-time")]
    {
        let ended = program.run(&["analyze", game, "--question", question]);
        assert!(ended.code == 2 && ended.stderr.contains(code), "{}", ended.stderr);
    }
}
