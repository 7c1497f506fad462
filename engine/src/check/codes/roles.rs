//! Explanations of what can be wrong with roles.

use super::{Explanation, explain};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "no-role",
        "(role random)",
        "(role random) (role alice)",
        "Declare each player with a fact.",
        "LG-2006-01, section 2; chance alone is not a game",
    ),
    explain(
        "role-not-fact",
        "(<= (role a) p)",
        "(role a)",
        "Write one fact for each role: the players are fixed before the initial state.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "repeated-role",
        "(role a) (role a)",
        "(role a) (role b)",
        "Delete one of the two.",
        "roles are a set, in the order of the text",
    ),
    explain(
        "compound-role",
        "(role (player 1))",
        "(role player1)",
        "Use a single word as the name of the role.",
        "protocols and programs send roles as one word",
    ),
    explain(
        "not-a-role",
        "(role alice) (legal alcie m)",
        "(role alice) (legal alice m)",
        "Correct the name, or declare the role. Chance is the role random, which is declared like any other.",
        "legal moves and goals of anyone who is not a role are ignored",
    ),
    explain(
        "role-without-moves",
        "(role a) (role b) (legal a m)",
        "(role a) (role b) (legal a m) (legal b m)",
        "Give every role, including random, a legal move in every state that is not terminal; a noop is enough.",
        "LG-2006-01, Def. 22 (playability)",
    ),
    explain(
        "role-without-goal",
        "(role a) (role b) (goal a 50)",
        "(role a) (role b) (goal a 50) (goal b 50)",
        "Give every player a goal in every terminal state.",
        "LG-2006-01, section 6.8; random needs none",
    ),
    explain(
        "role-without-percepts",
        "(role a) (role b) (sees a f)",
        "(role a) (role b) (sees a f) (sees b f)",
        "Add rules for sees, unless this player should know nothing but its own moves.",
        "Thielscher, AAAI 2010: a player knows its own moves and what sees tells it",
    ),
];
