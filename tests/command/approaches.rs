//! What `--json` says of a player that has several ways to decide: which it took, why, and how often.

use serde_json::{Value, json};

use crate::program;

fn value(name: &str, arguments: &[&str]) -> Value {
    serde_json::from_str(&program(name).output(&[arguments, &["--seed", "1", "--json"]].concat()))
        .expect("JSON")
}

/// In which ways one role decided, with the number of its decisions.
fn ways(played: &Value, role: &str) -> Vec<(String, u64)> {
    let ways = played["approaches"][role].as_array().expect("several ways");
    let way = |way: &Value| {
        let name = way["approach"].as_str().expect("a word").to_owned();
        assert!(way["why"].as_str().is_some_and(|why| why.starts_with("the game ")), "{way}");
        (name, way["decisions"].as_u64().expect("a count"))
    };
    ways.iter().map(way).collect()
}

#[test]
fn the_default_player_says_how_it_decides_and_why() {
    let expected: [(&str, &str, &str, &str); 5] = [
        ("kuhn", "alice", "resolve", "equilibrium"),
        ("connect-four", "red", "resolve:descents=20", "uct"),
        ("phantom-tic-tac-toe", "x", "resolve:descents=20", "pooled-ismcts"),
        ("holdem", "alice", "resolve", "blueprint"),
        ("leduc", "alice", "resolve:histories=1,deals=1", "deals"),
    ];
    for (game, role, player, way) in expected {
        let seat = format!("{role}={player}");
        let arguments = ["play", game, "--seat", &seat, "--seat", "2=random", "--matches", "3"];
        let played = value("approaches", &arguments);
        let taken = ways(&played, role);
        assert!(matches!(taken.as_slice(), [(name, 1..)] if name == way), "{game}: {taken:?}");
        assert_eq!(played["approaches"].as_object().expect("an object").len(), 1, "random has only one way");
    }
}

#[test]
fn every_decision_that_is_measured_is_counted() {
    let measured = value(
        "approaches-evaluate",
        &["evaluate", "leduc", "--player", "resolve:histories=1,deals=0,subgame=1,descents=2"],
    );
    let expected = json!([{
        "approach": "pooled-ismcts",
        "why": "the game has more than 1 histories, and deals=0 rules out sampled deals",
        "decisions": measured["decisions"],
    }]);
    assert_eq!(measured["approaches"], expected);
    let other = value("approaches-evaluate", &["evaluate", "kuhn", "--player", "call"]);
    assert_eq!(other["approaches"], Value::Null);
}
