//! Beliefs as drawings, and what decisions gave up.

use serde_json::Value;

use crate::program;

#[test]
fn a_review_says_what_a_call_with_the_jack_gave_up() {
    let program = program("review");
    let record = program.path("m.jsonl");
    // Alice bets with whatever she has, and Bob calls; with this seed he holds the jack.
    program.output(&[
        "play",
        "kuhn",
        "--seed",
        "2",
        "--seat",
        "alice=raise",
        "--seat",
        "bob=raise",
        "--record",
        &record,
    ]);
    let told = program.output(&["review", &record, "--role", "bob", "--json"]);
    let review: Value = serde_json::from_str(&told).expect("JSON");
    let decisions = review["decisions"].as_array().expect("a list");
    assert_eq!(decisions.len(), 1, "{told}");
    let decision = &decisions[0];
    assert_eq!((&decision["turn"], &decision["played"]), (&Value::from(3), &Value::from("bet")));
    assert_eq!((&decision["method"], &decision["error"]), (&Value::from("exact"), &Value::Null));
    // A call loses two chips and a fold one; a chip is worth 25.
    let given_up = decision["given_up"].as_f64().expect("a number");
    assert!((given_up - 25.0).abs() < 1e-9, "{told}");
    let said = program.output(&["review", &record, "--role", "bob"]);
    assert!(said.contains("which gave up 1.00 chips") && said.contains("best player: equilibrium"), "{said}");
    let page = program.path("review.html");
    program.output(&["review", &record, "--role", "bob", "--html", &page]);
    let html = String::from_utf8(program.contents("review.html")).expect("text");
    assert!(html.contains("gave up 1.00 chips") && !html.contains(" style="), "{html}");
}

#[test]
fn a_belief_is_drawn_into_files_that_are_not_replaced_unasked() {
    let program = program("drawn-belief");
    let record = program.path("m.jsonl");
    program.output(&["play", "kuhn", "--seed", "2", "--seat", "alice=raise", "--record", &record]);
    let (svg, html) = (program.path("b.svg"), program.path("b.html"));
    let belief = ["belief", &record, "--role", "bob", "--turn", "3"];
    let drawn = ["--svg", &svg, "--html", &html];
    let plain = program.output(&belief);
    let said = program.output(&[&belief[..], &drawn[..]].concat());
    assert_eq!(plain, said, "drawings change nothing of what is said");
    let svg = String::from_utf8(program.contents("b.svg")).expect("text");
    let html = String::from_utf8(program.contents("b.html")).expect("text");
    for drawn in [&svg, &html] {
        assert!(drawn.contains("exact, 2 histories; model of the others: uniform play"), "{drawn}");
        assert!(drawn.contains("the king, Alice: 50 %") && !drawn.contains(" style="), "{drawn}");
    }
    assert!(html.contains("Content-Security-Policy"));
    let refused = program.run(&[&belief[..], &drawn[..]].concat());
    assert_ne!(refused.code, 0);
    program.output(&[&belief[..], &drawn[..], &["--force"]].concat());
}
