//! Whatever is computed on demand, a reasoner says the same.

use std::collections::BTreeSet;

use super::*;
use crate::{
    LimitError, Strictness,
    check::check_text,
    datalog::{Question, Session},
    id::{RoleId, TermId},
};

/// Recursion, negation, functions and parts of rules, all of which can be asked for with known values.
const LINES: &str = "
    (role x) (role random)
    (succ 1 2) (succ 2 3) (succ 3 4)
    (init (at 1)) (init (wall 3))
    (<= (reach ?a ?b) (true (at ?a)) (succ ?a ?b))
    (<= (reach ?a ?c) (reach ?a ?b) (succ ?b ?c) (not (true (wall ?c))))
    (<= (free (from ?a ?b) ?ignored) (reach ?a ?b) (number ?ignored) (distinct ?ignored ?b))
    (number 1) (number 2) (number 3) (number 4)
    (<= (legal x (go ?b)) (true (at ?a)) (number ?b) (number ?c) (succ ?b ?c) (not (free (from ?a ?b) ?c)))
    (<= (legal x stay) (true (at ?a)) (free (from ?a 2) 4))
    (<= (legal x rest) (true (at 4)))
    (<= (legal random (build ?n)) (number ?n))
    (<= (next (at ?b)) (does x (go ?b)))
    (<= (next (at ?a)) (true (at ?a)) (does x stay))
    (<= (next (at 1)) (does x rest))
    (<= (next (wall ?n)) (does random (build ?n)))
    (<= (sees x (wall ?n)) (does random (build ?n)) (true (at ?a)) (reach ?a ?n))
    (<= terminal (true (wall 9)))
    (<= (goal x 100) (true (at 4)) (free (from 4 4) 1))
    (<= (goal x 0) (true (at ?a)) (not (free (from ?a ?a) 1)))
";

/// What a reasoner says of a line of play, as text, turn by turn.
fn line(reasoner: &Reasoner, choice: usize) -> Result<Vec<BTreeSet<String>>, LimitError> {
    let mut session = Session::new(reasoner);
    let mut state = reasoner.initial().to_vec();
    let mut told = Vec::new();
    let print = |session: &Session, question: Question| -> BTreeSet<String> {
        let text = |row: &[u32]| {
            let terms = row.iter().map(|&raw| reasoner.vocabulary().print(TermId::from_raw(raw)));
            format!("{question:?} {}", terms.collect::<Vec<_>>().join(" "))
        };
        session.answers(reasoner, question).map(text).collect()
    };
    for turn in 0..20 {
        let fluents: Vec<_> = state.iter().map(|&term| session.terms().fluent(term)).collect();
        session.load_state(reasoner, fluents.into_iter());
        for question in [Question::Terminal, Question::Legal, Question::Goal] {
            session.derive(reasoner, question)?;
            told.push(print(&session, question));
        }
        let moves: Vec<_> = reasoner
            .roles()
            .iter()
            .enumerate()
            .map(|(index, role)| {
                let rows = session.answers(reasoner, Question::Legal).filter(|row| row[0] == role.raw());
                let mut legal: Vec<_> = rows.map(|row| TermId::from_raw(row[1])).collect();
                legal.sort_by_key(|&term| reasoner.vocabulary().print(term));
                (RoleId::new(index).expect("two roles"), legal[(choice * 7 + turn * 3 + index) % legal.len()])
            })
            .collect();
        session.load_joint(reasoner, moves.into_iter());
        for question in [Question::Sees, Question::Next] {
            session.derive(reasoner, question)?;
            told.push(print(&session, question));
        }
        state = session.answers(reasoner, Question::Next).map(|row| TermId::from_raw(row[0])).collect();
    }
    Ok(told)
}

fn checked(text: &str) -> std::sync::Arc<CheckedRules> {
    check_text(text, Strictness::Compatible, &Limits::STANDARD).0.expect("the rules are sound")
}

/// A reasoner that computes the components of some relations on demand.
fn with_demand(rules: &CheckedRules, names: &[(&str, usize)], order: GoalOrder) -> Reasoner {
    let choice = DemandSearch::of(rules, &Limits::STANDARD);
    let predicates =
        names.iter().map(|&(name, arity)| rules.program().find(name, arity).expect("it is there"));
    let sccs: Vec<usize> = choice.demandable(predicates).into_iter().collect();
    assert_eq!(sccs.len(), names.len(), "each is a component of its own");
    let compiled = choice.compile(&Limits::STANDARD, &OnDemand { sccs, order });
    compiled.expect("the rules are small").0
}

#[test]
fn computing_on_demand_changes_no_answer() {
    let rules = checked(LINES);
    let whole = with_demand(&rules, &[], GoalOrder::Fewest);
    let choices: [&[(&str, usize)]; 4] =
        [&[("reach", 2)], &[("free", 2)], &[("reach", 2), ("free", 2)], &[("number", 1), ("succ", 2)]];
    for names in choices {
        for order in [GoalOrder::Fewest, GoalOrder::Written] {
            let asked = with_demand(&rules, names, order);
            for choice in 0..30 {
                assert_eq!(line(&whole, choice), line(&asked, choice), "{names:?} {order:?}");
            }
        }
    }
}

/// Eight variables over nine values: 43 million rows where it is computed whole, one where it is asked for.
const STATIC: &str = "
    (role x)
    (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
    (<= (row ?a ?b ?c ?d ?e ?f ?g ?h)
        (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e) (digit ?f) (digit ?g) (digit ?h)
        (distinct ?a ?b) (distinct ?c ?d))
    (<= (legal x done) (row 1 2 3 4 5 6 7 8))
    (<= (legal x odd) (row 1 2 3 3 5 6 7 8))
    (<= (legal x wrong) (not (row 1 2 3 4 5 6 7 8)))
    (<= (next over) (does x done))
    (<= terminal (true over))
    (goal x 100)
";

#[test]
fn a_static_relation_that_would_explode_is_computed_for_what_is_asked() {
    let rules = checked(STATIC);
    let reasoner = Reasoner::new(&rules, &Limits::STANDARD).expect("nobody asks for all rows");
    let mut session = Session::new(&reasoner);
    session.load_state(&reasoner, std::iter::empty());
    session.derive(&reasoner, Question::Legal).expect("one row is enough");
    let legal = session.answers(&reasoner, Question::Legal);
    let legal: Vec<_> = legal.map(|row| reasoner.vocabulary().print(TermId::from_raw(row[1]))).collect();
    assert_eq!(legal, ["done"]);
    assert!(session.rows_looked_at() < 100, "{} rows", session.rows_looked_at());
}

/// `distance` asks itself for a term around what it was asked for, which no conclusion has.
const GROWING: &str = "
    (role x) (legal x go) (link a b) (link b c)
    (<= (path ?from (to ?to)) (link ?from ?to))
    (<= (path ?from ?to) (link ?from ?between) (path ?between ?to))
    (<= (deep ?x) (link ?x ?y) (true (at ?x)))
    (<= (deep ?x) (link ?x ?y) (deep (in ?x)))
    (init (at a))
    (<= (next (at ?y)) (true (at ?x)) (does x go) (path ?x (to ?y)))
    (<= terminal (true (at c)))
    (<= (goal x 100) (deep a)) (<= (goal x 0) (not (deep a)))
";

#[test]
fn questions_never_ask_for_ever_larger_terms() {
    let rules = checked(GROWING);
    let whole = with_demand(&rules, &[], GoalOrder::Fewest);
    for order in [GoalOrder::Fewest, GoalOrder::Written] {
        let asked = with_demand(&rules, &[("path", 2), ("deep", 1)], order);
        assert_eq!(line(&whole, 0), line(&asked, 0));
    }
}

#[test]
fn what_a_state_costs_does_not_depend_on_the_states_before_it() {
    let rules = checked(STATIC);
    let reasoner = Reasoner::new(&rules, &Limits::STANDARD).expect("nobody asks for all rows");
    let mut session = Session::new(&reasoner);
    let mut costs = Vec::new();
    for _ in 0..3 {
        let before = session.rows_looked_at();
        session.load_state(&reasoner, std::iter::empty());
        session.derive(&reasoner, Question::Legal).expect("one row is enough");
        costs.push(session.rows_looked_at() - before);
    }
    assert_eq!(costs, [costs[0]; 3]);
}

#[test]
fn calls_nest_no_deeper_than_the_stack_allows() {
    let links: String = (0..1_000).map(|link| format!("(<= (c{} ?x) (c{link} ?x))", link + 1)).collect();
    let text = format!(
        "(role x) (init c) (<= (c0 x) (true c)) {links} (<= (legal x ?x) (c1000 ?x)) (goal x 0) (<= terminal (true d))"
    );
    let rules = checked(&text);
    let reasoner = Reasoner::on_demand(&rules, &Limits::STANDARD).expect("a chain is small");
    assert!(reasoner.callees.len() < 1_000, "the deepest are computed whole");
    let mut session = Session::new(&reasoner);
    let state: Vec<_> = reasoner.initial().iter().map(|&term| session.terms().fluent(term)).collect();
    session.load_state(&reasoner, state.into_iter());
    session.derive(&reasoner, Question::Legal).expect("a chain is small");
    assert_eq!(session.answers(&reasoner, Question::Legal).count(), 1);
}
