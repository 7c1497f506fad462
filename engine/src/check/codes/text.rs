//! Explanations of problems with the text itself.

use super::{
    Explanation, SPECIFICATION, explain,
    games::{SHOW, WAVE, WAVE_OVER},
};

const STANFORD: &str =
    "General Game Playing at Stanford, chapter on the Game Description Language, sections 3 and 6";

const PROLOG: &str = "ISO 13211-1 (Prolog), as far as infix rules follow it";

pub(super) const CODES: &[Explanation] = &[
    explain(
        "not-utf-8",
        "\
; zo\u{eb} waves
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
; zoe waves
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Save the file as UTF-8; if it already was, look for damage at the named byte.",
        "Croupier; most characters outside ASCII are in comments, where they do no harm",
    ),
    explain(
        "limit",
        "\
(role alice)
(init (cards a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a))
(<= (legal alice show) (true (cards a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a)))
(<= (next shown) (does alice show))
(<= terminal (true shown))
(goal alice 100)",
        "\
(role alice)
(init (cards a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a))
(<= (legal alice show) (true (cards a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a)))
(<= (next shown) (does alice show))
(<= terminal (true shown))
(goal alice 100)",
        "Make the text smaller, or call the engine with higher limits.",
        "Croupier; the largest public rule sheets are well within the limits",
    ),
    explain(
        "unbalanced-parenthesis",
        "\
(role alice)
(init ready
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Count the parentheses of the form; an editor that highlights matching ones helps.",
        SPECIFICATION,
    ),
    explain(
        "empty-list",
        "\
(role alice)
(init ())
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Fill in the parentheses, or delete them.",
        SPECIFICATION,
    ),
    explain(
        "list-as-name",
        "\
(role alice)
(init ready)
((legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Delete the extra parenthesis.",
        "LG-2006-01, section 4; gdl-validation reports consecutive parentheses",
    ),
    explain(
        "variable-as-name",
        "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) (?card king) (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Write the name of the relation or function: there are no variables over relations.",
        SPECIFICATION,
    ),
    explain(
        "variable-as-atom",
        "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) ?card (true ready))
(<= (next shown) (does alice (show ?card)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Put a relation around the variable, such as true.",
        SPECIFICATION,
    ),
    explain(
        "variable-without-name",
        "\
(role alice)
(card king)
(card queen)
(init ready)
(<= (legal alice (show ?card)) (card ?card) (true ready))
(<= (next shown) (does alice (show ?)))
(<= terminal (true shown))
(goal alice 100)",
        SHOW,
        "Give the variable a name; there are no anonymous variables.",
        SPECIFICATION,
    ),
    explain(
        "rule-without-head",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<=)
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Write the head of the rule after the arrow.",
        SPECIFICATION,
    ),
    explain(
        "nested-rule",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave)
(<= terminal (true waved)))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Close the first rule before the second begins.",
        SPECIFICATION,
    ),
    explain(
        "foreign-comment",
        "\
// alice waves once
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "\
; alice waves once
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        "Begin comments with a semicolon; they end with their line.",
        "LG-2006-01, section 4; read as names, every word of the line would be a fact",
    ),
    explain(
        "arrow",
        "\
(role alice)
(init ready)
(\u{21d0} (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Write the arrow as <= so that every program can read it.",
        "papers typeset the arrow as one character, and text copied from them keeps it",
    ),
    explain(
        "typeset-operator",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- \u{ac}true(ready)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- ~true(ready)
goal(alice, 100) :- true(waved)",
        "Write ~ for not, & for and, | for or, so that every program can read it.",
        "papers typeset the logical symbols, and text copied from them keeps them",
    ),
    explain(
        "empty-arguments",
        "\
(role alice)
(init ready)
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= over (true waved))
(<= terminal (over))
(goal alice 100)",
        WAVE_OVER,
        "Write a relation without arguments as a bare name.",
        "LG-2006-01, section 4; ggp-base test_case_3a reads both as the same",
    ),
    explain(
        "empty-body",
        "\
(role alice)
(<= (init ready))
(<= (legal alice wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Write a fact without the arrow, or add conditions.",
        "ggp-base test_case_1a; gdl-validation warns too",
    ),
    explain(
        "unexpected-token",
        "\
role(alice)
init(ready) & calm
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "Write HEAD :- CONDITION & CONDITION, and put names with unusual characters in single quotes.",
        STANFORD,
    ),
    explain("unclosed-quote",
        "\
role(alice)
init('ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init('ready')
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)", "Close the quote on the same line.", PROLOG),
    explain(
        "quoted-name",
        "\
role(alice)
init('all ready')
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init('ready')
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "Choose a name without spaces, parentheses and semicolons.",
        PROLOG,
    ),
    explain(
        "semicolon",
        "\
role(alice)
init(ready) ; at first
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init(ready) % at first
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "Use % to start a comment, and | for or.",
        "`;` means or in Prolog, and starts a comment in prefix syntax",
    ),
    explain(
        "stray-comma",
        "\
(role alice)
(init ready)
(<= (legal alice show(king,)) (true ready))
(<= (next shown) (does alice (show king)))
(<= terminal (true shown))
(goal alice 100)",
        "\
(role alice)
(init ready)
(<= (legal alice (show king)) (true ready))
(<= (next shown) (does alice (show king)))
(<= terminal (true shown))
(goal alice 100)",
        "Delete the comma, or add the missing argument.",
        "Croupier; part of the tolerance for mixed-notation",
    ),
    explain(
        "mixed-notation",
        "\
(role alice)
(init ready)
(<= (legal alice show(king)) (true ready))
(<= (next shown) (does alice (show king)))
(<= terminal (true shown))
(goal alice 100)",
        "\
(role alice)
(init ready)
(<= (legal alice (show king)) (true ready))
(<= (next shown) (does alice (show king)))
(<= terminal (true shown))
(goal alice 100)",
        "Write the function and its arguments in one pair of parentheses.",
        "some wikis print it this way, such as the page on GDL-II at mind/newdeck",
    ),
    explain("comma-in-name",
        "\
(role alice)
(init ready)
(<= (legal alice, wave) (true ready))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE, "Delete the comma: spaces separate terms.", SPECIFICATION),
    explain(
        "missing-conjunction",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
  ~true(ready)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved) &
  ~true(ready)
goal(alice, 100) :- true(waved)",
        "Write & between the conditions.",
        "the listing of tic-tac-toe in the Stanford chapter, section 3",
    ),
    explain(
        "trailing-conjunction",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave) &
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "Delete it, or add the missing condition.",
        "the listing of tic-tac-toe in the Stanford chapter, section 3",
    ),
    explain(
        "missing-period",
        "\
role(alice) init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "\
role(alice). init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "Write a period after the first clause, or one clause per line.",
        STANFORD,
    ),
    explain("detached-arguments",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true (waved)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)", "Delete the space.", PROLOG),
    explain(
        "tuple",
        "\
role(alice)
init((1, 2))
legal(alice, wave) :- true((1, 2))
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "\
role(alice)
init(at(1, 2))
legal(alice, wave) :- true(at(1, 2))
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- true(waved)",
        "Name the function.",
        "Prolog has it, and the infix rules of dark split corridor use it",
    ),
    explain("semicolon-as-or",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- (true(waved) ; true(ready))",
        "\
role(alice)
init(ready)
legal(alice, wave) :- true(ready)
next(waved) :- does(alice, wave)
terminal :- true(waved)
goal(alice, 100) :- (true(waved) | true(ready))", "Write | instead of `;`.", PROLOG),
    explain(
        "similar-variables",
        "\
role(alice)
card(king)
init(ready)
legal(alice, show(Card)) :- card(Card) & card(CARD) & true(ready)
next(shown) :- does(alice, show(Card))
terminal :- true(shown)
goal(alice, 100)",
        "\
role(alice)
card(king)
init(ready)
legal(alice, show(Card)) :- card(Card) & card(Other) & true(ready)
next(shown) :- does(alice, show(Card))
terminal :- true(shown)
goal(alice, 100)",
        "Rename one of them, or spell them the same if they are the same variable.",
        PROLOG,
    ),
    explain(
        "unusual-characters",
        "\
(role alice)
(init \"ready\")
(<= (legal alice wave) (true \"ready\"))
(<= (next waved) (does alice wave))
(<= terminal (true waved))
(<= (goal alice 100) (true waved))",
        WAVE,
        "Use letters, digits and underscores in names, and ; for comments.",
        "gdl-validation: unusual characters; KIF strings and block comments are not part of GDL",
    ),
];
