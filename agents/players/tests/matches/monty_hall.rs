//! Monty Hall: whoever believes rightly switches.

use crate::referee::{MONTY_HALL, game, play, role};

/// Cars won in 200 matches.
fn cars(kind: &str) -> u32 {
    let game = game(MONTY_HALL);
    let candidate = role(&game, "candidate");
    let goals = (0..200).map(|seed| play(&game, &[kind], seed, |_, _| ())[candidate].value());
    goals.filter(|&goal| goal == 100).count() as u32
}

#[test]
fn switching_wins_two_times_in_three_and_chance_one_time_in_two() {
    // Three and a half standard deviations of 200 matches are 23 cars at 2/3 and 25 at 1/2.
    let believing = cars("belief:iterations=300,particles=100");
    assert!((110..=156).contains(&believing), "{believing}");
    let random = cars("random");
    assert!((75..=125).contains(&random), "{random}");
    // choose, then stay or switch: the first of each never switches.
    let staying = cars("first-legal");
    assert!(staying < believing, "{staying}");
}

#[test]
fn the_believing_candidate_switches() {
    let game = game(MONTY_HALL);
    let [stay, switch] = ["stay", "switch"].map(|text| game.move_id(text).unwrap());
    let mut switched = 0;
    for seed in 0..100 {
        play(&game, &["belief"], seed, |_, decision| {
            if [stay, switch].contains(&decision.chosen) {
                switched += u32::from(decision.chosen == switch);
            }
        });
    }
    // Playouts win 2/3 against 1/3: 300 of them mistake the better move less often than once in a hundred.
    assert!(switched >= 97, "{switched}");
}
