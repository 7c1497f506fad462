//! Real-time tic-tac-toe: wet pens and clashes.

use crate::{games::compiled, play::Play};

#[test]
fn against_one_who_never_marks_a_line_takes_a_moment_more_than_two_seconds() {
    let game = compiled("real-time-tic-tac-toe");
    let mut play = Play::new(&game, &[]);
    let mut now = 0;
    for (waits, cell) in [(0, 1), (1_000_001, 2), (1_000_001, 3)] {
        // A microsecond before, the pen is wet.
        if waits > 0 {
            assert_eq!(play.at(now + waits - 1, &[("x", &format!("(mark {cell} 2)"))]), 0);
        }
        now += waits;
        assert_eq!(play.at(now, &[("x", &format!("(mark {cell} 2)"))]), 1);
    }
    assert!(play.is_over());
    assert_eq!((play.goals(), play.now()), (vec![100, 0], 2_000_002));
}

#[test]
fn both_on_one_cell_leave_it_blank_and_have_wet_pens() {
    let game = compiled("real-time-tic-tac-toe");
    let mut play = Play::new(&game, &[]);
    assert_eq!(play.at(5, &[("x", "(mark 2 2)"), ("o", "(mark 2 2)")]), 2);
    assert!(play.holds("(cell 2 2 blank)") && play.holds("(wet x)") && play.holds("(wet o)"));
    assert_eq!(play.at(6, &[("x", "(mark 2 2)"), ("o", "(mark 1 1)")]), 0);
    assert_eq!(play.at(1_000_006, &[("x", "(mark 2 2)"), ("o", "(mark 1 1)")]), 2);
    assert!(play.holds("(cell 2 2 x)") && play.holds("(cell 1 1 o)"));
    assert_eq!(play.at(2_000_007, &[("x", "(mark 1 1)"), ("o", "(mark 1 2)")]), 1, "a cell is marked once");
}

#[test]
fn lines_of_both_at_the_same_instant_are_a_draw_and_so_is_the_end_of_the_minute() {
    let game = compiled("real-time-tic-tac-toe");
    let mut play = Play::new(&game, &[]);
    for column in 1..=3 {
        let [x, o] = [1, 3].map(|row| format!("(mark {column} {row})"));
        assert!(!play.is_over());
        assert_eq!(play.at(column * 1_100_000, &[("x", &x), ("o", &o)]), 2);
    }
    assert!(play.is_over());
    assert_eq!(play.goals(), [50, 50]);
    let mut play = Play::new(&game, &[]);
    assert_eq!((play.run_out(), play.now()), (vec![50, 50], 60_000_000));
}
