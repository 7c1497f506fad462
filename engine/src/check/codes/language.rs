//! Explanations of the words of the language in their places.

use super::{Explanation, explain};

pub(super) const CODES: &[Explanation] = &[
    explain(
        "keyword-arity",
        ("(<= terminal (true cell 1))", "(<= terminal (true (cell 1)))"),
        "Give the word its arguments: role, init, true, next and base take 1; legal, does, goal, sees, input \
         and percept take 2; terminal takes none; not takes 1 formula, distinct 2 terms.",
        "LG-2006-01, section 6; for sees and random: Thielscher, AAAI 2010",
    ),
    explain(
        "keyword-as-relation",
        ("(base w 1) (<= p (base ?r ?n))", "(home w 1) (<= p (home ?r ?n))"),
        "Give the relation another name.",
        "LG-2006-01 reserves neither base, input, percept nor sees; GDL-II does (Thielscher, AAAI 2010)",
    ),
    explain(
        "keyword-in-head",
        ("(<= (true f) p)", "(<= (next f) p)"),
        "Conclude next or init in place of true, and legal in place of does.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "keyword-in-body",
        ("(<= p (next f))", "(<= p (true f))"),
        "Give the conditions of the rules for next a relation of their own, and ask for that.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "sees-in-body",
        ("(<= p (sees a f))", "(<= p (true f))"),
        "Give the conditions of the rules for sees a relation of their own, and ask for that.",
        "Thielscher, AAAI 2010: sees occurs in heads only",
    ),
    explain(
        "depends-on-state",
        ("(<= (init f) (true g))", "(<= (init f) (p g))"),
        "The first state comes from nothing: use facts that hold in every state.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "declaration-depends-on-state",
        ("(<= (base f) (true g))", "(<= (base f) (p g))"),
        "Declare everything that can be, from facts that hold in every state.",
        "gdl-validation: InitBaseInputAreConstant",
    ),
    explain(
        "depends-on-does",
        ("(<= (legal a m) (does a n))", "(<= (legal a m) (true n))"),
        "Keep what was played in the state with a rule for next, and ask for that.",
        "LG-2006-01, Def. 20",
    ),
    explain(
        "missing-keyword",
        ("(role a) (legal a m) (goal a 50)", "(role a) (legal a m) (goal a 50) terminal"),
        "Add rules for legal, goal and terminal.",
        "LG-2006-01, section 2; gdl-validation: ContainsRoleTerminalGoalLegal",
    ),
    explain(
        "bare-operator",
        ("(<= terminal not open)", "(<= terminal (not open))"),
        "Write parentheses around not, or and distinct together with what they are about.",
        "prefix syntax: every operator leads a list",
    ),
    explain(
        "operator-as-term",
        ("(<= terminal (true (not open)))", "(<= terminal (not (true open)))"),
        "Move the operator out of the term.",
        "gdl-validation: DatalogKeywordsNotConstants",
    ),
    explain(
        "keyword-as-function",
        ("(<= (sees a (does b ?m)) (does b ?m))", "(<= (sees a (did b ?m)) (does b ?m))"),
        "Give the function a name of its own; inside a term a word of the language has no meaning.",
        "gdl-validation: KeywordsAreNotFunctionNames; such percepts are in real games, and are played",
    ),
    explain(
        "keyword-as-constant",
        ("(init (at goal))", "(init (at target))"),
        "Give the constant a name of its own, so that nobody has to wonder.",
        "gdl-validation: keywords as object constants",
    ),
    explain(
        "goal-value",
        ("(goal a 101)", "(goal a 100)"),
        "Give whole numbers from 0 to 100; a payoff map can turn them into other units.",
        "LG-2006-01, section 6.8",
    ),
    explain(
        "random-without-sees",
        ("(role random)", "(role random) (sees a f)"),
        "Say with rules for sees what each player is told of chance.",
        "Thielscher, AAAI 2010: without sees nobody is told anything; here such a text is read as full sight",
    ),
    explain(
        "undeclared-fluent",
        ("(base f) (init g)", "(base f) (init f)"),
        "Add a rule for base, or correct the name.",
        "gdl-validation: BasesInputsValidator",
    ),
    explain(
        "undeclared-move",
        ("(role a) (input a m) (legal a n)", "(role a) (input a m) (legal a m)"),
        "Add a rule for input, or correct the name.",
        "gdl-validation: BasesInputsValidator",
    ),
    explain(
        "undeclared-percept",
        ("(percept a f) (sees a g)", "(percept a f) (sees a f)"),
        "Add a rule for percept, or correct the name.",
        "Croupier: percept declares what sees may tell, as base and input do for true and legal",
    ),
];
