//! Goals below 0 and above 100, as games that are scored in chips have them.

use serde_json::Value;

use crate::program;

/// Ann takes chips and ben pays them; no payoff map says what they are.
const CHIPS: &str = "(role ann) (role ben) (init start) (stake 40 -40) (stake 300 -300) (stake -20 20)
(<= (legal ann (take ?won)) (stake ?won ?lost)) (legal ben wait)
(<= (next (took ?won)) (does ann (take ?won))) (<= terminal (true (took ?won)))
(<= (sees ben (took ?won)) (does ann (take ?won))) (<= (sees ann done) (true start))
(<= (goal ann ?won) (true (took ?won))) (<= (goal ben ?lost) (true (took ?won)) (stake ?won ?lost))";

#[test]
fn negative_goals_and_goals_above_100_are_played_with_a_warning_and_refused_where_strict() {
    let program = program("goals-chips");
    let game = program.file("chips.gdl", CHIPS);
    let warns = |stderr: &str| stderr.contains("warning[goal-value]: the rules gave a goal of ");
    let value = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    for agent in ["first-legal", "belief:iterations=60", "ismcts:iterations=60", "resolve"] {
        let seat = format!("1={agent}");
        let ended =
            program.run(&["play", &game, "--seat", &seat, "--seat", "2=random", "--seed", "1", "--json"]);
        assert!(ended.code == 0 && warns(&ended.stderr), "{agent}: {}", ended.stderr);
        let played = &value(&ended.stdout)["matches"][0];
        assert_eq!(played["status"], "terminal", "{agent}");
        // In canonical order -20 comes first; who looks ahead takes the most.
        let expected = if agent == "first-legal" { (-20, 20) } else { (300, -300) };
        assert_eq!(
            (&played["goals"]["ann"], &played["goals"]["ben"]),
            (&expected.0.into(), &expected.1.into())
        );
    }
    for engine in ["propnet", "datalog"] {
        let arguments =
            ["simulate", &game, "--playouts", "3000", "--engine", engine, "--seed", "1", "--json"];
        let ended = program.run(&arguments);
        assert!(ended.code == 0 && warns(&ended.stderr), "{engine}: {}", ended.stderr);
        let found = value(&ended.stdout);
        assert_eq!((&found["completed"], &found["failed"]), (&3_000.into(), &0.into()), "{engine}");
        let goals = found["roles"]["ben"]["distribution"].as_object().expect("counts by goal");
        assert_eq!(goals.keys().map(String::as_str).collect::<Vec<_>>(), ["-300", "-40", "20"], "{engine}");
        // A third each of -300, -40 and 20; the interval is not cut off at the bounds of the language.
        let [low, high] =
            [0, 1].map(|end| found["roles"]["ben"]["interval_95"][end].as_f64().expect("a number"));
        assert!(low < -320.0 / 3.0 && -320.0 / 3.0 < high && high - low < 20.0, "{engine}: {low} {high}");
    }
    let tournament = program.run(&["tournament", &game, "--players", "first-legal,random", "--matches", "2"]);
    assert!(tournament.code == 0 && warns(&tournament.stderr), "{}", tournament.stderr);
    let solved = value(&program.output(&["evaluate", &game, "--player", "first-legal", "--json"]));
    assert_eq!(solved["roles"]["ann"]["best_response"], 300.0, "{solved}");
    assert_eq!(solved["roles"]["ann"]["value"], -20.0, "{solved}");
    // The strict reading is that of the language.
    assert_eq!(program.run(&["check", &game]).code, 0);
    let strict = program.run(&["check", &game, "--strict"]);
    assert_ne!(strict.code, 0);
    assert!(strict.stdout.contains("goal-out-of-range"), "{}", strict.stdout);
}

#[test]
fn a_goal_that_is_no_number_still_ends_the_match_with_an_error() {
    let program = program("goals-words");
    let game = program.file("words.gdl", CHIPS.replace("300", "much"));
    let arguments = ["play", &game, "--seat", "1=random", "--seat", "2=random", "-n", "40", "--seed", "1"];
    let ended = program.run(&arguments);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
    assert!(ended.stderr.contains("goal much, which is not a whole number"), "{}", ended.stderr);
}
