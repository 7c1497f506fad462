//! `croupier convert`: what others read differently is told, and `--strict` writes what all read alike.

use crate::program;

const LAX: &str = "; a game\n(role a) (succ 1 2) (succ 2 3) (q 1) (q 2) (q 3)\n\
    (<= (legal a (k ?x)) (q ?x) (not (succ ?x ?_)))\n\
    (<= (legal a (l ?x)) (not (and (q ?x) (succ ?x 2))) (q ?x)) ; behind\n\
    (<= terminal (true over)) (next over) (goal a 50)\n";

#[test]
fn what_is_converted_strictly_passes_the_strict_check_in_both_syntaxes() {
    let program = program("converting-strict");
    let lax = program.file("lax.kif", LAX);
    assert_eq!(program.run(&["check", &lax, "--strict"]).code, 1);
    for syntax in ["kif", "infix"] {
        let strict = program.path(&format!("strict.{syntax}"));
        program.output(&["convert", &lax, "--to", syntax, "--strict", "-o", &strict]);
        let checked = program.run(&["check", &strict, "--strict"]);
        assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
        let trace = |file: &str| {
            let path = format!("{file}.trace");
            program.output(&["simulate", file, "-n", "3", "--seed", "1", "--trace", &path, "--force"]);
            std::fs::read_to_string(path).expect("a trace was written")
        };
        assert_eq!(trace(&strict), trace(&lax));
    }
    let text = program.output(&["convert", &lax, "--to", "kif", "--strict"]);
    assert!(text.starts_with("; a game\n") && text.contains("(not (succ ?x 2))) ; behind\n"), "{text}");
}

#[test]
fn what_is_converted_stays_and_is_told_where_others_read_it_differently() {
    let program = program("converting-plain");
    let lax = program.file("lax.kif", LAX);
    let converted = program.run(&["convert", &lax, "--to", "kif"]);
    assert_eq!(converted.code, 0);
    assert!(converted.stdout.contains("(not (and (q ?x) (succ ?x 2)))"), "{}", converted.stdout);
    for part in ["[anonymous-under-not]", "[nested-negation]", "[negation-before-binding]", "`--strict`"] {
        assert!(converted.stderr.contains(part), "{part}: {}", converted.stderr);
    }
    assert_eq!(program.run(&["convert", "tic-tac-toe", "--to", "kif"]).stderr, "");
}

#[test]
fn what_has_no_strict_form_is_refused_and_real_time_rules_stay() {
    let program = program("converting-refused");
    let worth = program.file("worth.kif", LAX.replace("(goal a 50)", "(goal a 150)"));
    let refused = program.refusal(&["convert", &worth, "--to", "kif", "--strict"]);
    assert!(refused.contains("no-strict-form") && refused.contains("goal-value"), "{refused}");
    let none = program.file("none.kif", "(role a) (<= (legal a ?x) (not (q ?x)))");
    assert!(
        program.refusal(&["convert", &none, "--to", "kif", "--strict"]).contains("the rules are no game")
    );
    let plain = program.output(&["convert", "chicken", "--to", "kif"]);
    let strict = program.run(&["convert", "chicken", "--to", "kif", "--strict"]);
    assert_eq!(strict.stdout, plain);
    assert!(strict.stderr.contains("real-time rules have no strict form"), "{}", strict.stderr);
    let refused = program.refusal(&["convert", "tic-tac-toe", "--to", "rtgdl", "--strict"]);
    assert!(refused.contains("the specification has no lifetimes"), "{refused}");
}
