//! temp
#![allow(clippy::all, missing_docs, clippy::print_stdout)]
use croupier_engine::*;
use std::time::Instant;
fn main() {
    for path in std::env::args().skip(1) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let limits = Limits::STANDARD;
        let (rules, _) = check::check_text(&text, Strictness::Compatible, &limits);
        let Some(rules) = rules else {
            println!("{path} REFUSED");
            continue;
        };
        let t = Instant::now();
        let reasoner = match datalog::Reasoner::new(&rules, &limits) {
            Ok(r) => r,
            Err(e) => {
                println!("{path} LIFTED {e}");
                continue;
            }
        };
        let lifted = t.elapsed();
        let t = Instant::now();
        let result = ground::ground(&rules, reasoner.roles(), reasoner.vocabulary().reader(), &limits);
        let g = t.elapsed();
        let name = path.rsplit('/').next().unwrap();
        match result {
            Err(e) => println!("{name} FAIL {g:.2?} (lifted {lifted:.2?}) {e} {:?}", e.span),
            Ok(p) => {
                let t = Instant::now();
                let n = propnet::Network::of(&p);
                println!(
                    "{name} ok ground {g:.2?} build {:.2?} atoms {} rules {} lits {} fluents {} moves {:?} gates {} cycles {} fb {}",
                    t.elapsed(),
                    p.atoms_count,
                    p.rules_count(),
                    p.literals_count(),
                    p.fluents.len(),
                    p.moves.iter().map(Vec::len).collect::<Vec<_>>(),
                    n.gates.gates_count(),
                    n.gates.cycles().len(),
                    n.gates.cycles().iter().map(|c| c.feedback.len()).sum::<usize>()
                );
            }
        }
    }
}
