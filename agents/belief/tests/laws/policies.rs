//! Beliefs where the others choose by policies, against Bayes' rule by hand.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use croupier_belief::{
    ExactBelief, ExactOptions, Opponents, ParticleBelief, ParticleOptions, Policy, PolicyQuestion,
    PolicyTable,
};
use croupier_engine::{Game, InformationSet, MoveId};

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::tree::{KUHN, both, game, posteriors, random_match, replay, role};

/// Bets with a king, never with a queen, and with a jack one time in three; everything else at random.
#[derive(Debug)]
struct Bluffer {
    game: Arc<Game>,
}

impl Policy for Bluffer {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let holds = |card: &str| {
            let mut told = known.turns.iter().flat_map(|(_, percepts)| self.game.percept_terms(percepts));
            told.any(|percept| *percept == *format!("(hole {card})"))
        };
        let bet = match () {
            () if holds("king") => 1.0,
            () if holds("jack") => 1.0 / 3.0,
            () => 0.0,
        };
        let texts: Vec<_> = legal.iter().map(|&played| self.game.move_text(played)).collect();
        let probability = |text: &Arc<str>| match &**text {
            "bet" => bet,
            "pass" => 1.0 - bet,
            _ => 1.0 / legal.len() as f64,
        };
        texts.iter().map(probability).collect()
    }
}

/// What bob knows when he has a queen and alice did this.
fn after(game: &Game, said: &str) -> InformationSet {
    let turns = [("noop", "(dealt alice)"), ("noop", "(hole queen)"), ("noop", said)];
    let turn = |(own_move, percept): (&str, &str)| {
        (game.move_id(own_move).unwrap(), game.percepts_of([percept]).unwrap())
    };
    InformationSet { role: role(game, "bob"), turns: turns.map(turn).to_vec() }
}

#[test]
fn a_bet_means_what_the_policy_makes_of_it() {
    for game in both(KUHN) {
        let opponents =
            Opponents::uniform().with(role(&game, "alice"), Arc::new(Bluffer { game: Arc::clone(&game) }));
        // She bets a king always and a jack one time in three; she never passes with a king.
        for (said, king) in [("(did alice bet)", 0.75), ("(did alice pass)", 0.0)] {
            let known = after(&game, said);
            let exact = ExactBelief::with_opponents(
                Arc::clone(&game),
                known.role,
                &opponents,
                ExactOptions::STANDARD,
            );
            let mut exact = exact.unwrap();
            let options = ParticleOptions { particles: 200, ..ParticleOptions::STANDARD };
            let game = Arc::clone(&game);
            let particles =
                ParticleBelief::with_opponents(Arc::clone(&game), known.role, &opponents, options, [1; 32]);
            let mut particles = particles.unwrap();
            for (own_move, percepts) in &known.turns {
                exact.advance(*own_move, percepts).unwrap();
            }
            particles.follow(&known).unwrap();
            let hand = game.fluent_id("(hand alice king)").unwrap();
            assert!((exact.distribution().probability(hand) - king).abs() < 1e-12);
            // The lifted filter draws; an error of five standard deviations of 200 draws.
            let bound = if game.network().is_some() { 1e-12 } else { 5.0 * (0.25_f64 * 0.75 / 200.0).sqrt() };
            let probability = particles.distribution().probability(hand);
            assert!((probability - king).abs() < bound, "{probability} for {king}");
            // Following again from the beginning keeps the policies.
            particles.follow(&InformationSet::initial(known.role)).unwrap();
            particles.follow(&known).unwrap();
            assert_eq!(particles.distribution().probability(hand), probability);
        }
    }
}

#[test]
fn a_table_is_a_policy() {
    let game = game(KUHN);
    let alice = role(&game, "alice");
    let [pass, bet] = ["pass", "bet"].map(|text| game.move_id(text).unwrap());
    let mut table = PolicyTable::default();
    assert!(table.is_empty());
    // With a jack she always bets; what the table does not have is uniform.
    for known in posteriors(&game, alice).into_keys() {
        let has_jack =
            known.turns.first().is_some_and(|(_, told)| game.percept_terms(told) == ["(hole jack)".into()]);
        if has_jack && known.turns.len() == 2 {
            table.insert_weights(&game, &known, [(bet, 5.0)]).unwrap();
        }
    }
    assert_eq!(table.len(), 1);
    let known = after(&game, "(did alice bet)");
    let table = Arc::new(table).into_policy(Arc::clone(&game)).unwrap();
    let uniform = table.probabilities(&InformationSet::initial(alice), &[pass, bet]);
    assert_eq!(uniform, [0.5, 0.5]);
    let opponents = Opponents::uniform().with(alice, Arc::new(table));
    let belief =
        ExactBelief::with_opponents(Arc::clone(&game), known.role, &opponents, ExactOptions::STANDARD);
    let mut belief = belief.unwrap();
    for (own_move, percepts) in &known.turns {
        belief.advance(*own_move, percepts).unwrap();
    }
    // A jack bets always, a king one time in two.
    let jack = game.fluent_id("(hand alice jack)").unwrap();
    assert!((belief.distribution().probability(jack) - 2.0 / 3.0).abs() < 1e-12);
}

/// Always makes the first of its legal moves.
#[derive(Debug)]
struct FirstLegal;

impl Policy for FirstLegal {
    fn probabilities(&self, _: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        (0..legal.len()).map(|place| if place == 0 { 1.0 } else { 0.0 }).collect()
    }
}

/// Alice plays uniformly and is taken to make the first legal move always: in about half of the matches she does not, and
/// nothing was left to believe.
#[test]
fn a_wrong_model_that_is_mixed_with_uniform_play_leaves_a_belief() {
    for game in both(KUHN) {
        let [alice, bob] = ["alice", "bob"].map(|name| role(&game, name));
        let pure = Opponents::uniform().with(alice, Arc::new(FirstLegal));
        let mixed = pure.clone().mixed(Opponents::UNIFORM_SHARE);
        let follow = |opponents: &Opponents, known: &InformationSet| {
            let options = ParticleOptions::for_play(200);
            let mut particles =
                ParticleBelief::with_opponents(Arc::clone(&game), bob, opponents, options, [1; 32]).unwrap();
            particles.follow(known).map(|()| particles)
        };
        let mut scratch = game.scratch();
        let mut impossible = 0;
        for number in 0..20 {
            let joint_moves = random_match(&game, &mut ChaCha8Rng::from_seed([number; 32]), &mut scratch);
            let (known, _) = replay(&game, bob, &joint_moves, &mut scratch);
            impossible += u32::from(follow(&pure, &known).is_err());
            let particles = follow(&mixed, &known).unwrap();
            let mut exact =
                ExactBelief::with_opponents(Arc::clone(&game), bob, &mixed, ExactOptions::STANDARD).unwrap();
            for (own_move, percepts) in &known.turns {
                exact.advance(*own_move, percepts).unwrap();
            }
            let distance = exact.distribution().total_variation(&particles.distribution());
            let bound = if particles.is_complete() { 1e-12 } else { 0.1 };
            assert!(distance < bound, "match {number}: {distance}");
        }
        assert!((5..=15).contains(&impossible), "{impossible} of 20");
    }
}

/// A [`Bluffer`] that wants to know its questions before, and notes those that it was not told.
#[derive(Debug)]
struct Prepared {
    bluffer: Bluffer,
    told: Mutex<BTreeSet<InformationSet>>,
    untold: Mutex<Vec<InformationSet>>,
}

impl Policy for Prepared {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        if !self.told.lock().unwrap().contains(known) {
            self.untold.lock().unwrap().push(known.clone());
        }
        self.bluffer.probabilities(known, legal)
    }

    fn asks_at_once(&self) -> bool {
        true
    }

    fn prepare(&self, questions: &[PolicyQuestion<'_>]) {
        let distinct: BTreeSet<&InformationSet> = questions.iter().map(|question| question.known).collect();
        assert_eq!(distinct.len(), questions.len(), "nothing is asked twice at once");
        self.told.lock().unwrap().extend(distinct.into_iter().cloned());
    }
}

#[test]
fn a_policy_that_wants_to_know_is_told_its_questions_before_and_nothing_else_changes() {
    for game in both(KUHN) {
        let [alice, bob] = ["alice", "bob"].map(|name| role(&game, name));
        let bluffer = || Bluffer { game: Arc::clone(&game) };
        let prepared =
            Arc::new(Prepared { bluffer: bluffer(), told: Mutex::default(), untold: Mutex::default() });
        let plain = Opponents::uniform().with(alice, Arc::new(bluffer())).mixed(Opponents::UNIFORM_SHARE);
        let told = Opponents::uniform().with(alice, prepared.clone()).mixed(Opponents::UNIFORM_SHARE);
        let exact = |opponents: &Opponents, known: &InformationSet| {
            let mut belief =
                ExactBelief::with_opponents(Arc::clone(&game), bob, opponents, ExactOptions::STANDARD)
                    .unwrap();
            for (own_move, percepts) in &known.turns {
                belief.advance(*own_move, percepts).unwrap();
            }
            belief.distribution()
        };
        let sampled = |opponents: &Opponents, known: &InformationSet| {
            let options = ParticleOptions { complete_max: 0, ..ParticleOptions::for_play(100) };
            let mut belief =
                ParticleBelief::with_opponents(Arc::clone(&game), bob, opponents, options, [2; 32]).unwrap();
            belief.follow(known).unwrap();
            belief.distribution()
        };
        for known in [after(&game, "(did alice bet)"), after(&game, "(did alice pass)")] {
            assert!(exact(&told, &known).total_variation(&exact(&plain, &known)) < 1e-12);
            assert!(sampled(&told, &known).total_variation(&sampled(&plain, &known)) < 1e-12);
        }
        assert!(!prepared.told.lock().unwrap().is_empty());
        assert_eq!(*prepared.untold.lock().unwrap(), []);
    }
}
