//! A game in which everything that can be hidden is: cards that are dealt, moves that nobody hears of, a state whose size
//! depends on both, long and short percepts, and some that two rules give.

use std::fmt::Write as _;

/// The cards: words that stand nowhere else in the world.
pub(crate) const CARDS: [&str; 4] = [
    "canary_5f0c3b9e71d24a68",
    "canary_c81e7d06a92b4f35",
    "canary_17a4e6d0b38c4952",
    "canary_e93d5b20f74c4a81",
];

/// The players.
pub(crate) const ROLES: [&str; 2] = ["alice", "bob"];

/// Turns of a match.
pub(crate) const TURNS: usize = 5;

const RULES: &str = "
(role alice) (role bob) (role random)   ; nobody knows what random does
(person alice) (person bob)
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
(init (round 0))
(<= (legal random (deal ?a ?b)) (true (round 0)) (card ?a) (card ?b) (distinct ?a ?b))
(<= (legal random (draw ?c)) (true (round ?n)) (distinct ?n 0) (card ?c))
(<= (legal ?p wait) (person ?p) (true (round 0)))
(<= (legal ?p (hide ?c)) (person ?p) (card ?c) (true (round ?n)) (distinct ?n 0))
(<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
(<= (next (hand alice ?a)) (does random (deal ?a ?b)))
(<= (next (hand bob ?b)) (does random (deal ?a ?b)))
(<= (next (hand ?p ?c)) (true (hand ?p ?c)))
(<= (next (drawn ?n ?c)) (does random (draw ?c)) (true (round ?n)))
(<= (next (drawn ?n ?c)) (true (drawn ?n ?c)))
(<= (next (hidden ?p ?n ?c)) (does ?p (hide ?c)) (true (round ?n)))
(<= (next (hidden ?p ?n ?c)) (true (hidden ?p ?n ?c)))
(<= (next (weight ?p ?n ?x)) (does ?p (hide ?c)) (weighs ?c ?x) (true (round ?n)))
(<= (next (weight ?p ?n ?x)) (true (weight ?p ?n ?x)))
(<= (sees alice (Hole ?a)) (does random (deal ?a ?b)))
(<= (sees bob (Hole ?b)) (does random (deal ?a ?b)))
(<= (sees ?p (round ?n)) (person ?p) (true (round ?n)))
(<= (sees ?p (own ?c)) (does ?p (hide ?c)))
(<= (sees ?p (own ?c)) (does ?p (hide ?c)) (person ?p))
(<= (sees ?p (Lamp ?x)) (person ?p) (lamp ?x))
(<= (sees ?p (pair ?x ?y)) (person ?p) (true (round 3)) (lamp ?x) (lamp ?y))
(<= terminal (true (round 5)))
(<= (goal ?p 100) (person ?p) (true (hand ?p ?c)) (true (drawn 4 ?c)))
(<= (goal ?p 40) (person ?p) (true (hand ?p ?c)) (not (true (drawn 4 ?c))))
";

/// The rules, with a remark that makes them another text.
pub(crate) fn rules(remark: &str) -> String {
    let mut rules = format!("; {remark}\n{RULES}");
    for (index, card) in CARDS.iter().enumerate() {
        writeln!(rules, "(card {card})").unwrap();
        // The heavier the card, the more the state remembers of it.
        (0..=index * 3).for_each(|weight| writeln!(rules, "(weighs {card} {weight})").unwrap());
    }
    for lamp in ["north", "east", "south", "west", "zenith", "nadir", "inner", "outer"] {
        writeln!(rules, "(lamp {lamp})").unwrap();
    }
    rules
}

/// A game without secrets, whose two players move at once.
pub(crate) const OPEN: &str = "
(role left) (role right) (init (step 0)) (then 0 1) (then 1 2)
(<= (legal ?r ?m) (role ?r) (gesture ?m))
(gesture stone) (gesture paper)
(<= (next (step ?m)) (true (step ?n)) (then ?n ?m))
(<= (next (made ?r ?m)) (does ?r ?m))
(<= terminal (true (step 2)))
(<= (goal left 100) (true (made right stone))) (<= (goal left 0) (not (true (made right stone))))
(<= (goal right 100) (true (made left stone))) (<= (goal right 0) (not (true (made left stone))))
";
