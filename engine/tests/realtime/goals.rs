//! Goals, asked for more than once.

use croupier_engine::{Options, realtime::RealTimeGame};

const RULES: &str = "(role x) (role o) (other x o) (other o x) (cell 1) (cell 2) (cell 3)
    (init 9 clock) (<= (next ?t clock) (true ?t clock))
    (<= (legal ?p (mark ?c)) (role ?p) (cell ?c))
    (<= (next infinity (has ?p ?c)) (does ?p (mark ?c)))
    (<= (next infinity (has ?p ?c)) (true infinity (has ?p ?c)))
    (<= (full ?p) (true infinity (has ?p 1)) (true infinity (has ?p 2)) (true infinity (has ?p 3)))
    (<= terminal (full ?p)) (<= terminal (expired clock))
    (<= (wins ?p) (full ?p) (other ?p ?q) (not (full ?q)))
    (<= decided (wins ?p))
    (<= (goal ?p 100) (wins ?p))
    (<= (goal ?q 0) (wins ?p) (other ?p ?q))
    (<= (goal ?p 50) (role ?p) (not decided))";

#[test]
fn goals_are_the_same_however_often_they_are_asked_for() {
    let game = RealTimeGame::compile(RULES, &Options::PLAY).expect("sound rules").game;
    let mut scratch = game.scratch();
    let mut state = game.initial_state().clone();
    for role in ["o", "x"] {
        let role = game.roles().find(role).expect("a role");
        for cell in 1..=3 {
            let mark = game.find_move(&state, role, &format!("(mark {cell})"), &mut scratch).expect("legal");
            state = game.update(&state, 1, &[(role, mark)], &mut scratch).expect("sound").successor;
            let mut lifted = game.lifted_scratch();
            let known = game.goals(&state, &mut lifted).expect("one goal each");
            let is_over = game.is_terminal(&state, &mut lifted);
            for _ in 0..3 {
                assert_eq!(game.goals(&state, &mut scratch).expect("one goal each"), known);
                assert_eq!(game.is_terminal(&state, &mut scratch), is_over);
            }
        }
    }
}
