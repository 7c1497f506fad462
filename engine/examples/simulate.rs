//! A million random games of tic-tac-toe, 512 at a time.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use croupier_engine::batch::{PlayoutSettings, Playouts};
use croupier_engine::{Game, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = croupier_games::find("tic-tac-toe").ok_or("the catalogue has it")?.rules;
    let game = Game::compile(rules, &Options::PLAY)?.game;
    let network = game.network().ok_or("the rules are small enough for a network")?;

    let settings =
        PlayoutSettings { playouts: 1_000_000, playouts_per_block: 16_384, turns_max: 9, seed: [7; 32] };
    let playouts = Playouts::new(Arc::clone(network.tape()), network.tape().initial(), settings);
    // Blocks depend on nothing but their numbers: share them among threads as you like.
    let tallies = (0..playouts.blocks_count()).map(|block| playouts.run_block(block));
    let total = tallies.reduce(|mut total, tally| {
        total.merge(&tally);
        total
    });
    let total = total.ok_or("there are blocks")?;

    let x = game.roles().find("x").ok_or("the game has it")?;
    let goals = network.goals(x);
    let share = |value: &str| {
        let counts = total.goals[x.index()].iter().zip(goals).filter(|(_, goal)| *goal == value);
        counts.map(|(&count, _)| count).sum::<u64>() as f64 / total.playouts as f64
    };
    println!("x wins {:.4}, draws {:.4}, loses {:.4}", share("100"), share("50"), share("0"));
    // Uniformly random moves win for x with probability 737/1260, by enumeration of the 362,880 orders of the cells.
    assert!((share("100") - 737.0 / 1260.0).abs() < 0.003);
    Ok(())
}
