//! Whatever is computed on demand, a reasoner says the same.

use std::collections::BTreeSet;

use super::*;
use crate::{
    LimitError, Limits, Strictness,
    check::check_text,
    datalog::{Question, Reasoner, Session},
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

#[test]
fn computing_on_demand_changes_no_answer() {
    let limits = Limits::STANDARD;
    let rules = check_text(LINES, Strictness::Compatible, &limits).0.expect("the rules are sound");
    let (program, graph) = (rules.program(), rules.graph());
    let wanted: Wanted = ["reach", "free"]
        .into_iter()
        .zip(1..)
        .map(|(name, rows)| (program.find(name, 2).expect("it is there"), rows))
        .collect();
    let (changed, changed_graph) = on_demand(program, graph, &wanted).expect("something is asked for");
    assert!(changed.rules.len() > program.rules.len(), "what is asked for is concluded by rules");
    let whole = Reasoner::compile(program, graph, &limits).expect("the rules are small").0;
    let asked = Reasoner::compile(&changed, &changed_graph, &limits).expect("the rules are small").0;
    for choice in 0..30 {
        assert_eq!(line(&whole, choice), line(&asked, choice));
    }
}
