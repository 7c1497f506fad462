//! Bomb party: who has it at the end.

use crate::{games::compiled, play::Play};

const GUESTS: [&str; 3] = ["ann", "bob", "cat"];

#[test]
fn handed_round_every_0_6_seconds_it_goes_off_where_arithmetic_says() {
    let game = compiled("bomb-party");
    for first in 0..3 {
        // As `game.toml` says: counted from the first.
        for (fuse, loser) in [(2, 0), (3, 1), (4, 0), (5, 2), (6, 0)] {
            let mut play = Play::new(&game, &[&format!("(light {fuse} {})", GUESTS[first])]);
            let mut holder = first;
            for turn in 1..=20 {
                let next = (holder + 1) % 3;
                play.at(turn * 600_000, &[(GUESTS[holder], &format!("(hand_to {})", GUESTS[next]))]);
                holder = next;
            }
            let mut expected = [100; 3];
            expected[(first + loser) % 3] = 0;
            assert_eq!(play.run_out(), expected, "{first} {fuse}");
            assert_eq!(play.now(), fuse as u64 * 1_000_000);
        }
    }
}

#[test]
fn it_cannot_be_handed_on_within_half_a_second_nor_by_anybody_else() {
    let game = compiled("bomb-party");
    let mut play = Play::new(&game, &["(light 3 ann)"]);
    assert_eq!(play.at(500_000, &[("ann", "(hand_to bob)")]), 0);
    assert_eq!(play.legal("bob"), [""; 0]);
    assert_eq!(play.at(500_001, &[("ann", "(hand_to bob)"), ("bob", "(hand_to cat)")]), 1);
    assert_eq!(play.at(1_000_001, &[("bob", "(hand_to ann)")]), 0);
    assert_eq!(play.at(1_000_002, &[("bob", "(hand_to ann)")]), 1);
    for guest in GUESTS {
        let told: Vec<&str> = play.told(guest).iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(told, ["(has_it ann)", "(has_it bob)", "(has_it ann)"]);
    }
    assert_eq!(play.run_out(), [0, 100, 100]);
}

#[test]
fn who_keeps_it_loses() {
    let game = compiled("bomb-party");
    for fuse in 2..=6 {
        let mut play = Play::new(&game, &[&format!("(light {fuse} cat)")]);
        assert_eq!(play.run_out(), [100, 100, 0]);
    }
}
