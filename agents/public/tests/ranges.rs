//! Public beliefs are those that the enumeration of every history gives, under any policy.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

mod whim;

use std::{collections::BTreeMap, sync::Arc};

use croupier_belief::Policy;
use croupier_engine::{Game, InformationSet, Options, PublicSight, State, Status, game::Looker};
use croupier_public::{PublicBelief, PublicEyes, PublicLimits};
use proptest::prelude::*;
use whim::Whim;

/// What is public in each turn, as texts.
type Told = Vec<Vec<String>>;

/// By what is public, and then by the state and what every player knows, the probability.
type Enumerated = BTreeMap<Told, BTreeMap<String, f64>>;

/// A history of the enumeration.
#[derive(Clone)]
struct Line {
    state: State,
    known: Vec<InformationSet>,
    told: Told,
    probability: f64,
}

/// Every history of so many turns, one by one.
fn enumerated(game: &Game, rules: &str, policy: &Whim, turns: usize) -> Enumerated {
    let sight = PublicSight::of(rules, game.limits()).unwrap();
    let mut scratch = game.scratch();
    let known = game.roles().players().map(InformationSet::initial).collect();
    let first = Line { state: game.initial_state().clone(), known, told: Vec::new(), probability: 1.0 };
    let mut lines = vec![first];
    for _ in 0..turns {
        let mut next = Vec::new();
        for line in &lines {
            let Status::Running { legal } = game.status(&line.state, &mut scratch).unwrap() else { continue };
            for joint_move in game.joint_moves(&legal) {
                let mut line = line.clone();
                if let Some(chance) = game.roles().random() {
                    line.probability /= legal[chance].len() as f64;
                }
                for known in &line.known {
                    let choices = policy.probabilities(known, &legal[known.role]);
                    let made =
                        legal[known.role].iter().position(|&own| own == joint_move.of(known.role)).unwrap();
                    line.probability *= choices[made];
                }
                let turn = game.turn(&line.state, &joint_move, &mut scratch).unwrap();
                line.state = turn.successor;
                for known in &mut line.known {
                    known.turns.push((joint_move.of(known.role), turn.percepts[known.role].clone()));
                }
                let texts = game.percept_terms(&turn.percepts[line.known[0].role]);
                let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
                line.told.push(sight.told(&texts).into_iter().map(str::to_owned).collect());
                next.push(line);
            }
        }
        lines = next;
    }
    let mut found = Enumerated::new();
    for line in lines {
        let name = name_of(game, &line.state, line.known.iter());
        *found.entry(line.told).or_default().entry(name).or_default() += line.probability;
    }
    for shares in found.values_mut() {
        let total: f64 = shares.values().sum();
        shares.values_mut().for_each(|share| *share /= total);
    }
    found
}

fn name_of<'k>(game: &Game, state: &State, known: impl Iterator<Item = &'k InformationSet>) -> String {
    let known: Vec<String> = known.map(|known| game.information_set_text(known)).collect();
    format!("{} {known:?}", game.state_terms(state).join(" "))
}

/// The histories of a public belief with their probabilities, as the enumeration has them.
fn shares(game: &Game, belief: &PublicBelief) -> BTreeMap<String, f64> {
    let node = belief.node();
    let named = node.histories().iter().zip(belief.probabilities()).map(|(history, probability)| {
        let known = history.private.iter().enumerate();
        let known = known.map(|(player, &own)| &node.private(player)[own as usize].known);
        (name_of(game, &history.state, known), probability)
    });
    named.collect()
}

/// Compares every public belief of so many turns with the enumeration.
fn compare(name: &str, turns: usize, number: u64) {
    let rules = croupier_games::find(name).unwrap().rules;
    let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
    let whim = Whim { game: Arc::clone(&game), number };
    let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
    let mut met = 0;
    for (told, expected) in enumerated(&game, rules, &whim, turns) {
        let mut belief = PublicBelief::initial(&game, &mut looker).unwrap();
        for told in &told {
            let told = game.percepts_of(told.iter().map(String::as_str)).unwrap();
            let mut policy: &dyn Policy = &whim;
            let limits = PublicLimits::STANDARD;
            belief = belief.advance(&told, &mut policy, &mut eyes, &mut looker, &limits).unwrap();
        }
        let found = shares(&game, &belief);
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{name}: {told:?}");
        for (history, probability) in &expected {
            assert!((found[history] - probability).abs() < 1e-9, "{name}: {history} {probability}");
        }
        met += 1;
    }
    assert!(met > 0, "{name} has a line of {turns} turns");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn public_beliefs_are_those_of_the_enumeration(number: u64) {
        for (name, turns) in [("kuhn", 4), ("leduc", 5), ("liars-dice", 4), ("prisoners", 1), ("goofspiel-4", 2), ("monty-hall", 3)] {
            compare(name, turns, number);
        }
    }
}
