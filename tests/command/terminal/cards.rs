//! Cards as people at a table talk of them: the board as it was dealt, and hands by class.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::program;

/// Ranks as classes name them, the strongest first.
const RANKS: [&str; 13] = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The cards behind `word` in a line of the table, if it has them.
fn behind<'t>(line: &'t str, word: &str) -> Option<Vec<&'t str>> {
    let (_, cards) = line.split_once(word)?;
    let cards = cards.split([';', ')']).next().unwrap_or_default();
    Some(cards.split_whitespace().collect())
}

#[test]
fn the_flop_turn_and_river_stay_in_the_order_in_which_they_came() {
    let program = program("terminal-board");
    let record = program.path("m.jsonl");
    // Whoever does not bet is at the river after five questions.
    let arguments =
        ["play", "holdem", "--seed", "3", "--seat", "1=human", "--seat", "2=call", "--record", &record];
    let played = program.run_with(&arguments, "call\ncheck\ncheck\ncheck\n").stdout;
    let replayed = json(&program.output(&["replay", &record, "--json"]));
    let turns = replayed["matches"][0]["turns"].as_array().expect("turns");
    let deals = turns.iter().filter_map(|turn| {
        let played = turn["moves"]["random"].as_str()?;
        Some(played.strip_prefix("(deal ")?.trim_end_matches(')').replace('t', "10"))
    });
    // Two cards go to each player.
    let dealt: Vec<String> = deals.skip(4).collect();
    let dealt: Vec<String> = dealt.iter().map(|card| card.to_uppercase()).collect();
    assert_eq!(dealt.len(), 5, "{played}");

    let tables = [
        played.clone(),
        program.output(&["replay", &record, "--table"]),
        program.output(&["replay", &record, "--table", "--role", "alice"]),
        program.output(&["belief", &record, "--role", "alice", "--turn", &turns.len().to_string()]),
    ];
    for text in &tables {
        // What is new in a turn stands in parentheses, by itself.
        let lines = text.lines().filter(|line| !line.starts_with("turn"));
        let boards: Vec<Vec<&str>> = lines.filter_map(|line| behind(line, "; board ")).collect();
        assert!(boards.iter().any(|board| board.len() == 5), "{text}");
        for board in boards {
            let board: Vec<String> = board.iter().map(|card| card.to_uppercase()).collect();
            assert_eq!(board, dealt[..board.len()], "{text}");
        }
    }
    // Hands are sorted: the rank that is listed first comes first.
    let last = played.lines().rev().find(|line| line.trim().starts_with("Alice  ")).expect("her row");
    let cards: Vec<&str> = last.split_whitespace().rev().take(2).collect();
    let place = |card: &str| {
        let rank = card[..card.len() - 1].replace("10", "T");
        RANKS.iter().position(|known| *known == rank).unwrap_or_else(|| panic!("{last}"))
    };
    assert!(place(cards[1]) <= place(cards[0]), "{last}");
}

/// The class of two cards such as `as` and `kd`.
fn class(one: &str, other: &str) -> String {
    let rank = |card: &str| card[..1].to_uppercase();
    let place = |card: &str| RANKS.iter().position(|known| *known == rank(card)).expect("a rank");
    let (high, low) = if place(one) <= place(other) { (one, other) } else { (other, one) };
    let suits = match (rank(one) == rank(other), one[1..] == other[1..]) {
        (true, _) => "",
        (false, true) => "s",
        (false, false) => "o",
    };
    format!("{}{}{suits}", rank(high), rank(low))
}

#[test]
fn what_a_hand_of_holdem_may_be_is_told_by_class_with_the_share_of_whole_hands() {
    let program = program("terminal-classes");
    let record = program.path("m.jsonl");
    program.output(&[
        "play", "holdem", "--seed", "3", "--seat", "1=call", "--seat", "2=random", "--record", &record,
    ]);
    let arguments = ["belief", &record, "--role", "alice", "--turn", "4"];
    let belief = json(&program.output(&[&arguments[..], &["--json"]].concat()));
    assert_eq!(belief["method"], "exact");
    // All hands of two of the 50 cards that Alice does not hold are equally likely.
    let own: Vec<&str> =
        belief["certain"].as_array().expect("fluents").iter().filter_map(Value::as_str).collect();
    let is_own = |card: &str| own.contains(&format!("(hand alice {card})").as_str());
    let deck: Vec<String> = RANKS
        .iter()
        .flat_map(|rank| ["s", "h", "d", "c"].map(|suit| format!("{}{suit}", rank.to_lowercase())))
        .filter(|card| !is_own(card))
        .collect();
    assert_eq!(deck.len(), 50);
    let mut expected: BTreeMap<String, f64> = BTreeMap::new();
    for (place, one) in deck.iter().enumerate() {
        for other in &deck[place + 1..] {
            *expected.entry(class(one, other)).or_default() += 1.0 / 1225.0;
        }
    }
    let told = belief["classes"].as_array().expect("classes");
    assert_eq!(told.len(), expected.len());
    assert_eq!(told[0]["class"], "AA", "the strongest comes first");
    for told in told {
        assert_eq!(told["of"], "(hand bob ?card)");
        let (class, share) = (told["class"].as_str().expect("a class"), told["probability"].as_f64());
        assert!((share.expect("a number") - expected[class]).abs() < 1e-9, "{told}");
    }

    let text = program.output(&arguments);
    let words = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(words.contains("0.98 % each Bob holds AKo"), "{text}");
    assert!(words.contains("0.49 % each Bob holds AA KK"), "{text}");
    assert!(words.contains("% Bob holds a pair"), "{text}");
    // No card by itself.
    assert!(!words.contains("4.00 % each"), "{text}");
}

#[test]
fn where_suits_matter_hands_are_told_card_by_card() {
    let program = program("terminal-suits");
    let record = program.path("m.jsonl");
    program.output(&["play", "hearts-small", "--seed", "4", "--record", &record, "--seat", "1=random"]);
    // Two cards are dealt to each; it matters whether one of them is a heart.
    let arguments = ["belief", &record, "--role", "alice", "--turn", "6"];
    let belief = json(&program.output(&[&arguments[..], &["--json"]].concat()));
    assert_eq!(belief["classes"], Value::Array(Vec::new()));
    assert!(program.output(&arguments).contains("Bob holds Ks"));
}

#[test]
fn few_hands_are_told_card_by_card() {
    let program = program("terminal-few-hands");
    let record = program.path("m.jsonl");
    program.output(&["play", "kuhn", "--seed", "2", "--seat", "1=raise", "--record", &record]);
    let belief = json(&program.output(&["belief", &record, "--role", "bob", "--turn", "3", "--json"]));
    assert_eq!(belief["classes"], Value::Array(Vec::new()));
}

#[test]
fn who_believes_is_named_as_everywhere_else() {
    let program = program("terminal-believer");
    let record = program.path("m.jsonl");
    program.output(&["play", "kuhn", "--seed", "2", "--seat", "1=raise", "--record", &record]);
    let text = program.output(&["belief", &record, "--role", "bob", "--turn", "3"]);
    assert!(text.contains("what Bob could believe") && text.contains("agree with what Bob knows"), "{text}");
    assert!(!text.contains("bob"), "{text}");
}
