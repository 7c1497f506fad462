//! A role that nobody sees, put into every game of the catalogue: what it does changes no byte for anybody else.
//!
//! Two matches that differ only in its moves look the same to everybody else by construction, so that no pair has to be
//! searched for. What it does is remembered in fluents of all sizes, which nothing reads.

use std::{fmt::Write as _, sync::Arc};

use croupier_tests::{size, source::words};
use serde_json::json;

use crate::{
    evidence::{Evidence, Finding, Watched, finding},
    host::{Host, Said, Script},
    house::{House, as_it_is},
    ideal::sent,
    judge,
    wire::Stream,
};

/// What the ghost may turn over.
const PEBBLES: [&str; 4] = ["0", "1", "(odd (odd north 17) (odd 17 north))", "9999999999999999999999"];

/// Rules with a role that sees nothing and is seen by nobody.
///
/// Rules of the game that speak of any role, or of any role's move, speak of all roles but the ghost.
fn haunted(source: &str) -> String {
    let is_of_full_sight =
        !sent(source).contains("(<= (sees ") || sent(source).contains("(<= (sees ?r (did ?q ?m))");
    let text = sent(source).replace(" (<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))", "");
    let mut rules = String::new();
    let (mut depth, mut before) = (0_usize, "");
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    for word in spaced.split_whitespace() {
        // Facts are at depth 1, and conclusions of rules follow the arrow.
        let word_here = match word {
            "role" if before == "(" && depth > 1 => "mortal",
            "does" if before == "(" && depth > 1 => "mortal_does",
            other => other,
        };
        match word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        write!(rules, "{word_here} ").unwrap();
        if depth == 0 {
            rules.push('\n');
        }
        before = word;
    }
    for role in roles(&text) {
        writeln!(rules, "(mortal {role})").unwrap();
    }
    rules.push_str("(<= (mortal_does ?r ?m) (mortal ?r) (does ?r ?m))\n");
    if is_of_full_sight {
        rules.push_str("(<= (sees ?r (did ?q ?m)) (mortal ?r) (mortal_does ?q ?m))\n");
    }
    rules.push_str("(role ghost) (goal ghost 50)\n(<= (legal ghost (flip ?m)) (pebble ?m))\n");
    for pebble in PEBBLES {
        writeln!(rules, "(pebble {pebble})").unwrap();
    }
    rules.push_str(
        "(<= (next (ghost_memory ?m)) (does ghost (flip ?m)))
         (<= (next (ghost_memory ?m)) (true (ghost_memory ?m)))
         (<= (next (ghost_weight ?m ?x ?y)) (does ghost (flip ?m)) (distinct ?m 0) (pebble ?x) (pebble ?y))
         (<= (next (ghost_weight ?m ?x ?y)) (true (ghost_weight ?m ?x ?y)))\n",
    );
    if text.contains("(base ") {
        rules.push_str(
            "(<= (base (ghost_memory ?m)) (pebble ?m))
             (<= (base (ghost_weight ?m ?x ?y)) (pebble ?m) (pebble ?x) (pebble ?y))\n",
        );
    }
    if text.contains("(input ") {
        rules.push_str("(<= (input ghost (flip ?m)) (pebble ?m))\n");
    }
    rules
}

/// The roles of rules on one line, `random` included.
fn roles(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut roles = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => {
                if depth == 0 && text[at..].starts_with("(role ") {
                    let name = text[at + "(role ".len()..].split(')').next().unwrap_or_default();
                    roles.push(name.trim().to_owned());
                }
                depth += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    roles
}

/// Where players are raised to: they begin together, and are left where the match is ended.
const BEGIN: u32 = 1;
const END: u32 = 2;

/// Everybody's moves are drawn for them, from the same seed in each match; the ghost's are its own.
fn script(turns: usize, flips: [usize; 2]) -> Script {
    Arc::new(move |role: &str, number: usize| match (role, number) {
        (_, 0) => Said::At(BEGIN, "READY".to_owned()),
        (_, number) if number > turns => Said::At(END, "over".to_owned()),
        ("ghost", _) => Said::Now(format!("(flip {})", PEBBLES[flips[number % 2]])),
        _ => Said::Now("nonsense".to_owned()),
    })
}

/// Plays so many turns of a haunted game.
fn play(
    house: &House,
    host: &Host,
    rules: &str,
    turns: usize,
    flips: [usize; 2],
) -> Result<Evidence, Finding> {
    host.begin(script(turns, flips));
    let roles = roles(&sent(rules));
    let roles: Vec<&str> = roles.iter().map(String::as_str).filter(|role| *role != "random").collect();
    let address = format!("http://{}", host.address);
    let seats = roles.iter().map(|role| ((*role).to_owned(), json!({ "kind": "push", "address": address })));
    let asked = json!({
        "rules": rules,
        "seats": seats.collect::<serde_json::Map<_, _>>(),
        "seed": "7",
        "start_clock_ms": 60_000,
        "play_clock_ms": 60_000,
    });
    let watched = Watched::make(house, &asked)?;
    let stuck = || finding("every role is told everything", "a message has not come");
    if !host.await_messages(&roles, 1) {
        return Err(watched.abandon(stuck()));
    }
    let spectator = Stream::follow(house.address, &watched.path("/events"), "application/x-ndjson");
    host.raise(BEGIN);
    if !host.await_messages_or_end(&roles, turns + 2) {
        return Err(watched.abandon(stuck()));
    }
    watched.stop();
    let mut evidence = watched.end()?;
    host.raise(END);
    evidence.captures = host.captures(&roles).ok_or_else(stuck)?;
    evidence.spectator = Some(spectator.end());
    Ok(evidence)
}

#[test]
fn what_a_role_that_nobody_sees_does_changes_no_byte_for_anybody_else() {
    let _guard = as_it_is();
    // A third of the games, and their first turns; all of them, and far into the match, with `CROUPIER_SLOW=1`.
    let (turns, stride) = size((2, 3), (40, 1));
    let (house, host) = (House::new("ghost"), Host::new());
    let mut messages = 0;
    for entry in croupier_games::catalogue().iter().step_by(stride) {
        let rules = haunted(entry.rules);
        let one = play(&house, &host, &rules, turns, [0, 0])
            .unwrap_or_else(|why| panic!("{}: {why:?}", entry.name));
        let other = play(&house, &host, &rules, turns, [3, 2])
            .unwrap_or_else(|why| panic!("{}: {why:?}", entry.name));
        for role in roles(&sent(&rules)).iter().filter(|role| !["random", "ghost"].contains(&role.as_str())) {
            assert_eq!(judge::of_pair(&one, &other, role), [], "{}", entry.name);
            let asked = |evidence: &Evidence| evidence.captures.iter().filter(|it| it.role == *role).count();
            assert!(asked(&one) >= 3, "{}: {role}", entry.name);
            messages += asked(&one);
        }
        let of_ghost =
            |evidence: &Evidence| evidence.record.lines().filter(|line| line.contains("(flip ")).count();
        assert!(of_ghost(&one) > 0 && one.record != other.record, "{}: the ghost moves", entry.name);
    }
    println!("{messages} messages, each the same in two matches");
}

#[test]
fn a_ghost_is_left_out_of_every_rule_of_a_game() {
    let text = "(role a) (role b) (<= (legal ?r m) (role ?r)) (<= (sees ?r ?m) (does a ?m) (role ?r)) (<= terminal (true x))";
    let rules = haunted(text);
    assert_eq!(roles(&sent(&rules)), ["a", "b", "ghost"]);
    assert!(sent(&rules).contains("(<= (sees ?r ?m) (mortal_does a ?m) (mortal ?r))"), "{rules}");
    assert!(words(&rules).any(|word| word == "pebble"));
}
