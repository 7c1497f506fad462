//! The game that the load is made of: two players, hidden moves, and exactly as many turns as are wanted.

use std::fmt::Write as _;

/// The roles, in the order of the rules.
pub(super) const ROLES: [&str; 2] = ["left", "right"];

/// Most turns of a match: four digits count them, and the server ends longer matches.
pub(super) const TURNS_MAX: u32 = 9_999;

/// What a player can show.
const SIGNS: [&str; 3] = ["circle", "square", "star"];

/// What both are told after a turn in which they showed the same sign.
const MATCHED: &str = "matched";

/// Rules of a match of that many turns.
///
/// Each turn both players show a sign, unseen by the other; then both learn whether the signs were equal. A counter of four
/// digits ends the match.
pub(super) fn rules(turns: u32) -> String {
    let mut text = String::from("; Two players show signs, unseen, and learn whether they were equal.\n");
    for role in ROLES {
        let _ = writeln!(text, "(role {role})");
    }
    for sign in SIGNS {
        let _ = writeln!(text, "(sign {sign})");
    }
    for digit in 0..9 {
        let _ = writeln!(text, "(after {digit} {})", digit + 1);
    }
    text.push_str(
        "\
(init (turn 0 0 0 0))
(<= (legal ?r ?s) (role ?r) (sign ?s))
(<= equal (does left ?s) (does right ?s))
(<= (next matched) equal)
(<= (sees ?r matched) (role ?r) equal)
(<= (next (turn ?a ?b ?c ?e)) (true (turn ?a ?b ?c ?d)) (after ?d ?e))
(<= (next (turn ?a ?b ?d 0)) (true (turn ?a ?b ?c 9)) (after ?c ?d))
(<= (next (turn ?a ?c 0 0)) (true (turn ?a ?b 9 9)) (after ?b ?c))
(<= (next (turn ?b 0 0 0)) (true (turn ?a 9 9 9)) (after ?a ?b))
(<= (goal left 100) (true matched))
(<= (goal left 0) (not (true matched)))
(<= (goal right 0) (true matched))
(<= (goal right 100) (not (true matched)))
",
    );
    let digits: Vec<String> = format!("{turns:04}").chars().map(String::from).collect();
    let _ = writeln!(text, "(<= terminal (true (turn {})))", digits.join(" "));
    text
}

/// The sign that a seat shows in a turn of a match: fixed, so that a record can be checked without what was sent.
pub(super) fn sign(match_number: u32, seat: usize, turn: u32) -> &'static str {
    // Multiplication by odd constants, and the high bits of it: any spread will do.
    let mixed = (u64::from(match_number) << 33 | u64::from(turn) << 1 | seat as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(31)
        .wrapping_mul(0xd1b5_4a32_d192_ed03);
    SIGNS[(mixed >> 60) as usize % SIGNS.len()]
}

/// What a seat has to be told with PLAY or STOP of a turn: its own last move, and whether the signs were equal.
pub(super) fn told(match_number: u32, seat: usize, turn: u32) -> String {
    let Some(last) = turn.checked_sub(1) else { return "NIL NIL".to_owned() };
    let shown = [0, 1].map(|seat| sign(match_number, seat, last));
    let percepts = if shown[0] == shown[1] { MATCHED } else { "" };
    format!("{} ({percepts})", shown[seat])
}

#[cfg(test)]
mod tests {
    use croupier_engine::{ByRole, Game, Options};

    use super::*;

    #[test]
    fn a_match_lasts_as_many_turns_as_wanted_and_tells_what_is_expected() {
        for (number, turns) in [1, 9, 10, 11, 99, 100, 101, 1_000, 1_001].into_iter().enumerate() {
            let number = u32::try_from(number).expect("a few");
            let game = Game::compile(&rules(turns), &Options::PLAY).expect("sound rules").game;
            let mut scratch = game.scratch();
            let mut state = game.initial_state().clone();
            for turn in 0..turns {
                assert!(!game.is_terminal(&state, &mut scratch).expect("an answer"), "{turn} of {turns}");
                let moves = ByRole::from_fn(game.roles(), |role| {
                    let seat = ROLES.iter().position(|name| *name == game.roles().name(role));
                    let own_move = sign(number, seat.expect("a seat"), turn);
                    game.find_move(&state, role, own_move, &mut scratch).expect("a legal move")
                });
                let joint = game.joint_move(&state, moves, &mut scratch).expect("legal moves");
                for (seat, name) in ROLES.iter().enumerate() {
                    let role = game.roles().find(name).expect("a role");
                    let percepts = game.percepts(&state, &joint, role, &mut scratch).expect("percepts");
                    let texts: Vec<_> = percepts.iter().map(|percept| game.percept_text(percept)).collect();
                    let text = format!("{} ({})", sign(number, seat, turn), texts.join(" "));
                    assert_eq!(told(number, seat, turn + 1), text);
                }
                state = game.successor(&state, &joint, &mut scratch).expect("a successor");
            }
            assert!(game.is_terminal(&state, &mut scratch).expect("an answer"), "{turns}");
        }
    }

    #[test]
    fn every_sign_is_shown_and_both_players_often_agree() {
        let shown = |seat| (0..300).map(move |turn| sign(7, seat, turn));
        for wanted in SIGNS {
            assert!(shown(0).filter(|sign| *sign == wanted).count() > 50, "{wanted}");
        }
        let equal = shown(0).zip(shown(1)).filter(|(left, right)| left == right).count();
        assert!((50..150).contains(&equal), "{equal} of 300");
    }
}
