//! How fast players decide: `cargo bench -p croupier-players --bench decisions`.
//!
//! For each game a position some random turns into it, and for each kind the time of a decision, by the budget that is
//! standard. Playouts a second count the playouts at the leaves and all the work around them. Times are the least of
//! several, since other work on the machine only adds to them.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock and prints"
)]

use std::{sync::Arc, time::Instant};

use croupier_engine::{ByPlayer, Game, InformationSet, Options, RoleId};
use croupier_players::{Budget, PlayerKind, StopReason};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

/// Games, and how many random turns are played before the decision.
const GAMES: [(&str, &str, usize); 5] = [
    ("kuhn", include_str!("../../../games-ii/kuhn/rules.gdl"), 2),
    ("leduc", include_str!("../../../games-ii/leduc/rules.gdl"), 2),
    ("holdem", include_str!("../../../games-ii/holdem/rules.gdl"), 4),
    ("tic-tac-toe", include_str!("../../../games-ii/tic-tac-toe/rules.gdl"), 1),
    ("connect-four", include_str!("../../../games-ii/connect-four/rules.gdl"), 4),
];

fn main() {
    let only: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    println!("{:<14}{:<14}{:>12}{:>14}{:>16}", "game", "player", "ms", "iterations/s", "playouts/s");
    for (name, rules, turns) in GAMES {
        if !only.is_empty() && !only.iter().any(|word| word == name) {
            continue;
        }
        let game = Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game);
        let Some(known) = position(&game, turns) else {
            println!("{name}: no decision after {turns} turns");
            continue;
        };
        for kind in ["belief", "uct", "hyperplay", "ismcts", "mo-ismcts"] {
            decide(&game, &known, name, kind);
        }
    }
}

/// What the role that is to move knows after random turns.
fn position(game: &Game, turns: usize) -> Option<InformationSet> {
    let (mut rng, mut scratch) = (ChaCha8Rng::from_seed([7; 32]), game.scratch());
    let mut state = game.initial_state().clone();
    let mut known = ByPlayer::from_fn(game.roles(), InformationSet::initial);
    for _ in 0..turns {
        let joint_move = game.random_joint_move(&state, &mut rng, &mut scratch).expect("sound rules")?;
        let turn = game.turn(&state, &joint_move, &mut scratch).expect("sound rules");
        for (role, known) in known.iter_mut() {
            known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
        }
        state = turn.successor;
    }
    let mut has_choice =
        |role: RoleId| game.legal_moves(&state, role, &mut scratch).expect("sound rules").len() > 1;
    let role = game.roles().players().find(|&role| has_choice(role))?;
    Some(known[role].clone())
}

fn decide(game: &Arc<Game>, known: &InformationSet, name: &str, text: &str) {
    let kind: PlayerKind = text.parse().expect("a kind of player");
    let PlayerKind::Search(_, options) = kind else { return };
    let mut seconds = f64::INFINITY;
    for _ in 0..5 {
        let mut player = kind.player(Arc::clone(game), known.role, [1; 32]).expect("a role that is played");
        // The belief is made before the clock starts: it is not what is measured.
        player.choose(known, &mut Budget::Iterations(1)).expect("a move");
        let begin = Instant::now();
        let decision = player.choose(known, &mut Budget::Own).expect("a move");
        seconds = seconds.min(begin.elapsed().as_secs_f64());
        assert_eq!(decision.stop, StopReason::IterationLimit(options.iterations));
    }
    let iterations = f64::from(options.iterations);
    let playouts = iterations * if game.network().is_some() { f64::from(options.playouts) } else { 1.0 };
    println!(
        "{name:<14}{text:<14}{:>12.1}{:>14.0}{:>16.0}",
        seconds * 1e3,
        iterations / seconds,
        playouts / seconds
    );
}
