//! Probe.
use croupier_engine::Limits;
use croupier_tests::{comparison::*, generator::grow};
#[test]
fn probe() {
    let plan = Plan {
        seed: 1,
        walks: 2,
        turns: 3,
        effort: 1_000_000,
        limits: Limits {
            term_depth: 16,
            term_nodes: 100,
            ground_fuel: 300_000,
            ground_rows: 30_000,
            ..Limits::STANDARD
        },
    };
    let first: u64 = std::env::var("CROUPIER_SEED").map_or(0, |t| t.parse().unwrap());
    let count: u64 = std::env::var("CROUPIER_PROGRAMS").map_or(300, |t| t.parse().unwrap());
    struct T(f64);
    impl T {
        fn elapsed(&self) -> std::time::Duration {
            std::time::Duration::from_secs_f64((cpu() - self.0).max(0.0))
        }
    }
    fn cpu() -> f64 {
        let t = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        t.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
    }
    let now = || T(cpu());
    let mut times = [0.0; 6];
    let (mut filled, mut all, mut bad, mut nets, mut positions, mut clauses) = (0, 0, 0, 0, 0, 0);
    for seed in first..first + count {
        let t = now();
        let grown = grow(seed);
        times[0] += t.elapsed().as_secs_f64();
        clauses += grown.program.clauses.len();
        let text = grown.program.to_string();
        if count == 1 {
            println!("{text}");
        }
        let t = now();
        let lifted = match compile(&text, &plan.limits) {
            Ok(l) => l,
            Err(e) => {
                bad += 1;
                println!("{seed}: {e}");
                continue;
            }
        };
        times[1] += t.elapsed().as_secs_f64();
        let t = now();
        let walks = match Walks::of(&text, &plan) {
            Ok(l) => l,
            Err(e) => {
                bad += 1;
                println!("{seed}: oracle {e}");
                continue;
            }
        };
        times[2] += t.elapsed().as_secs_f64();
        let t = now();
        match compare_on(&walks, &lifted, seed) {
            Ok(c) => {
                nets += c.networks;
            }
            Err(e) => {
                bad += 1;
                println!("{seed}: {e}");
            }
        }
        times[4] += t.elapsed().as_secs_f64();
        let t2 = now();
        let _ =
            croupier_engine::check::check_text(&text, croupier_engine::Strictness::Compatible, &plan.limits);
        times[5] += t2.elapsed().as_secs_f64();
        for (_, p) in walks.positions() {
            positions += 1;
            for r in &grown.results {
                if let Some(b) = r.is_filled(p) {
                    all += 1;
                    filled += usize::from(b);
                    if !b && count == 1 {
                        println!("{r:?}");
                    }
                }
            }
        }
        let f = &grown.first;
        let p = &walks.walks[0][0];
        if p.state != f.state || p.view != f.view {
            println!("{seed}: growth differs {:?} {:?}", p, f);
            bad += 1;
        }
    }
    println!(
        "filled {filled}/{all}, bad {bad}, nets {nets}, positions {positions}, clauses {clauses} times {times:?}"
    );
}
