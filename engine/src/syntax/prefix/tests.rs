//! What the reader of prefix syntax says of small texts.

use super::*;
use crate::syntax::print_description;

fn codes(text: &str) -> Vec<(&'static str, u32, u32)> {
    let (_, diagnostics) = read_prefix(text, &Limits::STANDARD);
    diagnostics.iter().map(|found| (found.code, found.span.start, found.span.end)).collect()
}

fn printed(text: &str) -> String {
    print_description(&read_prefix(text, &Limits::STANDARD).0)
}

#[test]
fn all_findings_come_at_once_with_their_places() {
    assert_eq!(codes("(role a))"), [("unbalanced-parenthesis", 8, 9)]);
    assert_eq!(codes("(role a"), [("unbalanced-parenthesis", 0, 1)]);
    assert_eq!(
        codes("() (<= p (not a b)) (?x a)"),
        [("empty-list", 0, 2), ("keyword-arity", 9, 18), ("variable-as-name", 21, 23)]
    );
    assert_eq!(codes("(<= (p ?x) (q ?x)) ; (\n"), []);
}

#[test]
fn a_megabyte_of_parentheses_is_one_error() {
    let (_, diagnostics) = read_prefix(&"(".repeat(1_000_000), &Limits::STANDARD);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].message, "open parentheses: limit 256, 1000000 needed");
}

#[test]
fn a_missing_parenthesis_is_sought_where_the_next_clause_starts() {
    let text = "(<= (p ?x)\n    (q ?x)\n(role a)\n";
    let (_, diagnostics) = read_prefix(text, &Limits::STANDARD);
    assert_eq!(diagnostics[0].notes[0].0, Span::new(22, 23));
}

#[test]
fn a_missing_parenthesis_is_sought_where_a_condition_does_not_stand_deeper() {
    let text = "(<= (p ?x)\n    (true (q ?x)\n    (true (r ?x)))";
    let (_, diagnostics) = read_prefix(text, &Limits::STANDARD);
    let places: Vec<_> = diagnostics[0].notes.iter().map(|(span, _)| &text[span.start as usize..]).collect();
    assert_eq!(diagnostics.len(), 1);
    assert!(places.iter().any(|place| place.starts_with("(true (r")), "{places:?}");
}

#[test]
fn names_are_folded_and_zero_arguments_dropped() {
    assert_eq!(printed("(Role (A))(⇐ P (Q ?X))"), "(role a)\n(<= p\n    (q ?x))\n");
}

#[test]
fn a_reply_must_be_one_ground_term() {
    let read = |text| read_ground_term(text, &Limits::STANDARD);
    assert!(read(" (Mark 1 (f 2)) ; thanks").is_ok());
    assert_eq!(read("(mark ?x)").unwrap_err(), "the term has a variable");
    assert_eq!(read("").unwrap_err(), "the text is empty");
    assert_eq!(read("a b").unwrap_err(), "the text has more than one term");
    assert_eq!(read("(a").unwrap_err(), "this parenthesis is never closed");
    assert_eq!(read("mark(1,2)").unwrap_err(), "the text has more than one term");
}

#[test]
fn functions_in_mixed_notation_are_read_where_they_can_be_nothing_else() {
    let cases = [
        (
            "(<= (legal random deal(?P,?C)) (indeck(?C)))",
            "(<= (legal random (deal ?p ?c))\n    (indeck ?c))\n",
            2,
        ),
        ("(<= p (true (role(?p))))", "(<= p\n    (true (role ?p)))\n", 1),
        ("(<= p true(f(?x, g(a)) ) )", "(<= p\n    (true (f ?x (g a))))\n", 1),
        ("(<= p or(q(a), not(r(?x, b))))", "(<= p\n    (or (q a) (not (r ?x b))))\n", 1),
        ("(legal a b(c))", "(legal a (b c))\n", 1),
        ("(init cell(1 , 2,b))", "(init (cell 1 2 b))\n", 1),
        ("role(a) role(b)", "(role a)\n(role b)\n", 2),
    ];
    for (text, expected, warnings) in cases {
        let found = codes(text);
        assert!(found.iter().all(|(code, ..)| *code == "mixed-notation"), "{text}: {found:?}");
        assert_eq!(found.len(), warnings, "{text}: {found:?}");
        assert_eq!(printed(text), expected, "{text}");
    }
}

#[test]
fn text_without_blanks_is_no_mixed_notation() {
    let text = "(<=(p ?x)(q ?x)open(r a ?x)(not(s ?x))(or(true(f ?x))(distinct ?x a)))";
    assert_eq!(codes(text), []);
    let expected = "(<= (p ?x)\n    (q ?x)\n    open\n    (r a ?x)\n    (not (s ?x))\n    (or (true (f ?x)) (distinct ?x a)))\n";
    assert_eq!(printed(text), expected);
}

#[test]
fn commas_are_errors_where_they_separate_nothing_and_names_elsewhere() {
    assert_eq!(codes("(p f(a,,b))"), [("mixed-notation", 3, 10), ("stray-comma", 7, 8)]);
    assert_eq!(codes("(p f(,a))")[1], ("stray-comma", 5, 6));
    assert_eq!(codes("(p f(a,))")[1], ("stray-comma", 6, 7));
    assert_eq!(codes("(p a, b)"), [("comma-in-name", 3, 5)]);
}

#[test]
fn comments_are_kept_with_their_signs_and_places() {
    let text = ";;; A game  \n(role a) ; first\n(role b)\n; last";
    let (description, _) = read_prefix(text, &Limits::STANDARD);
    let seen: Vec<_> = description
        .comments
        .iter()
        .map(|comment| (comment.signs, comment.text.as_str(), comment.is_trailing))
        .collect();
    assert_eq!(seen, [(3, " A game", false), (1, " first", true), (1, " last", false)]);
}
