//! Reaction: the quicker one wins, whenever the light goes on.

use crate::{games::compiled, play::Play};

/// Delays in halves of a second, as the rules write them.
const DELAYS: [(&str, u64); 8] = [
    ("1", 1_000_000),
    ("1.5", 1_500_000),
    ("2", 2_000_000),
    ("2.5", 2_500_000),
    ("3", 3_000_000),
    ("3.5", 3_500_000),
    ("4", 4_000_000),
    ("4.5", 4_500_000),
];

/// Goals of ann and bob if they press at these instants.
fn outcome(delay: &str, ann: u64, bob: u64) -> Vec<i32> {
    let game = compiled("reaction");
    let mut play = Play::new(&game, &[&format!("(wait {delay})")]);
    match ann.cmp(&bob) {
        std::cmp::Ordering::Less => play.at(ann, &[("ann", "press")]),
        std::cmp::Ordering::Equal => play.at(ann, &[("ann", "press"), ("bob", "press")]),
        std::cmp::Ordering::Greater => play.at(bob, &[("bob", "press")]),
    };
    play.run_out()
}

#[test]
fn who_presses_sooner_after_the_light_always_wins() {
    let after = [0, 1, 1_000, 150_000, 200_000, 200_001, 1_999_999, 2_000_000];
    for (delay, light) in DELAYS {
        for ann in after {
            for bob in after {
                let expected = match ann.cmp(&bob) {
                    std::cmp::Ordering::Less => [100, 0],
                    std::cmp::Ordering::Equal => [50, 50],
                    std::cmp::Ordering::Greater => [0, 100],
                };
                assert_eq!(outcome(delay, light + ann, light + bob), expected, "{delay} {ann} {bob}");
            }
        }
    }
}

#[test]
fn who_presses_in_the_dark_loses_and_who_does_not_press_draws() {
    for (delay, light) in DELAYS {
        assert_eq!(outcome(delay, light - 1, light), [0, 100]);
        assert_eq!(outcome(delay, light, light - 1), [100, 0]);
        assert_eq!(outcome(delay, light - 1, light - 1), [50, 50]);
        assert_eq!(outcome(delay, light + 2_000_001, light + 2_000_001), [50, 50]);
        assert_eq!(outcome(delay, light + 2_000_000, light + 2_000_001), [100, 0]);
    }
}

#[test]
fn a_guess_after_two_and_a_quarter_seconds_wins_one_time_in_eight() {
    let wins = DELAYS.iter().filter(|(delay, light)| outcome(delay, 2_250_000, light + 300_000) == [100, 0]);
    assert_eq!(wins.map(|(delay, _)| *delay).collect::<Vec<_>>(), ["2"]);
}

#[test]
fn the_light_is_seen_by_both_when_it_goes_on_and_nothing_before() {
    let game = compiled("reaction");
    for (delay, light) in DELAYS {
        let mut play = Play::new(&game, &[&format!("(wait {delay})")]);
        play.at(light + 180_000, &[("bob", "press")]);
        for player in ["ann", "bob"] {
            let known = [(light, "light".to_owned()), (light + 180_000, "(presses bob)".to_owned())];
            assert_eq!(play.told(player), known);
        }
    }
}
