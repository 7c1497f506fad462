//! Random play mapped through symmetries: the engine, which knows nothing of them, is the oracle.

use std::collections::BTreeSet;

use croupier_engine::{Game, MoveId, Status, game::Symmetry};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

use crate::known::bundled;

/// Plays one match, and at each state asserts that everything about its image is the image of what it is.
fn assert_mapped(game: &Game, symmetry: &Symmetry, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut scratch, mut image_scratch) = (game.scratch(), game.scratch());
    let mut state = game.initial_state().clone();
    assert_eq!(symmetry.state(game, &state).unwrap(), state, "matches begin as they do");
    for _ in 0..60 {
        let image = symmetry.state(game, &state).unwrap();
        let statuses =
            (game.status(&state, &mut scratch).unwrap(), game.status(&image, &mut image_scratch).unwrap());
        match statuses {
            (Status::Running { legal }, Status::Running { legal: of_image }) => {
                for (role, moves) in legal.iter() {
                    let moves: BTreeSet<MoveId> =
                        moves.iter().map(|&played| symmetry.played(game, played).unwrap()).collect();
                    let found: BTreeSet<MoveId> = of_image[symmetry.role(role)].iter().copied().collect();
                    assert_eq!(moves, found, "legal moves");
                }
            }
            (Status::Terminal { goals }, Status::Terminal { goals: of_image }) => {
                goals
                    .iter()
                    .for_each(|(role, goal)| assert_eq!(*goal, of_image[symmetry.role(role)], "goals"));
                return;
            }
            other => panic!("one goes on and the other does not: {other:?}"),
        }
        let joint_move = game.random_joint_move(&state, &mut rng, &mut scratch).unwrap().unwrap();
        let mapped = symmetry.joint_move(game, &joint_move).unwrap();
        let turn = game.turn(&state, &joint_move, &mut scratch).unwrap();
        let of_image = game.turn(&image, &mapped, &mut image_scratch).unwrap();
        for (role, percepts) in turn.percepts.iter() {
            let percepts = symmetry.percepts(game, percepts).unwrap();
            assert_eq!(percepts, of_image.percepts[symmetry.role(role)], "percepts");
        }
        assert_eq!(symmetry.state(game, &turn.successor).unwrap(), of_image.successor, "successors");
        state = turn.successor;
    }
}

#[test]
fn what_symmetries_map_is_played_alike() {
    let names = [
        "backgammon",
        "banker-and-thief",
        "battleship-4x4",
        "battleships-in-fog",
        "blackjack",
        "blind-breakthrough-5x5",
        "breakthrough",
        "gin-rummy-small",
        "goofspiel-4",
        "guess-six",
        "hanabi-small",
        "holdem",
        "krieg-tic-tac-toe-4x4",
        "krieg-tic-tac-toe-5x5",
        "latent-tic-tac-toe",
        "leduc",
        "mastermind-2x3",
        "meier",
        "monty-hall",
        "muddy-children",
        "oh-hell-small",
        "phantom-tic-tac-toe",
        "prisoners",
        "royal-holdem",
        "spy-vs-spy",
        "stratego-small",
        "sushi-draft",
        "tic-tac-toe",
    ];
    for name in names {
        let game = bundled(name);
        let symmetries = game.symmetries().unwrap();
        assert!(!symmetries.generators().is_empty(), "{name}");
        for symmetry in symmetries.generators() {
            (0..3).for_each(|seed| assert_mapped(&game, symmetry, seed));
        }
    }
}
