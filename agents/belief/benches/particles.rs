//! How fast a belief by particles follows matches of hold'em, Leduc hold'em and a blind board game. `cargo bench -p croupier-belief --bench particles`.
//!
//! A particle-turn is one history brought through one turn, dead ones included. Times are the least of several,
//! since other work on the machine only adds to them. An argument names the one game to follow.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock and prints"
)]

use std::{sync::Arc, time::Instant};

use croupier_belief::{ParticleBelief, ParticleOptions};
use croupier_engine::{Game, InformationSet, Options};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const HOLDEM: &str = include_str!("../../../games-ii/holdem/rules.gdl");
const LEDUC: &str = include_str!("../../../games-ii/leduc/rules.gdl");
const NO_LIMIT: &str = include_str!("../../../games-ii/no-limit-holdem-6/rules.gdl");
const BLIND: &str = include_str!("../../../games-ii/krieg-tic-tac-toe-5x5/rules.gdl");

fn main() {
    let games = [
        ("holdem", HOLDEM),
        ("leduc", LEDUC),
        ("no-limit-holdem-6", NO_LIMIT),
        ("krieg-tic-tac-toe-5x5", BLIND),
    ];
    let wanted = std::env::args().nth(1).filter(|argument| !argument.starts_with('-'));
    for (name, rules) in
        games.into_iter().filter(|(name, _)| wanted.as_deref().is_none_or(|wanted| wanted == *name))
    {
        let game = Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game);
        println!("{name}: {:?}", game.network().map(|network| network.tape().statistics()));
        for particles in [200, 2_000, 100_000] {
            measure(name, &game, ParticleOptions { particles, ..ParticleOptions::STANDARD });
        }
        println!("as players have them:");
        measure(name, &game, ParticleOptions::for_play(200));
    }
}

/// How often each match is followed.
const TRIES: usize = 20;

/// Follows ten matches from the first seat.
fn measure(name: &str, game: &Arc<Game>, options: ParticleOptions) {
    let matches: Vec<InformationSet> = (0..10).map(|seed| random_match(game, seed)).collect();
    let turns: usize = matches.iter().map(|known| known.turns.len()).sum();
    let (mut seconds, mut particle_turns, mut last) = (0.0, 0, 0);
    for known in &matches {
        let mut least = f64::INFINITY;
        let mut followed = None;
        for _ in 0..TRIES {
            let begin = Instant::now();
            let belief = ParticleBelief::new(Arc::clone(game), known.role, options, [1; 32]);
            let mut belief = belief.expect("it is a player");
            belief.follow(known).expect("the match was played");
            least = least.min(begin.elapsed().as_secs_f64());
            followed = Some(belief);
        }
        let belief = followed.expect("a try at least");
        seconds += least;
        particle_turns += belief.report().particle_turns;
        last += belief.particles_count();
    }
    println!(
        "{name} {particles:>7}: {:>8.1} us a turn, {:>6.2} M particle-turns/s, {:>6} particles in the end",
        1e6 * seconds / turns as f64,
        1e-6 * particle_turns as f64 / seconds,
        last / matches.len(),
        particles = options.particles,
    );
}

/// What the first player knows of a match in which everyone plays uniformly.
fn random_match(game: &Game, seed: u8) -> InformationSet {
    let mut rng = ChaCha8Rng::from_seed([seed; 32]);
    let mut scratch = game.scratch();
    let role = game.roles().players().next().expect("a game has a player");
    let mut known = InformationSet::initial(role);
    let mut state = game.initial_state().clone();
    while let Some(joint_move) = game.random_joint_move(&state, &mut rng, &mut scratch).expect("sound rules")
    {
        let turn = game.turn(&state, &joint_move, &mut scratch).expect("sound rules");
        known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
        state = turn.successor;
    }
    known
}
