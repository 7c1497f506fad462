//! Messages that do not fit, that come twice, and clients that go: each is answered as well as it can be.

use std::{
    io::Write as _,
    net::Shutdown,
    time::{Duration, Instant},
};

use croupier_engine::{Limits, stages::syntax::read_ground_term};

use crate::wire::{Agent, read, request};

const NOUGHTS: &str = include_str!("../../../../games-ii/tic-tac-toe/rules.gdl");
const KUHN: &str = include_str!("../../../../games-ii/kuhn/rules.gdl");

/// Three doors in a row: the role goes through one and sees a letter on the next.
const DOORS: &str = "(role r) (role random) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (letter a) (letter b) (<= (legal random (paint ?l)) (letter ?l))
    (<= (legal r (go ?n)) (true (at ?n))) (<= (legal r (say ?l)) (true (painted ?l)))
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= (next (painted ?l)) (does random (paint ?l)))
    (<= (sees r (saw ?l)) (does random (paint ?l)))
    (<= terminal (true (at 4))) (goal r 50)";

#[test]
fn a_message_that_does_not_fit_gets_a_legal_move_and_nothing_after_it() {
    let agent = Agent::new("belief:iterations=50,particles=50");
    assert_eq!(agent.ask(&format!("(START m r ({DOORS}) 20 20)")), "READY");
    assert_eq!(agent.ask("(PLAY m 0 NIL NIL)"), "(go 0)");
    for (message, turn) in [
        // Percepts that no rule gives; moves that nobody has; variables; another arity; a list that is none.
        ("(PLAY m 1 (go 0) ((saw z)))", 1),
        ("(PLAY m 1 (fly away) ((saw a)))", 1),
        ("(PLAY m 1 ?x ((saw ?y)))", 1),
        ("(PLAY m 1 (go 0) ((saw a a a) (saw)))", 1),
        ("(PLAY m 1 NIL NIL)", 1),
        ("(PLAY m 2 (go 1) ((saw a) (saw b)))", 2),
        ("(PLAY m 3 (go 9) ((heard nothing)))", 3),
    ] {
        let reply = agent.ask(message);
        // The whole reply is one term: a reader that minds anything else is content.
        let term = read_ground_term(&reply, &Limits::STANDARD);
        assert!(term.is_ok(), "{message}: {reply}");
        let legal = [format!("(go {turn})"), "(say a)".to_owned(), "(say b)".to_owned()];
        assert!(legal.contains(&reply), "{message}: {reply}");
    }
    // What is known stays as it was: a message that fits is taken in after all that.
    let agent = Agent::new("first-legal");
    agent.ask(&format!("(START m r ({DOORS}) 20 20)"));
    agent.ask("(PLAY m 0 NIL NIL)");
    agent.ask("(PLAY m 1 (go 0) ((saw z)))");
    assert_eq!(agent.ask("(PLAY m 2 (go 1) ((saw b)))"), "(go 2)");
}

#[test]
fn a_turn_far_ahead_gets_a_move_that_may_be_legal_then() {
    let rules =
        "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
        (<= (legal r (go ?n)) (true (at ?n))) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
        (<= (sees r (went ?n)) (does r (go ?n))) (<= terminal (true (at 7))) (goal r 50)";
    let agent = Agent::new("random");
    agent.ask(&format!("(START m r ({rules}) 20 20)"));
    assert_eq!(agent.ask("(PLAY m 0 NIL NIL)"), "(go 0)");
    assert_eq!(agent.ask("(PLAY m 6 (go 5) ((went 5)))"), "(go 6)");
    assert_eq!(agent.ask("(PLAY m 30000000 (go 5) ((went 5)))"), "(go 6)", "it was the last");
}

#[test]
fn what_is_answered_to_a_referee_is_one_expression() {
    let agent = Agent::with_matches("random", 1);
    let begin = |id: &str| format!("(START {id} alice ({KUHN}) 20 20)");
    for (message, reply) in [
        (begin("m"), "READY"),
        (begin("n"), "busy"),
        ("(PLAY n NIL)".to_owned(), "busy"),
        ("(STOP m (x))".to_owned(), "DONE"),
        (format!("(START o nobody ({KUHN}) 20 20)"), "busy"),
        ("(START o r ((<= (p ?x) (not (q ?y)))) 20 20)".to_owned(), "busy"),
        ("(ABORT o)".to_owned(), "aborted"),
    ] {
        assert_eq!(agent.ask(&message), reply, "{message:.60}");
    }
}

#[test]
fn a_play_of_gdl_i_that_comes_again_gets_the_same_move() {
    for kind in ["random", "belief:iterations=30,particles=20"] {
        let agent = Agent::new(kind);
        assert_eq!(agent.ask(&format!("(START m x ({NOUGHTS}) 20 20)")), "READY");
        let mut told = "NIL".to_owned();
        let free = ["(mark 1 1)", "(mark 1 2)", "(mark 1 3)", "(mark 2 1)", "(mark 2 2)", "(mark 2 3)"];
        let mut taken: Vec<String> = Vec::new();
        for turn in 0..4 {
            let first = agent.ask(&format!("(PLAY m {told})"));
            for _ in 0..3 {
                assert_eq!(agent.ask(&format!("(PLAY m {told})")), first, "turn {turn} of {kind}");
            }
            assert_eq!(first == "noop", turn % 2 == 1, "turn {turn}: {first}");
            // `x` and `o` mark in turns; the other says noop.
            if turn % 2 == 0 {
                assert!(!taken.contains(&first), "{first} is taken");
                taken.push(first.clone());
                told = format!("({first} noop)");
            } else {
                let answer = free.iter().find(|cell| !taken.iter().any(|taken| taken == *cell)).unwrap();
                taken.push((*answer).to_owned());
                told = format!("(noop {answer})");
            }
        }
    }
}

#[test]
fn equal_turns_of_gdl_i_are_not_taken_for_one_that_came_again() {
    // Both may wait for as long as they like; who waited three times knows.
    let rules = "(role r) (role q) (init (waited 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (legal q wait) (<= (legal r wait) (not (true (waited 3)))) (<= (legal r done) (true (waited 3)))
        (<= (next (waited ?m)) (true (waited ?n)) (succ ?n ?m)) (<= terminal (true (over)))
        (goal r 50) (goal q 50)";
    let agent = Agent::new("first-legal");
    agent.ask(&format!("(START m r ({rules}) 20 20)"));
    assert_eq!(agent.ask("(PLAY m NIL)"), "wait");
    for expected in ["wait", "wait", "done", "done"] {
        assert_eq!(agent.ask("(PLAY m (wait wait))"), expected);
    }
}

#[test]
fn who_closes_its_side_gets_what_was_found_and_stops_the_thinking() {
    let agent = Agent::new("belief:iterations=1000000000,particles=100");
    agent.ask(&format!("(START m x ({NOUGHTS}) 60 600)"));
    let begun = Instant::now();
    let mut stream = agent.connect();
    stream.write_all(&request(b"(PLAY m 0 NIL NIL)")).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let (status, reply) = read(&mut stream);
    assert!(status == 200 && reply.starts_with("(mark "), "{status} {reply}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert_eq!(agent.ask("(PLAY m 0 NIL NIL)"), reply, "who asks twice hears the same");
}
