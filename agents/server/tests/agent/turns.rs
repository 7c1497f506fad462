//! Referees that repeat themselves, skip turns, give up, or wait until the last moment.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crate::wire::Agent;

/// Two rounds of cards: `me` sees its card, then guesses, then learns what it was told; `you` is asked, too.
const CARDS: &str = "(role me) (role you) (role random) (card 1) (card 2) (card 3) (init (round 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal random (deal ?c)) (true (round 0)) (card ?c))
    (<= (legal random noop) (not (true (round 0))))
    (<= (legal me (guess ?c)) (card ?c)) (<= (legal you (nod ?c)) (card ?c))
    (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
    (<= (next (held ?c)) (does random (deal ?c))) (<= (next (held ?c)) (true (held ?c)))
    (<= (sees me (dealt ?c)) (does random (deal ?c))) (<= (sees me (nodded ?c)) (does you (nod ?c)))
    (<= (legal me (win ?c)) (true (held ?c)) (true (round 3)))
    (<= terminal (true (round 4))) (goal me 50) (goal you 50)";

fn start(id: &str, role: &str, clock_s: u32) -> String {
    format!("(START {id} {role} ({CARDS}) 30 {clock_s})")
}

#[test]
fn a_message_that_comes_again_is_answered_the_same() {
    let agent = Agent::new("random");
    assert_eq!(agent.ask(&start("m", "me", 20)), "READY");
    assert_eq!(agent.ask(&start("m", "me", 20)), "READY");
    let first = agent.ask("(PLAY m 0 NIL NIL)");
    for _ in 0..5 {
        assert_eq!(agent.ask("(play M 0 nil nil)"), first);
    }
    let second = agent.ask(&format!("(PLAY m 1 {first} ((dealt 2) (nodded 1)))"));
    assert_eq!(agent.ask(&format!("(PLAY m 1 {first} ((nodded 1) (dealt 2)))")), second);
    assert_eq!(agent.ask("(PLAY m 0 NIL NIL)"), first);
    let third = agent.ask(&format!("(PLAY m 2 {second} ((nodded 3)))"));
    assert!(third.starts_with("(guess "), "{third}");
}

#[test]
fn many_who_ask_the_same_at_once_hear_the_same() {
    let agent = Arc::new(Agent::new("random"));
    agent.ask(&start("m", "me", 20));
    let threads: Vec<_> = (0..12)
        .map(|_| {
            let agent = Arc::clone(&agent);
            thread::spawn(move || agent.ask("(PLAY m NIL)"))
        })
        .collect();
    let replies: Vec<String> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:?}");
}

#[test]
fn a_skipped_turn_is_filled_in_by_what_agrees() {
    // A card is dealt, `me` guesses it and hears whether that was right; then it may only name the card it holds.
    let rules = "(role me) (role random) (card 1) (card 2) (card 3) (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal random (deal ?c)) (true (round 0)) (card ?c)) (<= (legal random noop) (not (true (round 0))))
        (<= (legal me wait) (true (round 0))) (<= (legal me (guess ?c)) (true (round 1)) (card ?c))
        (<= (legal me (name ?c)) (true (round 2)) (true (held ?c)))
        (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
        (<= (next (held ?c)) (does random (deal ?c))) (<= (next (held ?c)) (true (held ?c)))
        (<= (sees me (dealt ?c)) (does random (deal ?c)))
        (<= (sees me right) (does me (guess ?c)) (true (held ?c)))
        (<= terminal (true (round 3))) (goal me 50)";
    let agent = Agent::new("first-legal");
    for card in 1..=3 {
        agent.ask(&format!("(START m{card} me ({rules}) 30 20)"));
        assert_eq!(agent.ask(&format!("(PLAY m{card} 0 NIL NIL)")), "wait");
        // Turn 1, with the card, never came, and a guess was made for it: that it was right tells the card.
        let reply = agent.ask(&format!("(PLAY m{card} 2 (guess {card}) (right))"));
        assert_eq!(reply, format!("(name {card})"));
    }
    // Without turns only the percepts tell that one is missing.
    agent.ask(&format!("(START k me ({rules}) 30 20)"));
    assert_eq!(agent.ask("(PLAY k NIL)"), "wait");
    let reply = agent.ask("(PLAY k (right))");
    assert!(reply.starts_with("(name "), "{reply}");
    // Nothing explains that another card was right.
    agent.ask(&format!("(START n me ({rules}) 30 20)"));
    agent.ask("(PLAY n 0 NIL NIL)");
    agent.ask("(PLAY n 1 wait ((dealt 1)))");
    let reply = agent.ask("(PLAY n 2 (guess 2) (right))");
    assert_eq!(reply, "(name 1)", "what was told for certain counts");
}

#[test]
fn in_a_dialect_without_moves_another_own_move_is_inferred() {
    // `left` sends its first legal move, and another one is played: where it then is, is all that it may do.
    let rules = "(role left) (role right) (init (step 1)) (succ 1 2) (succ 2 3) (way east) (way west)
        (<= (legal left (go ?w)) (way ?w) (true (step 1))) (<= (legal left (rest ?w)) (true (at ?w)))
        (legal right wait) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 3)))
        (<= (next (at ?w)) (does left (go ?w))) (<= (sees left (went ?w)) (does left (go ?w)))
        (goal left 50) (goal right 50)";
    let agent = Agent::new("first-legal");
    assert_eq!(agent.ask(&format!("(START m left ({rules}) 30 20)")), "READY");
    assert_eq!(agent.ask("(PLAY m NIL)"), "(go east)");
    assert_eq!(agent.ask("(PLAY m ((went west)))"), "(rest west)");
}

#[test]
fn a_move_leaves_before_the_deadline_whatever_the_player_does() {
    let agent = Agent::new("belief:iterations=1000000000,particles=100");
    agent.ask(&start("m", "me", 2));
    for turn in 0..3 {
        let begun = Instant::now();
        let last = if turn == 0 { "NIL NIL" } else { "(guess 1) ((nodded 1))" };
        let last = if turn == 1 { "(guess 1) ((dealt 2) (nodded 1))" } else { last };
        let reply = agent.ask(&format!("(PLAY m {turn} {last})"));
        assert!(reply.starts_with("(guess "), "{reply}");
        assert!(begun.elapsed() < Duration::from_secs(2), "turn {turn} took {:?}", begun.elapsed());
        assert!(begun.elapsed() > Duration::from_secs(1), "the clock is used: {:?}", begun.elapsed());
    }
}

#[test]
fn stop_and_abort_free_a_match_at_once() {
    let agent = Arc::new(Agent::with_matches("belief:iterations=1000000000,particles=100", 1));
    for end in ["(ABORT m)", "(STOP m (x))"] {
        agent.ask(&start("m", "me", 600));
        assert_eq!(agent.ask("(INFO)"), "((name tested) (status busy))");
        let thinking = {
            let agent = Arc::clone(&agent);
            thread::spawn(move || agent.ask("(PLAY m 0 NIL NIL)"))
        };
        thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        let reply = agent.ask(end);
        assert!(matches!(reply.as_str(), "aborted" | "DONE"), "{reply}");
        assert_eq!(agent.ask("(INFO)"), "((name tested) (status available))");
        thinking.join().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        assert_eq!(agent.ask(end), reply, "who asks twice hears the same");
        assert!(agent.ask("(PLAY m 1 x (y))").starts_with("busy"));
    }
}
