//! The legal moves that a seat asks for are those that follow from what it was told, whatever is hidden.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    evidence::{Finding, Watched, finding},
    house::House,
    wire::{Asked, ask},
};

/// A coin of which nobody is told how it lies; only the side that lies there can be picked up.
const COIN: &str = "(role random) (role guesser) (init tossed) (side heads) (side tails)
    (<= (legal random (toss ?side)) (true tossed) (side ?side)) (<= (legal random rest) (not (true tossed)))
    (<= (legal guesser wait) (true tossed)) (<= (legal guesser wait) (true (lies ?side)))
    (<= (legal guesser (pick ?side)) (true (lies ?side)))
    (<= (next (lies ?side)) (does random (toss ?side))) (<= (next done) (true (lies ?side)))
    (<= terminal (true done)) (goal guesser 50) (<= (sees guesser landed) (does random (toss ?side)))";

const PROVED: &str = "a seat is told the legal moves that it can prove";

/// What the guesser is told of its legal moves, turn by turn, and how the coin lay.
fn told(house: &House, seed: u64) -> Result<(Vec<Value>, bool), Finding> {
    let seats = json!({ "guesser": { "kind": "pull" } });
    let asked = json!({ "rules": COIN, "seats": seats, "seed": seed.to_string(), "cadence": "prompt" });
    let watched = Watched::make(house, &asked)?;
    let (path, token) = (watched.path("/seats/guesser"), watched.evidence.tokens["guesser"].clone());
    let (mut legal, mut after) = (Vec::new(), 0);
    loop {
        let next = format!("{path}?after={after}&legal=true");
        let polled = ask(house.address, Asked::get(&next, Some(&token))).json();
        let Some(frame) = polled["frames"].as_array().and_then(|frames| frames.last()) else {
            return Err(watched.abandon(finding(PROVED, format!("no frame: {polled}"))));
        };
        let said = match frame["type"].as_str() {
            Some("start") => json!({ "type": "ready" }),
            Some("play") => {
                legal.push(frame["legal"].clone());
                json!({ "type": "move", "turn": frame["turn"], "move": "wait" })
            }
            _ => break,
        };
        let body = said.to_string();
        ask(house.address, Asked { method: "POST", path: &path, token: Some(&token), body: &body });
        after = polled["after"].as_u64().unwrap_or(after);
    }
    Ok((legal, watched.end()?.record.contains("(toss heads)")))
}

/// What is wrong with the legal moves of a seat that may not know how a coin lies.
pub(crate) fn findings(house: &House) -> Result<Vec<Finding>, Finding> {
    let (mut found, mut sides) = (Vec::new(), BTreeSet::new());
    for seed in 0..6 {
        let (legal, is_heads) = told(house, seed)?;
        sides.insert(is_heads);
        if legal != [json!(["wait"]), Value::Null] {
            found.push(finding(PROVED, format!("heads: {is_heads}, told: {legal:?}")));
        }
    }
    if sides.len() < 2 {
        found.push(finding(PROVED, "the coin always lay the same way, so nothing was compared"));
    }
    Ok(found)
}

#[test]
fn legal_moves_that_a_seat_cannot_know_are_not_told() {
    let _as_it_is = crate::house::as_it_is();
    assert_eq!(findings(&House::new("legal-moves")), Ok(Vec::new()));
}
