//! How long it takes to enumerate the tree of a game: `cargo run --release -p croupier-solvers --example enumerate leduc`.
#![expect(clippy::disallowed_methods, reason = "an example that measures time")]

use std::{error::Error, io::Write as _, time::Instant};

use croupier_engine::{Game, Options};
use croupier_solvers::{GameTree, TreeLimits};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "leduc".to_owned());
    let entry = croupier_games::find(&name).ok_or("no such game: `croupier games` lists them")?;
    let game = Game::compile(entry.rules, &Options::PLAY)?.game;
    for _ in 0..5 {
        let begun = Instant::now();
        let tree = GameTree::new(&game, &TreeLimits { histories_max: 100_000_000 }, &mut |_| {})?;
        let (seconds, histories) = (begun.elapsed().as_secs_f64(), tree.sizes().histories);
        let each = seconds * 1e9 / histories as f64;
        writeln!(std::io::stdout(), "{name}: {histories} histories in {seconds:.4} s, {each:.0} ns each")?;
    }
    Ok(())
}
