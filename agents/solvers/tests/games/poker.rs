//! Kuhn poker and Leduc hold'em: sizes, values and distances from equilibrium that others have published.

use croupier_engine::{Game, Options};
use croupier_solvers::{Algorithm, Evaluation, GameTree, Policy, SequenceForm, Solver, TreeLimits};

fn tree(rules: &str) -> GameTree {
    let game = Game::compile(rules, &Options::PLAY).unwrap().game;
    GameTree::new(&game, &TreeLimits { histories_max: 100_000 }, &mut |_| {}).unwrap()
}

#[test]
fn kuhn() {
    let tree = tree(include_str!("../../../../games-ii/kuhn/rules.gdl"));
    println!("{:?}", tree.sizes());
    let form = SequenceForm::new(&tree);
    println!("{:?}", Evaluation::new(&form, &Policy::uniform(&form)).nash_conv() / 25.0);
    let mut solver = Solver::new(&tree, &form, Algorithm::CfrPlus, [0; 32]);
    solver.advance(10_000);
    let e = Evaluation::new(&form, &solver.average_policy());
    println!("{:?} {:?}", e.nash_conv() / 25.0, (e.players[0].value - 50.0) / 25.0);
}
#[test]
fn leduc() {
    let tree = tree(include_str!("../../../../games-ii/leduc/rules.gdl"));
    println!("{:?}", tree.sizes());
    let form = SequenceForm::new(&tree);
    println!("{:?}", form.bytes());
    println!("{:?}", Evaluation::new(&form, &Policy::uniform(&form)).nash_conv() / 3.0);
    let mut solver = Solver::new(&tree, &form, Algorithm::CfrPlus, [0; 32]);
    let t = std::time::Instant::now();
    solver.advance(10_000);
    println!("{:?}", t.elapsed());
    let e = Evaluation::new(&form, &solver.average_policy());
    println!("{:?} {:?}", e.nash_conv() / 3.0, (e.players[0].value - 50.0) / 3.0);
}
