//! Sampled public beliefs come to the exact ones as particles become more, under any policy.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

mod whim;

use std::{collections::BTreeMap, sync::Arc};

use croupier_belief::{Basis, Opponents, ParticleOptions};
use croupier_engine::{Game, Options, Percepts, draw::unit_interval, game::Looker};
use croupier_public::{
    PublicBelief, PublicBeliever, PublicEyes, PublicLimits, PublicMethods, PublicOutlook, PublicSample,
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use whim::Whim;

struct Table {
    game: Arc<Game>,
    opponents: Opponents,
}

impl Table {
    fn of(name: &str, number: u64) -> Self {
        let rules = croupier_games::find(name).unwrap().rules;
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let players = game.roles().players();
        let whim = |_| Arc::new(Whim(number));
        let opponents = players.fold(Opponents::uniform(), |others, role| others.with(role, whim(role)));
        Self { game, opponents }
    }

    /// What was public in the first turns of a match of random moves.
    fn told(&self, turns: usize, seed: u8) -> Vec<Percepts> {
        let mut rng = ChaCha8Rng::from_seed([seed; 32]);
        let (mut eyes, mut scratch) = (PublicEyes::new(Arc::clone(&self.game)).unwrap(), self.game.scratch());
        let mut state = self.game.initial_state().clone();
        let first = self.game.roles().players().next().unwrap();
        let mut told = Vec::new();
        for _ in 0..turns {
            let Some(legal) = self.game.playable_moves(&state, &mut scratch).unwrap() else { break };
            let all: Vec<_> = self.game.joint_moves(&legal).collect();
            let place = (unit_interval(&mut rng) * all.len() as f64) as usize;
            let turn = self.game.turn(&state, &all[place], &mut scratch).unwrap();
            told.push(eyes.public(&turn.percepts[first]));
            state = turn.successor;
        }
        told
    }

    fn outlook(&self, methods: PublicMethods, told: &[Percepts]) -> PublicOutlook {
        let mut believer = PublicBeliever::new(Arc::clone(&self.game), methods, &self.opponents).unwrap();
        told.iter().for_each(|told| believer.advance(told).unwrap());
        believer.outlook().unwrap()
    }

    fn exact(&self, told: &[Percepts]) -> PublicOutlook {
        let exact = Some(PublicLimits::STANDARD);
        self.outlook(PublicMethods { exact, sample: None }, told)
    }

    fn sampled(&self, told: &[Percepts], particles: usize, seed: u8) -> PublicOutlook {
        let options = ParticleOptions { particles, ..ParticleOptions::STANDARD };
        self.outlook(PublicMethods { exact: None, sample: Some((options, [seed; 32])) }, told)
    }

    /// By what it knows, how likely each private state of a player is, and its range.
    fn private(&self, belief: &PublicBelief, player: usize) -> BTreeMap<String, (f64, f64)> {
        let shares = belief.private_probabilities(player);
        let numbers = shares.into_iter().zip(belief.range(player).iter().copied());
        let states = belief.node().private(player).iter();
        states.map(|state| self.game.information_set_text(&state.known)).zip(numbers).collect()
    }
}

/// Half the sum of the differences.
fn distance(exact: &BTreeMap<String, (f64, f64)>, sampled: &BTreeMap<String, (f64, f64)>) -> f64 {
    let missing = (0.0, 0.0);
    let of_exact =
        exact.iter().map(|(name, (share, _))| (share - sampled.get(name).unwrap_or(&missing).0).abs());
    assert!(sampled.keys().all(|name| exact.contains_key(name)), "what was found is possible");
    of_exact.sum::<f64>() / 2.0
}

/// Private states that were found have the ranges of the exact belief, up to a factor.
fn assert_ranges(exact: &BTreeMap<String, (f64, f64)>, sampled: &BTreeMap<String, (f64, f64)>) {
    let ratios: Vec<f64> = sampled.iter().map(|(name, (_, range))| range / exact[name].1).collect();
    let first = ratios[0];
    assert!(ratios.iter().all(|ratio| (ratio - first).abs() < 1e-9 * first), "{ratios:?}");
}

#[test]
fn samples_come_to_the_exact_belief_as_they_grow() {
    for (name, turns) in [
        ("kuhn", 3),
        ("leduc", 4),
        ("liars-dice", 4),
        ("goofspiel-4", 2),
        ("phantom-tic-tac-toe", 4),
        ("oh-hell-small", 4),
    ] {
        let mut errors = Vec::new();
        for particles in [8, 64, 512, 4_096] {
            let (mut sum, mut count, mut most) = (0.0, 0.0, 0.0_f64);
            for seed in 0..6 {
                let table = Table::of(name, u64::from(seed));
                let told = table.told(turns, seed);
                let exact = table.exact(&told).belief;
                let outlook = table.sampled(&told, particles, seed);
                for player in 0..exact.node().players().len() {
                    let (exact, sampled) =
                        (table.private(&exact, player), table.private(&outlook.belief, player));
                    assert_ranges(&exact, &sampled);
                    let error = distance(&exact, &sampled);
                    match outlook.basis {
                        Basis::Histories(_) => assert!(error < 1e-9, "{name}: {error}"),
                        Basis::Particles { count, effective } => {
                            assert!(count <= particles && effective <= count as f64 + 1e-6);
                            assert!(outlook.belief.node().is_sampled());
                        }
                    }
                    sum += error;
                    count += 1.0;
                    // That many independent draws of so many things are this far off at most, in the mean.
                    most = most.max(0.5 * (exact.len() as f64 / particles as f64).sqrt());
                }
            }
            assert!(sum / count < 1.2 * most, "{name}: with {particles} particles {}", sum / count);
            errors.push(sum / count);
        }
        assert!(errors[3] <= errors[1] && errors[1] <= errors[0], "{name}: {errors:?}");
    }
}

#[test]
fn a_sample_takes_over_where_there_are_too_many_histories() {
    let table = Table::of("phantom-tic-tac-toe", 5);
    let told = table.told(4, 3);
    let methods = |histories| PublicMethods {
        exact: Some(PublicLimits { histories }),
        sample: Some((ParticleOptions { particles: 100, ..ParticleOptions::STANDARD }, [1; 32])),
    };
    let few = table.outlook(methods(200), &told);
    assert!(matches!(few.basis, Basis::Particles { count: 1..=100, .. }), "{:?}", few.basis);
    assert!(few.belief.node().is_sampled());
    assert_eq!(few.belief.node().told(), told);
    let all = table.outlook(methods(100_000), &told);
    let Basis::Histories(count) = all.basis else { panic!("there are few enough") };
    assert!(count > 200 && !all.belief.node().is_sampled());
}

#[test]
fn a_sample_is_a_function_of_its_seed() {
    let table = Table::of("phantom-tic-tac-toe", 2);
    let told = table.told(4, 9);
    let shares = |seed| table.private(&table.sampled(&told, 50, seed).belief, 0);
    assert_eq!(shares(4), shares(4));
    assert_ne!(shares(4), shares(5));
}

#[test]
fn what_cannot_become_public_is_refused() {
    let table = Table::of("kuhn", 1);
    let mut eyes = PublicEyes::new(Arc::clone(&table.game)).unwrap();
    let options = ParticleOptions::STANDARD;
    let mut sample = PublicSample::new(Arc::clone(&table.game), &table.opponents, options, [0; 32]).unwrap();
    sample.advance(&Percepts::default()).unwrap();
    let bet = table.game.percepts_of(["(did alice bet)"]).unwrap();
    assert!(sample.advance(&bet).is_err());
    // The sample goes on from where it was.
    sample.advance(&Percepts::default()).unwrap();
    sample.advance(&bet).unwrap();
    let belief = sample.belief(&mut eyes, &mut Looker::new(&table.game)).unwrap();
    assert_eq!(belief.node().histories().len(), 6);
}
