//! Explanations of names: unknown, unused, shared, oddly spelled.

use super::{Explanation, explain};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "number-as-relation",
        "(<= terminal (100 a))",
        "(<= terminal (goal a 100))",
        "Write the missing relation before the number.",
        "LG-2006-01 allows it, but it is almost always a mistake",
    ),
    explain(
        "shared-name",
        "(<= cell (true cell)) (init (cell 1))",
        "(<= is_cell (true cell)) (init (cell 1))",
        "Rename one of them; if a condition ended up inside a term, move it out.",
        "gdl-validation: same name as a sentence and a function",
    ),
    explain(
        "case-clash",
        "(cell a) (<= terminal (Cell a))",
        "(cell a) (<= terminal (cell a))",
        "Use one spelling. Names are not case-sensitive, because the protocol sends everything in capitals.",
        "LG-2006-01, section 4; gdl-validation: InconsistentCapitalization",
    ),
    explain(
        "variable-case",
        "(<= (p ?x) (q ?X))",
        "(<= (p ?x) (q ?x))",
        "Use one spelling, or rename the second variable.",
        "variables are not case-sensitive either, and other programs differ here",
    ),
    explain(
        "capital-constant",
        "(<= (next (cell X)) (true (cell X)))",
        "(<= (next (cell ?x)) (true (cell ?x)))",
        "Write a question mark before a variable.",
        "capitalised names are variables in Prolog and in infix syntax, but not in prefix syntax",
    ),
    explain(
        "undefined-relation",
        "(number 1) (<= terminal (nubmer 1))",
        "(number 1) (<= terminal (number 1))",
        "Correct the name, or add rules for it.",
        "gdl-validation: unproduced names; ggp-base test_case_3c plays such rules",
    ),
    explain(
        "unused-relation",
        "(<= terminl (true over))",
        "(<= terminal (true over))",
        "Correct the name, use the relation, or delete it.",
        "gdl-validation: unused names",
    ),
    explain(
        "unreachable-relation",
        "(<= p (true f)) (<= q p q)",
        "(<= p (true f)) (<= terminal p)",
        "Use it in a rule that the game needs, or delete it together with everything used only by it.",
        "only relations that init, legal, next, sees, terminal and goal depend on are computed",
    ),
    explain(
        "undefined-fluent",
        "(init (cell 1)) (<= terminal (true (cel 1)))",
        "(init (cell 1)) (<= terminal (true (cell 1)))",
        "Correct the name, or make the fluent true with init or next.",
        "Croupier; a state contains only what init and next define",
    ),
    explain(
        "unused-fluent",
        "(init (cell 1))",
        "(init (cell 1)) (<= terminal (true (cell 1)))",
        "Use it in a condition with true, or delete it, unless it is there for people to read.",
        "Croupier; states that differ only in an unused fluent cost time and memory",
    ),
    explain(
        "undefined-move",
        "(legal a (mark 1)) (<= (next f) (does a (amrk 1)))",
        "(legal a (mark 1)) (<= (next f) (does a (mark 1)))",
        "Correct the name, or make the move legal.",
        "Croupier; a move that is never legal cannot be made",
    ),
];
