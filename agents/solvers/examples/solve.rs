//! An equilibrium of Kuhn poker, and how good it is.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use croupier_engine::{Game, Options};
use croupier_solvers::{Algorithm, Evaluation, GameTree, Samples, SequenceForm, Solver, TreeLimits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
    let payoff = kuhn.facts()?.payoff.ok_or("goals stand for chips")?;
    let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;

    let limits = TreeLimits { histories_max: 1_000 };
    let tree = GameTree::new(&game, &limits, &mut |_| {})?;
    let form = SequenceForm::new(&tree);
    let mut solver = Solver::new(&tree, &form, Algorithm::CfrPlus, Samples::single([0; 32]));
    solver.advance(2_000);

    let evaluation = Evaluation::new(&form, &solver.average_policy());
    let chips = payoff.payoff(evaluation.players[0].value);
    println!("alice wins {chips:.4} chips a hand; a best response gains {:.4}", evaluation.exploitability());
    // H. W. Kuhn, "A simplified two-person poker", 1950: the first player loses an eighteenth of a chip.
    assert!((chips + 1.0 / 18.0).abs() < 1e-3);
    Ok(())
}
