//! What is hidden from a role leaves no trace in what the role is told: the same match with another secret is told alike.

use crate::{
    games::compiled,
    play::Play,
    values::{Choice, Contest},
};

/// What ann is told if both stand by these choices.
fn told(contest: &Contest<'_>, values: [usize; 2], choices: [Choice; 2]) -> Vec<(u64, String)> {
    contest.play(values, choices, "ann").told("ann").to_vec()
}

#[test]
fn the_value_of_the_other_is_never_told() {
    let games = [compiled("dutch-auction"), compiled("war-of-attrition")];
    for contest in [Contest::auction(&games[0]), Contest::war(&games[1])] {
        for mine in [0, 4, 10] {
            for choices in [[Some(2), Some(5)], [Some(5), Some(2)], [Some(3), Some(3)], [None, None]] {
                let known = told(&contest, [mine, 0], choices);
                assert_eq!(known[0], (0, format!("(worth {mine})")));
                for theirs in 1..=10 {
                    assert_eq!(told(&contest, [mine, theirs], choices), known, "{mine} {theirs}");
                }
            }
        }
    }
}

#[test]
fn the_fuse_is_not_told_before_the_bomb_goes_off() {
    let game = compiled("bomb-party");
    let told = |fuse: &str| {
        let mut play = Play::new(&game, &[&format!("(light {fuse} bob)")]);
        for (instant, from, to) in
            [(600_000, "bob", "cat"), (1_300_000, "cat", "ann"), (1_999_999, "ann", "bob")]
        {
            assert_eq!(play.at(instant, &[(from, &format!("(hand_to {to})"))]), 1);
        }
        ["ann", "bob", "cat"].map(|guest| play.told(guest).to_vec())
    };
    for fuse in ["3", "4", "5", "6"] {
        assert_eq!(told(fuse), told("2"));
    }
}
