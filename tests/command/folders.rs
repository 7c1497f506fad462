//! Every game of the catalogue is one folder with five files, and what the files say is what the program does.
//!
//! Rules and facts are written by people. The other three are what the program said once, and `CROUPIER_BLESS=1`
//! writes them; in a later change of theirs the commit says why. `CROUPIER_GAME=NAME` looks at one folder only.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use croupier_tests::{
    command::Program,
    corpus::{RuleFile, catalogue},
    size,
};
use serde_json::Value;

use crate::program;

/// The files that the program writes.
const RECORDS: &str = "records.jsonl";
const PLAYTHROUGH: &str = "playthrough.txt";
const COUNTS: &str = "counts.txt";

fn is_blessed() -> bool {
    env::var("CROUPIER_BLESS").is_ok()
}

/// The folders to look at.
fn folders() -> Vec<RuleFile> {
    let wanted = env::var("CROUPIER_GAME").ok();
    let games: Vec<_> = catalogue()
        .into_iter()
        .filter(|game| wanted.as_ref().is_none_or(|name| *name == game.name))
        .collect();
    assert!(!games.is_empty(), "no folder is called {wanted:?}");
    games
}

fn beside(game: &RuleFile, file: &str) -> PathBuf {
    game.path.with_file_name(file)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// What is wrong with the folders, all of it at once.
fn assert_all(wrong: impl Fn(&RuleFile) -> Option<String>) {
    let found: Vec<String> =
        folders().iter().filter_map(|game| Some(format!("{}: {}", game.name, wrong(game)?))).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Writes the file if that is asked for; else says where it differs from what the program says now.
fn compared(game: &RuleFile, file: &str, now: &str) -> Option<String> {
    let path = beside(game, file);
    if is_blessed() {
        fs::write(&path, now).expect("a writable folder");
        return None;
    }
    let name = &game.name;
    let bless = format!("CROUPIER_BLESS=1 CROUPIER_GAME={name} cargo test --test command folders");
    let Ok(written) = fs::read_to_string(&path) else {
        return Some(format!("there is no {file}; `{bless}` writes it"));
    };
    if written == now {
        return None;
    }
    let same = written.lines().zip(now.lines()).take_while(|(written, now)| written == now).count();
    let of = |text: &str| text.lines().nth(same).unwrap_or("nothing").chars().take(120).collect::<String>();
    Some(format!(
        "{file} differs in line {}\n    written: {}\n    now:     {}\n    If that is meant, `{bless}`",
        same + 1,
        of(&written),
        of(now)
    ))
}

/// Two matches of random players.
fn played(program: &Program, game: &RuleFile) -> String {
    let shown: Value = serde_json::from_str(&program.output(&["show", &game.name, "--json"])).expect("JSON");
    let players = shown["players"].as_array().expect("players").iter();
    let seats: Vec<String> =
        players.map(|role| format!("{}=random", role.as_str().expect("a name"))).collect();
    let file = format!("{}.jsonl", game.name);
    let path = program.path(&file);
    let mut arguments = vec!["play", &game.name, "--seed", "42", "--matches", "2", "--record", &path];
    arguments.extend(seats.iter().flat_map(|seat| ["--seat", seat.as_str()]));
    program.output(&arguments);
    String::from_utf8(program.contents(&file)).expect("records are UTF-8")
}

fn shown(program: &Program, records: &Path) -> String {
    program.output(&["replay", text(records), "--match", "1", "--format", "playthrough"])
}

/// One test, since the playthrough is read off the records that may have been written a moment ago.
#[test]
fn every_folder_has_records_that_replay_and_a_playthrough_of_the_first() {
    let program = program("folders-records");
    assert_all(|game| {
        let records = beside(game, RECORDS);
        let differs = compared(game, RECORDS, &played(&program, game));
        if differs.is_some() {
            return differs;
        }
        if size(false, true) {
            program.output(&["replay", text(&records), "--verify"]);
        }
        // It is read off the first match as that is replayed.
        compared(game, PLAYTHROUGH, &shown(&program, &records))
    });
}

#[test]
fn every_folder_has_counts_by_depth() {
    let program = program("folders-counts");
    assert_all(|game| compared(game, COUNTS, &program.output(&["show", &game.name, "--counts"])));
}

#[test]
fn every_folder_has_facts() {
    assert_all(|game| {
        let facts = fs::read_to_string(beside(game, "game.toml"));
        let facts = facts.ok().and_then(|text| croupier_games::GameFacts::parse(&text).ok());
        match facts {
            None => Some("there is no game.toml that can be read".to_owned()),
            Some(facts) if facts.source.is_none() => {
                Some("game.toml names no source of the rules".to_owned())
            }
            Some(facts) if facts.tags.is_empty() => Some("game.toml has no tags".to_owned()),
            Some(_) => None,
        }
    });
}

/// The catalogue has no file that nothing reads.
#[test]
fn every_folder_has_these_files_and_no_other() {
    // A blueprint is embedded by name, so one that nothing reads cannot be built.
    let expected = ["game.toml", "rules.gdl", COUNTS, PLAYTHROUGH, RECORDS, "blueprint.bin"];
    assert_all(|game| {
        let folder = game.path.parent().expect("a folder").read_dir().expect("a readable folder");
        let names = folder.map(|entry| entry.expect("a readable entry").file_name());
        let stray: Vec<_> = names.filter(|name| !expected.iter().any(|known| name == known)).collect();
        (!stray.is_empty()).then(|| format!("{stray:?} is none of {expected:?}"))
    });
}
