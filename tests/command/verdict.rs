//! What `check` says of rules, beside what `play` does with them.

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
