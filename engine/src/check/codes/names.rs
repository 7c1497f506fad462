//! Explanations of names: unknown, unused, shared, oddly spelled.

use super::{
    Explanation, explain,
    games::{SHOW, WAVE},
};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "number-as-relation",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (100 waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Write the missing relation before the number.",
        "LG-2006-01 allows it, but it is almost always a mistake",
    ),
    explain(
        "shared-name",
        "\
(role alice)
(cell corner)
(init (cell corner))
(<= (legal alice (leave ?place)) (cell ?place) (true (cell ?place)))
(<= terminal (not (true (cell corner))))
(goal alice 100)",
        "\
(role alice)
(cell corner)
(init (mark corner))
(<= (legal alice (leave ?place)) (cell ?place) (true (mark ?place)))
(<= terminal (not (true (mark corner))))
(goal alice 100)",
        "Rename one of them; if a condition ended up inside a term, move it out.",
        "gdl-validation: same name as a sentence and a function",
    ),
    explain(
        "case-clash",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true Waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Use one spelling. Names are not case-sensitive, because the protocol sends everything in capitals.",
        "LG-2006-01, section 4; gdl-validation: InconsistentCapitalization",
    ),
    explain(
        "variable-case",
        "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) (card ?Card) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Use one spelling, or rename the second variable.",
        "variables are not case-sensitive either, and other programs differ here",
    ),
    explain(
        "capital-constant",
        "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next (shown X)) (does alice (show X)))
(<= terminal (true (shown ?card)))
(goal alice 100)",
        "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next (shown ?card)) (does alice (show ?card)))
(<= terminal (true (shown ?card)))
(goal alice 100)",
        "Write a question mark before a variable.",
        "capitalised names are variables in Prolog and in infix syntax, but not in prefix syntax",
    ),
    explain(
        "undefined-relation",
        "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) (crad ?card) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Correct the name, or add rules for it.",
        "gdl-validation: unproduced names; ggp-base test_case_3c plays such rules",
    ),
    explain(
        "unused-relation",
        "\
(role alice)
(card king)
(crad queen)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Correct the name, use the relation, or delete it.",
        "gdl-validation: unused names",
    ),
    explain(
        "unreachable-relation",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= won (true waved))
(<= best won)
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= won (true waved))
(<= best won)
(<= (goal alice 100) best)",
        "Use it in a rule that the game needs, or delete it together with everything used only by it.",
        "only relations that init, legal, next, sees, terminal and goal depend on are computed",
    ),
    explain(
        "impossible-value",
        "\
(role alice)
(init (phase start))
(<= (legal alice wave) (true (phase start)))
(<= (next (phase finished)) (does alice wave))
(<= terminal (true (phase fniished)))
(goal alice 100)",
        "\
(role alice)
(init (phase start))
(<= (legal alice wave) (true (phase start)))
(<= (next (phase finished)) (does alice wave))
(<= terminal (true (phase finished)))
(goal alice 100)",
        "Correct the constant, or add the fact or rule that makes the condition possible.",
        "Croupier; the values that facts and rules can put in each place are worked out without playing",
    ),
    explain(
        "undefined-fluent",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true wavde))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Correct the name, or make the fluent true with init or next.",
        "Croupier; a state contains only what init and next define",
    ),
    explain(
        "unused-fluent",
        "\
(role alice)
(init ready)
(init sunny)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Use it in a condition with true, or delete it, unless it is there for people to read.",
        "Croupier; states that differ only in an unused fluent cost time and memory",
    ),
    explain(
        "undefined-move",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wvae))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Correct the name, or make the move legal.",
        "Croupier; a move that is never legal cannot be made",
    ),
];
