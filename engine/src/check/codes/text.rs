//! Explanations of what can be wrong with the text itself.

use super::{Explanation, SPECIFICATION, explain};

const STANFORD: &str =
    "General Game Playing at Stanford, chapter on the Game Description Language, sections 3 and 6";

const PROLOG: &str = "ISO 13211-1 (Prolog), as far as infix rules follow it";

pub(super) const CODES: &[Explanation] = &[
    explain(
        "not-utf-8",
        (
            "; zo\u{eb}, in a file that is saved as Latin-1\n(role a)",
            "; zoe, in a file that is saved as Latin-1\n(role a)",
        ),
        "Save the file as UTF-8; if it was, look for what damaged it at the byte that is named.",
        "Croupier's own: a character outside ASCII stands in a comment most often, and does no harm there",
    ),
    explain(
        "limit",
        (
            "(p a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a)",
            "(p a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a)",
        ),
        "Make the text smaller, or call the engine with wider limits.",
        "Croupier's own bounds; all of 614 public rule sheets stay within them",
    ),
    explain(
        "unbalanced-parenthesis",
        ("(role alice", "(role alice)"),
        "Count the parentheses of the clause that is shown; an editor with matching parentheses helps.",
        SPECIFICATION,
    ),
    explain(
        "empty-list",
        ("(role ())", "(role a)"),
        "Write a name between the parentheses, or delete them.",
        SPECIFICATION,
    ),
    explain(
        "list-as-name",
        ("((cell 1) a)", "(cell 1 a)"),
        "Delete the extra parenthesis.",
        "LG-2006-01, section 4; gdl-validation reports consecutive parentheses",
    ),
    explain(
        "variable-as-name",
        ("(<= (p ?x) (?x a))", "(<= (p ?x) (q ?x a))"),
        "Write the relation or function by name: there are no variables over relations.",
        SPECIFICATION,
    ),
    explain(
        "variable-as-atom",
        ("(<= (p ?x) ?x)", "(<= (p ?x) (true ?x))"),
        "Write a relation around the variable, such as true.",
        SPECIFICATION,
    ),
    explain(
        "variable-without-name",
        ("(<= p (true ?))", "(<= p (true ?x))"),
        "Give the variable a name; there are no anonymous variables.",
        SPECIFICATION,
    ),
    explain(
        "rule-without-head",
        ("(<=)", "(<= terminal)"),
        "Write what the rule concludes behind the arrow.",
        SPECIFICATION,
    ),
    explain(
        "nested-rule",
        ("(<= p (<= q r))", "(<= p q r)"),
        "Close the first rule before the second begins.",
        SPECIFICATION,
    ),
    explain(
        "arrow",
        ("(⇐ p q)", "(<= p q)"),
        "Write the arrow as <= so that every program reads it.",
        "papers print the arrow as one character, and text copied from them keeps it",
    ),
    explain(
        "empty-arguments",
        ("(<= terminal (over))", "(<= terminal over)"),
        "Write a relation without arguments as a bare name.",
        "LG-2006-01, section 4; ggp-base test_case_3a reads both as the same",
    ),
    explain(
        "empty-body",
        ("(<= (p a))", "(p a)"),
        "Write a fact without the arrow, or add the conditions.",
        "ggp-base test_case_1a; gdl-validation warns too",
    ),
    explain(
        "unexpected-token",
        ("role(a) & b", "role(a)"),
        "Write HEAD :- CONDITION & CONDITION, and names with unusual characters in single quotes.",
        STANFORD,
    ),
    explain("unclosed-quote", ("p('a)", "p('a')"), "Close the quote on its line.", PROLOG),
    explain(
        "quoted-name",
        ("p('a b')", "p('a-b')"),
        "Choose a name without blanks, parentheses and semicolons.",
        PROLOG,
    ),
    explain(
        "semicolon",
        ("p(a) ; b", "p(a) % b"),
        "Write % before a comment, and | for or.",
        "Prolog says `;` for or, and prefix syntax for comments",
    ),
    explain(
        "stray-comma",
        ("(p f(a,,b))", "(p f(a,b))"),
        "Delete the comma, or add the missing argument.",
        "Croupier's own; it comes with the tolerance mixed-notation",
    ),
    explain(
        "mixed-notation",
        ("(p f(a,b))", "(p (f a b))"),
        "Write the function and its arguments in one pair of parentheses.",
        "wikis print it, such as that on GDL-II at mind/newdeck",
    ),
    explain("comma-in-name", ("(p a, b)", "(p a b)"), "Delete the comma: blanks separate.", SPECIFICATION),
    explain(
        "missing-conjunction",
        ("p :- q\n  r", "p :- q &\n  r"),
        "Write & between the conditions.",
        "the listing of tic-tac-toe in the Stanford chapter, section 3",
    ),
    explain(
        "trailing-conjunction",
        ("p :- q &\nr", "p :- q\nr"),
        "Delete it, or add the missing condition.",
        "the listing of tic-tac-toe in the Stanford chapter, section 3",
    ),
    explain(
        "missing-period",
        ("p(a) q(b)", "p(a). q(b)"),
        "Write a point behind the first clause, or a clause a line.",
        STANFORD,
    ),
    explain("detached-arguments", ("p :- q (a)", "p :- q(a)"), "Delete the blank.", PROLOG),
    explain(
        "tuple",
        ("p((a, b))", "p(pair(a, b))"),
        "Name the function.",
        "Prolog has it, and the rules of dark split corridor in infix use it",
    ),
    explain("semicolon-as-or", ("p :- (q ; r)", "p :- (q | r)"), "Write |.", PROLOG),
    explain(
        "similar-variables",
        ("p(Xy) :- q(Xy, XY)", "p(Xy) :- q(Xy, Xz)"),
        "Rename one of them, or spell them alike if they are the same.",
        PROLOG,
    ),
    explain(
        "unusual-characters",
        ("(role \"alice\")", "(role alice)"),
        "Use letters, digits and underscores in names, and ; for comments.",
        "gdl-validation: unusual characters; KIF strings and block comments are not part of GDL",
    ),
];
