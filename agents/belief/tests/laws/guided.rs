//! Beliefs that an estimate leads, against the exact ones: the estimate changes how many particles are worth something, and nothing else.

use std::sync::Arc;

use croupier_belief::{
    Distribution, ExactBelief, ExactOptions, Guide, Opponents, ParticleBelief, ParticleOptions, Policy,
};
use croupier_engine::{FluentId, Game, InformationSet, MoveId};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::tree::{game, random_match, replay, role};

const ROYAL: &str = include_str!("../../../../games-ii/royal-holdem/rules.gdl");

/// Few enough that the deal is a sample: two cards of nineteen and seventeen.
const PARTICLES: usize = 60;

/// Nearly always plays its first legal move with an ace, and its last without.
#[derive(Debug)]
struct Loud(Arc<Game>);

impl Policy for Loud {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let mut told = known.turns.iter().flat_map(|(_, percepts)| self.0.percept_terms(percepts));
        let place = if told.any(|told| told.starts_with("(hole a")) { 0 } else { legal.len() - 1 };
        let quiet = 0.1 / legal.len() as f64;
        (0..legal.len()).map(|own| if own == place { 0.9 + quiet } else { quiet }).collect()
    }
}

/// Knows the probability of every fluent, or says the contrary.
#[derive(Debug)]
struct Oracle {
    game: Arc<Game>,
    opponents: Opponents,
    is_liar: bool,
}

impl Guide for Oracle {
    fn probabilities(&self, known: &InformationSet) -> Vec<(FluentId, f64)> {
        let exact = exact(&self.game, &self.opponents, known);
        let said = |probability: f64| if self.is_liar { 1.0 - probability } else { probability };
        exact
            .marginals(&self.game)
            .iter()
            .map(|marginal| (marginal.fluent, said(marginal.probability)))
            .collect()
    }
}

fn exact(game: &Arc<Game>, opponents: &Opponents, known: &InformationSet) -> Distribution {
    let options = ExactOptions::STANDARD;
    let mut exact = ExactBelief::with_opponents(Arc::clone(game), known.role, opponents, options).unwrap();
    known.turns.iter().for_each(|(own_move, percepts)| exact.advance(*own_move, percepts).unwrap());
    exact.distribution()
}

/// Over many seeds, the mean of all marginals, and of the effective sizes.
fn mean(
    game: &Arc<Game>,
    opponents: &Opponents,
    known: &InformationSet,
    guide: Option<&Arc<Oracle>>,
    fluents: &[FluentId],
) -> (Vec<f64>, f64) {
    const SEEDS: u8 = 100;
    let options = ParticleOptions { particles: PARTICLES, ..ParticleOptions::STANDARD };
    let (mut sums, mut sizes) = (vec![0.0; fluents.len()], 0.0);
    for seed in 0..SEEDS {
        let belief =
            ParticleBelief::with_opponents(Arc::clone(game), known.role, opponents, options, [seed; 32]);
        let mut belief = belief.unwrap();
        if let Some(guide) = guide {
            belief = belief.guided(Arc::<Oracle>::clone(guide));
        }
        belief.follow(known).unwrap();
        let distribution = belief.distribution();
        sums.iter_mut().zip(fluents).for_each(|(sum, &fluent)| *sum += distribution.probability(fluent));
        sizes += belief.effective_sample_size();
    }
    let seeds = f64::from(SEEDS);
    (sums.iter().map(|sum| sum / seeds).collect(), sizes / seeds)
}

/// A match in which bob has chosen several times.
fn known(game: &Arc<Game>, number: u64) -> InformationSet {
    let mut scratch = game.scratch();
    (0..)
        .map(|stream| {
            let mut rng = ChaCha8Rng::seed_from_u64(number);
            rng.set_stream(stream);
            let joint_moves = random_match(game, &mut rng, &mut scratch);
            replay(game, role(game, "alice"), &joint_moves[..joint_moves.len() - 2], &mut scratch).0
        })
        .find(|known| known.turns.len() > 12)
        .unwrap()
}

#[test]
fn an_estimate_changes_how_good_a_sample_is_and_not_what_it_says() {
    let game = game(ROYAL);
    let loud = Arc::new(Loud(Arc::clone(&game)));
    let opponents = Opponents::uniform().with(role(&game, "bob"), loud);
    let mut sizes = [0.0; 3];
    for number in 0..3 {
        let known = known(&game, number);
        let exact = exact(&game, &opponents, &known);
        let fluents: Vec<FluentId> = exact.marginals(&game).iter().map(|marginal| marginal.fluent).collect();
        let oracle = |is_liar: bool| {
            let (game, opponents) = (Arc::clone(&game), opponents.clone());
            Arc::new(Oracle { game, opponents, is_liar })
        };
        let guides = [None, Some(oracle(false)), Some(oracle(true))];
        for (size, guide) in sizes.iter_mut().zip(&guides) {
            let (means, found) = mean(&game, &opponents, &known, guide.as_ref(), &fluents);
            *size += found;
            for (&fluent, mean) in fluents.iter().zip(means) {
                // Quotients of means of sixty are not quite without bias.
                let expected = exact.probability(fluent);
                let text = game.fluent_text(fluent);
                assert!((mean - expected).abs() < 0.06, "{text}: {mean} for {expected}, by {guide:?}");
            }
        }
    }
    let [alone, led, misled] = sizes;
    assert!(led > 1.2 * alone, "{led} effective particles instead of {alone}");
    assert!(misled < led, "{misled} effective particles of who is misled, {led} of who is led");
}

/// What is followed turn by turn is led as well where it has to be drawn again, and what is drawn at once goes on from there.
#[test]
fn a_led_belief_goes_on() {
    let game = game(ROYAL);
    let opponents = Opponents::uniform().with(role(&game, "bob"), Arc::new(Loud(Arc::clone(&game))));
    let guide = Arc::new(Oracle { game: Arc::clone(&game), opponents: opponents.clone(), is_liar: false });
    let known = known(&game, 5);
    let options = ParticleOptions { particles: PARTICLES, ..ParticleOptions::STANDARD };
    let belief = || {
        let belief =
            ParticleBelief::with_opponents(Arc::clone(&game), known.role, &opponents, options, [1; 32]);
        belief.unwrap().guided(Arc::<Oracle>::clone(&guide))
    };
    let (mut at_once, mut by_turns) = (belief(), belief());
    let half = InformationSet { role: known.role, turns: known.turns[..8].to_vec() };
    at_once.follow(&half).unwrap();
    at_once.follow(&known).unwrap();
    known.turns.iter().for_each(|(own_move, percepts)| by_turns.advance(*own_move, percepts).unwrap());
    for belief in [&at_once, &by_turns] {
        assert_eq!(belief.known(), &known);
        for (history, _) in belief.histories() {
            assert_eq!(history.joint_moves.len(), known.turns.len());
            let mut scratch = game.scratch();
            let (told, _) = replay(&game, known.role, &history.joint_moves, &mut scratch);
            assert_eq!(told, known, "every history explains what is known");
        }
    }
    // Starting over keeps the guide.
    at_once.follow(&InformationSet::initial(known.role)).unwrap();
    at_once.follow(&known).unwrap();
    let mut anew = belief();
    anew.follow(&known).unwrap();
    assert_eq!(at_once.distribution().marginals(&game), anew.distribution().marginals(&game));
}
