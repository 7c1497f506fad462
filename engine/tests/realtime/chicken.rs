//! Chicken: the paper's table over all pairs of instants.

use crate::{games::compiled, play::Play};

#[test]
fn the_table_of_the_paper_comes_out_of_all_pairs_of_instants() {
    let game = compiled("chicken");
    // Twentieths of a second; from 21 on it is too late.
    for white in 0..=22_u64 {
        for black in 0..=22_u64 {
            let mut play = Play::new(&game, &[]);
            let mut moves = [(white, "white"), (black, "black")];
            moves.sort_unstable();
            if white == black {
                play.at(white * 50_000, &[("white", "swerve"), ("black", "swerve")]);
            } else {
                for (instant, role) in moves {
                    play.at(instant * 50_000, &[(role, "swerve")]);
                }
            }
            let expected = match (white <= 20, black <= 20) {
                (false, false) => [0, 0],
                (true, false) => [80, 100],
                (false, true) => [100, 80],
                (true, true) => [90, 90],
            };
            assert_eq!(play.run_out(), expected, "{white} {black}");
            assert_eq!(play.now(), 1_000_000);
        }
    }
}

#[test]
fn everybody_sees_who_swerves_and_when() {
    let game = compiled("chicken");
    let mut play = Play::new(&game, &[]);
    play.at(250_000, &[("white", "swerve")]);
    assert_eq!(play.legal("white"), [""; 0]);
    assert_eq!(play.legal("black"), ["swerve"]);
    assert_eq!(play.told("black"), [(250_000, "(did white swerve)".to_owned())]);
}
