//! Explanations of findings that only show when a game is evaluated or played.

use super::{
    Explanation, explain,
    games::{WAVE, WAVE_BESIDE},
};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "limit-in-evaluation",
        "\
(role alice)
(number 0)
(<= (number (s ?n)) (number ?n))
(init ready)
(<= (legal alice wave) (number ?n) (true ready))
(<= terminal (not (true ready)))
(goal alice 100)",
        "\
(role alice)
(number 0)
(<= (counted (s ?n)) (number ?n))
(init ready)
(<= (legal alice wave) (counted ?n) (true ready))
(<= terminal (not (true ready)))
(goal alice 100)",
        "Bound the terms that a recursion builds, and add conditions that restrict every variable of the rule.",
        "GDL-II with functions is Turing complete, so limits replace a proof; the finding names the rule that reached one",
    ),
    explain(
        "unfinished-playouts",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal alice nod) (true ready))
(<= (next waved) (does alice wave))
(<= (next nodded) (does alice nod))
(<= terminal (not (true ready)))
(<= (goal alice 100) (true waved))
(<= (goal alice 50) (true ready))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal alice nod) (true ready))
(<= (next waved) (does alice wave))
(<= (next nodded) (does alice nod))
(<= terminal (not (true ready)))
(<= (goal alice 100) (true waved))
(<= (goal alice 50) (true nodded))",
        "Give every role a legal move in every state before the end, and every player one goal at the end.",
        "LG-2006-01, Defs. 22 and 23: a match that the rules stop has no result",
    ),
    explain(
        "no-legal-move",
        "\
(role alice)
(role bob)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal bob noop) (true waved))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(goal alice 100)
(goal bob 0)",
        WAVE_BESIDE,
        "Give the role a noop when it has nothing to do, or end the match in that state.",
        "LG-2006-01, Def. 22 (playability)",
    ),
    explain(
        "no-goal",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true ready))",
        WAVE,
        "Give every player exactly one goal in every terminal state.",
        "LG-2006-01, section 6.8 and Def. 23 (winnability)",
    ),
    explain(
        "several-goals",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 50) (true waved))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 50) (true ready))
(<= (goal alice 100) (true waved))",
        "Make the conditions of the rules for goal mutually exclusive.",
        "LG-2006-01, section 6.8; in the compatible reading a match uses the first rule in the text",
    ),
    explain(
        "goal-out-of-range",
        "\
(role alice)
(init (score 101))
(legal alice wave)
(<= (next (score ?n)) (true (score ?n)))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice ?n) (true (score ?n)))",
        "\
(role alice)
(init (score 100))
(legal alice wave)
(<= (next (score ?n)) (true (score ?n)))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice ?n) (true (score ?n)))",
        "Map the values to whole numbers from 0 to 100.",
        "LG-2006-01, section 6.8; the compatible reading plays other whole numbers as they are",
    ),
    explain(
        "goal-decreases",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 50) (true ready))
(<= (goal alice 25) (true waved))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 50) (true ready))
(<= (goal alice 100) (true waved))",
        "Define goals only in terminal states, or make sure that they never decrease.",
        "monotonicity; LG-2006-01 does not require it, in Defs. 21 to 24 or elsewhere, so it is reported once per game",
    ),
    explain(
        "never-fired",
        "\
(role alice)
(init (deck full))
(<= (legal alice (draw ?from)) (true (deck ?from)))
(<= (next (deck empty)) (does alice (draw full)))
(<= (next over) (does alice (draw empty)) (true (deck full)))
(<= terminal (true (deck empty)))
(<= terminal (true over))
(goal alice 100)",
        "\
(role alice)
(init (deck full))
(<= (legal alice (draw ?from)) (true (deck ?from)))
(<= (next (deck empty)) (does alice (draw full)))
(<= (next over) (does alice (draw empty)))
(<= terminal (true over))
(goal alice 100)",
        "Look for conditions that exclude each other; a rule for something rare is no mistake.",
        "Croupier; playouts are a sample, so the rule may apply in a match",
    ),
    explain(
        "endless-playout",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next ready) (does alice wave))
(<= (next waved) (does alice wave))
(<= terminal (true waved) (not (true ready)))
(goal alice 100)",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next ready) (does alice wave))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(goal alice 100)",
        "Count turns in the state and end the match at a fixed number.",
        "LG-2006-01, Def. 21 (termination); a playout is stopped at the turn limit",
    ),
    explain(
        "limit-in-play",
        "\
(role alice)
(after 0 1)
(init (count 0))
(legal alice wave)
(<= (next (count (s ?n))) (true (count ?n)))
(<= terminal (true (count 1)))
(goal alice 100)",
        "\
(role alice)
(after 0 1)
(init (count 0))
(legal alice wave)
(<= (next (count ?m)) (true (count ?n)) (after ?n ?m))
(<= terminal (true (count 1)))
(goal alice 100)",
        "Keep terms from growing from state to state, and avoid joins that multiply everything with everything.",
        "GDL-II with functions is Turing complete, so limits replace a proof; terms that grow without bound reach them",
    ),
    explain(
        "repeated-state",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal alice noop) (true ready))
(<= (next waved) (does alice wave))
(<= (next ready) (does alice noop))
(<= terminal (true waved))
(<= terminal (true slept))
(goal alice 100)",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal alice noop) (true ready))
(<= (next waved) (does alice wave))
(<= (next slept) (does alice noop))
(<= terminal (true waved))
(<= terminal (true slept))
(goal alice 100)",
        "Count turns in the state and end the match at a fixed number.",
        "LG-2006-01, Def. 21 (termination): a match that repeats a state once can repeat it for ever",
    ),
    explain(
        "terminal-at-once",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true ready))
(goal alice 100)",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(goal alice 100)",
        "Check that terminal has the right conditions.",
        "allowed, but rarely intended",
    ),
    explain(
        "nothing-seen",
        "\
(role alice)
(role random)
(legal alice noop)
(legal random heads)
(legal random tails)
(<= (next (coin ?side)) (does random ?side))
(<= (sees alice (coin ?side)) (true (coin ?side)))
(<= terminal (true (coin ?side)))
(goal alice 100)",
        "\
(role alice)
(role random)
(legal alice noop)
(legal random heads)
(legal random tails)
(<= (next (coin ?side)) (does random ?side))
(<= (sees alice (coin ?side)) (does random ?side))
(<= terminal (true (coin ?side)))
(goal alice 100)",
        "Check that the rules for sees have the right conditions.",
        "Thielscher, AAAI 2010; found by play, so it may be by chance",
    ),
    explain(
        "unknown-moves",
        "\
(role alice)
(role random)
(init ready)
(side heads)
(side tails)
(<= (legal random (flip ?side)) (side ?side))
(<= (legal alice noop) (true ready))
(<= (legal alice (take ?side)) (true (coin ?side)))
(<= (next (coin ?side)) (does random (flip ?side)) (true ready))
(<= (next over) (true (coin ?side)))
(<= (sees alice (was ?move)) (does alice ?move))
(<= terminal (true over))
(goal alice 100)",
        "\
(role alice)
(role random)
(init ready)
(side heads)
(side tails)
(<= (legal random (flip ?side)) (side ?side))
(<= (legal alice noop) (true ready))
(<= (legal alice (take ?side)) (true (coin ?side)))
(<= (next (coin ?side)) (does random (flip ?side)) (true ready))
(<= (next over) (true (coin ?side)))
(<= (sees alice (was ?move)) (does random ?move))
(<= terminal (true over))
(goal alice 100)",
        "Use sees to tell the player what its moves depend on: legality must not leak hidden information.",
        "Thielscher, AAAI 2010, on legal moves that a player can derive; Croupier, leak P6",
    ),
    explain(
        "unknown-end",
        "\
(role alice)
(role random)
(legal alice noop)
(legal random heads)
(legal random tails)
(<= (next (coin ?side)) (does random ?side))
(<= (next late) (true (coin ?side)))
(<= (sees alice (was ?move)) (does alice ?move))
(<= terminal (true (coin heads)))
(<= terminal (true late))
(goal alice 100)",
        "\
(role alice)
(role random)
(legal alice noop)
(legal random heads)
(legal random tails)
(<= (next (coin ?side)) (does random ?side))
(<= (next late) (true (coin ?side)))
(<= (sees alice (was ?move)) (does random ?move))
(<= terminal (true (coin heads)))
(<= terminal (true late))
(goal alice 100)",
        "Use sees to tell the player what the end depends on, unless it may learn of the end when it comes.",
        "Croupier, leak P6",
    ),
];
