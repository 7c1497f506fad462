//! A game for matches that are interrupted: all players guess numbers and a die is rolled, in turns or in real time.

use std::fmt::Write as _;

/// Players guess a number in every turn. The first sees the die; each sees what the player before it said.
///
/// # Panics
/// Never: a text takes more.
#[must_use]
pub fn rules(players: usize, turns: u32) -> String {
    let mut rules = String::from(
        "(role random) (init (turn 0)) (number 1) (number 2) (number 3)
         (<= (legal ?p (say ?n)) (player ?p) (number ?n)) (<= (legal random (roll ?n)) (number ?n))
         (<= (next (hit ?p)) (does ?p (say ?n)) (does random (roll ?n)))
         (<= (sees p0 (rolled ?n)) (does random (roll ?n)))
         (<= (sees ?p (said ?n)) (before ?q ?p) (does ?q (say ?n)))
         (<= (goal ?p 100) (true (hit ?p))) (<= (goal ?p 0) (player ?p) (not (true (hit ?p))))",
    );
    for player in 0..players {
        let after = (player + 1) % players;
        let line = format!("(role p{player}) (player p{player}) (before p{player} p{after})");
        rules.push_str(&line);
    }
    for turn in 0..turns {
        write!(rules, "(<= (next (turn {})) (true (turn {turn})))", turn + 1).expect("a text takes more");
    }
    write!(rules, "(<= terminal (true (turn {turns})))").expect("a text takes more");
    rules
}

/// The game in real time: a die is rolled again and again, and players guess whenever they like, until each has guessed so many times.
///
/// # Panics
/// Never: a text takes more.
#[must_use]
pub fn real_time_rules(players: usize, guesses: u32) -> String {
    let mut rules = String::from(
        "(role random) (number 1) (number 2) (number 3) (init 0.09 tick)
         (<= (next ?t tick) (true ?t tick)) (<= (next 0.09 tick) (expired tick))
         (<= (next infinity due) (expired tick)) (<= (legal random (roll ?n)) (true infinity due) (number ?n))
         (<= rolled (does random (roll ?n))) (<= (next infinity (die ?n)) (does random (roll ?n)))
         (<= (next infinity (die ?n)) (true infinity (die ?n)) (not rolled))
         (<= (sees p0 (rolled ?n)) (does random (roll ?n)))
         (<= (sees ?p (said ?n)) (before ?q ?p) (does ?q (say ?n)))
         (<= (has_left ?p) (true infinity (left ?p ?k)) (one_less ?k ?l)) (<= open (has_left ?p))
         (<= (legal ?p (say ?n)) (has_left ?p) (number ?n))
         (<= (says ?p) (does ?p (say ?n)) (player ?p))
         (<= (next infinity (left ?p ?l)) (says ?p) (true infinity (left ?p ?k)) (one_less ?k ?l))
         (<= (next infinity (left ?p ?k)) (true infinity (left ?p ?k)) (not (says ?p)))
         (<= (next infinity (hit ?p)) (does ?p (say ?n)) (true infinity (die ?n)))
         (<= (next infinity (hit ?p)) (true infinity (hit ?p)))
         (<= terminal (not open))
         (<= (goal ?p 100) (true infinity (hit ?p))) (<= (goal ?p 0) (player ?p) (not (has_hit ?p)))
         (<= (has_hit ?p) (true infinity (hit ?p)))",
    );
    for player in 0..players {
        let after = (player + 1) % players;
        let line = format!(
            "(role p{player}) (player p{player}) (before p{player} p{after}) (init infinity (left p{player} {guesses}))"
        );
        rules.push_str(&line);
    }
    for left in 0..guesses {
        write!(rules, "(one_less {} {left})", left + 1).expect("a text takes more");
    }
    rules
}

/// What the player in a role guesses in a turn, or as its guess of this number in real time: a function of both alone, so that whoever asks again hears the same.
#[must_use]
pub fn guess(role: usize, turn: u32) -> String {
    format!("(say {})", 1 + (role + turn as usize) % 3)
}
