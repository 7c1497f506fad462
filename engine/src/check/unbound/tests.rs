//! Rules that leave conditions out beside rules that write them.

use rand_chacha::rand_core::SeedableRng as _;

use super::super::{check_text, has_errors};
use crate::{Game, Limits, Options, Strictness};

/// Two players, chance, and a board of two cells whose declarations each case may add.
const START: &str = "(role w) (role b) (role random) (init (turn 1)) (init (at 1 free)) (init (at 2 w)) \
    (<= (legal ?r go) (role ?r)) (<= (next (turn 2)) (true (turn 1))) (<= terminal (true (turn 2))) \
    (index 1) (index 2)";

fn codes(text: &str, strictness: Strictness) -> Vec<&'static str> {
    let (_, found) = check_text(text, strictness, &Limits::STANDARD);
    found.iter().filter(|found| found.code.starts_with("unbound-")).map(|found| found.code).collect()
}

/// Moves, percepts, fluents and goals of the first turns, as text.
fn history(text: &str) -> Vec<String> {
    let game = Game::compile(text, &Options::PLAY).unwrap_or_else(|error| panic!("{error}: {text}")).game;
    let (mut scratch, mut state) = (game.scratch(), game.initial_state().clone());
    let mut told = Vec::new();
    for _ in 0..3 {
        let mut fluents: Vec<_> = state.fluents().map(|fluent| game.fluent_text(fluent)).collect();
        fluents.sort_unstable();
        told.push(format!("{fluents:?}"));
        for role in game.roles().all() {
            let legal = game.legal_moves(&state, role, &mut scratch).expect("small rules");
            let legal: Vec<String> = legal.iter().map(|&legal| game.move_text(legal).to_string()).collect();
            told.push(format!("{legal:?} {:?}", game.goal_values(&state, role, &mut scratch)));
        }
        if game.is_terminal(&state, &mut scratch).expect("small rules") {
            break;
        }
        let mut rng = rand_chacha::ChaCha8Rng::from_seed([1; 32]);
        let joint =
            game.random_joint_move(&state, &mut rng, &mut scratch).expect("small rules").expect("moves");
        let turn = game.turn(&state, &joint, &mut scratch).expect("small rules");
        for (_, percepts) in turn.percepts.iter() {
            told.push(format!("{:?}", game.percept_terms(percepts)));
        }
        state = turn.successor;
    }
    told
}

/// Both texts, played, are the same; only the first warns, and it is refused where it is read strictly.
fn assert_reads_as(code: &str, free: &str, bound: &str) {
    let (free, bound) = (format!("{START} {free}"), format!("{START} {bound}"));
    assert_eq!(codes(&free, Strictness::Compatible), [code], "{free}");
    assert_eq!(codes(&bound, Strictness::Compatible), [""; 0], "{bound}");
    assert_eq!(history(&free), history(&bound), "{free}");
    let (rules, found) = check_text(&free, Strictness::Strict, &Limits::STANDARD);
    assert!(rules.is_none() && has_errors(&found), "{free}");
}

#[test]
fn a_variable_in_a_role_s_place_that_nothing_binds_ranges_over_the_roles() {
    let cases = [
        ("(<= (sees ?p tick) (true (turn 1)))", "(<= (sees ?p tick) (role ?p) (true (turn 1)))"),
        ("(<= (goal ?p 50) (true (turn 2)))", "(<= (goal ?p 50) (role ?p) (true (turn 2)))"),
        ("(legal ?p wait)", "(<= (legal ?p wait) (role ?p))"),
        (
            "(<= (legal ?p wait) (true (at 2 ?q)) (distinct ?p ?q))",
            "(<= (legal ?p wait) (role ?p) (true (at 2 ?q)) (distinct ?p ?q))",
        ),
        (
            "(<= (next (idle ?p)) (not (does ?p wait)))",
            "(<= (next (idle ?p)) (role ?p) (not (does ?p wait)))",
        ),
        // The role of a move is a role wherever rules carry it.
        (
            "(<= (legal random (lead ?p)) (true (turn 1))) (<= (next (to_play ?p)) (does random (lead ?p))) \
             (<= (legal ?p play) (true (to_play ?p)))",
            "(<= (legal random (lead ?p)) (role ?p) (true (turn 1))) (<= (next (to_play ?p)) (does random (lead ?p))) \
             (<= (legal ?p play) (true (to_play ?p)))",
        ),
    ];
    for (free, bound) in cases {
        assert_reads_as("unbound-role", free, bound);
    }
}

#[test]
fn a_head_variable_ranges_over_what_base_input_and_percept_declare() {
    let cases = [
        (
            "(<= (base (at ?x free)) (index ?x)) (<= (next (at ?x free)) (true (turn 1)))",
            "(<= (base (at ?x free)) (index ?x)) (<= (next (at ?x free)) (index ?x) (true (turn 1)))",
        ),
        (
            "(<= (input ?r (mark ?x)) (role ?r) (index ?x)) (<= (legal w (mark ?x)) (true (turn 1)))",
            "(<= (input ?r (mark ?x)) (role ?r) (index ?x)) (<= (legal w (mark ?x)) (index ?x) (true (turn 1)))",
        ),
        (
            "(percept w (got 7)) (<= (sees w (got ?x)) (true (turn 1)))",
            "(percept w (got 7)) (<= (sees w (got 7)) (true (turn 1)))",
        ),
    ];
    for (free, bound) in cases {
        assert_reads_as("unbound-in-head", free, bound);
    }
}

#[test]
fn a_head_variable_without_declarations_ranges_over_what_other_rules_let_stand_there() {
    let cases = [
        ("(<= (next (at ?x gone)) (true (turn 1)))", "(<= (next (at ?x gone)) (index ?x) (true (turn 1)))"),
        (
            "(<= (near ?x ?y) (index ?x) (distinct ?x ?y)) (<= (near ?x ?y) (index ?y) (index ?x)) \
             (<= (next (at ?x ?y)) (near ?x ?y))",
            "(<= (near ?x ?y) (index ?x) (index ?y)) (<= (next (at ?x ?y)) (near ?x ?y))",
        ),
    ];
    for (free, bound) in cases {
        assert_reads_as("unbound-in-head", free, bound);
    }
}

#[test]
fn a_variable_under_one_not_alone_is_read_as_none_at_all() {
    let cases = [
        (
            "(<= (next empty) (not (true (at ?x w))))",
            "(<= (next empty) (not has_w)) (<= has_w (true (at ?x w)))",
        ),
        (
            "(<= (next (last ?x)) (index ?x) (not (succ ?x ?y))) (succ 1 2)",
            "(<= (next (last ?x)) (index ?x) (not (has_succ ?x))) (<= (has_succ ?x) (succ ?x ?y)) (succ 1 2)",
        ),
    ];
    for (free, bound) in cases {
        assert_reads_as("unbound-under-not", free, bound);
    }
}

#[test]
fn what_has_no_sensible_range_or_looks_like_a_slip_is_refused_in_both_readings() {
    let cases = [
        "(<= (p ?x) (index 1))",
        "(<= (goal w ?g) (true (turn 2))) (goal b 50)",
        "(<= (next (at ?row free)) (index ?rwo))",
        "(<= (sees ?w tick) (true (at 2 w)))",
        "(<= (next (at 1 ?x)) (wrap ?x)) (wrap (box 1)) (<= (next (at 2 ?y)) (true (turn 1)))",
        "(<= p (distinct ?x ?y) (index ?x))",
        "(<= p (not (q ?x)) (not (s ?x)))",
        "(role ?x)",
    ];
    for lines in cases {
        let text = format!("{START} {lines}");
        for strictness in [Strictness::Strict, Strictness::Compatible] {
            let (rules, found) = check_text(&text, strictness, &Limits::STANDARD);
            let is_refused =
                found.iter().any(|found| ["unsafe-variable", "variable-in-fact"].contains(&found.code));
            assert!(rules.is_none() && is_refused, "{lines}: {found:?}");
        }
    }
}

#[test]
fn the_warning_names_the_rule_and_stands_at_the_variable() {
    let text =
        format!("{START} (<= (sees ?p tick) (true (turn 1))) (<= (next (at ?x gone)) (true (turn 1)))");
    let (_, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
    let role = found.iter().find(|found| found.code == "unbound-role").expect("it is found");
    assert_eq!(role.message, "in a rule for `sees`, no condition binds ?p: it ranges over the roles");
    assert_eq!(&text[role.span.range()], "?p");
    let head = found.iter().find(|found| found.code == "unbound-in-head").expect("it is found");
    assert!(
        head.message.ends_with("it ranges over all values that can occur there: 1, 2"),
        "{}",
        head.message
    );
}
