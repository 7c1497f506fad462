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
    let searching = ["belief", "uct", "hyperplay", "hyperplay-ii", "ismcts", "mo-ismcts"];
    let cars_of = searching.map(cars);
    for (kind, cars) in searching.into_iter().zip(cars_of) {
        assert!((110..=156).contains(&cars), "{kind}: {cars}");
    }
    let random = cars("random");
    assert!((75..=125).contains(&random), "{random}");
    // choose, then stay or switch: the first of each never switches.
    let staying = cars("first-legal");
    assert!(cars_of.iter().all(|&cars| staying < cars), "{staying}");
}

#[test]
fn whoever_searches_switches() {
    let game = game(MONTY_HALL);
    let [stay, switch] = ["stay", "switch"].map(|text| game.move_id(text).unwrap());
    for kind in ["belief", "uct", "hyperplay", "hyperplay-ii", "ismcts", "mo-ismcts"] {
        let mut switched = 0;
        for seed in 0..100 {
            play(&game, &[kind], seed, |_, decision| {
                if [stay, switch].contains(&decision.chosen) {
                    switched += u32::from(decision.chosen == switch);
                }
            });
        }
        // Playouts win 2/3 against 1/3, and the belief of 100 particles is near that.
        assert!(switched >= 97, "{kind}: {switched}");
    }
}
