//! Explanations of problems with roles.

use super::{
    Explanation, explain,
    games::{WAVE, WAVE_BESIDE},
};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "no-role",
        "\
(role random)
(init ready)
(<= (legal random wave) (true ready))
(<= (next waved) (does random wave))
(<= terminal (true waved))
(<= (goal random 100) (true waved))",
        WAVE,
        "Declare each player with a fact.",
        "LG-2006-01, section 2; chance alone is not a game",
    ),
    explain(
        "role-not-fact",
        "\
(<= (role alice) (true ready))
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Write one fact for each role: the players are fixed before the initial state.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "repeated-role",
        "\
(role alice)
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal bob noop) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(goal alice 100)
(goal bob 0)",
        WAVE_BESIDE,
        "Delete one of the two.",
        "roles are a set, in the order of the text",
    ),
    explain(
        "compound-role",
        "\
(role (alice 1))
(init ready)
(<= (legal (alice 1) wave) (true ready))
(<= (next waved) (does (alice 1) wave))
(<= terminal (true waved))
(<= (goal (alice 1) 100) (true waved))",
        WAVE,
        "Use a single word as the name of the role.",
        "protocols and programs send roles as one word",
    ),
    explain(
        "not-a-role",
        "\
(role alice)
(role bob)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal bob noop) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(goal alice 100)
(goal bbo 0)",
        WAVE_BESIDE,
        "Correct the name, or declare the role. Chance is the role random, which is declared like any other.",
        "legal moves and goals of anyone who is not a role are ignored",
    ),
    explain(
        "role-without-moves",
        "\
(role alice)
(role bob)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal alice nod) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(goal alice 100)
(goal bob 0)",
        WAVE_BESIDE,
        "Give every role, including random, a legal move in every state that is not terminal; a noop is enough.",
        "LG-2006-01, Def. 22 (playability)",
    ),
    explain(
        "role-without-goal",
        "\
(role alice)
(role bob)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal bob noop) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(goal alice 100)",
        WAVE_BESIDE,
        "Give every player a goal in every terminal state.",
        "LG-2006-01, section 6.8; random needs none",
    ),
    explain(
        "role-without-percepts",
        "\
(role alice)
(role bob)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal bob noop) (true ready))
(<= (next waved) (does alice wave))
(<= (sees bob done) (does alice wave))
(<= (sees bob hello) (does alice wave))
(<= terminal (true waved))
(goal alice 100)
(goal bob 0)",
        "\
(role alice)
(role bob)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal bob noop) (true ready))
(<= (next waved) (does alice wave))
(<= (sees alice done) (does alice wave))
(<= (sees bob hello) (does alice wave))
(<= terminal (true waved))
(goal alice 100)
(goal bob 0)",
        "Add rules for sees, unless this player should know nothing but its own moves.",
        "Thielscher, AAAI 2010: a player knows its own moves and what sees tells it",
    ),
];
