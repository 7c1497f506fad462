//! What a player of Kuhn poker believes about the other's card.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use croupier_belief::{ExactBelief, ExactOptions};
use croupier_engine::{Game, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
    let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
    let bob = game.roles().find("bob").ok_or("the game has it")?;
    let mut belief = ExactBelief::new(Arc::clone(&game), bob, ExactOptions::STANDARD)?;

    // A belief is made from what a role did and was told, turn by turn, and from nothing else.
    let noop = game.move_id("noop")?;
    belief.advance(noop, &game.percepts_of(["(dealt alice)"])?)?;
    belief.advance(noop, &game.percepts_of(["(hole queen)"])?)?;

    let distribution = belief.distribution();
    for card in ["jack", "queen", "king"] {
        let holds = game.fluent_id(&format!("(hand alice {card})"))?;
        println!("alice holds the {card} with probability {}", distribution.probability(holds));
    }
    // Bob holds one card of three; each of the other two is as likely.
    let king = game.fluent_id("(hand alice king)")?;
    assert!((distribution.probability(king) - 0.5).abs() < 1e-12);
    assert_eq!(distribution.states_count(), 2);
    Ok(())
}
