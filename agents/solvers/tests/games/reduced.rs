//! Trees in which one deal stands for all that symmetries exchange with it, against whole trees.

use std::{collections::BTreeMap, ops::ControlFlow};

use croupier_engine::{Game, InformationSet};
use croupier_solvers::{Algorithm, Evaluation, GameTree, Policy, Samples, SequenceForm, Solver, TreeLimits};

use crate::subject::{KUHN, LEDUC, MONTY_HALL, game};

/// Kuhn poker with two cards of each rank, of which no rule looks at the suit.
fn doubled_kuhn() -> String {
    let card = |name: &str, rank: &str| format!("(card {name}) (rank {name} {rank})");
    let cards = ["jack", "queen", "king"]
        .map(|rank| [card(&format!("{rank}_a"), rank), card(&format!("{rank}_b"), rank)].concat());
    let rules = KUHN
        .replace("(card jack)", &cards[0])
        .replace("(card queen)", &cards[1])
        .replace("(card king)", &cards[2])
        .replace("(higher ?mine ?theirs)", "(rank ?mine ?m) (rank ?theirs ?t) (higher ?m ?t)");
    // Equal ranks share the pot.
    format!("{rules} (<= decided (wins ?p)) (<= (goal ?p 50) (true showdown) (player ?p) (not decided))")
}

struct Trees {
    game: Game,
    whole: GameTree,
    reduced: GameTree,
}

impl Trees {
    fn new(rules: &str) -> Self {
        let game = game(rules);
        let limits = TreeLimits { histories_max: 1_000_000 };
        let whole = GameTree::new(&game, &limits, &mut |_| {}).unwrap();
        let symmetries = game.symmetries().unwrap();
        let reduced =
            GameTree::reduced(&game, &limits, &symmetries, &mut |_| ControlFlow::Continue(())).unwrap();
        Self { game, whole, reduced }
    }

    /// A policy of the reduced tree at all information sets of the whole one.
    fn spread(&self, policy: &Policy, form: &SequenceForm, whole: &SequenceForm) -> Policy {
        let mut known: BTreeMap<InformationSet, Vec<f64>> = BTreeMap::new();
        for id in self.reduced.information_sets() {
            for image in self.reduced.images(&self.game, id).unwrap() {
                let before = known.insert(image, policy.of(form, id).to_vec());
                assert!(before.is_none(), "every information set is in one class");
            }
        }
        assert_eq!(
            known.len(),
            self.whole.information_sets_count(),
            "every information set is in some class"
        );
        Policy::from_fn(whole, |id, moves| {
            let text = self.whole.information_set(id);
            moves.copy_from_slice(&known[&text]);
        })
    }
}

fn solved(tree: &GameTree, form: &SequenceForm, algorithm: Algorithm, iterations: u64) -> Policy {
    let mut solver = Solver::new(tree, form, algorithm, Samples::single([3; 32]));
    solver.advance(iterations);
    solver.average_policy()
}

fn assert_near(one: &Evaluation, other: &Evaluation) {
    for (one, other) in one.players.iter().zip(&other.players) {
        assert!((one.value - other.value).abs() < 1e-9, "{one:?} {other:?}");
        assert!((one.gain() - other.gain()).abs() < 1e-9, "{one:?} {other:?}");
    }
}

#[test]
fn a_reduced_tree_has_the_values_and_best_responses_of_the_whole_one() {
    for (rules, least) in [(LEDUC.to_owned(), 3), (doubled_kuhn(), 2)] {
        let trees = Trees::new(&rules);
        let [histories, reduced] = [&trees.whole, &trees.reduced].map(|tree| tree.sizes().histories);
        assert!(reduced * least < histories, "{reduced} of {histories}");
        let (whole_form, form) = (SequenceForm::new(&trees.whole), SequenceForm::new(&trees.reduced));
        for (algorithm, iterations) in [
            (Algorithm::Cfr, 0),
            (Algorithm::Cfr, 3),
            (Algorithm::CfrPlus, 60),
            (Algorithm::ExternalSampling, 500),
        ] {
            let policy = solved(&trees.reduced, &form, algorithm, iterations);
            let spread = trees.spread(&policy, &form, &whole_form);
            assert_near(&Evaluation::new(&form, &policy), &Evaluation::new(&whole_form, &spread));
        }
    }
}

#[test]
fn regret_minimisation_on_a_reduced_tree_is_that_on_the_whole_one() {
    let trees = Trees::new(LEDUC);
    let (whole_form, form) = (SequenceForm::new(&trees.whole), SequenceForm::new(&trees.reduced));
    for algorithm in [Algorithm::Cfr, Algorithm::CfrPlus, Algorithm::LinearCfr, Algorithm::DiscountedCfr] {
        let policies = [(&trees.whole, &whole_form), (&trees.reduced, &form)]
            .map(|(tree, form)| Evaluation::new(form, &solved(tree, form, algorithm, 40)));
        assert_near(&policies[0], &policies[1]);
    }
}

#[test]
fn what_players_choose_is_not_merged() {
    // The three doors of Monty Hall can be exchanged, and the player chooses among them.
    let trees = Trees::new(MONTY_HALL);
    assert_eq!(trees.game.symmetries().unwrap().order(), 6);
    assert_eq!(trees.reduced.sizes(), trees.whole.sizes());
    // A player that guesses a coin wins half of the time, though heads and tails can be exchanged.
    let coin = "(role a) (role random) (init tossing) (side heads) (side tails)
        (<= (legal random (toss ?s)) (side ?s) (true tossing)) (<= (legal a wait) (true tossing))
        (<= (next (lies ?s)) (does random (toss ?s))) (<= (legal random wait) (true (lies ?s)))
        (<= (legal a (guess ?s)) (side ?s) (true (lies ?x))) (<= (sees a ?m) (does a ?m))
        (<= (next (right)) (does a (guess ?s)) (true (lies ?s))) (<= (next over) (true (lies ?s)))
        (<= terminal (true over)) (<= (goal a 100) (true right)) (<= (goal a 0) (not (true right)))";
    let trees = Trees::new(&coin.replace("(right)", "right"));
    assert_eq!(trees.reduced.sizes(), trees.whole.sizes());
}
