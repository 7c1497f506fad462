//! What `check` says of rules, beside what `play` does with them.

use croupier_engine::stages::check::{CODES, Code, Finder};

use crate::program;

/// Rules of one turn whose end is what each case makes of it.
const START: &str = "(role a) (init f) (<= (legal a m) (true f)) (<= (next g) (does a m))";

#[test]
fn check_says_that_rules_cannot_be_played_where_every_playout_fails_as_play_does() {
    let program = program("verdict");
    let cases = [
        ("a goal that is no number", "(goal a many) (<= terminal (true g))", "the goal many"),
        ("no goal", "(<= (goal a 10) (true f)) (<= terminal (true g))", "no goal in a terminal state"),
        ("no legal move", "(goal a 10) (<= terminal (true h))", "no legal move"),
    ];
    for (name, end, reason) in cases {
        let file = program.file("fails.gdl", format!("{START} {end}"));
        let played = program.run(&["play", &file, "--seat", "a=random", "--seed", "1"]);
        assert_eq!(played.code, 1, "{name}: {}", played.stdout);
        assert!(played.stdout.contains(reason), "{name}: {}", played.stdout);
        let checked = program.run(&["check", &file]);
        assert_eq!(checked.code, 1, "{name}: {}", checked.stdout);
        for part in ["cannot be played", "50 of 50 playouts stop without a result", reason] {
            assert!(checked.stdout.contains(part), "{name}, {part}: {}", checked.stdout);
        }
        let json = program.run(&["check", &file, "--json"]).stdout;
        assert!(json.contains("\"playable\":false") && json.contains("\"failed\":50"), "{name}: {json}");
    }
}

#[test]
fn check_counts_playouts_that_fail_where_others_do_not() {
    let program = program("verdict-some");
    let rules = format!(
        "{START} (<= (legal a n) (true f)) (<= (next h) (does a n)) (<= terminal (true g)) (<= terminal (true h)) \
         (<= (goal a 10) (true g))"
    );
    let checked = program.run(&["check", &program.file("some.gdl", rules)]);
    assert_eq!(checked.code, 1, "{}", checked.stdout);
    assert!(checked.stdout.contains("error[unfinished-playouts]"), "{}", checked.stdout);
    assert!(checked.stdout.contains(": cannot be played; "), "{}", checked.stdout);
    assert!(checked.stdout.contains(" of 50 playouts stop without a result: "), "{}", checked.stdout);
}

/// A deal and a game of one move. What each case changes is in braces there.
const PHASES: &str = "(role random) (role ann) (card ace) (card king) (init (phase deal_receiver))
(<= (legal random (deal ?c)) (card ?c) (true (phase deal_receiver)))
(<= (legal ann noop) (true (phase deal_receiver)))
(<= (legal random noop) (true (phase say)))
(<= (legal ann (say ?c)) (card ?c) (true (phase say)))
(<= (next (held ?c)) (does random (deal ?c)))
(<= (next (held ?c)) (true (held ?c)))
(<= (next (phase say)) (true (phase deal_receiver)))
(<= (next (phase over)) (true (phase say)))
(<= (next (said ?c)) (does ann (say ?c)))
(<= (sees ann nothing) (true (phase say)))
(<= terminal (true (phase over)))
(<= (goal ann 100) (true (said ?c)) (true (held ?c)))
(<= (goal ann 0) (true (said ?c)) (not (true (held ?c))))
";

#[test]
fn constants_are_checked_like_names() {
    let program = program("verdict-constants");
    let whole = program.output(&["check", &program.file("whole.gdl", PHASES), "--strict"]);
    assert!(whole.contains("can be played; no errors, no warnings"), "{whole}");
    let cases = [
        (
            "(true (phase deal_receiver)))\n(<= (legal ann noop)",
            "(true (phase deal_reciever)))\n(<= (legal ann noop)",
        ),
        ("(card ?c) (true (phase say))", "(card ?c) (card aec) (true (phase say))"),
    ];
    for ((right, wrong), near) in cases.iter().zip(["`deal_receiver`", "`ace`"]) {
        let rules = PHASES.replace(right, wrong);
        assert_ne!(rules, PHASES);
        let checked = program.run(&["check", &program.file("slip.gdl", rules)]).stdout;
        let told = checked.split("warning[impossible-value]").nth(1).unwrap_or_else(|| panic!("{checked}"));
        let told = told.split("\n\n").next().unwrap_or_default();
        assert!(told.contains(&format!("did you mean {near}?")), "{near}: {told}");
        assert!(told.contains("never holds"), "{told}");
    }
}

#[test]
fn a_rule_that_never_applied_in_any_playout_is_a_note() {
    let program = program("verdict-never");
    // Nothing is misspelt: the two conditions never hold together.
    let rules = format!("{PHASES}(<= (next (phase over)) (true (phase say)) (true (phase deal_receiver)))\n");
    let checked = program.run(&["check", &program.file("never.gdl", rules)]).stdout;
    assert_eq!(checked.matches("note[never-fired]").count(), 1, "{checked}");
    assert!(checked.contains("this rule never fired in 50 playouts"), "{checked}");
    assert!(checked.contains("can be played; no errors, no warnings, 1 note"), "{checked}");
    assert!(
        checked.contains("(<= (next (phase over)) (true (phase say)) (true (phase deal_receiver)))"),
        "{checked}"
    );
}

#[test]
fn no_more_playouts_stop_than_there_were() {
    let program = program("verdict-endless");
    let rules = PHASES
        .replace("(<= (next (phase over)) (true (phase say)))", "(<= (next (phase say)) (true (phase say)))");
    let json = program.run(&["check", &program.file("endless.gdl", rules), "--json"]).stdout;
    let checked: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let analysis = &checked["analysis"];
    let count = |key: &str| analysis[key].as_u64().unwrap_or_else(|| panic!("{key}: {json}"));
    assert_eq!((count("failed"), count("failed") <= count("playouts")), (count("playouts"), true), "{json}");
    assert!(count("playouts") >= 2, "{json}");
    assert_eq!(checked["playable"], false, "{json}");
}

#[test]
fn a_misspelt_variable_in_a_condition_gets_its_right_name() {
    let program = program("verdict-variable");
    let rules =
        "(role a) (role b) (pair a 1) (pair b 2) (init f) (<= (legal ?r (m ?n)) (role ?r) (pair ?r ?n))
        (<= (next (told ?r)) (pair ?rr 1) (true f)) (<= terminal (true (told ?r))) (goal a 1) (goal b 1)";
    let checked = program.run(&["check", &program.file("slip.gdl", rules)]).stdout;
    let told = checked.split("warning[lone-variable]").nth(1).unwrap_or_else(|| panic!("{checked}"));
    assert!(told.contains("?rr stands in this rule once") && told.contains("did you mean ?r?"), "{told}");
}

#[test]
fn rules_without_legal_goal_or_terminal_cannot_be_played() {
    let program = program("verdict-lack");
    let whole = format!("{START} (<= terminal (true g)) (goal a 1)");
    let lacks = [
        ("goal", whole.replace("(goal a 1)", "")),
        ("terminal", whole.replace("(<= terminal (true g))", "")),
        ("legal", whole.replace("(<= (legal a m) (true f))", "")),
    ];
    for (word, rules) in lacks {
        assert_ne!(rules, whole);
        let checked = program.run(&["check", &program.file("lack.gdl", rules), "--playouts", "0"]);
        let said = format!("cannot be played; no rule defines `{word}`; ");
        assert_eq!((checked.code, checked.stdout.contains(&said)), (1, true), "{}", checked.stdout);
    }
}

#[test]
fn faults_in_base_and_input_are_warnings_unless_strict() {
    let program = program("verdict-base");
    // The numbers of a shop, with the parentheses of `base` and `input` misplaced.
    let rules = "(role a) (price 1) (price 2) (<= (base stock ?n) (price ?n)) (<= (input a buy ?n) (price ?n))
        (init (stock 2)) (<= (legal a (buy ?n)) (price ?n)) (<= (next (bought ?n)) (does a (buy ?n)))
        (<= (next (stock ?n)) (true (stock ?n))) (<= terminal (true (bought ?n)))
        (<= (goal a 100) (true (bought ?n)) (true (stock ?n))) (<= (goal a 0) (true (bought 1)) (true (stock 2)))";
    let file = program.file("shop.gdl", rules);
    let checked = program.output(&["check", &file]);
    assert_eq!(checked.matches("warning[keyword-arity]").count(), 2, "{checked}");
    assert!(checked.contains("the game is played without `base` and `input`"), "{checked}");
    assert!(checked.contains("can be played; 2 warnings"), "{checked}");
    program.output(&["play", &file, "--seat", "a=random", "--seed", "1"]);
    assert!(program.run(&["check", &file, "--strict"]).stdout.contains("error[keyword-arity]"));
}

#[test]
fn real_time_rules_that_are_not_seen_to_end_are_told_apart_from_what_cannot_be_played() {
    let program = program("verdict-long");
    let rules = |timer: &str, next: &str| {
        format!(
            "(role a) (init {timer} a) (init infinity b) (<= (legal a m) (true ?t b)) (<= (next ?t b) (true ?t b))
             (<= (next ?t a) (true ?t a)) {next} (<= terminal (expired a)) (goal a 50)"
        )
    };
    // Two hours, in which a move is legal at any time.
    let file = program.file("hours.gdl", rules("7200", ""));
    let checked = program.output(&["check", &file]);
    assert!(checked.contains("can be played; no errors, no warnings"), "{checked}");
    // A timer that starts again and again: it may go on for ever, and nothing keeps it from being played.
    let endless = program.file(
        "endless.gdl",
        rules("7200", "(<= (next 7200 a) (expired a))")
            .replace("terminal (expired a)", "terminal (true ?t c)"),
    );
    let checked = program.run(&["check", &endless]).stdout;
    assert!(checked.contains("can be played; 50 of 50 playouts were not seen to end"), "{checked}");
    assert!(checked.contains("--time-max"), "{checked}");
    // Nothing can happen any more, and it is not over.
    let stuck = "(role a) (init 1 a) (<= (legal a m) (true ?t a)) (<= (next 1 b) (does a m)) (goal a 50)
        (<= terminal (true ?t b) (true ?u a))";
    let checked = program.run(&["check", &program.file("stuck.gdl", stuck)]).stdout;
    assert!(checked.contains("cannot be played; 50 of 50 playouts stop without a result: "), "{checked}");
    // The hours are played to the end if that is asked for.
    let play = |most: &str| {
        program.output(&["play", &file, "--seat", "a=wait", "--seed", "1", "--time-max", most, "--json"])
    };
    assert!(play("7199").contains("\"status\":\"time_limit\""), "{}", play("7199"));
    assert!(play("7200.5").contains("\"status\":\"terminal\""), "{}", play("7200.5"));
}

#[test]
fn what_is_proved_of_every_match_takes_the_place_of_what_playouts_saw() {
    let program = program("verdict-proofs");
    let by_proof: Vec<_> = CODES.iter().filter(|code| code.finder == Finder::Proof).collect();
    assert!(!by_proof.is_empty());
    for Code { name, explanation, .. } in by_proof {
        let checked = |rules: &str| program.run(&["check", &program.file("proof.gdl", rules)]).stdout;
        let (rejected, accepted) = (checked(explanation.rejected), checked(explanation.accepted));
        assert!(rejected.contains(&format!("warning[{name}]")), "{name}: {rejected}");
        assert!(!accepted.contains(name) && accepted.contains("weakly-winnable"), "{name}: {accepted}");
    }
    // No move after fourteen heads in a row: no playout sees it.
    let counts: String = (0..14).map(|n| format!("(succ {n} {})", n + 1)).collect();
    let rules = format!(
        "(role random) (role me) (init (heads 0)) (init (turn 0)) {counts}
        (<= (legal random heads) (not (true (heads 14)))) (<= (legal random tails) (not (true (heads 14)))) (legal me wait)
        (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
        (<= (next (heads ?n)) (true (heads ?m)) (succ ?m ?n) (does random heads))
        (<= (next (heads none)) (does random tails)) (<= (next (heads none)) (true (heads none)))
        (<= terminal (true (turn 14)) (not (true (heads 14)))) (goal me 100) (<= (sees me ?x) (does random ?x))"
    );
    let path = program.file("rare.gdl", rules);
    let found = program.run(&["check", &path]);
    assert!(found.stdout.contains("[no-legal-move]") && found.stdout.contains("after 14 turns"), "{found:?}");
    let sampled = program.run(&["check", &path, "--playouts", "0", "--json"]).stdout;
    assert!(!sampled.contains("no-legal-move") && sampled.contains("\"proofs\":null"), "{sampled}");
    let json = program.run(&["check", &path, "--json"]).stdout;
    assert!(json.contains("\"text\":\"every match ends after 14 turns\",\"verdict\":\"proved\""), "{json}");
}
