//! Every order of events to a depth.

use std::collections::BTreeSet;

use croupier_session::{SessionEvent, SessionStage};

use crate::{
    tables::{FAMILY, events, terms},
    witness::Witness,
};

/// Walks every order of events; states that are equal go on in the same way and are walked once. How many there are, and
/// how many of them are over.
fn walk(seats: usize, session: &str, depth: usize) -> (usize, usize) {
    let mut layer = vec![Witness::new(terms(seats, session))];
    let (mut known, mut over) = (BTreeSet::new(), 0);
    for _ in 0..depth {
        let mut next = Vec::new();
        for witness in &layer {
            let mut taken = 0;
            for event in events(&witness.session) {
                let mut other = witness.clone();
                if other.step(&event).is_err() {
                    continue;
                }
                other.kill();
                taken += 1;
                // Its text says all of a state but its secrets, which are the same everywhere.
                if known.insert(format!("{:?}", other.session)) {
                    over += usize::from(other.session.stage() == SessionStage::Over);
                    next.push(other);
                }
            }
            let is_rematched = witness.events.last() == Some(&SessionEvent::Rematched);
            assert!(taken > 0 || is_rematched, "something can happen to every session that is not over");
        }
        layer = next;
    }
    (known.len(), over)
}

#[test]
fn two_seats_of_a_cash_table() {
    let session = format!("until = 'host'\naway = 'sit out'{FAMILY}\nrebuy = 'always'");
    let (states, over) = walk(2, &session, 8);
    assert!(states > 1_500 && over > 100, "{states} states, {over} of them over");
}

#[test]
fn two_seats_until_one_is_left() {
    let session = format!("until = 'one left'{FAMILY}");
    let (states, over) = walk(2, &session, 9);
    assert!(states > 1_000 && over > 100, "{states} states, {over} of them over");
}

#[test]
fn two_seats_of_a_game_without_chips() {
    let (states, over) = walk(2, "until = 'any wins >= 2 or matches = 3'", 6);
    // Deeper there is nothing new: these are all the states of the session.
    assert!(states > 500 && over > 80, "{states} states, {over} of them over");
}

#[test]
fn three_seats() {
    let session = format!("until = 'host'\naway = 'sit out'{FAMILY}\nrebuy = 'until level 2'");
    let (states, over) = walk(3, &session, 6);
    assert!(states > 1_000 && over > 30, "{states} states, {over} of them over");
}
