//! What players and spectators are told is a function of what they may know, to the byte.

use std::time::Duration;

use crate::{
    host::Host,
    house::{House, as_it_is},
    judge, pulled,
    pushed::{self, Hidden},
};

#[test]
fn every_byte_to_a_player_that_is_called_is_a_function_of_its_view() {
    let _guard = as_it_is();
    let (house, host) = (House::new("pushed"), Host::new());
    let one = pushed::play(&house, &host, "pushed", Hidden::ONE).unwrap();
    let other = pushed::play(&house, &host, "pushed", Hidden::OTHER).unwrap();
    assert_eq!(judge::of_pushed(&one), []);
    assert_eq!(judge::of_pushed(&other), []);
    assert_eq!(judge::of_pair(&one, &other, "alice"), []);
    assert!(one.captures.len() == 14 && one.pages.len() > 30, "{} {}", one.captures.len(), one.pages.len());
}

#[test]
fn in_every_dialect_the_same_view_makes_the_message() {
    let _guard = as_it_is();
    let (house, host) = (House::new("dialects"), Host::new());
    for dialect in ["gdl2-2011", "sees"] {
        let evidence = pushed::play_in(dialect, &house, &host, dialect, Hidden::ONE).unwrap();
        assert_eq!(judge::of_pushed(&evidence), [], "{dialect}");
    }
}

#[test]
fn nothing_that_another_player_does_wrong_changes_a_byte_for_a_role() {
    let _guard = as_it_is();
    let (house, host) = (House::new("conduct"), Host::new());
    let one = pushed::play(&house, &host, "conduct", Hidden::ONE).unwrap();
    for (card, is_wrong, pause_ms) in [(0, false, 30), (1, true, 0), (2, false, 0), (3, true, 10)] {
        let hidden = Hidden { card, is_wrong, pause: Duration::from_millis(pause_ms) };
        let other = pushed::play(&house, &host, "conduct", hidden).unwrap();
        assert_eq!(judge::of_pair(&one, &other, "alice"), [], "{hidden:?}");
    }
}

#[test]
fn every_byte_to_a_player_that_connects_is_a_function_of_its_view() {
    let _guard = as_it_is();
    let house = House::new("pulled");
    assert_eq!(judge::of_pulled(&pulled::play(&house, "pulled").unwrap(), false), []);
}

#[test]
fn spectators_of_an_open_match_see_a_turn_when_it_is_over_and_not_before() {
    let _guard = as_it_is();
    let house = House::new("open");
    let (evidence, between) = pulled::play_openly(&house).unwrap();
    assert_eq!(judge::of_pulled(&evidence, true), []);
    assert_eq!(judge::feed_between(&between), []);
}
