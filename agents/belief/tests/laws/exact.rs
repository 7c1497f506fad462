//! Exact beliefs against Bayes' rule on the whole tree.

use std::sync::Arc;

use croupier_belief::{BeliefError, Detail, ExactBelief, ExactOptions};
use croupier_engine::{Game, InformationSet, Options, game::Backend};

use crate::tree::{KUHN, LEDUC, MONTY_HALL, game, posteriors, replay, role};

/// Compares all information sets, of which so many are said to leave the role a choice.
fn agrees_with_bayes(rules: &str, name: &str, choices: usize) {
    let game = game(rules);
    let role = role(&game, name);
    let posteriors = posteriors(&game, role);
    assert_eq!(posteriors.values().filter(|posterior| posterior.has_choice).count(), choices);
    for (known, posterior) in &posteriors {
        let belief = ExactBelief::of(Arc::clone(&game), known, ExactOptions::STANDARD).unwrap();
        let distribution = belief.distribution();
        assert_eq!(distribution.states_count(), posterior.states.len());
        assert_eq!(
            belief.histories_count(),
            posterior.states.values().map(|(_, histories)| histories).sum::<u64>()
        );
        for (state, probability) in distribution.iter() {
            let (expected, _) = posterior.states[&game.state_terms(state)];
            assert!((probability - expected).abs() < 1e-12, "{probability} for {expected}");
        }
    }
}

#[test]
fn agrees_with_bayes_at_every_information_set_of_kuhn() {
    // Twelve information sets, by Kuhn's paper and OpenSpiel.
    agrees_with_bayes(KUHN, "alice", 6);
    agrees_with_bayes(KUHN, "bob", 6);
}

#[test]
fn agrees_with_bayes_at_every_information_set_of_leduc() {
    // 936 information sets, by OpenSpiel.
    agrees_with_bayes(LEDUC, "alice", 468);
    agrees_with_bayes(LEDUC, "bob", 468);
}

#[test]
fn agrees_with_bayes_at_every_information_set_of_monty_hall() {
    // One before choosing a door, and one for each of the three and each of the two opened after it.
    agrees_with_bayes(MONTY_HALL, "candidate", 7);
}

#[test]
fn the_car_is_twice_as_likely_behind_the_other_door() {
    let game = game(MONTY_HALL);
    let candidate = role(&game, "candidate");
    let turns = [("noop", None), ("(choose 1)", None), ("noop", Some("(opened 3)"))];
    let mut known = InformationSet::initial(candidate);
    for (own_move, percept) in turns {
        known.turns.push((game.move_id(own_move).unwrap(), game.percepts_of(percept).unwrap()));
    }
    let distribution =
        ExactBelief::of(Arc::clone(&game), &known, ExactOptions::STANDARD).unwrap().distribution();
    let car = |door: u8| distribution.probability(game.fluent_id(&format!("(car {door})")).unwrap());
    assert!((car(1) - 1.0 / 3.0).abs() < 1e-12);
    assert!((car(2) - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(car(3), 0.0);
    // H(1/3) by hand.
    assert!((distribution.entropy_bits() - 0.918_295_834_054_489_6).abs() < 1e-12);
    assert!((distribution.effective_states() - 9.0 / 5.0).abs() < 1e-12);
    let marginals = distribution.marginals(&game);
    let texts: Vec<&str> = marginals.iter().map(|marginal| &*marginal.text).collect();
    assert_eq!(texts, ["(car 1)", "(car 2)", "(chosen 1)", "(opened 3)", "(step deciding)"]);
    let texts = distribution.known_fluents(&game).into_iter().map(|fluent| game.fluent_text(fluent));
    assert_eq!(
        texts.collect::<Vec<_>>(),
        ["(chosen 1)".into(), "(opened 3)".into(), "(step deciding)".into()]
    );
    let likely = distribution.most_likely(&game, 1);
    assert_eq!(likely.len(), 1);
    assert!(likely[0].0.contains(game.fluent_id("(car 2)").unwrap()));
}

#[test]
fn what_will_be_told_is_as_likely_as_the_rules_make_it() {
    let game = game(MONTY_HALL);
    let candidate = role(&game, "candidate");
    let mut scratch = game.scratch();
    let mut belief = ExactBelief::new(Arc::clone(&game), candidate, ExactOptions::STANDARD).unwrap();
    let [noop, choose, stay] = ["noop", "(choose 1)", "stay"].map(|text| game.move_id(text).unwrap());
    let mut expected = |belief: &ExactBelief, own_move| {
        let expected =
            belief.distribution().expected_percepts(&game, candidate, own_move, &mut scratch).unwrap();
        let print = |(percepts, probability)| (game.percept_terms(&percepts).join(" "), probability);
        expected.into_iter().map(print).collect::<Vec<(String, f64)>>()
    };
    assert_eq!(expected(&belief, noop), [(String::new(), 1.0)]);
    assert_eq!(expected(&belief, stay), []);
    belief.advance(noop, &game.percepts_of([]).unwrap()).unwrap();
    belief.advance(choose, &game.percepts_of([]).unwrap()).unwrap();
    let told = expected(&belief, noop);
    assert_eq!(told.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), ["(opened 2)", "(opened 3)"]);
    assert!(told.iter().all(|(_, probability)| (probability - 0.5).abs() < 1e-12));
    belief.advance(noop, &game.percepts_of(["(opened 2)"]).unwrap()).unwrap();
    let told = expected(&belief, stay);
    assert_eq!(told[0].0, "(car 3)");
    assert!((told[0].1 - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn kept_histories_replay_to_the_same_information_set() {
    let game = game(LEDUC);
    let mut scratch = game.scratch();
    let options = ExactOptions { detail: Detail::Histories, ..ExactOptions::STANDARD };
    let bob = role(&game, "bob");
    let posteriors = posteriors(&game, bob);
    for known in posteriors.keys().step_by(17) {
        let belief = ExactBelief::of(Arc::clone(&game), known, options).unwrap();
        let histories = belief.histories().unwrap();
        assert_eq!(histories.len() as u64, belief.histories_count());
        for (history, _) in &histories {
            assert_eq!(
                replay(&game, bob, &history.joint_moves, &mut scratch),
                (known.clone(), history.state.clone())
            );
        }
        let sum: f64 = histories.iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        let merged = ExactBelief::of(Arc::clone(&game), known, ExactOptions::STANDARD).unwrap();
        assert!(merged.histories().is_none());
        assert!(belief.distribution().total_variation(&merged.distribution()) < 1e-12);
    }
}

#[test]
fn refuses_what_it_cannot_hold_or_explain_and_stays_as_it_was() {
    let game = game(LEDUC);
    let [alice, random] = ["alice", "random"].map(|name| role(&game, name));
    let new = |options| ExactBelief::new(Arc::clone(&game), alice, options).unwrap();
    let noop = game.move_id("noop").unwrap();
    let dealt = game.percepts_of(["(dealt bob)"]).unwrap();
    let hole = game.percepts_of(["(hole ks)"]).unwrap();

    let refused = ExactBelief::new(Arc::clone(&game), random, ExactOptions::STANDARD).unwrap_err();
    assert_eq!(refused, BeliefError::RandomRole);

    let mut belief = new(ExactOptions { histories_max: 4, ..ExactOptions::STANDARD });
    belief.advance(noop, &hole).unwrap();
    let before = belief.distribution();
    let error = belief.advance(noop, &dealt).unwrap_err();
    assert_eq!(error, BeliefError::TooManyHistories { histories_max: 4, turn: 1 });
    assert_eq!(error.to_string(), "histories of an exact belief: limit 4, but turn 1 needs more");
    assert_eq!(belief.distribution(), before);

    let mut belief = new(ExactOptions { joint_moves_max: 5, ..ExactOptions::STANDARD });
    let error = belief.advance(noop, &hole).unwrap_err();
    assert_eq!(error, BeliefError::TooManyJointMoves { joint_moves_max: 5, turn: 0 });

    let mut belief = new(ExactOptions::STANDARD);
    assert_eq!(belief.advance(noop, &dealt), Err(BeliefError::Inconsistent { turn: 0 }));
    assert_eq!(
        belief.advance(game.move_id("fold").unwrap(), &hole),
        Err(BeliefError::Inconsistent { turn: 0 })
    );
    belief.advance(noop, &hole).unwrap();
    assert_eq!(belief.known().turns.len(), 1);
}

/// One player picks one of so many hidden moves in the first turn, and nobody is told which.
fn hidden(numbers: usize) -> String {
    let rules = "
        (role me) (role other) (init (turn 0)) (legal me wait)
        (<= (legal other (pick ?x ?y ?z)) (number ?x) (number ?y) (number ?z) (true (turn 0)))
        (<= (legal other wait) (not (true (turn 0))))
        (<= (next (picked ?x ?y ?z)) (does other (pick ?x ?y ?z)))
        (<= (next (picked ?x ?y ?z)) (true (picked ?x ?y ?z)))
        (<= (next (turn 1)) (true (turn 0))) (<= (next (turn 2)) (true (turn 1)))
        (<= (next (turn 3)) (true (turn 2))) (<= terminal (true (turn 3)))
        (<= (sees me told) (true (turn ?n))) (<= (goal ?r 50) (role ?r))";
    (0..numbers).fold(rules.to_owned(), |rules, number| rules + &format!("(number {number})"))
}

#[test]
fn thousands_of_hidden_moves_are_held_possible_whatever_evaluates_the_rules() {
    // The network has more fluents than it makes rows for.
    for backend in [Backend::Propnet, Backend::Datalog] {
        let options = Options { backend, ..Options::PLAY };
        let game = Arc::new(Game::compile(&hidden(18), &options).unwrap().game);
        let me = role(&game, "me");
        let mut belief = ExactBelief::new(Arc::clone(&game), me, ExactOptions::STANDARD).unwrap();
        let (wait, told) = (game.move_id("wait").unwrap(), game.percepts_of(["told"]).unwrap());
        for turn in 1..=3 {
            belief.advance(wait, &told).unwrap();
            let distribution = belief.distribution();
            assert_eq!(distribution.states_count(), 18 * 18 * 18, "{backend:?}");
            let each = distribution.iter().map(|(_, probability)| probability);
            assert!(each.into_iter().all(|probability| (probability * 5_832.0 - 1.0).abs() < 1e-9));
            let picked = game.fluent_id("(picked 3 17 0)").unwrap();
            assert!((distribution.probability(picked) * 5_832.0 - 1.0).abs() < 1e-9);
            let turn = game.fluent_id(&format!("(turn {turn})")).unwrap();
            assert_eq!(distribution.probability(turn).to_bits(), 1.0_f64.to_bits());
        }
        let nothing = belief.advance(wait, &game.percepts_of(["something"]).unwrap());
        assert_eq!(nothing, Err(BeliefError::Inconsistent { turn: 3 }), "{backend:?}");
    }
}
