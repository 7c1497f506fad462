//! Players that are absent, busy or say nonsense: what `play` and `tournament` make of them, and say of it.

use std::{net::TcpListener, thread};

use croupier_tests::{
    command::{Ended, Program},
    fake::{Act, Fake},
    player::{FakePlayer, is},
};
use serde_json::Value;

use crate::program;

/// Two players and three turns, with full sight; `left` has a choice, and `right` can only wait.
const STEPS: &str = "(role left) (role right) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (legal left (go far)) (legal left (go near)) (legal right wait)
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 4)))
    (<= (next far) (does left (go far))) (goal right 50)
    (<= (goal left 100) (true far)) (<= (goal left 0) (not (true far)))";

/// `play` of the steps with these players; seats that are not given are of this process.
fn play(program: &Program, seats: [&str; 2], rest: &[&str]) -> Ended {
    let rules = program.file("steps.gdl", STEPS);
    let [left, right] = [format!("left={}", seats[0]), format!("right={}", seats[1])];
    let clocks = ["--start-clock", "2", "--play-clock", "1"];
    let base = ["play", &rules, "--seed", "3", "--seat", &left, "--seat", &right];
    program.run(&[&base[..], &clocks, rest].concat())
}

fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}

fn nobody() -> String {
    format!("http://{}", TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address"))
}

/// What is in a file of records, after `replay` has verified it.
fn verified(program: &Program, name: &str) -> String {
    program.output(&["replay", &program.path(name), "--verify"]);
    String::from_utf8(program.contents(name)).expect("records are UTF-8")
}

#[test]
fn every_way_to_give_no_move_is_counted_shown_warned_of_and_in_the_exit_status() {
    let program = program("conduct-nonsense");
    for (said, reason) in
        [("(mark 99 99)", "illegal"), ("busy", "illegal"), ("(mark ?x ?y)", "malformed"), ("", "malformed")]
    {
        let player = FakePlayer::saying(said);
        let ended = play(&program, [player.address(), "first-legal"], &["--json"]);
        assert_eq!(ended.code, 1, "{said}: {ended:?}");
        let played = json(&ended);
        let left = &played["conduct"]["left"];
        assert_eq!((&left["moves"], &left["substituted"]), (&3.into(), &3.into()), "{said}: {left}");
        assert_eq!(left["reasons"], serde_json::json!({ reason: 3 }), "{said}");
        assert_eq!(played["matches"][0]["substituted"]["left"], serde_json::json!({ reason: 3 }), "{said}");
        let right = &played["conduct"]["right"];
        assert_eq!((&right["moves"], &right["substituted"]), (&3.into(), &0.into()), "{said}: {right}");
        let warning = format!("warning[substituted]: left: 3 of 3 moves were drawn for it ({reason} 3)");
        assert!(ended.stderr.contains(&warning), "{said}: {}", ended.stderr);
        let text = play(&program, [player.address(), "first-legal"], &[]);
        let line = format!("moves replaced by the referee: left 3 of 3 ({reason} 3), right 0 of 3");
        assert!(text.stdout.contains(&line), "{said}: {}", text.stdout);
    }
}

#[test]
fn a_bot_that_raises_an_exception_is_not_called_absent() {
    let program = program("conduct-exception");
    // As Python's http.server does it: nothing is written, and the connection is closed.
    let fails = Fake::new(|_| Act::Write(Vec::new()));
    let ended = play(&program, [&fails.address, "first-legal"], &["--matches", "9"]);
    let told = "closed the connection without a reply, as a program that fails does";
    assert!(ended.code == 1 && ended.stderr.contains(told), "{ended:?}");
    for wrong in ["could not be reached", "nobody came"] {
        assert!(!ended.stderr.contains(wrong), "{}", ended.stderr);
    }
    // The same later in the match, and with a framework that answers by a status.
    let later = Fake::new(|body| match body.starts_with("(START") {
        true => Act::Say("READY"),
        false => Act::Write(Vec::new()),
    });
    let ended = play(&program, [&later.address, "first-legal"], &[]);
    assert!(ended.stderr.contains("3 of 3 moves were drawn for it (closed 3)"), "{ended:?}");
    let status = Fake::new(|_| Act::Write(b"HTTP/1.0 500 No\r\n\r\n(go far)".to_vec()));
    let ended = play(&program, [&status.address, "first-legal"], &[]);
    assert_eq!(ended.stderr.matches("it answered with HTTP status 500").count(), 2, "{ended:?}");
}

#[test]
fn the_warning_of_an_illegal_move_lists_the_legal_ones() {
    let program = program("conduct-legal");
    let player = FakePlayer::saying("(go home)");
    let ended = play(&program, [player.address(), "first-legal"], &[]);
    let told = "illegal: it wrote (go home); its legal moves were (go far), (go near)";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    let played = json(&play(&program, [player.address(), "first-legal"], &["--json"]));
    let legal = &played["conduct"]["left"]["first"]["legal"];
    assert_eq!(*legal, serde_json::json!(["(go far)", "(go near)"]), "{played}");
}

#[test]
fn the_share_of_drawn_moves_above_which_the_exit_status_is_1_can_be_set() {
    let program = program("conduct-share");
    let second = |message: &str| message.contains(" 1 (go");
    let player = FakePlayer::new(move |message| {
        let words = if is(message, "PLAY") && !second(message) { "(go far)" } else { "(go home)" };
        Some(if is(message, "START") { "READY".to_owned() } else { words.to_owned() })
    });
    for (most, code) in [("0", 1), ("33", 1), ("34", 0), ("100", 0)] {
        let seats = [player.address(), "first-legal"];
        let ended = play(&program, seats, &["--substituted-max", most]);
        assert_eq!(ended.code, code, "one of three moves is drawn, at most {most} %: {ended:?}");
        assert!(ended.stdout.contains("left 1 of 3 (illegal 1)"), "{}", ended.stdout);
    }
}

#[test]
fn without_a_player_there_is_no_match_unless_absence_is_allowed() {
    let program = program("conduct-absent");
    let (right, record) = (FakePlayer::saying("wait"), program.path("void.jsonl"));
    let (place, flags) = (nobody(), ["--record", &record, "--json", "--matches", "9"]);
    // Whoever is not there is waited for at the same time.
    let (ended, allowed, void) = thread::scope(|scope| {
        let place = &place;
        let allowed = scope.spawn(move || {
            let (program, right) = (crate::program("conduct-absent-allowed"), FakePlayer::saying("wait"));
            let flags = ["--record", &program.path("allowed.jsonl"), "--allow-absent"];
            let ended = play(&program, [place, right.address()], &flags);
            (ended, verified(&program, "allowed.jsonl"))
        });
        let void = scope.spawn(move || {
            let program = crate::program("conduct-absent-tournament");
            let rules = program.file("steps.gdl", STEPS);
            let players = format!("{place},first-legal");
            program.run(&["tournament", &rules, "--players", &players, "-n", "20", "--json"])
        });
        let ended = play(&program, [place, right.address()], &flags);
        (ended, allowed.join().expect("no panic"), void.join().expect("no panic"))
    });
    assert_eq!(ended.code, 1, "{ended:?}");
    let played = json(&ended);
    let matches = played["matches"].as_array().expect("matches");
    assert_eq!(matches.len(), 3, "nobody comes, and the series ends: {played}");
    for one in matches {
        assert_eq!(one["status"], "void");
        assert_eq!(one["absent"], serde_json::json!({ "role": "left", "reason": "connect_error" }));
    }
    assert!(ended.stderr.contains("warning[void]: match 1 did not begin"), "{}", ended.stderr);
    assert!(ended.stderr.contains("--allow-absent"), "{}", ended.stderr);
    assert_eq!(right.messages(), Vec::<String>::new(), "whoever is there is told nothing");
    let checked = program.run(&["replay", &record, "--verify"]);
    assert_eq!(checked.code, 1, "{}", checked.stdout);
    assert!(checked.stdout.contains("all 3 matches are what their records say"), "{}", checked.stdout);
    assert!(checked.stdout.contains("has 3 of 9 matches"), "{}", checked.stdout);
    let text = String::from_utf8(program.contents("void.jsonl")).expect("text");
    assert_eq!(text.matches("\"status\":\"void\"").count(), 3, "{text}");

    let (ended, record) = allowed;
    assert_eq!(ended.code, 1, "every move is drawn: {ended:?}");
    assert!(ended.stdout.contains("left 3 of 3 (connect_error 3), right 0 of 3"), "{}", ended.stdout);
    assert!(record.contains("\"status\":\"terminal\""));

    let matches = json(&void)["unfinished"]["void"].as_u64().expect("a count");
    assert!(void.code == 1 && (3..20).contains(&matches), "{void:?}");
}

#[test]
fn matches_at_one_address_do_not_overlap_unless_that_is_asked_for() {
    let program = program("conduct-overlap");
    let (left, right) = (FakePlayer::of_one_match("(go far)"), FakePlayer::of_one_match("wait"));
    let record = program.path("four.jsonl");
    let flags = ["--matches", "4", "--threads", "4", "--json", "--record", &record];
    let ended = play(&program, [left.address(), right.address()], &flags);
    assert_eq!(ended.code, 0, "{ended:?}");
    let played = json(&ended);
    assert!(played["matches"].as_array().expect("matches").iter().all(|one| one["status"] == "terminal"));
    assert_eq!(played["conduct"]["left"]["substituted"], 0, "{played}");
    assert_eq!(left.messages().iter().filter(|message| is(message, "START")).count(), 4, "nobody was busy");
    verified(&program, "four.jsonl");

    // Asked for four at once, such a player is busy, is waited for, and plays all the same.
    let flags = [&flags[..4], &["--json", "--matches-at-once", "4"]].concat();
    let ended = play(&program, [left.address(), "random"], &flags);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(json(&ended)["conduct"]["left"]["substituted"], 0, "{ended:?}");
    assert!(ended.stderr.contains("is busy and is waited for"), "{}", ended.stderr);
}

#[test]
fn who_stays_busy_makes_the_match_void_and_it_is_said_so() {
    let program = program("conduct-busy");
    let (left, right) = (FakePlayer::new(|_| Some("busy".to_owned())), FakePlayer::saying("wait"));
    let record = program.path("busy.jsonl");
    let flags = ["--busy-wait", "1", "--record", &record];
    let ended = play(&program, [left.address(), right.address()], &flags);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.stdout.contains("void: it never began, for left was busy with another match"), "{ended:?}");
    assert!(ended.stderr.contains("note: left, at http://"), "{}", ended.stderr);
    assert!(ended.stderr.contains("warning[void]: match 1 did not begin: left, at http://"));
    let kinds: Vec<String> = right.messages().iter().map(|message| message[..6].to_owned()).collect();
    assert_eq!(kinds, ["(START", "(ABORT"], "the other is not left waiting");
    assert!(verified(&program, "busy.jsonl").contains("\"error\":\"busy\""));
}

#[test]
fn who_does_not_answer_is_said_to_be_worth_another_dialect_while_the_match_goes_on() {
    let program = program("conduct-dialect");
    let silent = FakePlayer::new(|message| (!is(message, "PLAY")).then(|| "READY".to_owned()));
    let ended = play(&program, [silent.address(), "first-legal"], &["--grace", "0.3"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.stdout.contains("left 3 of 3 (timeout 3), right 0 of 3"), "{}", ended.stdout);
    let said = "warning[no-answer]: left has made none of its first 2 moves; it is written to in gdl2; \
                if it does not know that, try --dialect left=gdl1";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    // Who understands the other dialect alone then plays.
    let of_2005 = FakePlayer::new(|message| match message.split_whitespace().count() {
        _ if is(message, "START") => Some("READY".to_owned()),
        _ if is(message, "STOP") => Some("DONE".to_owned()),
        3 | 5 if is(message, "PLAY") && !message.contains(" NIL NIL)") => Some("(go far)".to_owned()),
        _ => None,
    });
    let ended = play(&program, [of_2005.address(), "first-legal"], &["--dialect", "left=gdl1"]);
    assert_eq!(ended.code, 0, "{ended:?}");
}

#[test]
fn a_players_own_failure_is_recorded_as_such_and_says_what_went_wrong() {
    let program = program("conduct-own");
    let policy = program.file(
        "policy.json",
        "{\"format\":\"croupier-policy/1\",\"information_sets\":{\"(left)\":{\"(go home)\":1.0}}}",
    );
    let record = program.path("own.jsonl");
    let ended =
        play(&program, [&format!("policy:{policy}"), "first-legal"], &["--record", &record, "--json"]);
    // A policy that cannot be played is an error of the command, and the record has what happened.
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{ended:?}");
    for part in ["player-failed", "the policy plays (go home), which is illegal"] {
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    }
    let text = verified(&program, "own.jsonl");
    assert!(text.contains("\"status\":\"player_error\"") && !text.contains("connect_error"), "{text}");
}

#[test]
fn rules_that_fail_are_said_with_match_turn_role_and_rule() {
    let program = program("conduct-rules");
    let rules = program.file(
        "steep.gdl",
        "(role x)\n(init a)\n(legal x go)\n(<= (next b) (true a))\n(<= terminal (true b))\n\
         (<= (goal x many)\n    (true b))\n(<= (goal x 0) (true a))\n",
    );
    let arguments = ["play", &rules, "--matches", "2", "--seat", "x=random", "--seed", "1"];
    let ended = program.run(&[&arguments[..], &["--json"]].concat());
    assert_eq!(ended.code, 1, "{ended:?}");
    let place = format!("{rules}:6: (<= (goal x many) (true b))");
    for part in ["warning[rules-fail]: match 1 (steep-", "turn 1: the rules give x the goal many", &place] {
        assert!(ended.stderr.contains(part), "{part} is missing in: {}", ended.stderr);
    }
    let fault = &json(&ended)["matches"][1]["fault"];
    assert_eq!((&fault["turn"], &fault["role"]), (&1.into(), &"x".into()), "{fault}");
    assert_eq!(fault["rules"][0], serde_json::json!({ "line": 6, "rule": "(<= (goal x many) (true b))" }));
}

#[test]
fn a_trace_keeps_the_playouts_in_which_the_rules_fail() {
    let program = program("conduct-trace");
    let rules = program.file(
        "stuck.gdl",
        "(role x) (init (n 1)) (succ 1 2) (succ 2 3) (<= (legal x go) (true (n ?n)) (distinct ?n 3))
         (<= (next (n ?m)) (true (n ?n)) (succ ?n ?m)) (<= terminal (true (n 4))) (goal x 50)",
    );
    let trace = program.path("t.jsonl");
    assert_eq!(program.run(&["simulate", &rules, "--playouts", "40", "--trace", &trace]).code, 1);
    let text = String::from_utf8(program.contents("t.jsonl")).expect("a trace is UTF-8");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3 * 40, "{text}");
    for (playout, lines) in lines.chunks(3).enumerate() {
        let last = &lines[2];
        assert_eq!((&last["playout"], &last["step"]), (&playout.into(), &2.into()), "{last}");
        assert_eq!(
            (&last["state"], &last["legal"]["x"]),
            (&serde_json::json!(["(n 3)"]), &serde_json::json!([])),
            "{last}"
        );
        assert!(last["error"].as_str().is_some_and(|error| error.contains("no legal move")), "{last}");
        assert!(lines[0].get("error").is_none() && lines[0]["joint"]["x"] == "go", "{text}");
    }
}

#[test]
fn a_record_is_never_replaced_unless_that_is_asked_for() {
    let program = program("conduct-record");
    let rules = program.file("steps.gdl", STEPS);
    let base = ["play", &rules, "--seat", "left=random", "--seat", "right=random", "--seed", "1"];
    let with = |file: &str, rest: &[&str]| program.run(&[&base[..], &["--record", file], rest].concat());
    let refused = |file: &str, rest: &[&str], part: &str| {
        let before = std::fs::read(file).expect("a file");
        let ended = with(file, rest);
        assert!(ended.code == 2 && ended.stderr.contains(part), "{file} {rest:?}: {ended:?}");
        assert!(std::fs::read(file).expect("a file") == before, "nothing was changed");
    };
    refused(&rules, &[], "error[file-exists]");
    refused(&rules, &["--append"], "error[bad-record]");
    let record = program.path("m.jsonl");
    assert_eq!(with(&record, &[]).code, 0);
    refused(&record, &[], "--append");
    let first = program.contents("m.jsonl");
    assert_eq!(with(&record, &["--append"]).code, 0);
    assert!(program.contents("m.jsonl") == [&first[..], &first].concat(), "the first match is still there");
    assert_eq!(with(&record, &["--force"]).code, 0);
    assert!(program.contents("m.jsonl") == first);
    let cut = program.file("cut.jsonl", &first[..first.len() - 20]);
    refused(&cut, &["--append"], "cut off");
    assert_eq!(with(&program.path("new.jsonl"), &["--append"]).code, 0, "there is nothing to lose");
    assert_eq!(with("/dev/null", &[]).code, 0, "a device holds nothing");
    let tournament = ["tournament", "kuhn", "--players", "random,first-legal", "-n", "2", "--record", &rules];
    let said = program.refusal(&tournament);
    assert!(said.contains("error[file-exists]"), "{said}");
}

#[test]
fn a_tournament_counts_what_was_drawn_and_writes_to_players_as_it_is_told() {
    let program = program("conduct-tournament");
    let rules = program.file("steps.gdl", STEPS);
    let player = FakePlayer::new(|message| match message.split_whitespace().count() {
        _ if is(message, "START") => Some("READY".to_owned()),
        _ if is(message, "STOP") => Some("DONE".to_owned()),
        _ if message.ends_with(" NIL NIL)") => None,
        _ => Some("wait".to_owned()),
    });
    let players = format!("{},first-legal", player.address());
    let base = ["tournament", &rules, "--players", &players, "-n", "2", "--play-clock", "1", "--json"];
    let dialect = format!("{}=gdl1", player.address());
    let ended = program.run(&[&base[..], &["--dialect", &dialect, "--seed", "1"]].concat());
    // As `right` it plays; as `left` all that it says is illegal.
    assert_eq!(ended.code, 1, "{ended:?}");
    let table = json(&ended);
    let row = |name: &str| {
        let rows = table["players"].as_array().expect("players").iter();
        rows.clone().find(|row| row["player"] == name).expect("a row")["conduct"].clone()
    };
    let drawn = row(player.address());
    assert_eq!((&drawn["moves"], &drawn["reasons"]), (&6.into(), &serde_json::json!({ "illegal": 3 })));
    assert_eq!(row("first-legal")["substituted"], 0);
    assert!(ended.stderr.contains("3 of 6 moves were drawn for it (illegal 3)"), "{}", ended.stderr);
    let said = program.refusal(&["tournament", &rules, "--players", "random,belief", "--dialect", &dialect]);
    assert!(said.contains("error[bad-dialect]"), "{said}");
}

#[test]
fn a_person_at_the_terminal_plays_against_a_player_at_an_address() {
    let program = program("conduct-person");
    let rules = program.file("steps.gdl", STEPS);
    let player = FakePlayer::saying("wait");
    let right = format!("right={}", player.address());
    let arguments = ["play", &rules, "--seat", "left=human", "--seat", &right, "--seed", "1"];
    let ended = program.run_with(&arguments, "1\n1\n1\n");
    assert!(ended.code == 0 && ended.stdout.contains("left 0 of 3, right 0 of 3"), "{ended:?}");
}
