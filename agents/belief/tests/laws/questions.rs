//! Questions to beliefs, with answers by hand.

use std::sync::Arc;

use croupier_belief::{
    Detail, ExactBelief, ExactOptions, Histories, Knowledge, KnowledgeBasis, ParticleBelief, ParticleOptions,
    Query, QueryError,
};
use croupier_engine::{Game, InformationSet};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::tree::{HOLDEM, MONTY_HALL, game, lifted, role};

/// What a role knows after these own moves and percepts.
fn known(game: &Game, name: &str, turns: &[(&str, Option<&str>)]) -> InformationSet {
    let mut known = InformationSet::initial(role(game, name));
    for (own_move, percept) in turns {
        known.turns.push((game.move_id(own_move).unwrap(), game.percepts_of(*percept).unwrap()));
    }
    known
}

const DOORS: [(&str, Option<&str>); 3] = [("noop", None), ("(choose 1)", None), ("noop", Some("(opened 3)"))];

const DEAL: [(&str, Option<&str>); 4] = [
    ("noop", Some("(hole as)")),
    ("noop", Some("(dealt bob)")),
    ("noop", Some("(hole kd)")),
    ("noop", Some("(dealt bob)")),
];

const PROVED_TRUE: Knowledge = Knowledge { holds: true, basis: KnowledgeBasis::Proved };
const PROVED_FALSE: Knowledge = Knowledge { holds: false, basis: KnowledgeBasis::Proved };

#[test]
fn knowledge_is_what_holds_in_every_history() {
    let game = game(MONTY_HALL);
    let known = known(&game, "candidate", &DOORS);
    let belief = ExactBelief::of(Arc::clone(&game), &known, ExactOptions::STANDARD).unwrap();
    let knows = |text: &str| belief.knows(game.fluent_id(text).unwrap());
    assert_eq!(knows("(opened 3)"), PROVED_TRUE);
    assert_eq!(knows("(car 2)"), PROVED_FALSE);
}

#[test]
fn what_few_particles_suggest_is_proved_or_refuted() {
    let game = game(HOLDEM);
    let known = known(&game, "alice", &DEAL);
    let options = ParticleOptions { particles: 1, ..ParticleOptions::STANDARD };
    let mut belief = ParticleBelief::new(Arc::clone(&game), known.role, options, [2; 32]).unwrap();
    belief.follow(&known).unwrap();
    assert!(!belief.is_complete());
    let knows = |text: &str| belief.knows(game.fluent_id(text).unwrap()).unwrap();
    assert_eq!(knows("(hand alice as)"), PROVED_TRUE);
    // Whatever the only particle has in bob's hand, nobody knows it.
    let distribution = belief.distribution();
    let (state, _) = distribution.iter().next().unwrap();
    let hand: Vec<_> =
        game.state_terms(state).into_iter().filter(|term| term.starts_with("(hand bob")).collect();
    assert_eq!(hand.len(), 2);
    for card in hand {
        assert_eq!(knows(&card), PROVED_FALSE, "{card}");
    }
}

#[test]
fn without_a_network_knowledge_is_as_good_as_the_sample() {
    let game = lifted(MONTY_HALL);
    let known = known(&game, "candidate", &DOORS);
    let options = ParticleOptions { particles: 50, ..ParticleOptions::STANDARD };
    let mut belief = ParticleBelief::new(Arc::clone(&game), known.role, options, [2; 32]).unwrap();
    belief.follow(&known).unwrap();
    let knows = |text: &str| belief.knows(game.fluent_id(text).unwrap()).unwrap();
    let samples = belief.particles_count();
    assert_eq!(knows("(opened 3)"), Knowledge { holds: true, basis: KnowledgeBasis::Sampled { samples } });
    assert_eq!(knows("(car 1)"), PROVED_FALSE);
}

#[test]
fn histories_are_ranked_and_drawn_by_their_probability() {
    let game = game(MONTY_HALL);
    let known = known(&game, "candidate", &DOORS);
    let options = ExactOptions { detail: Detail::Histories, ..ExactOptions::STANDARD };
    let belief = ExactBelief::of(Arc::clone(&game), &known, options).unwrap();
    let histories = Histories::proportional(belief.histories().unwrap()).unwrap();
    // The car is behind 2, and 3 had to be opened; or behind 1, and 3 was one of two doors.
    let likely = histories.most_likely(&game, 5);
    assert_eq!(likely.len(), 2);
    assert!(likely[0].0.state.contains(game.fluent_id("(car 2)").unwrap()));
    assert!((likely[0].1 - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(histories.most_likely(&game, 1), likely[..1]);
    let mut rng = ChaCha8Rng::from_seed([3; 32]);
    let draws = 9_000;
    let drawn = (0..draws).filter(|_| histories.sample(&mut rng) == likely[0].0).count();
    // Five standard deviations of 9000 draws with 2/3.
    assert!((drawn as f64 - 6_000.0).abs() < 5.0 * (9_000.0_f64 * 2.0 / 9.0).sqrt(), "{drawn}");
    // One third of all matches open this door after this choice and one half of those... by Bayes: 1/3 of being told
    // it when the car is behind 2, half of 1/3 when it is behind 1.
    assert!((belief.report().log_probability - 0.5_f64.ln()).abs() < 1e-12);
}

#[test]
fn a_query_may_use_the_relations_of_the_game() {
    let game = game(HOLDEM);
    let mut turns = DEAL.to_vec();
    turns.extend([("call", Some("(did alice call)")), ("noop", Some("(did bob check)"))]);
    turns.extend(["(board 2c)", "(board 7h)", "(board 9s)"].map(|percept| ("noop", Some(percept))));
    let known = known(&game, "alice", &turns);
    let belief = ExactBelief::of(Arc::clone(&game), &known, ExactOptions::STANDARD).unwrap();
    let rules = "
        (<= query (true (hand bob ?c)) (true (hand bob ?d)) (distinct ?c ?d) (card ?c ?r ?s) (card ?d ?r ?t))
        (<= (query ?r) (true (hand bob ?c)) (card ?c ?r ?s))";
    let query = Query::compile(&game, rules).unwrap();
    let answers = query.answers(&game, &belief.distribution()).unwrap();
    let probability = |answer: &str| answers.iter().find(|(text, _)| text == answer).unwrap().1;
    // 47 cards: eight ranks with four, five with three. Pairs: 8 * 6 + 5 * 3 of 47 * 46 / 2.
    assert!((probability("query") - 63.0 / 1_081.0).abs() < 1e-12);
    // An ace, of which three are left: not both of the other 44.
    assert!((probability("(query ace)") - (1.0 - 44.0 * 43.0 / (47.0 * 46.0))).abs() < 1e-12);
    assert_eq!(answers.len(), 14);
}

#[test]
fn what_is_no_query_is_refused_with_advice() {
    let game = game(MONTY_HALL);
    let compile = |text: &str| Query::compile(&game, text).unwrap_err();
    assert!(matches!(compile("(question ?x)"), QueryError::NoQuery));
    assert!(matches!(compile("(<= (query ?x)"), QueryError::Syntax(_)));
    let unsafe_variable = compile("(<= (query ?x) (true (car 1)))").to_string();
    assert!(unsafe_variable.contains("?x"), "{unsafe_variable}");
}

#[test]
fn a_percept_is_as_likely_as_the_sets_that_have_it() {
    let game = game(MONTY_HALL);
    let known = known(&game, "candidate", &DOORS[..2]);
    let belief = ExactBelief::of(Arc::clone(&game), &known, ExactOptions::STANDARD).unwrap();
    let noop = game.move_id("noop").unwrap();
    let probability = |percept: &str| {
        let percepts = game.percepts_of([percept]).unwrap();
        let percept = percepts.iter().next().unwrap();
        let belief = belief.distribution();
        belief.percept_probability(&game, known.role, noop, percept, &mut game.scratch()).unwrap()
    };
    assert!((probability("(opened 2)") - 0.5).abs() < 1e-12);
    assert_eq!(probability("(opened 1)"), 0.0);
}
