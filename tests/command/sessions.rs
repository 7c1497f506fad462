//! Sessions: matches one after another at one table, their records, and what is told of them.

use std::{collections::BTreeSet, fs};

use croupier_tests::{command::Program, size};
use serde_json::Value;

use crate::{program, schemas::assert_valid};

/// A tournament of six, small enough to be over soon.
const TOURNAMENT: [&str; 14] = [
    "play",
    "no-limit-holdem",
    "--session",
    "--seats",
    "6",
    "--stack",
    "40",
    "--blinds",
    "1,2",
    "--raise-blinds",
    "4 matches",
    "--seed",
    "7",
    "--json",
];

fn json(program: &Program, arguments: &[&str]) -> Value {
    let value = serde_json::from_str(&program.output(arguments)).expect("JSON");
    assert_valid(&value);
    value
}

fn seats(agents: &[&str]) -> Vec<String> {
    (1..).zip(agents).flat_map(|(seat, agent)| ["--seat".to_owned(), format!("{seat}={agent}")]).collect()
}

/// Plays a tournament into a file; what is told of it.
fn tournament(program: &Program, seed: &str, agents: &[&str], record: &str) -> Value {
    let seats = seats(agents);
    let mut arguments: Vec<&str> = TOURNAMENT.to_vec();
    let count = agents.len().to_string();
    (arguments[4], arguments[12]) = (&count, seed);
    arguments.extend(seats.iter().map(String::as_str));
    arguments.extend(["--record", record, "--force"]);
    json(program, &arguments)
}

/// That a tournament has one winner with all chips, and that its record gives it back line by line; how many matches it had.
fn assert_sound(program: &Program, seed: &str, agents: &[&str]) -> usize {
    let record = program.path("tournament.jsonl");
    let told = tournament(program, seed, agents, &record);
    assert_eq!(told["ending"], "one_left", "seed {seed}");
    let stacks: Vec<u64> = told["seats"]
        .as_array()
        .expect("seats")
        .iter()
        .map(|seat| seat["stack"].as_u64().expect("chips"))
        .collect();
    let all = 40 * agents.len() as u64;
    assert_eq!(stacks.iter().filter(|&&stack| stack == all).count(), 1, "seed {seed}: {stacks:?}");
    assert_eq!(stacks.iter().sum::<u64>(), all, "seed {seed}: {stacks:?}");
    let verified = json(program, &["replay", &record, "--verify", "--json"]);
    assert_eq!(verified["state"], "complete", "seed {seed}: {verified}");
    let matches = told["matches"].as_array().expect("matches").len();
    assert_eq!(verified["matches"], matches);
    matches
}

#[test]
fn tournaments_have_one_winner_with_all_chips() {
    let program = program("session-tournaments");
    // `.ci/tournaments` plays a thousand with a release build, and ten of players that search.
    let count = size(3, 20);
    let agents = ["random", "raise", "random", "raise", "call", "random"];
    let played: usize = (1..=count).map(|seed| assert_sound(&program, &seed.to_string(), &agents)).sum();
    println!("{count} tournaments, {played} matches");
    let (one, another) = (program.path("one.jsonl"), program.path("another.jsonl"));
    tournament(&program, "1", &agents, &one);
    tournament(&program, "1", &agents, &another);
    assert!(
        fs::read(&one).expect("a record") == fs::read(&another).expect("a record"),
        "the same bytes again"
    );
    let searching = vec!["belief:iterations=10,particles=10"; 3];
    for seed in 1..=size(0, 1) {
        assert_sound(&program, &seed.to_string(), &searching);
    }
}

/// The lines of a session's file that begin matches, and how many lines each match has.
fn matches(lines: &[&str]) -> Vec<std::ops::Range<usize>> {
    let begins = lines.iter().enumerate().filter(|(_, line)| line.contains("\"event\":\"genesis\""));
    begins
        .map(|(start, _)| {
            let seal = lines[start..].iter().position(|line| line.contains("\"event\":\"seal\""));
            start..start + seal.expect("a sealed match") + 1
        })
        .collect()
}

#[test]
fn no_match_of_a_session_can_be_dropped_doubled_swapped_or_altered() {
    let program = program("session-tampering");
    let record = program.path("session.jsonl");
    let seats = seats(&["random", "random"]);
    let play = ["play", "no-limit-holdem", "--stack", "60", "-n", "4", "--seed", "3", "--record", &record];
    program.output(&[&play[..], &seats.iter().map(String::as_str).collect::<Vec<_>>()].concat());
    let verdict = |text: &str| {
        let path = program.file("changed.jsonl", text);
        let ended = program.run(&["replay", &path, "--verify", "--json"]);
        let value: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
        (value["state"].as_str().unwrap_or("refused").to_owned(), ended.stdout + &ended.stderr)
    };
    let text = fs::read_to_string(&record).expect("a record");
    assert_eq!(verdict(&text).0, "complete", "{}", verdict(&text).1);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let all = matches(&lines);
    assert!(all.len() >= 2, "{text}");
    let (first, second) = (all[0].clone(), all[1].clone());

    let altered = |text: String, what: &str| {
        let (state, said) = verdict(&text);
        assert!(state == "altered" || state == "refused", "{what}: {said}");
    };
    let without =
        |range: std::ops::Range<usize>| [&lines[..range.start], &lines[range.end..]].concat().concat();
    altered(without(first.clone()), "dropped");
    altered(without(first.start..first.end + 1), "dropped with its line");
    altered([&lines[..first.end], &lines[first.clone()], &lines[first.end..]].concat().concat(), "doubled");
    let swapped = [
        &lines[..first.start],
        &lines[second.clone()],
        &lines[first.end..second.start],
        &lines[first.clone()],
        &lines[second.end..],
    ];
    // In the file matches may stand in any order: what counts is that each is the one of its place. So the records are swapped
    // by their places too.
    assert_eq!(verdict(&swapped.concat().concat()).0, "complete");
    altered(text.replacen("\"index\":1", "\"index\":2", 1), "another place");
    altered(text.replacen("random 1", "random 2", 1), "somebody else");
    altered(text.replacen("(stack alice ", "(stack alice 1", 1), "another stack");
    for number in [1, first.start / 2 + 1, lines.len() - 2] {
        altered(without(number..number + 1), "a line of the session");
    }
    // A record of another session of the same game.
    let other = program.path("other.jsonl");
    let mut play = play;
    (play[7], play[9]) = ("4", &other);
    program.output(&[&play[..], &seats.iter().map(String::as_str).collect::<Vec<_>>()].concat());
    let other = fs::read_to_string(&other).expect("a record");
    let other_lines: Vec<&str> = other.split_inclusive('\n').collect();
    let foreign = matches(&other_lines)[0].clone();
    let exchanged = [&lines[..first.start], &other_lines[foreign], &lines[first.end..]].concat();
    altered(exchanged.concat(), "a match of another session");
    // Cut off anywhere, it is a session that is not over.
    let cut = lines[..second.start].concat();
    assert_eq!(verdict(&cut).0, "incomplete", "{}", verdict(&cut).1);
    // Its matches are records like any others.
    assert!(program.output(&["replay", &record]).contains("Alice"));
}

#[test]
fn a_session_is_signed_by_a_key() {
    let program = program("session-key");
    let (key, public, record) = (program.path("my.key"), program.path("my.pub"), program.path("s.jsonl"));
    program.output(&["key", "new", "-o", &key]);
    fs::write(&public, program.output(&["key", "show", &key])).expect("a file");
    let seats = ["--seat", "1=random", "--seat", "2=random"];
    let play = ["play", "tic-tac-toe", "--session", "--seed", "1", "--record", &record, "--key", &key];
    program.output(&[&play[..], &seats].concat());
    let verify = ["replay", &record, "--verify", "--signed-by"];
    assert!(program.output(&[&verify[..], &[&public]].concat()).contains("signed by"));
    let other = program.path("other.key");
    program.output(&["key", "new", "-o", &other]);
    let other = program.output(&["key", "show", &other]).trim().to_owned();
    let ended = program.run(&[&verify[..], &[&other]].concat());
    assert_eq!(ended.code, 1, "{}", ended.stderr);
}

#[test]
fn sessions_are_data_of_their_games() {
    let program = program("session-games");
    let seats = |count: usize| seats(&vec!["random"; count]);
    for (game, count, endings) in [
        ("tic-tac-toe", 2, &["wins", "matches"][..]),
        ("hearts-small", 3, &["total"]),
        ("gin-rummy-small", 2, &["total"]),
        ("liars-dice", 2, &["one_left"]),
    ] {
        let record = program.path(&format!("{game}.jsonl"));
        let seats = seats(count);
        let play = ["play", game, "--session", "--seed", "5", "--json", "--record", &record];
        let told =
            json(&program, &[&play[..], &seats.iter().map(String::as_str).collect::<Vec<_>>()].concat());
        let ending = told["ending"].as_str().expect("an ending");
        assert!(endings.contains(&ending), "{game}: {ending}");
        assert_eq!(json(&program, &["replay", &record, "--verify", "--json"])["state"], "complete", "{game}");
        // Everybody had every role.
        let roles: BTreeSet<(String, u64)> = told["matches"]
            .as_array()
            .expect("matches")
            .iter()
            .flat_map(|one| one["seats"].as_object().expect("seats").clone())
            .map(|(role, seat)| (role, seat.as_u64().expect("a seat")))
            .collect();
        assert_eq!(roles.len(), count * count, "{game}: {roles:?}");
    }
    // Dice are lost, and who has none left is out.
    let told = json(
        &program,
        &[
            "play",
            "liars-dice",
            "--session",
            "--seats",
            "4",
            "--stack",
            "2",
            "--seed",
            "2",
            "--json",
            "--seat",
            "1=random",
            "--seat",
            "2=random",
            "--seat",
            "3=random",
            "--seat",
            "4=random",
        ],
    );
    let left: Vec<u64> = told["seats"]
        .as_array()
        .expect("seats")
        .iter()
        .map(|seat| seat["stack"].as_u64().expect("dice"))
        .collect();
    assert_eq!(left.iter().filter(|&&dice| dice > 0).count(), 1, "{left:?}");
}

#[test]
fn a_person_is_told_how_they_stand_and_the_game_once() {
    let program = program("session-person");
    let seats = ["--seat", "1=human", "--seat", "2=call", "--seed", "1"];
    let told = program.run_with(&[&["play", "kuhn", "-n", "3"][..], &seats].concat(), "1\n".repeat(9)).stdout;
    assert_eq!(
        told.matches("You are Alice in").count() + told.matches("You are Bob in").count(),
        1,
        "{told}"
    );
    assert!(told.contains("Match 2: you are Bob.") && told.contains("Match 3: you are Alice."), "{told}");
    for after in ["after 1 match.", "after 2 matches.", "after 3 matches."] {
        assert!(told.contains(after), "{told}");
    }
}

#[test]
fn a_person_who_has_lost_everything_may_buy_in_again_where_the_session_allows_it() {
    let program = program("session-rebuy");
    // Who always raises is all in at once against somebody who always calls: soon one of them has nothing.
    let play = |rebuy: &str, answer: &str| {
        let record = program.path(&format!("{rebuy}-{answer}.jsonl"));
        let options =
            ["play", "no-limit-holdem", "--session", "--seats", "2", "--stack", "4", "--blinds", "1,2"];
        let more = ["--rebuy", rebuy, "-n", "5", "--seat", "1=human", "--seat", "2=call", "--seed", "3"];
        let ended = program.run_with(
            &[&options[..], &more, &["--record", &record]].concat(),
            format!("call\nall in\ncheck\n{answer}\n").repeat(60),
        );
        let verified = program.output(&["replay", &record, "--verify"]);
        assert!(verified.contains(": OK, "), "{verified}");
        let rebuys = fs::read_to_string(&record).expect("a record").matches("rebought").count();
        (ended.stdout, rebuys)
    };
    let (told, rebuys) = play("always", "y");
    assert!(told.contains("no chips left. Buy in again for 4? (y/n)") && rebuys > 0, "{rebuys}: {told}");
    let (told, rebuys) = play("always", "n");
    assert!(told.contains("Buy in again") && rebuys == 0, "{rebuys}: {told}");
    let (told, rebuys) = play("never", "y");
    assert!(!told.contains("Buy in again") && rebuys == 0, "{rebuys}: {told}");
}

#[test]
fn what_is_no_session_is_refused() {
    let program = program("session-refused");
    for (arguments, code) in [
        (
            &["play", "kuhn", "--session", "--seat", "1=random", "--seat", "2=random"][..],
            "nothing ends this session",
        ),
        (&["play", "kuhn", "--stack", "20"], "not made from a family"),
        (&["play", "no-limit-holdem", "--session", "--blinds", "1"], "one number for each"),
        (&["play", "no-limit-holdem", "--session", "--seats", "30"], "players must be from 2 to 9"),
        (&["play", "no-limit-holdem", "--session", "--stack", "900000"], "stacks must be from"),
        (&["play", "kuhn", "--session", "--until", "tomorrow"], "no value of until"),
        (&["play", "kuhn", "--session", "-n", "2", "--append", "--record", "x"], "a file of its own"),
        (&["play", "chicken", "--session"], "turns"),
    ] {
        let refused = program.refusal(arguments);
        assert!(refused.contains(code), "{arguments:?}: {refused}");
    }
}
