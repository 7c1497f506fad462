//! The oracle against models worked out by hand.

use std::collections::BTreeMap;

use croupier_engine::{Limits, stages::syntax};

use super::{Oracle, OracleError, Terms};

fn oracle(rules: &str) -> Result<Oracle, OracleError> {
    let (description, diagnostics) = syntax::read_prefix(rules, &Limits::STANDARD);
    assert_eq!(diagnostics, [], "the text of a test has no slips");
    Oracle::new(&description, 100_000)
}

fn terms(texts: &[&str]) -> Terms {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The second arguments of `legal` for the role `a`, in a state with one fluent, `here`.
fn legal(rules: &str) -> Result<Terms, OracleError> {
    let oracle = oracle(&format!("(role a) (init here) (q 1) (q 2) (q (f 3)) (r 1 2) (r 2 2) {rules}"))?;
    let mut view = oracle.view(&terms(&["here"]))?;
    Ok(view.legal.remove("a").expect("the role is there"))
}

#[test]
fn a_rule_holds_for_every_substitution_of_its_variables() {
    assert_eq!(legal("(<= (legal a ?x) (q ?x))"), Ok(terms(&["(f 3)", "1", "2"])));
    assert_eq!(legal("(<= (legal a (g ?x ?x)) (r ?x ?x))"), Ok(terms(&["(g 2 2)"])));
    assert_eq!(legal("(<= (legal a ?x) (q (f ?x)))"), Ok(terms(&["3"])));
    assert_eq!(legal("(<= (legal ?b ?x) (role ?b) (true ?x))"), Ok(terms(&["here"])));
}

#[test]
fn distinct_compares_terms_and_its_negation_too() {
    assert_eq!(legal("(<= (legal a (g ?x ?y)) (r ?x ?y) (distinct ?x ?y))"), Ok(terms(&["(g 1 2)"])));
    assert_eq!(legal("(<= (legal a ?x) (r ?x ?y) (not (distinct ?x ?y)))"), Ok(terms(&["2"])));
    assert_eq!(legal("(<= (legal a ?x) (q ?x) (distinct ?x (f 3)))"), Ok(terms(&["1", "2"])));
}

#[test]
fn formulas_are_taken_apart_as_logic_has_it() {
    let with = |formula: &str| legal(&format!("(<= (legal a ?x) (q ?x) {formula})"));
    assert_eq!(with("(or (r ?x 2) (distinct ?x 1))"), Ok(terms(&["(f 3)", "1", "2"])));
    assert_eq!(with("(not (or (r 1 ?x) (distinct ?x 1)))"), Ok(terms(&["1"])));
    assert_eq!(with("(not (and (r ?x 2) (not (distinct ?x 1))))"), Ok(terms(&["(f 3)", "2"])));
    assert_eq!(with("(not (not (r ?x 2)))"), Ok(terms(&["1", "2"])));
    assert_eq!(with("(and)"), Ok(terms(&["(f 3)", "1", "2"])));
    assert_eq!(with("(or)"), Ok(terms(&[])));
}

#[test]
fn recursion_ends_when_nothing_new_comes_out() {
    let path = "(e 1 2) (e 2 3) (e 3 1) (e 4 4) (<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?z) (p ?x ?y) (e ?y ?z))";
    let reached = legal(&format!("{path} (<= (legal a ?y) (p 2 ?y))"));
    assert_eq!(reached, Ok(terms(&["1", "2", "3"])));
    let unreached = legal(&format!("{path} (<= (legal a ?y) (e ?y ?z) (not (p 2 ?y)))"));
    assert_eq!(unreached, Ok(terms(&["4"])), "negation waits until the stratum below is complete");
}

#[test]
fn what_depends_on_its_own_negation_is_undefined_unless_the_terms_differ() {
    let halves = "(<= (legal a 1) (not (legal a 2))) (<= (legal a 2) (not (legal a 3)))";
    assert_eq!(legal(halves), Ok(terms(&["2"])));
    let even = "(<= (legal a 1) (not (legal a 2))) (<= (legal a 2) (not (legal a 1)))";
    assert_eq!(legal(even), Err(OracleError::Undefined));
    assert_eq!(legal("(<= (legal a 1) (not (legal a 1)))"), Err(OracleError::Undefined));
    let unfounded = "(<= (legal a 1) (legal a 1)) (<= (legal a 2) (not (legal a 1)))";
    assert_eq!(legal(unfounded), Ok(terms(&["2"])), "a circle of reasons is no reason");
}

#[test]
fn what_has_no_meaning_is_refused() {
    assert!(matches!(legal("(<= (legal a ?x) (not (q ?x)))"), Err(OracleError::Unsafe(_))));
    assert!(matches!(legal("(<= (legal a ?x) (or (q ?x) (true here)))"), Err(OracleError::Unsafe(_))));
    assert!(matches!(legal("(<= (legal a 1) (does a ?x))"), Err(OracleError::DependsOnDoes("legal"))));
    let endless = oracle("(role a) (p 0) (<= (p (s ?x)) (p ?x)) (<= (next (n ?x)) (p ?x))");
    assert_eq!(endless.err(), Some(OracleError::EffortSpent));
}

#[test]
fn percepts_and_successor_follow_the_joint_move() {
    let rules = "(role a) (role random) (init (n 0)) (legal a (add 1)) (legal a (add 2)) (legal random noop)
        (<= (next (n ?x)) (does a (add ?x))) (<= (next old) (true (n ?x)) (not (does a (add ?x))))
        (<= (sees random (by ?r ?m)) (does ?r ?m)) (<= (sees a ?x) (true (n ?x)))
        (<= terminal (true (n 2))) (<= (goal a 7) (true (n ?x))) (<= (goal a 8) (true (n 2)))";
    let oracle = oracle(rules).expect("sound rules");
    assert_eq!(oracle.roles(), ["a", "random"]);
    let state = oracle.initial_state().expect("an initial state");
    let joint_move =
        BTreeMap::from([("a", "(add 2)"), ("random", "noop")].map(|(r, m)| (r.to_owned(), m.to_owned())));
    let consequence = oracle.consequence(&state, &joint_move).expect("a successor");
    assert_eq!(consequence.sees["random"], terms(&["(by a (add 2))", "(by random noop)"]));
    assert_eq!(consequence.sees["a"], terms(&["0"]), "percepts are read in the old state");
    assert_eq!(consequence.successor, terms(&["(n 2)", "old"]));
    let view = oracle.view(&consequence.successor).expect("a view");
    assert!(view.is_terminal);
    assert_eq!(view.goals["a"], terms(&["7", "8"]));
}
