//! A match of a card game from the text of its rules to its outcome.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use croupier_engine::{Game, Options, Status};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

/// Ann is dealt a king or a queen that Ben does not see. She folds or raises; if she raises, he folds or calls.
const RULES: &str = "
    (role ann) (role ben) (role random)
    (card king) (card queen)

    (init (turn random))
    (<= (legal random (deal ?card)) (true (turn random)) (card ?card))
    (<= (legal ann raise) (true (turn ann)))
    (<= (legal ben call) (true (turn ben)))
    (<= (legal ?role fold) (true (turn ?role)) (distinct ?role random))
    (<= (legal ?role wait) (role ?role) (not (true (turn ?role))))

    (<= (next (holds ?card)) (does random (deal ?card)))
    (<= (next (holds ?card)) (true (holds ?card)))
    (<= (next (turn ann)) (true (turn random)))
    (<= (next (turn ben)) (does ann raise))
    (<= (next (folded ?role)) (does ?role fold))
    (<= (next called) (does ben call))

    (<= (sees ann ?card) (does random (deal ?card)))
    (<= (sees ben raised) (does ann raise))

    (<= terminal (true (folded ?role)))
    (<= terminal (true called))
    (<= (goal ann 25) (true (folded ann)))
    (<= (goal ben 75) (true (folded ann)))
    (<= (goal ann 75) (true (folded ben)))
    (<= (goal ben 25) (true (folded ben)))
    (<= (goal ann 100) (true called) (true (holds king)))
    (<= (goal ben 0) (true called) (true (holds king)))
    (<= (goal ann 0) (true called) (true (holds queen)))
    (<= (goal ben 100) (true called) (true (holds queen)))";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::compile(RULES, &Options::PLAY)?.game;
    let mut scratch = game.scratch();
    // Every role plays at random here, the dealer as the language says it does. The same seed gives the same match.
    let mut rng = ChaCha20Rng::seed_from_u64(7);

    let mut state = game.initial_state().clone();
    let goals = loop {
        if let Status::Terminal { goals } = game.status(&state, &mut scratch)? {
            break goals;
        }
        let drawn = game.random_joint_move(&state, &mut rng, &mut scratch)?;
        let joint_move = drawn.ok_or("only a match that is over has no moves")?;
        let turn = game.turn(&state, &joint_move, &mut scratch)?;
        for (role, &played) in joint_move.moves().iter() {
            println!("{} plays {}", game.roles().name(role), game.move_text(played));
        }
        for (role, percepts) in turn.percepts.iter() {
            println!("{} is told {:?}", game.roles().name(role), game.percept_terms(percepts));
        }
        state = turn.successor;
    };
    for (role, goal) in goals.iter() {
        println!("{} gets {goal}", game.roles().name(role));
    }
    // Whoever wins what the other loses shares 100 with the other.
    assert_eq!(goals.iter().map(|(_, goal)| goal.value()).sum::<i32>(), 100);
    Ok(())
}
