//! What the reader of infix syntax says of small texts.

use super::*;
use crate::{
    diagnostic::{Diagnostic, Severity},
    limits::Limits,
    syntax::print_description,
};

fn read(text: &str) -> (String, Vec<Diagnostic>) {
    let (description, diagnostics) = read_infix(text, &Limits::STANDARD);
    (print_description(&description), diagnostics)
}

/// Codes with the text that they point at.
fn found(text: &str) -> Vec<(&'static str, &str)> {
    let (_, diagnostics) = read_infix(text, &Limits::STANDARD);
    diagnostics.iter().map(|found| (found.code, &text[found.span.range()])).collect()
}

#[track_caller]
fn assert_reads(text: &str, expected: &str) {
    let (printed, diagnostics) = read(text);
    assert_eq!(diagnostics, [], "{text}");
    assert_eq!(printed.replace("\n    ", " "), expected, "{text}");
}

#[test]
fn both_dialects_are_read() {
    assert_reads("role(x)\nrole(o)\n", "(role x)\n(role o)\n");
    assert_reads("role(x). role(o).", "(role x)\n(role o)\n");
    assert_reads("p(X,f(b)) :- q(X) & ~r(X)", "(<= (p ?x (f b)) (q ?x) (not (r ?x)))\n");
    assert_reads(
        "p(X) :-\n  q(X),\n  not r(X),\n  \\+ s,\n  distinct(X, b).",
        "(<= (p ?x) (q ?x) (not (r ?x)) (not s) (distinct ?x b))\n",
    );
    assert_reads("p :- a & b | c", "(<= p (or (and a b) c))\n");
    assert_reads("p :- a & (b | c & d) & ~(e, f) & ((g))", "(<= p a (or b (and c d)) (not (and e f)) g)\n");
    assert_reads("p :- (a & b)", "(<= p (and a b))\n");
    assert_reads("p :- and() & or(a) & not(b)", "(<= p (and) (or a) (not b))\n");
    assert_reads("goal(X, -10) :- p(_, _, _c, 1.5)", "(<= (goal ?x -10) (p ?_1 ?_2 ?_c 1.5))\n");
    assert_reads("p :- q(_, _1)", "(<= p (q ?_2 ?_1))\n");
    assert_reads("'+'(A, 'o''', 'a-b') % c\n", "(+ ?a o' a-b)\n");
    assert_reads(
        "open :- true(cell(M,\n  N, b))\nterminal :-\n~open",
        "(<= open (true (cell ?m ?n b)))\n(<= terminal (not open))\n",
    );
}

/// The two slips of the Stanford chapter's listing, in a game of our own: an `&` is missing between two
/// conditions, and a body ends with one.
const TWO_SLIPS: &str = "\
    role(x)
    init(lamp(off))

    legal(x, press)
    legal(x, wait)

    next(lamp(on)) :-
      does(x, press)
      true(lamp(off)) &
      role(x)

    next(lamp(W)) :-
      does(x, wait) &
      true(lamp(W)) &

    base(lamp(on))

    shining(X) :- true(lamp(X)) & distinct(X, off) &

    goal(x, 100) :- shining(on)
    terminal :- shining(on)
";

#[test]
fn two_slips_of_the_stanford_chapter_are_read_by_the_layout() {
    let (printed, _) = read(TWO_SLIPS);
    let expected = "\
(role x)
(init (lamp off))
(legal x press)
(legal x wait)
(<= (next (lamp on))
    (does x press)
    (true (lamp off))
    (role x))
(<= (next (lamp ?w))
    (does x wait)
    (true (lamp ?w)))
(base (lamp on))
(<= (shining ?x)
    (true (lamp ?x))
    (distinct ?x off))
(<= (goal x 100)
    (shining on))
(<= terminal
    (shining on))
";
    assert_eq!(printed, expected);
    assert_eq!(
        found(TWO_SLIPS),
        [
            ("missing-conjunction", "does(x, press)"),
            ("trailing-conjunction", "&"),
            ("trailing-conjunction", "&")
        ]
    );
    let (_, diagnostics) = read_infix(TWO_SLIPS, &Limits::STANDARD);
    let lines: Vec<_> = diagnostics.iter().map(|found| found.line_column(TWO_SLIPS)).collect();
    assert_eq!(lines, [(8, 7), (14, 21), (18, 52)]);
    assert!(diagnostics.iter().all(|found| found.severity == Severity::Warning));
}

#[test]
fn an_operator_continues_a_body_where_the_layout_says_nothing() {
    assert_reads("p :-\na &\nb\nq", "(<= p a b)\nq\n");
    assert_reads("p :- a,\nb.\nq.", "(<= p a b)\nq\n");
    assert_reads("p :- a\n  & b\nq", "(<= p a b)\nq\n");
    assert_eq!(found("p :- a &\nq :- b"), [("trailing-conjunction", "&")]);
    assert_eq!(found("p :- a &\nq"), [("trailing-conjunction", "&")]);
    assert_eq!(found("p :- a, ."), [("trailing-conjunction", ",")]);
    assert_eq!(found("p :- (a &)"), [("trailing-conjunction", "&")]);
}

#[test]
fn tolerances_warn_and_have_one_meaning() {
    let cases = [
        ("p :- a b & c", "missing-conjunction", "a", "(<= p a b c)\n"),
        ("p(a) q(b)", "missing-period", "q", "(p a)\n(q b)\n"),
        ("p :- a q :- b", "missing-period", "q", "(<= p a)\n(<= q b)\n"),
        ("p (a)", "detached-arguments", "(", "(p a)\n"),
        ("p() :- a", "empty-arguments", "p()", "(<= p a)\n"),
        ("p :- .", "empty-body", "p :-", "p\n"),
        ("p ⇐ q", "arrow", "⇐", "(<= p q)\n"),
        ("p ← q", "arrow", "←", "(<= p q)\n"),
        ("p <= q", "arrow", "<=", "(<= p q)\n"),
        ("p :- ¬q", "typeset-operator", "¬", "(<= p (not q))\n"),
        ("p :- a∧b", "typeset-operator", "∧", "(<= p a b)\n"),
        ("p :- a ∨ b", "typeset-operator", "∨", "(<= p (or a b))\n"),
        ("p :- (a ; b)", "semicolon-as-or", ";", "(<= p (or a b))\n"),
        ("p((a, (B))) :- q(B)", "tuple", "(a, (B))", "(<= (p (tuple a ?b)) (q ?b))\n"),
        ("tuple(a)\np((a, b))", "tuple", "(a, b)", "(tuple a)\n(p (tuple_2 a b))\n"),
        ("p(?X) :- q(?x)", "mixed-notation", "?X", "(<= (p ?x) (q ?x))\n"),
        ("p(Xy) :- q(XY, Xy)", "similar-variables", "XY", "(<= (p ?xy) (q ?xy_2 ?xy))\n"),
    ];
    for (text, code, place, expected) in cases {
        assert_eq!(found(text), [(code, place)], "{text}");
        let (printed, diagnostics) = read(text);
        assert_eq!(diagnostics[0].severity, Severity::Warning, "{text}");
        assert_eq!(printed.replace("\n    ", " "), expected, "{text}");
    }
}

#[test]
fn what_has_no_meaning_is_an_error_at_its_place_and_the_rest_is_read() {
    let cases = [
        (":- a.\nq", "rule-without-head", ":-"),
        ("X :- a\nq", "variable-as-atom", "X"),
        ("p :- X\nq", "variable-as-atom", "X"),
        ("p :- X(a)\nq", "variable-as-name", "X"),
        ("p :- '<='(a, b)\nq", "nested-rule", "'<='(a, b)"),
        ("p :- distinct(a)\nq", "keyword-arity", "distinct(a)"),
        ("p(a, b\nq", "unbalanced-parenthesis", "("),
        ("p(a)).\nq", "unbalanced-parenthesis", ")"),
        ("p :- (a & b\nq", "unbalanced-parenthesis", "("),
        ("p(a b)\nq", "unexpected-token", "b"),
        ("p(a, )\nq", "unbalanced-parenthesis", ")"),
        ("p(a-1)\nq", "unexpected-token", "-1"),
        ("p(a + b)\nq", "unexpected-token", "+"),
        ("p & a\nq", "unexpected-token", "&"),
        ("p :- a & & b\nq", "unexpected-token", "&"),
        ("~p :- a\nq", "unexpected-token", "~"),
        ("not p :- a\nq", "unexpected-token", "not"),
        ("p('a\nq", "unclosed-quote", "'a"),
        ("p('a b')\nq", "quoted-name", "'a b'"),
        ("; p\nq", "semicolon", ";"),
        ("p(a) ; b\nq", "semicolon", ";"),
        ("p :- ()\nq", "empty-list", "()"),
    ];
    for (text, code, place) in cases {
        assert_eq!(found(text), [(code, place)], "{text}");
        let (printed, diagnostics) = read(text);
        assert_eq!(diagnostics[0].severity, Severity::Error, "{text}");
        assert!(printed.ends_with("q\n"), "{text}: {printed}");
    }
}

#[test]
fn what_is_nested_too_deep_is_one_error() {
    for deep in ["(", "p(", "~", "p :- (", "p :- ~", "p :- not ", "p :- ~(", "p :- and("] {
        let (head, rest) = deep.split_once(":- ").unwrap_or(("", deep));
        let arrow = if head.is_empty() { "" } else { "p :- " };
        let text = format!("{arrow}{}", rest.repeat(300_000));
        let limits = Limits { source_bytes: 1 << 24, tokens: 1 << 24, ..Limits::STANDARD };
        let (_, diagnostics) = read_infix(&text, &limits);
        assert_eq!(diagnostics.len(), 1, "{deep}");
    }
}

#[test]
fn printed_conditions_stand_a_line_each_and_parentheses_keep_the_structure() {
    let text =
        "(<= (p ?x ?1) (not (or a (and b c))) (and) (or (q ?x)) (not (not d)) (distinct ?x Foo+))\n(+ not)";
    let (description, _) = crate::syntax::read_prefix(text, &Limits::STANDARD);
    let expected = "\
p(X, V__1) :-
    ~(a | (b & c)) &
    and() &
    or(q(X)) &
    ~~d &
    distinct(X, 'foo+')
'+'('not')
";
    assert_eq!(print_infix(&description), expected);
}

#[test]
fn comments_change_their_sign_and_keep_their_places() {
    let text = ";; Lamps;\n(role a);first\n(<= p ; inside\n  q) ; behind\n\n; last %\n";
    let (description, _) = crate::syntax::read_prefix(text, &Limits::STANDARD);
    let expected = "%% Lamps;\nrole(a) %first\n\n% inside\np :-\n    q % behind\n\n% last %\n";
    let printed = print_infix_commented(&description);
    assert_eq!(printed, expected);
    let (again, _) = read_infix(&printed, &Limits::STANDARD);
    assert_eq!(print_infix_commented(&again), printed);
}
