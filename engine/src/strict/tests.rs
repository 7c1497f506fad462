//! Each rewriting on a clause of a small game; what is strict already stays.

use super::*;
use crate::{
    Limits, Strictness,
    check::check_text,
    syntax::{print_description, read_prefix},
};

/// What every game needs, so that the rules of a test are a game.
const GAME: &str = "(role ann) (init (at 1)) (succ 1 2) (succ 2 3) (q 1) (q 2) (q 3) (legal ann stay) \
                    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (true (at 3))) (goal ann 50)";

/// The strict form of a clause in a game, on one line; it passes the strict check as all of the game does.
fn strict(clause: &str) -> String {
    let text = format!("{GAME} {clause}");
    let (written, _) = read_prefix(&text, &Limits::STANDARD);
    let (checked, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
    let strict = strict_form(&written, &checked.unwrap_or_else(|| panic!("{clause} is no rule: {found:?}")));
    let printed = print_description(&strict);
    let (is_strict, found) = check_text(&printed, Strictness::Strict, &Limits::STANDARD);
    assert!(is_strict.is_some(), "{printed}\n{found:?}");
    let one_line = printed.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let unchanged = print_description(&read_prefix(GAME, &Limits::STANDARD).0);
    let unchanged = unchanged.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    one_line.strip_prefix(&unchanged).expect("the rest of the game stays as it is").trim().to_owned()
}

#[test]
fn what_the_specification_allows_stays_as_it_is_written() {
    for clause in [
        "(<= (legal ann (go ?x)) (q ?x) (or (true (at ?x)) (not (true (at 1)))))",
        "(<= (legal ann (go ?_)) (q ?_) (distinct ?_ 1))",
        "(<= (legal ann (go ?x)) (or (q ?x) (succ ?x ?x)) (not (true (at ?x))))",
    ] {
        assert_eq!(strict(clause), clause);
    }
}

#[test]
fn a_variable_that_occurs_only_under_not_is_in_a_relation_of_its_own() {
    assert_eq!(
        strict("(<= (legal ann (go ?x)) (q ?x) (not (succ ?x ?_)))"),
        "(<= (legal ann (go ?x)) (q ?x) (not (some_succ ?x))) (<= (some_succ ?x) (succ ?x ?_))"
    );
    assert_eq!(
        strict(
            "(<= (legal ann (go ?x)) (q ?x) (not (succ ?other ?x))) (some_succ 1) (<= (legal ann 1) (some_succ 1))"
        ),
        "(<= (legal ann (go ?x)) (q ?x) (not (some_succ_2 ?x))) (<= (some_succ_2 ?x) (succ ?other ?x)) \
         (some_succ 1) (<= (legal ann 1) (some_succ 1))"
    );
    assert_eq!(
        strict("(<= (legal ann go) (not (true (at ?_))))"),
        "(<= (legal ann go) (not some_at)) (<= some_at (true (at ?_)))"
    );
}

#[test]
fn a_negated_formula_is_resolved() {
    let cases = [
        ("(not (or (q ?x) (succ 1 ?x)))", "(not (q ?x)) (not (succ 1 ?x))"),
        ("(not (not (q ?x)))", "(q ?x)"),
        ("(and (q ?x) (not (succ 1 ?x)))", "(q ?x) (not (succ 1 ?x))"),
    ];
    for (condition, wanted) in cases {
        let rule = strict(&format!("(<= (legal ann (go ?x)) (true (at ?x)) {condition})"));
        assert_eq!(rule, format!("(<= (legal ann (go ?x)) (true (at ?x)) {wanted})"));
    }
    assert_eq!(
        strict("(<= (legal ann (go ?x)) (true (at ?x)) (not (and (q ?x) (succ 1 ?x))))"),
        "(<= (legal ann (go ?x)) (true (at ?x)) (not (q ?x))) (<= (legal ann (go ?x)) (true (at ?x)) (not (succ 1 ?x)))"
    );
}

#[test]
fn a_negated_distinct_makes_its_terms_one() {
    assert_eq!(
        strict("(<= (legal ann (go ?x)) (succ ?x ?y) (not (distinct ?y 2)))"),
        "(<= (legal ann (go ?x)) (succ ?x 2))"
    );
    assert_eq!(
        strict("(<= (legal ann (go ?x ?y)) (q ?x) (q ?y) (not (distinct (f ?x 2) (f 1 ?y))))"),
        "(<= (legal ann (go 1 2)) (q 1) (q 2))"
    );
    assert_eq!(strict("(<= (legal ann (go ?x)) (q ?x) (not (distinct ?x (f ?x))))"), "");
}

#[test]
fn a_negation_follows_what_binds_its_variables() {
    assert_eq!(
        strict("(<= (legal ann (go ?x ?y)) (not (succ ?x ?y)) (distinct ?x 1) (q ?x) (q ?y))"),
        "(<= (legal ann (go ?x ?y)) (q ?x) (distinct ?x 1) (q ?y) (not (succ ?x ?y)))"
    );
}

#[test]
fn a_missing_condition_is_written() {
    assert_eq!(
        strict("(<= (sees ?r (now ?x)) (true (at ?x)))"),
        "(<= (sees ?r (now ?x)) (true (at ?x)) (role ?r))"
    );
}

#[test]
fn a_word_for_heads_that_bodies_ask_for_is_defined_by_a_relation() {
    assert_eq!(
        strict("(input ann (go 1)) (<= (legal ann ?m) (input ann ?m) (true (at 1)))"),
        "(input_holds ann (go 1)) (<= (legal ann ?m) (input_holds ann ?m) (true (at 1))) \
         (<= (input ?x ?y) (input_holds ?x ?y))"
    );
    // A declaration that depends on the state declares nothing.
    assert_eq!(
        strict("(<= (base (f ?x)) (true (at ?x))) (<= (legal ann ?f) (base ?f))"),
        "(<= (base_holds (f ?x)) (true (at ?x))) (<= (legal ann ?f) (base_holds ?f))"
    );
    assert_eq!(strict("(<= (base (f ?x)) (true (at ?x)))"), "");
}

#[test]
fn a_name_with_several_numbers_of_arguments_becomes_several_names() {
    assert_eq!(
        strict("(p 1) (p 1 2) (<= (legal ann (go ?x)) (p ?x) (not (p 1 ?x)))"),
        "(p 1) (p_2 1 2) (<= (legal ann (go ?x)) (p ?x) (not (p_2 1 ?x)))"
    );
    assert_eq!(
        strict("(base white 3 4) (<= (legal ann go) (base white 3 4))"),
        "(base_3 white 3 4) (<= (legal ann go) (base_3 white 3 4))"
    );
}

#[test]
fn a_faulty_declaration_that_the_game_is_played_without_is_left_out() {
    assert_eq!(strict("(<= (base (f ?x)) (q ?y)) (<= (input ann) (q 1))"), "");
}
