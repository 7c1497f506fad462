//! A server that dies at the n-th effect of a match, for every n until the match is over before it.

use std::{thread, time::Duration};

use croupier_tests::{postgres::empty_database, size};

use crate::{
    expected::{check, interruptions},
    players::Players,
    server::{Home, asked},
};

/// Runs a match with a server that dies at each numbered place in turn; how many places there were.
fn dies_at_every_effect(
    name: &str,
    store: impl Fn() -> Option<String>,
    turns: u32,
    stride: usize,
) -> Option<u64> {
    let players = Players::start(2, Duration::ZERO);
    let (mut deaths, mut resumed) = (0, 0);
    for place in (1..).step_by(stride) {
        let home = Home::new(&format!("effects-{name}"), &store()?);
        let seed = place;
        let match_ = asked(&players, turns, seed);
        let first = home.serve_until(place);
        let mut ids: Vec<String> = first.iter().filter_map(|server| server.create(&match_)).collect();
        let record = ids.first().and_then(|id| first.as_ref()?.record(id));
        let has_died = first.is_none_or(|mut server| {
            // The last places are behind the record's last line: whoever asks for it may be faster.
            (0..20).any(|_| {
                thread::sleep(Duration::from_millis(5));
                server.has_ended().is_some()
            })
        });
        if !has_died {
            let text = record.expect("a server that lives tells the record");
            check(&text, seed, &players.told(&ids[0]));
            println!("{name}: {} places, {deaths} deaths, {resumed} matches resumed", place - 1);
            return Some(place);
        }
        deaths += 1;
        let server = home.serve().expect("a server that nothing stops");
        // Whoever made the match may not have heard of it.
        ids.extend(server.list());
        let id = ids.first().cloned().or_else(|| server.create(&match_)).expect("a match");
        let text = server.record(&id).expect("a server that lives");
        if let Some(before) = record {
            assert_eq!(before, text, "what was told once stays so");
        }
        resumed += usize::from(interruptions(&text) > 0);
        check(&text, seed, &players.told(&id));
    }
    None
}

#[test]
fn a_match_ends_the_same_whichever_effect_its_server_dies_at() {
    let (turns, stride) = size((2, 7), (4, 1));
    let places = dies_at_every_effect("sqlite", || Some("croupier.db".to_owned()), turns, stride);
    assert!(places.is_some_and(|places| places > 30), "{places:?}");
}

#[test]
fn a_match_on_postgresql_ends_the_same_whichever_effect_its_server_dies_at() {
    let (turns, stride) = size((1, 23), (4, 1));
    let Some(places) = dies_at_every_effect("postgres", empty_database, turns, stride) else { return };
    assert!(places > 20, "{places}");
}
