//! Explanations of the words of the language in their places.

use super::{Explanation, explain, games::WAVE};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "keyword-arity",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice) (true waved))",
        WAVE,
        "Give the keyword its arguments: role, init, true, next and base take 1; legal, does, goal, sees, input \
         and percept take 2; terminal takes none; not takes 1 formula, distinct 2 terms.",
        "LG-2006-01, section 6; for sees and random: Thielscher, AAAI 2010",
    ),
    explain(
        "keyword-as-relation",
        "\
(role alice)
(base alice 1)
(init ready)
(<= (legal alice wave) (base alice ?n) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(home alice 1)
(init ready)
(<= (legal alice wave) (home alice ?n) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Rename the relation.",
        "LG-2006-01 reserves neither base, input, percept nor sees; GDL-II does (Thielscher, AAAI 2010)",
    ),
    explain(
        "keyword-in-head",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (true waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Use next or init in the head instead of true, and legal instead of does.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "keyword-in-body",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (next waved))",
        WAVE,
        "Define a relation with the conditions of the rules for next, and use that.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "sees-in-body",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (sees alice hello))
(<= (sees alice hello) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= (sees alice hello) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Define a relation with the conditions of the rules for sees, and use that.",
        "Thielscher, AAAI 2010: sees occurs in heads only",
    ),
    explain(
        "knows-in-body",
        "\
(role alice)
(init (card red))
(<= (legal alice (say ?colour)) (true (card ?colour)))
(<= (next (said ?colour)) (does alice (say ?colour)))
(<= (sees alice ?colour) (true (card ?colour)))
(<= terminal (true (said ?colour)))
(<= (goal alice 100) (knows alice (card red)))",
        "\
(role alice)
(init (card red))
(<= (legal alice (say ?colour)) (true (card ?colour)))
(<= (next (said ?colour)) (does alice (say ?colour)))
(<= (sees alice ?colour) (true (card ?colour)))
(<= terminal (true (said ?colour)))
(<= (goal alice 100) (true (said ?colour)))",
        "Keep what a role was told in fluents, and ask for those with true. A relation of your own called knows is allowed.",
        "Thielscher: GDL-III, IJCAI 2017",
    ),
    explain(
        "depends-on-state",
        "\
(role alice)
(<= (init ready) (true waved))
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "The initial state depends on nothing: use facts that hold in every state.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "declaration-depends-on-state",
        "\
(role alice)
(base ready)
(<= (base waved) (true ready))
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(base ready)
(base waved)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Declare everything that can occur, using only facts that hold in every state.",
        "gdl-validation: InitBaseInputAreConstant",
    ),
    explain(
        "depends-on-does",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (does alice wave))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Store the move in the state with a rule for next, and use that fluent.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "missing-keyword",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Add rules for legal, goal and terminal.",
        "LG-2006-01, section 2; gdl-validation: ContainsRoleTerminalGoalLegal",
    ),
    explain(
        "bare-operator",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal not (true ready))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (not (true ready)))
(<= (goal alice 100) (true waved))",
        "Put parentheses around not, or and distinct together with their arguments.",
        "prefix syntax: an operator is the first element of a list",
    ),
    explain(
        "operator-as-term",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true (not ready)))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (not (true ready)))
(<= (goal alice 100) (true waved))",
        "Move the operator outside the term.",
        "gdl-validation: DatalogKeywordsNotConstants",
    ),
    explain(
        "keyword-as-function",
        "\
(role alice)
(role bob)
(init ready)
(<= (legal alice wave) (true ready))
(<= (legal bob noop) (true ready))
(<= (next waved) (does alice wave))
(<= (sees alice done) (does alice wave))
(<= (sees bob (does ?move)) (does alice ?move))
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
(<= (sees bob (did ?move)) (does alice ?move))
(<= terminal (true waved))
(goal alice 100)
(goal bob 0)",
        "Rename the function; inside a term a keyword has no meaning.",
        "gdl-validation: KeywordsAreNotFunctionNames; real games have such percepts, and they are played",
    ),
    explain(
        "keyword-as-constant",
        "\
(role alice)
(init goal)
(<= (legal alice wave) (true goal))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Rename the constant to avoid confusion.",
        "gdl-validation: keywords as object constants",
    ),
    explain(
        "goal-value",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 101) (true waved))",
        WAVE,
        "Use whole numbers from 0 to 100; a payoff map can convert them to other units.",
        "LG-2006-01, section 6.8; the compatible reading plays other whole numbers as they are",
    ),
    explain(
        "random-without-sees",
        "\
(role alice)
(role random)
(legal alice noop)
(legal random heads)
(legal random tails)
(<= (next (coin ?side)) (does random ?side))
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
        "Add rules for sees that say what each player is told about chance.",
        "Thielscher, AAAI 2010: without sees nobody is told anything; Croupier reads such rules as having full sight",
    ),
    explain(
        "undeclared-fluent",
        "\
(role alice)
(base ready)
(base wavde)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(base ready)
(base waved)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Add a rule for base, or correct the name.",
        "gdl-validation: BasesInputsValidator",
    ),
    explain(
        "undeclared-move",
        "\
(role alice)
(input alice wvae)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(input alice wave)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Add a rule for input, or correct the name.",
        "gdl-validation: BasesInputsValidator",
    ),
    explain(
        "undeclared-percept",
        "\
(role alice)
(percept alice helo)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= (sees alice hello) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
(role alice)
(percept alice hello)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= (sees alice hello) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Add a rule for percept, or correct the name.",
        "Croupier: percept declares what sees can contain, as base and input do for true and legal",
    ),
];
