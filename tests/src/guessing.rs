//! A game for matches that are interrupted: every turn all players guess a number and a die is rolled.

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

/// What the player in a role guesses in a turn: a function of both alone, so that whoever asks again hears the same.
#[must_use]
pub fn guess(role: usize, turn: u32) -> String {
    format!("(say {})", 1 + (role + turn as usize) % 3)
}
