//! Explanations of findings that only show when a game is evaluated or played.

use super::{Explanation, explain};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "limit-in-evaluation",
        "(role a) (legal a m) (p 0) (<= (p (s ?x)) (p ?x)) (<= terminal (p ?x)) (goal a 1)",
        "(role a) (legal a m) (p 0) (<= (q (s ?x)) (p ?x)) (<= terminal (p ?x)) (goal a 1)",
        "Bound the terms that a recursion builds, and add conditions that restrict every variable of the rule.",
        "GDL-II with functions is Turing complete, so limits replace a proof; the finding names the rule that reached one",
    ),
    explain(
        "no-legal-move",
        "(role a) (legal a m) (role b) (init f) (<= (legal b m) (true f)) (<= (next g) (does a m)) \
             (<= terminal (true h)) (goal a 1) (goal b 1)",
        "(role a) (legal a m) (role b) (init f) (<= (legal b m) (true f)) (<= (next g) (does a m)) \
             (<= terminal (true g)) (goal a 1) (goal b 1)",
        "Give the role a noop when it has nothing to do, or end the match in that state.",
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
        "Make the conditions of the rules for goal mutually exclusive.",
        "LG-2006-01, section 6.8; in the compatible reading a match uses the first rule in the text",
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
        "Define goals only in terminal states, or make sure that they never decrease.",
        "monotonicity; LG-2006-01 does not require it, in Defs. 21 to 24 or elsewhere, so it is reported once per game",
    ),
    explain(
        "endless-playout",
        "(role a) (legal a m) (init f) (<= (next f) (does a m)) (<= terminal (true g)) (goal a 1)",
        "(role a) (legal a m) (init f) (<= (next f) (does a m)) (<= terminal (true f)) (goal a 1)",
        "Count turns in the state and end the match at a fixed number.",
        "LG-2006-01, Def. 21 (termination); a playout is stopped at the turn limit",
    ),
    explain(
        "limit-in-play",
        "(role a) (legal a m) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x)) (does a m)) (<= terminal (true (n x))) (goal a 1)",
        "(role a) (legal a m) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x)) (does a m)) (<= terminal (true (n 0))) (goal a 1)",
        "Keep terms from growing from state to state, and avoid joins that multiply everything with everything.",
        "GDL-II with functions is Turing complete, so limits replace a proof; terms that grow without bound reach them",
    ),
    explain(
        "repeated-state",
        "(role a) (legal a m) (init f) (<= (next f) (does a m)) (<= terminal (true g)) (goal a 1)",
        "(role a) (legal a m) (init f) (<= (next g) (does a m)) (<= terminal (true g)) (goal a 1)",
        "Count turns in the state and end the match at a fixed number.",
        "LG-2006-01, Def. 21 (termination): a match that repeats a state once can repeat it for ever",
    ),
    explain(
        "terminal-at-once",
        "(role a) (legal a m) (init f) (<= terminal (true f)) (goal a 1)",
        "(role a) (legal a m) (init f) (<= (next g) (does a m)) (<= terminal (true g)) (goal a 1)",
        "Check that terminal has the right conditions.",
        "allowed, but rarely intended",
    ),
    explain(
        "nothing-seen",
        "(role a) (legal a m) (<= (sees a ?m) (does a ?m) (true g)) (<= (next f) (does a m)) (<= terminal (true f)) (goal a 1)",
        "(role a) (legal a m) (<= (sees a ?m) (does a ?m)) (<= (next f) (does a m)) (<= terminal (true f)) (goal a 1)",
        "Check that the rules for sees have the right conditions.",
        "Thielscher, AAAI 2010; found by play, so it may be by chance",
    ),
    explain(
        "unknown-moves",
        "(role a) (role random) (init s) (legal random x) (legal random y) (<= (legal a m) (true s)) \
             (<= (legal a ?m) (true (d ?m))) (<= (next (d ?m)) (does random ?m) (true s)) (<= (next e) (true (d ?m))) \
             (<= terminal (true e)) (goal a 1) (<= (sees a ?m) (does a ?m))",
        "(role a) (role random) (init s) (legal random x) (legal random y) (<= (legal a m) (true s)) \
             (<= (legal a ?m) (true (d ?m))) (<= (next (d ?m)) (does random ?m) (true s)) (<= (next e) (true (d ?m))) \
             (<= terminal (true e)) (goal a 1) (<= (sees a ?m) (does random ?m))",
        "Use sees to tell the player what its moves depend on: legality must not leak hidden information.",
        "Thielscher, AAAI 2010, on legal moves that a player can derive; Croupier, leak P6",
    ),
    explain(
        "unknown-end",
        "(role a) (role random) (legal a m) (legal random x) (legal random y) (<= (next (d ?m)) (does random ?m)) \
             (<= terminal (true (d x))) (goal a 1) (<= (sees a ?m) (does a ?m))",
        "(role a) (role random) (legal a m) (legal random x) (legal random y) (<= (next (d ?m)) (does random ?m)) \
             (<= terminal (true (d x))) (goal a 1) (<= (sees a ?m) (does random ?m))",
        "Use sees to tell the player what the end depends on, unless it may learn of the end when it comes.",
        "Croupier, leak P6",
    ),
];
