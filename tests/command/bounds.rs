//! Rules that forget something or ask for too much: what was done is told, and what was not, and why.

use std::fmt::Write as _;

use serde_json::Value;

use crate::program;

/// Five moves, of which two lead to goals and three to ends that rules should not leave open.
const FORGETFUL: &str = "\
(role x) (role y) (init start)
(option lost) (option open) (option stuck) (option wild) (option won)
(legal y noop)
(<= (legal x ?m) (option ?m) (true start))
(<= (legal x wait) (true (chose ?m)) (distinct ?m stuck))
(<= (next (chose ?m)) (does x ?m) (true start))
(<= (next (over ?m)) (true (chose ?m)))
(<= terminal (true (over ?m)))
(<= (sees ?r (done ?m)) (role ?r) (does x ?m))
(<= (goal x 20) (true (over lost)))
(<= (goal x 80) (true (over won)))
(<= (goal x many) (true (over wild)))
(<= (goal y 50) (true (over ?m)))
";

fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
}

/// Rules in which each role chooses among so many moves in each of two turns.
fn wide(roles: &[&str], moves: usize) -> String {
    let mut rules = String::from(
        "(init (turn 0)) (<= (legal ?r (pick ?n)) (role ?r) (number ?n))
         (<= (next (turn 1)) (true (turn 0))) (<= (next (turn 2)) (true (turn 1)))
         (<= terminal (true (turn 2))) (<= (goal ?r 50) (role ?r)) (<= (sees ?r told) (role ?r))",
    );
    roles.iter().for_each(|role| write!(rules, "(role {role})").expect("memory takes it"));
    (0..moves).for_each(|number| write!(rules, "(number {number})").expect("memory takes it"));
    rules
}

#[test]
fn a_refusal_for_a_limit_is_a_finding_with_code_relation_and_place() {
    let program = program("limit-finding");
    // Nine million moves in the first state, by the rule in line 3.
    let rules = "(role a) (init f) (goal a 50)\n(<= terminal (not (true f)))\n\
        (<= (legal a (m ?x ?y ?z)) (n ?x) (n ?y) (n ?z) (true f))\n";
    let numbers = (0..210).fold(String::new(), |text, number| text + &format!("(n {number})"));
    let file = program.file("product.gdl", format!("{rules}{numbers}"));

    let checked = program.run(&["check", &file, "--json"]);
    let checked_json: Value = serde_json::from_str(&checked.stdout).expect("JSON");
    assert_eq!((checked.code, &checked_json["playable"]), (1, &Value::Bool(false)));
    assert_eq!(checked_json["errors"], 1, "{checked_json}");
    let found = checked_json["diagnostics"].as_array().expect("a list");
    let found: Vec<&Value> = found.iter().filter(|found| found["severity"] == "error").collect();
    let [found] = found[..] else { panic!("{found:?}") };
    assert_eq!((&found["code"], &found["place"]["line"]), (&"limit-in-evaluation".into(), &3.into()));
    let message = found["message"].as_str().expect("a text");
    assert!(message.contains(" for legal: limit "), "{message}");

    let text = program.run(&["check", &file]).stdout;
    assert_says(&text, &["error[limit-in-evaluation]", "product.gdl:3:1", "cannot be played"]);
    let refused = program.refusal(&["simulate", &file, "--engine", "datalog"]);
    assert_says(&refused, &["error[limit-in-evaluation]", "product.gdl:3:1", "error[rules-fail]"]);
    assert_says(&program.output(&["explain", "limit-in-evaluation"]), &["before the first move"]);
}

#[test]
fn simulate_reports_what_was_played_and_how_many_failed_where_and_why() {
    let program = program("simulate-failures");
    let file = program.file("forgetful.gdl", FORGETFUL);
    for engine in ["propnet", "datalog"] {
        let run = |more: &[&str]| {
            let arguments = ["simulate", &file, "--seed", "1", "--playouts", "2000", "--engine", engine];
            let ended = program.run(&[&arguments, more].concat());
            assert_eq!(ended.code, 1, "some playouts failed: {ended:?}");
            ended.stdout
        };
        let report: Value = serde_json::from_str(&run(&["--json"])).expect("JSON");
        let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{report}"));
        let (completed, failed) = (number(&report["completed"]), number(&report["failed"]));
        assert_eq!((number(&report["playouts"]), completed + failed), (2_000, 2_000));
        // Two of five moves are sound: 800 of 2,000, and a standard deviation of 22.
        assert!((690..910).contains(&completed), "{completed}");
        for role in ["x", "y"] {
            let goals = report["roles"][role]["distribution"].as_object().expect("counts by goal");
            assert_eq!(
                goals.values().map(number).sum::<u64>(),
                completed,
                "goals of completed playouts alone"
            );
        }
        let mut kinds: Vec<_> = report["failures"].as_array().expect("a list").iter().collect();
        kinds.sort_by_key(|kind| kind["code"].as_str());
        let codes: Vec<_> = kinds.iter().map(|kind| kind["code"].as_str().expect("a code")).collect();
        assert_eq!(codes, ["goal-out-of-range", "no-goal", "no-legal-move"]);
        assert_eq!(kinds.iter().map(|kind| number(&kind["count"])).sum::<u64>(), failed);
        for (kind, turns) in kinds.iter().zip([2, 2, 1]) {
            assert_eq!((&kind["role"], number(&kind["first"]["turns"])), (&"x".into(), turns), "{engine}");
        }
        assert_eq!(kinds[0]["rule"]["place"]["line"], 12, "{engine}");

        let text = run(&[]);
        let parts = [
            "playouts/s",
            &format!("{completed} playouts were completed"),
            "mean goal",
            &format!("failed: {failed} of 2000 playouts"),
            "no-legal-move: the rules give x no legal move in a state that is not terminal",
            "the rule for goal in line 12",
            "after 1 turn)",
        ];
        assert_says(&text, &parts);
        // The same on any number of threads.
        let on = |threads: &str| {
            let mut report: Value =
                serde_json::from_str(&run(&["--json", "--threads", threads])).expect("JSON");
            ["seconds", "build_seconds", "playouts_per_second", "turns_per_second", "threads"]
                .iter()
                .for_each(|key| _ = report.as_object_mut().expect("an object").remove(*key));
            report
        };
        assert_eq!(on("1"), on("3"), "{engine}");
    }
}

#[test]
fn the_trace_keeps_completed_playouts_and_says_where_others_failed() {
    let program = program("simulate-failure-trace");
    let file = program.file("forgetful.gdl", FORGETFUL);
    let trace = program.path("t.jsonl");
    let ended =
        program.run(&["simulate", &file, "--seed", "1", "--playouts", "50", "--trace", &trace, "--json"]);
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let lines = String::from_utf8(program.contents("t.jsonl")).expect("UTF-8");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_playout = |playout: u64| lines.iter().filter(move |line| line["playout"] == playout);
    let failed: Vec<u64> =
        (0..50).filter(|&playout| of_playout(playout).any(|line| line.get("error").is_some())).collect();
    assert_eq!(report["failed"], failed.len());
    for playout in 0..50 {
        let last = of_playout(playout).next_back().expect("every playout is there");
        let is_failed = failed.contains(&playout);
        assert_eq!(last.get("error").is_some(), is_failed, "{last}");
        assert!(is_failed || last["terminal"] == true, "{last}");
    }
}

#[test]
fn a_playout_that_reaches_a_limit_does_not_stop_the_others() {
    let program = program("simulate-limits");
    // One move makes a term grow until it is too deep; the other ends the match.
    let rules = "(role a) (init (p z)) (<= (legal a stop) (true (p z))) (<= (legal a grow) (true (p ?x)))\n\
        (<= (next (p (s ?x))) (true (p ?x)) (does a grow)) (<= (next over) (does a stop))\n\
        (<= terminal (true over)) (goal a 50)";
    let file = program.file("grow.gdl", rules);
    let simulate = |playouts: &str| {
        let arguments =
            ["simulate", &file, "--seed", "1", "--playouts", playouts, "--engine", "datalog", "--json"];
        let ended = program.run(&arguments);
        assert_eq!(ended.code, 1, "{ended:?}");
        serde_json::from_str::<Value>(&ended.stdout).expect("JSON")
    };
    let report = simulate("7");
    let kind = &report["failures"][0];
    assert_eq!((&kind["code"], &kind["rule"]["place"]["line"]), (&"limit-in-play".into(), &2.into()));
    assert_eq!((&kind["rule"]["relation"], &report["not_played"]), (&"next".into(), &0.into()));
    // Half of them fail so, and each may take seconds in other rules.
    let report = simulate("1000");
    assert!(report["not_played"].as_u64().is_some_and(|left| left > 900), "{report}");
}

#[test]
fn a_search_through_forgetful_rules_plays_on_and_warns_once() {
    let program = program("open-ends");
    let file = program.file("forgetful.gdl", FORGETFUL);
    for agent in ["uct", "ismcts", "mo-ismcts", "belief", "hyperplay"] {
        let seat = format!("x={agent}:iterations=50");
        let arguments =
            ["play", &file, "--seat", &seat, "--seat", "y=uct:iterations=20", "--seed", "1", "--json"];
        let ended = program.run(&arguments);
        assert_eq!(ended.code, 0, "{ended:?}");
        let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        assert_eq!(report["matches"][0]["goals"]["x"], 80, "{agent}: {report}");
        assert_eq!(report["conduct"]["x"]["substituted"], 0, "{report}");
        assert!(report["open_ends"]["x"]["count"].as_u64().is_some_and(|count| count > 0), "{report}");
        assert_eq!(ended.stderr.matches("warning[").count(), 1, "{}", ended.stderr);
        assert_says(&ended.stderr, &["warning[open-end]: x looked ahead to ", " no match can have", "50"]);
    }
    let sound = program.run(&["play", "kuhn", "--seat", "alice=uct", "--seat", "bob=belief", "--seed", "1"]);
    assert!(!sound.stderr.contains("warning"), "{}", sound.stderr);
}

/// Memory is bounded from outside: a process that asks for more is aborted.
#[cfg(target_os = "linux")]
#[test]
fn wide_games_are_refused_within_memory_that_follows_the_limit() {
    let program = program("wide");
    let cases: [(&[&str], usize, &str); 3] =
        [(&["a"], 1_500, "1600"), (&["a"], 3_000, "5000"), (&["a", "b", "c"], 80, "600000")];
    for (roles, moves, limit) in cases {
        let file = program.file(&format!("wide-{moves}.gdl"), wide(roles, moves));
        for command in [&["solve"][..], &["export", "--format", "efg"], &["export", "--format", "policy"]] {
            let rest = ["--threads", "1", "--histories-max", limit, &file];
            let arguments: Vec<&str> = [command, &rest].concat();
            let ended = program.run_within(&arguments, 512 << 20);
            assert_eq!(ended.code, 2, "{arguments:?}: {ended:?}");
            assert_says(&ended.stderr, &["error[game-too-large]", &format!("limit is {limit}"), "about "]);
        }
    }
}
