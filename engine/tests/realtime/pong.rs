//! Pong: when a hit is in time, and how fast a rally gets.

use crate::{games::compiled, play::Play};

#[test]
fn neither_hits_and_points_go_by_turns() {
    let game = compiled("pong");
    let mut play = Play::new(&game, &[]);
    assert_eq!(play.run_out(), [0, 100]);
    assert_eq!(play.now(), 6_500_000);
    assert!(play.holds("(points left 2)") && play.holds("(points right 3)"));
}

#[test]
fn a_hit_is_in_time_from_the_arrival_to_the_last_of_0_3_seconds() {
    let game = compiled("pong");
    for (instant, fluent) in [
        (1, "(points right 1)"),
        (999_999, "(points right 1)"),
        (1_000_000, "(flies_to right 1)"),
        (1_000_001, "(flies_to right 1)"),
        (1_300_000, "(flies_to right 1)"),
    ] {
        let mut play = Play::new(&game, &[]);
        assert_eq!(play.at(instant, &[("left", "hit")]), 1, "{instant}");
        assert!(play.holds(fluent), "{instant}");
    }
    let mut play = Play::new(&game, &[]);
    assert_eq!(play.at(1_300_001, &[("left", "hit")]), 0, "the point is lost, and right has the next ball");
    assert!(play.holds("(points right 1)") && play.holds("(flies_to right 0)"));
}

#[test]
fn only_the_receiver_can_hit() {
    let game = compiled("pong");
    let mut play = Play::new(&game, &[]);
    assert_eq!(play.legal("right"), [""; 0]);
    assert_eq!(play.at(1_100_000, &[("left", "hit")]), 1);
    assert_eq!((play.legal("left"), play.legal("right")), (vec![], vec!["hit".to_owned()]));
}

#[test]
fn each_return_is_faster_and_two_who_always_hit_draw() {
    let game = compiled("pong");
    let mut play = Play::new(&game, &[]);
    let mut now = 0;
    let flights = [1_000_000, 800_000, 600_000, 500_000, 400_000, 300_000].into_iter();
    for (flight, receiver) in
        flights.chain(std::iter::repeat(200_000)).zip(["left", "right"].into_iter().cycle())
    {
        now += flight + 100_000;
        if now > 120_000_000 {
            break;
        }
        assert_eq!(play.at(now, &[(receiver, "hit")]), 1, "{now}");
    }
    assert_eq!(play.run_out(), [50, 50]);
    assert_eq!(play.now(), 120_000_000);
}
