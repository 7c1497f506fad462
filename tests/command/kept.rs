//! What players learn of games from deals is kept in a folder, for players with a clock.

use std::{fs, path::Path};

use croupier_games::find;
use croupier_tests::{command::Program, renamed::renamed};
use serde_json::Value;

use crate::{program, schemas::assert_valid};

/// A player that takes Leduc for too large to be solved.
const PLAYER: &str = "1=resolve:histories=1,deals=1";

fn value(program: &Program, arguments: &[&str]) -> Value {
    let value = serde_json::from_str(&program.output(&[arguments, &["--json"]].concat())).expect("JSON");
    assert_valid(&value);
    value
}

/// In which ways the first role decided.
fn ways(program: &Program, game: &str, more: &[&str]) -> Vec<String> {
    let play = ["play", game, "--seat", PLAYER, "--seat", "2=call", "-n", "2", "--seed", "1"];
    let played = value(program, &[&play[..], more].concat());
    let roles = played["approaches"].as_object().expect("an object").values();
    let ways = roles.flat_map(|ways| ways.as_array().expect("ways"));
    ways.map(|way| way["approach"].as_str().expect("a word").to_owned()).collect()
}

/// How many deals each kept file was learnt from.
fn deals(program: &Program) -> Vec<u64> {
    let kept = value(program, &["solutions"]);
    let files = kept["solutions"].as_array().expect("files").iter();
    files.map(|file| file["deals"].as_u64().expect("a count")).collect()
}

#[test]
fn what_was_learnt_is_kept_and_played_with_a_clock_alone() {
    let program = program("kept").keeping("solutions");
    assert_eq!(deals(&program), [0; 0], "there is no folder yet");
    assert_eq!(ways(&program, "leduc", &[]), ["deals"]);
    let [few] = deals(&program)[..] else { panic!("what one player learnt is kept") };
    assert!(few > 0);
    let solve = ["solve", "leduc", "--abstract", "40", "--algorithm", "chance-sampling", "--seed", "1"];
    let solved = value(&program, &[&solve[..], &["--iterations", "300"]].concat());
    let many = solved["deals"].as_u64().expect("a count");
    assert_eq!(deals(&program), [many], "of a game what was learnt from the most deals");

    let clocked = ["--play-clock", "20"];
    assert_eq!(ways(&program, "leduc", &clocked), ["kept"]);
    assert_eq!(ways(&program, "leduc", &[]), ["deals"], "without a clock the folder does not matter");
    let rules = find("leduc").expect("a game of the catalogue").rules;
    let other = program.file("other.gdl", renamed(rules, 1));
    assert_eq!(ways(&program, &other, &clocked), ["kept"], "names do not matter");
    assert_eq!(ways(&program, "kuhn", &clocked), ["deals"], "another game");
    assert_eq!(deals(&program).len(), 2);

    let cleared = value(&program, &["solutions", "--clear"]);
    assert_eq!(cleared["solutions"].as_array().map(Vec::len), Some(2));
    assert_eq!(deals(&program), [0; 0]);
}

#[test]
fn a_damaged_file_is_passed_over_and_a_folder_that_cannot_be_written_is_said() {
    let program = program("kept-damaged").keeping("solutions");
    assert_eq!(ways(&program, "leduc", &[]), ["deals"]);
    let folder = program.path("solutions");
    let file = fs::read_dir(&folder).expect("a folder").next().expect("a file").expect("readable").path();
    let bytes = fs::read(&file).expect("a file");
    fs::write(&file, &bytes[..bytes.len() - 1]).expect("writable");
    fs::write(Path::new(&folder).join("noise.blueprint"), "noise").expect("writable");
    assert_eq!(ways(&program, "leduc", &["--play-clock", "20"]), ["deals"]);
    assert_eq!(
        ways(&program, "leduc", &["--play-clock", "20"]),
        ["kept"],
        "a start clock learns from more deals"
    );

    let blocked = program.file("blocked", "no folder");
    let program = program.keeping("blocked");
    let play = program.run(&["play", "leduc", "--seat", PLAYER, "--seat", "2=call", "--seed", "1"]);
    assert_eq!(play.code, 0, "{}", play.stderr);
    assert!(play.stderr.contains("warning[not-kept]") && play.stderr.contains(&blocked), "{}", play.stderr);
    let solve = ["solve", "leduc", "--abstract", "2", "--algorithm", "chance-sampling", "--iterations", "1"];
    assert!(program.refusal(&solve).contains("error[unwritable-file]"));
}

#[test]
fn without_a_folder_there_is_nothing_to_list() {
    assert!(program("kept-nowhere").refusal(&["solutions"]).contains("error[no-folder]"));
}
