//! Rules in requests: what it may cost to check them.

use std::time::Duration;

use serde_json::json;

use crate::{
    house::{House, as_it_is},
    wire::{Asked, ask},
};

/// Rules that nothing is wrong with.
const RULES: &str = "(role ann) (role ben) (legal ann m) (legal ben m) (goal ann 50) (goal ben 50) (init s)
    (<= (next over) (true s)) (<= terminal (true over))";

/// What the server answers to a post of the operator: the status, and the code of the problem.
fn post(house: &House, path: &str, body: &str) -> (u16, String) {
    let answer = ask(house.address, Asked { method: "POST", path, token: Some(&house.operator), body });
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn rules_beyond_the_budget_are_refused_wherever_a_request_brings_them() {
    let _as_it_is = as_it_is();
    // A budget of nothing is one that every check exceeds, on machines of any speed.
    let (poor, usual) = (House::with_check("budget-none", Duration::ZERO), House::new("budget-usual"));
    let random = json!({ "kind": "agent", "agent": "random" });
    let first = json!({ "kind": "agent", "agent": "first-legal" });
    let requests = [
        ("/v1/matches", json!({ "rules": RULES, "seats": { "ann": random, "ben": random } })),
        ("/v1/tournaments", json!({ "name": "brief", "rules": RULES, "entrants": [random, first] })),
        ("/v1/games", json!({ "name": "brief", "rules": RULES })),
    ];
    for (path, asked) in requests {
        let asked = asked.to_string();
        assert_eq!(post(&poor, path, &asked), (422, "too-costly".to_owned()), "{path}");
        assert_eq!(post(&usual, path, &asked), (201, String::new()), "{path}");
    }
}
