//! Explanations of what shows only when a game is evaluated or played.

use super::{Explanation, explain};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "limit-in-evaluation",
        "(role a) (legal a m) (p 0) (<= (p (s ?x)) (p ?x)) (<= terminal (p ?x)) (goal a 1)",
        "(role a) (legal a m) (p 0) (<= (q (s ?x)) (p ?x)) (<= terminal (p ?x)) (goal a 1)",
        "Bound the terms that a recursion builds, and give every variable of the rule a condition that few values meet.",
        "GDL-II with functions is Turing complete, so limits stand in for a proof; the finding names the rule that reached one",
    ),
    explain(
        "no-legal-move",
        "(role a) (legal a m) (role b) (init f) (<= (legal b m) (true f)) (<= (next g) (does a m)) \
             (<= terminal (true h)) (goal a 1) (goal b 1)",
        "(role a) (legal a m) (role b) (init f) (<= (legal b m) (true f)) (<= (next g) (does a m)) \
             (<= terminal (true g)) (goal a 1) (goal b 1)",
        "Give the role a noop where it has nothing to do, or end the match there.",
        "LG-2006-01, Def. 22 (playability)",
    ),
    explain(
        "no-goal",
        "(role a) (legal a m) (<= (next f) (does a m)) (<= terminal (true f)) (<= (goal a 1) (true g))",
        "(role a) (legal a m) (<= (next f) (does a m)) (<= terminal (true f)) (<= (goal a 1) (true f))",
        "Give every player exactly one goal in every terminal state.",
        "LG-2006-01, section 6.8 and Def. 23 (winnability)",
    ),
    explain(
        "several-goals",
        "(role a) (legal a m) (<= (next f) (does a m)) (<= terminal (true f)) (goal a 1) (<= (goal a 2) (true f))",
        "(role a) (legal a m) (<= (next f) (does a m)) (<= terminal (true f)) (goal a 1) (<= (goal a 2) (true g))",
        "Make the conditions of the rules for goal exclude each other.",
        "LG-2006-01, section 6.8; a match in compatible reading takes the first rule in the text",
    ),
    explain(
        "goal-out-of-range",
        "(role a) (legal a m) (init (v 101)) (<= (next (v ?n)) (true (v ?n)) (does a m)) (<= (goal a ?n) (true (v ?n))) terminal",
        "(role a) (legal a m) (init (v 100)) (<= (next (v ?n)) (true (v ?n)) (does a m)) (<= (goal a ?n) (true (v ?n))) terminal",
        "Map the values to whole numbers from 0 to 100.",
        "LG-2006-01, section 6.8",
    ),
    explain(
        "goal-decreases",
        "(role a) (legal a m) (init f) (<= (next g) (does a m)) (<= terminal (true g)) (<= (goal a 2) (true f)) (<= (goal a 1) (true g))",
        "(role a) (legal a m) (init f) (<= (next g) (does a m)) (<= terminal (true g)) (<= (goal a 1) (true f)) (<= (goal a 2) (true g))",
        "Give goals in terminal states alone, or let them never fall.",
        "monotonicity; LG-2006-01 asks for it neither in Defs. 21 to 24 nor elsewhere, so a game is warned of it once",
    ),
    explain(
        "endless-playout",
        "(role a) (legal a m) (init f) (<= (next f) (does a m)) (<= terminal (true g)) (goal a 1)",
        "(role a) (legal a m) (init f) (<= (next f) (does a m)) (<= terminal (true f)) (goal a 1)",
        "Count turns in the state and let the match end at some number.",
        "LG-2006-01, Def. 21 (termination); a playout is given up at the limit of turns",
    ),
    explain(
        "limit-in-play",
        "(role a) (legal a m) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x)) (does a m)) (<= terminal (true (n x))) (goal a 1)",
        "(role a) (legal a m) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x)) (does a m)) (<= terminal (true (n 0))) (goal a 1)",
        "Let terms not grow from state to state, and joins not multiply everything with everything.",
        "GDL-II with functions is Turing complete, so limits stand in for a proof; terms that grow without end reach them",
    ),
    explain(
        "repeated-state",
        "(role a) (legal a m) (init f) (<= (next f) (does a m)) (<= terminal (true g)) (goal a 1)",
        "(role a) (legal a m) (init f) (<= (next g) (does a m)) (<= terminal (true g)) (goal a 1)",
        "Count turns in the state and let the match end at some number.",
        "LG-2006-01, Def. 21 (termination): who comes back once can come back for ever",
    ),
    explain(
        "terminal-at-once",
        "(role a) (legal a m) (init f) (<= terminal (true f)) (goal a 1)",
        "(role a) (legal a m) (init f) (<= (next g) (does a m)) (<= terminal (true g)) (goal a 1)",
        "See whether terminal asks for what it should.",
        "allowed, and hardly meant",
    ),
    explain(
        "nothing-seen",
        "(role a) (legal a m) (<= (sees a ?m) (does a ?m) (true g)) (<= (next f) (does a m)) (<= terminal (true f)) (goal a 1)",
        "(role a) (legal a m) (<= (sees a ?m) (does a ?m)) (<= (next f) (does a m)) (<= terminal (true f)) (goal a 1)",
        "See whether the rules for sees ask for what they should.",
        "Thielscher, AAAI 2010; found by play, so it may be chance",
    ),
    explain(
        "unknown-moves",
        "(role a) (role random) (init s) (legal random x) (legal random y) (<= (legal a m) (true s)) \
             (<= (legal a ?m) (true (d ?m))) (<= (next (d ?m)) (does random ?m) (true s)) (<= (next e) (true (d ?m))) \
             (<= terminal (true e)) (goal a 1) (<= (sees a ?m) (does a ?m))",
        "(role a) (role random) (init s) (legal random x) (legal random y) (<= (legal a m) (true s)) \
             (<= (legal a ?m) (true (d ?m))) (<= (next (d ?m)) (does random ?m) (true s)) (<= (next e) (true (d ?m))) \
             (<= terminal (true e)) (goal a 1) (<= (sees a ?m) (does random ?m))",
        "Tell the player with sees what its moves depend on: legality must not leak what is hidden.",
        "Thielscher, AAAI 2010, on legal moves that a player can derive; Croupier, leak P6",
    ),
    explain(
        "unknown-end",
        "(role a) (role random) (legal a m) (legal random x) (legal random y) (<= (next (d ?m)) (does random ?m)) \
             (<= terminal (true (d x))) (goal a 1) (<= (sees a ?m) (does a ?m))",
        "(role a) (role random) (legal a m) (legal random x) (legal random y) (<= (next (d ?m)) (does random ?m)) \
             (<= terminal (true (d x))) (goal a 1) (<= (sees a ?m) (does random ?m))",
        "Tell the player with sees what the end depends on, unless it may learn of the end by its coming.",
        "Croupier, leak P6",
    ),
];
