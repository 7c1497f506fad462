//! Beliefs of few particles through random matches of every game in which something is hidden: none is ever left
//! without a particle, and how often which rescue was needed is printed.
//!
//! `CROUPIER_MATCHES` is how many matches of each game are played (3 if it is not set), `CROUPIER_GAME` names the one
//! game to play, `CROUPIER_SEED` the seed, and `CROUPIER_PARTICLES` how many particles a belief has.

use std::{
    env, fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use croupier_belief::{FilterReport, ParticleBelief, ParticleOptions};
use croupier_engine::{ByPlayer, Game, InformationSet, Options};
use croupier_tests::corpus::{self, RuleFile};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

/// Turns of a match that are followed.
const TURNS_MAX: usize = 60;

fn number(variable: &str, otherwise: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
        Err(_) => otherwise,
    }
}

/// What following the matches of one game came to.
#[derive(Default)]
struct Toll {
    beliefs: u64,
    turns: u64,
    complete: u64,
    /// Beliefs that needed earlier turns to be drawn again, the SAT solver, or the search.
    rescued: [u64; 3],
    failures: Vec<String>,
}

impl Toll {
    fn add(&mut self, report: FilterReport) {
        let used = [u64::from(report.rejuvenations > 0), report.solver_rescues, report.searches];
        for (sum, used) in self.rescued.iter_mut().zip(used) {
            *sum += u64::from(used > 0);
        }
    }
}

impl fmt::Display for Toll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [again, solver, search] = self.rescued;
        write!(
            f,
            "{} beliefs, {} turns, {} complete in the end; rescued by drawing again {again}, by the solver {solver}, \
             by searching {search}",
            self.beliefs, self.turns, self.complete
        )
    }
}

/// The information sets of all players after a random match.
fn random_match(game: &Game, rng: &mut ChaCha8Rng) -> ByPlayer<InformationSet> {
    let mut scratch = game.scratch();
    let mut known = ByPlayer::from_fn(game.roles(), InformationSet::initial);
    let mut state = game.initial_state().clone();
    for _ in 0..TURNS_MAX {
        let joint_move =
            game.random_joint_move(&state, rng, &mut scratch).expect("a game that can be played");
        let Some(joint_move) = joint_move else { break };
        let turn = game.turn(&state, &joint_move, &mut scratch).expect("a game that can be played");
        for (role, known) in known.iter_mut() {
            known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
        }
        state = turn.successor;
    }
    known
}

/// Follows the matches of one game from every seat; `None` if everybody sees everything or the rules are refused.
fn follow(file: &RuleFile) -> Option<Toll> {
    let game = Game::compile(&file.text, &Options::PLAY).ok()?.game;
    if game.has_full_sight() {
        return None;
    }
    let game = Arc::new(game);
    let mut toll = Toll::default();
    let particles = usize::try_from(number("CROUPIER_PARTICLES", 100)).expect("a number of particles");
    // Games that are no networks are followed state by state: fewer looks keep them short.
    let options = ParticleOptions { particles, enumerated_max: 128, ..ParticleOptions::STANDARD };
    let is_large = game.roles().players().count() > 3;
    for number_of_match in 0..number("CROUPIER_MATCHES", if is_large { 1 } else { 3 }) {
        let mut rng = ChaCha8Rng::seed_from_u64(number("CROUPIER_SEED", 2_026));
        rng.set_stream(number_of_match);
        for (role, known) in random_match(&game, &mut rng).iter() {
            let mut belief = ParticleBelief::new(Arc::clone(&game), role, options, [7; 32])
                .expect("a player has a belief");
            toll.beliefs += 1;
            toll.turns += known.turns.len() as u64;
            match catch_unwind(AssertUnwindSafe(|| belief.follow(known))) {
                Ok(Ok(())) => toll.complete += u64::from(belief.is_complete()),
                Ok(Err(error)) => {
                    let name = game.roles().name(role);
                    toll.failures.push(format!("{}, match {number_of_match}, {name}: {error}", file.name));
                }
                Err(_) => toll.failures.push(format!("{}: a panic, printed above", file.name)),
            }
            toll.add(belief.report());
        }
    }
    Some(toll)
}

#[test]
fn no_belief_is_depleted_in_random_matches() {
    let mut files = [corpus::catalogue(), corpus::shared("gdl2")].concat();
    if let Ok(name) = env::var("CROUPIER_GAME") {
        files.retain(|file| file.name == name);
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((index, file)) = files.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
            let toll = follow(file);
            if let Some(toll) = &toll {
                println!("{}: {toll}", file.name);
            }
            done.push((index, toll));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let mut tolls: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker that ends")).collect()
    });
    tolls.sort_by_key(|(index, _)| *index);
    let mut failures = Vec::new();
    let mut games = 0;
    for toll in tolls.into_iter().filter_map(|(_, toll)| toll) {
        games += 1;
        failures.extend(toll.failures);
    }
    assert!(games > 0, "the catalogue has games with percepts");
    assert!(failures.is_empty(), "{} beliefs:\n  {}", failures.len(), failures.join("\n  "));
}
