//! Scratch.
use croupier_engine::{Game, Options};
use croupier_solvers::*;
use std::{sync::Arc, time::Instant};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let game = Game::compile(croupier_games::find(&args[0]).unwrap().rules, &Options::PLAY).unwrap().game;
    let buckets: usize = args[1].parse().unwrap();
    let n: u64 = args[2].parse().unwrap();
    let sampling = if args[3] == "external" { DealSampling::External } else { DealSampling::Chance };
    let mut key = [1u8; 32];
    if let Some(h) = args.get(5) {
        for i in 0..32 {
            key[i] = u8::from_str_radix(&h[2 * i..2 * i + 2], 16).unwrap();
        }
    }
    let t = Instant::now();
    let mtree = Arc::new(MoveTree::new(&game, 1_000_000).unwrap());
    println!("tree {:?} nodes {} sets {}", t.elapsed(), mtree.nodes_count(), mtree.sets_count());
    let t = Instant::now();
    let mut solver = AbstractSolver::new(Arc::clone(&mtree), buckets, sampling, key);
    println!("abstraction {:?} buckets {}", t.elapsed(), solver.buckets_count());
    let full = GameTree::new(&game, &TreeLimits { histories_max: 1_000_000 }, &mut |_| {}).ok();
    let full = full.map(|t| {
        let f = SequenceForm::new(&t);
        (t, f)
    });
    let mut done = 0;
    while done < n {
        let step = (n / 5).clamp(1, 100);
        let t = Instant::now();
        solver.advance(step);
        done += step;
        print!("{done} iterations {:?} ", t.elapsed());
        if let Some((tree, form)) = &full {
            let b = solver.blueprint();
            let b2 = Blueprint::from_bytes(&b.to_bytes(), &mtree).unwrap();
            let policy = Policy::from_fn(form, |id, p| {
                let s = b2.strategy(&mtree, &tree.information_set(id)).expect("set");
                for (p, (_, q)) in p.iter_mut().zip(s) {
                    *p = q;
                }
            });
            let e = Evaluation::new(form, &policy);
            print!("exploitability {} value {}", e.exploitability(), e.players[0].value);
        }
        println!();
        if let Some(file) = args.get(4) {
            std::fs::write(format!("{file}.{done}"), solver.blueprint().to_bytes()).unwrap();
        }
    }
    if let Some(file) = args.get(4) {
        std::fs::write(file, solver.blueprint().to_bytes()).unwrap();
    }
}
