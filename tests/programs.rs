//! Probe.
use croupier_tests::{generator::grow, comparison::*, };
use croupier_engine::{game::Backend, Limits};
#[test]
fn probe() {
    let plan = Plan { seed: 1, walks: 2, turns: 3, effort: 1_000_000, limits: Plan::LIMITS };
    let first: u64 = std::env::var("CROUPIER_SEED").map_or(0, |t| t.parse().unwrap());
    let count: u64 = std::env::var("CROUPIER_PROGRAMS").map_or(300, |t| t.parse().unwrap());
    #[expect(clippy::disallowed_methods)]
    let now = || std::time::Instant::now();
    let mut times = [0.0; 6];
    let (mut filled, mut all, mut bad, mut nets, mut positions, mut clauses) = (0, 0, 0, 0, 0, 0);
    for seed in first..first + count {
        let t = now();
        let grown = grow(seed);
        times[0] += t.elapsed().as_secs_f64();
        clauses += grown.program.clauses.len();
        let text = grown.program.to_string();
        if count == 1 { println!("{text}"); }
        let t = now();
        let lifted = match compile(&text, Backend::Datalog, &plan.limits) { Ok(l) => l.unwrap(), Err(e) => { bad += 1; println!("{seed}: {e}"); continue } };
        times[1] += t.elapsed().as_secs_f64();
        let t = now();
        let walks = match Walks::of(&text, &plan) { Ok(l) => l, Err(e) => { bad += 1; println!("{seed}: oracle {e}"); continue } };
        times[2] += t.elapsed().as_secs_f64();
        let t = now();
        let r = compile(&text, Backend::Propnet, &plan.limits);
        times[3] += t.elapsed().as_secs_f64();
        let t = now();
        match compare_on(&walks, &lifted, &text, &plan) { Ok(c) => { nets += c.networks; } Err(e) => { bad += 1; println!("{seed}: {e}"); } }
        times[4] += t.elapsed().as_secs_f64();
        for (_, p) in walks.positions() {
            positions += 1;
            for r in &grown.results { if let Some(b) = r.is_filled(p) { all += 1; filled += usize::from(b); if !b && count == 1 { println!("{r:?}"); } } }
        }
        let f = &grown.first;
        let p = &walks.walks[0][0];
        if p.state != f.state || p.view != f.view { println!("{seed}: growth differs {:?} {:?}", p, f); bad += 1; }
    }
    println!("filled {filled}/{all}, bad {bad}, nets {nets}, positions {positions}, clauses {clauses} times {times:?}");
}
