//! Best responses and values against brute force: every pure strategy, played out node by node.

use croupier_solvers::{Evaluation, GameTree, InformationSetId, Node, NodeId, Policy, SequenceForm};

use crate::subject::{KUHN, MONTY_HALL, Subject};

/// What a node is worth to a player, by the definition: a mean over moves, down to the goals.
fn worth(tree: &GameTree, node: NodeId, player: usize, choose: &dyn Fn(InformationSetId) -> Vec<f64>) -> f64 {
    let probabilities = match tree.node(node) {
        Node::Terminal { outcome } => return f64::from(tree.goals(outcome)[player].value()),
        Node::Chance { menu, .. } => vec![1.0 / tree.menu(menu).len() as f64; tree.menu(menu).len()],
        Node::Decision { information_set, .. } => choose(information_set),
    };
    let children = tree.children(tree.node(node)).zip(probabilities);
    children.map(|(child, probability)| probability * worth(tree, child, player, choose)).sum()
}

/// The most that a pure strategy of `player` gets against the others' `policy`.
fn best_pure(tree: &GameTree, form: &SequenceForm, policy: &Policy, player: usize) -> f64 {
    let own: Vec<InformationSetId> =
        tree.information_sets().filter(|&id| tree.player(id) == player).collect();
    let strategies: usize = own.iter().map(|&id| tree.moves(id).len()).product();
    assert!(strategies <= 4_096, "few enough strategies");
    let value = |number: usize| {
        let choose = |id: InformationSetId| {
            let mut probabilities = policy.of(form, id).to_vec();
            let mut rest = number;
            for &other in &own {
                let moves = tree.moves(other).len();
                if other == id {
                    probabilities.fill(0.0);
                    probabilities[rest % moves] = 1.0;
                }
                rest /= moves;
            }
            probabilities
        };
        worth(tree, tree.root(), player, &choose)
    };
    (0..strategies).map(value).fold(f64::NEG_INFINITY, f64::max)
}

/// A policy that looks random and is always the same.
fn skewed(form: &SequenceForm, salt: usize) -> Policy {
    Policy::from_fn(form, |id, moves| {
        let weight = |place: usize| ((id.index() * 7 + place * 13 + salt * 5) % 11) as f64;
        let sum: f64 = (0..moves.len()).map(|place| weight(place) + 0.01).sum();
        for (place, probability) in moves.iter_mut().enumerate() {
            *probability = (weight(place) + 0.01) / sum;
        }
    })
}

/// Both players know a coin each; they bid at once, then the lower bidder may give in or not.
const AUCTION: &str = "(role a) (role b) (role random)
    (init (phase 1)) (next_phase 1 2) (next_phase 2 3) (next_phase 3 4)
    (other a b) (other b a) (coin 0) (coin 1) (bid 1) (bid 2) (bid 3)
    (<= (legal random (toss ?x ?y)) (true (phase 1)) (coin ?x) (coin ?y))
    (<= (legal random noop) (not (true (phase 1))))
    (<= (legal ?r noop) (other ?r ?q) (true (phase 1)))
    (<= (legal ?r (bid ?n)) (other ?r ?q) (true (phase 2)) (bid ?n))
    (<= (legal ?r noop) (other ?r ?q) (true (phase 3)) (not (lower ?r)))
    (<= (legal ?r yield) (true (phase 3)) (lower ?r))
    (<= (legal ?r stay) (true (phase 3)) (lower ?r))
    (less 1 2) (less 1 3) (less 2 3)
    (<= (lower ?r) (true (offered ?r ?m)) (other ?r ?q) (true (offered ?q ?n)) (less ?m ?n))
    (<= (next (phase ?n)) (true (phase ?m)) (next_phase ?m ?n))
    (<= (next (has a ?x)) (does random (toss ?x ?y)))
    (<= (next (has b ?y)) (does random (toss ?x ?y)))
    (<= (next (has ?r ?x)) (true (has ?r ?x)))
    (<= (next (offered ?r ?n)) (does ?r (bid ?n)))
    (<= (next (offered ?r ?n)) (true (offered ?r ?n)))
    (<= (next (yielded ?r)) (does ?r yield))
    (<= (sees a (coin ?x)) (does random (toss ?x ?y)))
    (<= (sees b (coin ?y)) (does random (toss ?x ?y)))
    (<= (sees ?r (offers ?q ?n)) (does ?q (bid ?n)) (other ?r ?q))
    (<= terminal (true (phase 4)))
    (<= (takes ?r) (true (yielded ?q)) (other ?r ?q))
    (<= (quarrel) (not (true (yielded a))) (not (true (yielded b))))
    (prize 0 1 40) (prize 0 2 30) (prize 0 3 10) (prize 1 1 90) (prize 1 2 70) (prize 1 3 55)
    (<= (goal ?r ?n) (takes ?r) (true (has ?r ?x)) (true (offered ?r ?m)) (prize ?x ?m ?n))
    (<= (goal ?r 20) (true (yielded ?r)))
    (<= (goal ?r 50) (quarrel) (true (has ?r 1)))
    (<= (goal ?r 5) (quarrel) (true (has ?r 0)))";

#[test]
fn values_and_best_responses_are_those_of_all_pure_strategies() {
    for rules in [KUHN, MONTY_HALL, AUCTION] {
        let Subject { tree, form, .. } = Subject::new(rules);
        for policy in (0..5).map(|salt| skewed(&form, salt)).chain([Policy::uniform(&form)]) {
            let evaluation = Evaluation::new(&form, &policy);
            for (player, found) in evaluation.players.iter().enumerate() {
                let value = worth(&tree, tree.root(), player, &|id| policy.of(&form, id).to_vec());
                assert!((found.value - value).abs() < 1e-9, "{found:?} {value}");
                let best = best_pure(&tree, &form, &policy, player);
                assert!((found.best_response - best).abs() < 1e-9, "{found:?} {best}");
            }
        }
    }
}
