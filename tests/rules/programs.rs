//! The engines against the oracle on random programs: the lifted reasoner, the network, and all lanes of a machine.
//!
//! `CROUPIER_PROGRAMS` sets how many, `CROUPIER_SEED` the first seed. A program that means different things is made
//! small, and printed with the state, the difference, and how to run it again.

#![expect(clippy::print_stdout, reason = "a long run shows how far it is, with --nocapture")]

use std::{
    env,
    fmt::Write as _,
    ops::AddAssign,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use croupier_engine::{
    Game, GameError, Limits, Options,
    stages::syntax::{Clause, Formula},
};
use croupier_tests::{
    comparison::{Coverage, Difference, Plan, Walks, compare, compare_on, compare_texts, compile},
    generator::{Grown, grow},
    program::Program,
    size,
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

/// Those of every change, and of the long version.
const PROGRAMS: (u64, u64) = (1_000, 4_000);

/// Results that must hold of something, in percent: what the paper on Deopt reports of its programs.
const FILLED_PERCENT: u64 = 70;

/// Failures after which nothing more is tried.
const FAILURES_MAX: usize = 10;

fn plan(seed: u64) -> Plan {
    // What grows from state to state is stopped soon: the lifted reasoner has it to itself.
    let limits = Limits {
        term_depth: 16,
        term_nodes: 100,
        ground_fuel: 300_000,
        ground_rows: 30_000,
        ..Limits::STANDARD
    };
    Plan { seed, walks: 2, turns: 3, effort: 1_000_000, limits }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
        Err(_) => otherwise,
    }
}

/// What came of many programs.
#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    clauses: u64,
    coverage: Coverage,
    networks: u64,
    /// Results that were asked for, one for each relation that rules define and state, and those that hold of
    /// something.
    results: u64,
    filled: u64,
    failures: Vec<(u64, Difference)>,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.programs += other.programs;
        self.clauses += other.clauses;
        self.coverage += other.coverage;
        self.networks += other.networks;
        self.results += other.results;
        self.filled += other.filled;
        self.failures.extend(other.failures);
    }
}

/// Compares everything that is said of one grown program.
fn check(seed: u64, grown: &Grown, tally: &mut Tally) -> Result<(), Difference> {
    let (plan, text) = (plan(seed), grown.program.to_string());
    let engines = compile(&text, &plan.limits)?;
    let walks = Walks::of(&text, &plan).map_err(|error| Difference::of_oracle(&error.to_string()))?;
    check_growth(grown, &walks)?;
    let coverage = compare_on(&walks, &engines, plan.seed)?;
    tally.networks += coverage.networks as u64;
    tally.coverage += coverage;
    for (_, position) in walks.positions() {
        let filled = grown.results.iter().filter_map(|result| result.is_filled(position));
        for is_filled in filled {
            tally.results += 1;
            tally.filled += u64::from(is_filled);
        }
    }
    Ok(())
}

/// The whole program says of its first turn what it said rule by rule; of the successor only where the effort of the
/// walk was enough to compute it.
fn check_growth(grown: &Grown, walks: &Walks) -> Result<(), Difference> {
    let (found, known) = (walks.walks.first().and_then(|walk| walk.first()), &grown.first);
    let is_same = found.map_or(walks.is_cut_short, |found| {
        let has_turn = found.turn.is_some() || !walks.is_cut_short;
        (&found.state, &found.view) == (&known.state, &known.view) && (!has_turn || found.turn == known.turn)
    });
    match is_same {
        true => Ok(()),
        false => Err(Difference::of_oracle(&format!("as a whole {found:?}, rule by rule {known:?}"))),
    }
}

/// A panic is one more way to differ.
fn caught<T>(work: impl FnOnce() -> Result<T, Difference>) -> Result<T, Difference> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Difference::of_panic()))
}

fn run(first: u64, count: u64) -> Tally {
    let (next, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        let mut tally = Tally::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || failed.load(Ordering::Relaxed) as usize >= FAILURES_MAX {
                return tally;
            }
            let seed = first + index;
            if index > 0 && index % 20_000 == 0 {
                println!("{index} programs");
            }
            let grown = grow(seed);
            tally.programs += 1;
            tally.clauses += grown.program.clauses.len() as u64;
            if let Err(difference) = caught(|| check(seed, &grown, &mut tally)) {
                println!("seed {seed}: {difference}");
                failed.fetch_add(1, Ordering::Relaxed);
                tally.failures.push((seed, difference));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let mut total = Tally::default();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            total += worker.join().expect("a worker that ends");
        }
    });
    total.failures.sort_by_key(|(seed, _)| *seed);
    total
}

/// The smallest program and the shortest plan for which a failure of the same kind is found.
fn shrunk(program: Program, plan: &Plan, fails: impl Fn(&Program, &Plan) -> bool) -> (Program, Plan) {
    let shortest = |program: &Program, plan: &Plan| {
        let all = (0..=plan.turns).flat_map(|turns| (1..=plan.walks).map(move |walks| (walks, turns)));
        let mut plans = all.map(|(walks, turns)| Plan { walks, turns, ..*plan });
        plans.find(|plan| fails(program, plan)).unwrap_or(*plan)
    };
    let plan = shortest(&program, plan);
    let program = program.shrunk(|program| fails(program, &plan));
    let plan = shortest(&program, &plan);
    (program, plan)
}

/// A failure in its smallest form.
fn report(seed: u64, difference: &Difference) -> String {
    let rerun = format!(
        "CROUPIER_SEED={seed} CROUPIER_PROGRAMS=1 cargo test -p croupier-tests --test rules programs"
    );
    let compare = |program: &Program, plan: &Plan| caught(|| compare(&program.to_string(), plan));
    let program = grow(seed).program;
    let plan = plan(seed);
    if compare(&program, &plan).is_ok() {
        return format!("{difference}\n{program}rerun with: {rerun}");
    }
    let fails = |program: &Program, plan: &Plan| {
        compare(program, plan).is_err_and(|other| other.kind() == difference.kind())
    };
    let (program, plan) = shrunk(program, &plan, fails);
    let difference = compare(&program, &plan).err().unwrap_or_else(|| difference.clone());
    let place = difference.place.map(|place| history(&program, &plan, place)).unwrap_or_default();
    format!("{difference}\n{place}{program}rerun with: {rerun}")
}

/// What was played before a position, and the state there.
fn history(program: &Program, plan: &Plan, [walk, turn]: [usize; 2]) -> String {
    let Ok(walks) = Walks::of(&program.to_string(), plan) else { return String::new() };
    let mut text = String::new();
    let Some(positions) = walks.walks.get(walk) else { return text };
    for position in positions.iter().take(turn + 1) {
        let state: Vec<_> = position.state.iter().map(String::as_str).collect();
        let _ = writeln!(text, "state: {}", state.join(" "));
        if let Some((moves, _)) = &position.turn {
            let _ = writeln!(text, "played: {moves:?}");
        }
    }
    text
}

#[test]
fn random_programs_mean_the_same_to_every_engine() {
    let (first, count) =
        (number("CROUPIER_SEED", 0), number("CROUPIER_PROGRAMS", size(PROGRAMS.0, PROGRAMS.1)));
    let Tally { programs, clauses, coverage, networks, results, filled, failures } = run(first, count);
    let Coverage { states, turns, ends, terms, lanes, .. } = coverage;
    println!(
        "{programs} programs of {clauses} clauses, {networks} of them as networks: {states} states, {turns} \
         turns, {ends} ends, {terms} terms, {lanes} lanes; {filled} of {results} results hold of something"
    );
    let mut kinds = Vec::new();
    let mut reports = Vec::new();
    for (seed, difference) in &failures {
        if !kinds.contains(&difference.kind()) {
            kinds.push(difference.kind());
            reports.push(report(*seed, difference));
        }
    }
    let seeds: Vec<u64> = failures.iter().map(|(seed, _)| *seed).collect();
    assert!(failures.is_empty(), "seeds {seeds:?} of {programs} differ:\n{}", reports.join("\n\n"));
    if count >= 1_000 {
        assert!(filled * 100 >= results * FILLED_PERCENT, "{filled} of {results} results hold of something");
        assert!(networks * 10 >= programs * 9, "most programs are networks: {networks} of {programs}");
    }
}

/// An engine with a fault: what it understands in the place of a program.
type Fault = fn(&Clause) -> Option<Clause>;

/// Faults that answer wrongly for one relation or one kind of condition.
const FAULTS: &[(&str, Fault)] = &[
    ("negation is ignored in sees", |clause| {
        let is_kept = |formula: &Formula| !matches!(formula, Formula::Not(..));
        Some(with_body(clause, |formula| clause.head.name() != Some("sees") || is_kept(formula)))
    }),
    ("distinct is always true", |clause| {
        Some(with_body(clause, |formula| !matches!(formula, Formula::Distinct(..))))
    }),
    ("what is kept is forgotten", |clause| {
        let is_true =
            |formula: &Formula| matches!(formula, Formula::Atom(atom) if atom.name() == Some("true"));
        let keeps = clause.head.name() == Some("next") && clause.body.iter().any(is_true);
        (!keeps).then(|| clause.clone())
    }),
    ("recursion stops at once", |clause| {
        let name = clause.head.name();
        let is_same = |formula: &Formula| matches!(formula, Formula::Atom(atom) if atom.name() == name);
        (!clause.body.iter().any(is_same)).then(|| clause.clone())
    }),
    ("goals of 75 are lost", |clause| {
        let is_lost = clause.head.name() == Some("goal") && clause.head.arguments()[1].name() == Some("75");
        (!is_lost).then(|| clause.clone())
    }),
];

fn with_body(clause: &Clause, is_kept: impl Fn(&Formula) -> bool) -> Clause {
    let body = clause.body.iter().filter(|formula| is_kept(formula)).cloned().collect();
    Clause { body, ..clause.clone() }
}

/// The shrinker, tried on faults that are known: what it leaves shows the fault and little else.
#[test]
fn a_planted_fault_is_found_and_made_small() {
    const CLAUSES_MAX: usize = 8;
    const LITERALS_MAX: usize = 8;
    for (name, fault) in FAULTS {
        let fails = |program: &Program, plan: &Plan| {
            let faulty = Program { clauses: program.clauses.iter().filter_map(fault).collect() };
            let result = caught(|| compare_texts(&faulty.to_string(), &program.to_string(), plan));
            // A program that is no game any more shows nothing.
            result.is_err_and(|difference| difference.place.is_some())
        };
        let found = (0..500).find(|&seed| fails(&grow(seed).program, &plan(seed)));
        let seed = found.unwrap_or_else(|| panic!("{name}: not found in 500 programs"));
        let (program, plan) = shrunk(grow(seed).program, &plan(seed), fails);
        println!("{name}, found by seed {seed}, after {} turns:\n{program}", plan.turns);
        let literals: usize = program.clauses.iter().map(|clause| clause.body.len()).sum();
        assert!(program.clauses.len() <= CLAUSES_MAX, "{name}: {program}");
        assert!(literals <= LITERALS_MAX, "{name}: {program}");
        assert!(fails(&program, &plan), "{name}: what is left shows it");
        assert!(program.smaller().all(|smaller| !fails(&smaller, &plan)), "{name}: nothing can be left out");
    }
}

/// Found by a million programs: here the effort of a walk ends within the first turn, which is no difference.
#[test]
fn a_walk_that_is_cut_short_in_its_first_turn_agrees_as_far_as_it_goes() {
    let mut tally = Tally::default();
    assert_eq!(check(411_820, &grow(411_820), &mut tally), Ok(()));
}

/// A positive control: were a clause or literal lost on the way, some comparison would fail.
#[test]
fn a_lost_clause_or_literal_is_noticed() {
    let (mut tried, mut noticed) = (0, 0);
    for seed in 0..80 {
        let (program, plan) = (grow(seed).program, plan(seed));
        let smaller = program.smaller().step_by(11).map(|smaller| smaller.to_string());
        for smaller in smaller.filter(|smaller| compare(smaller, &plan).is_ok()) {
            tried += 1;
            noticed += usize::from(compare_texts(&program.to_string(), &smaller, &plan).is_err());
        }
    }
    println!("{noticed} of {tried} losses were noticed");
    assert!(noticed * 5 > tried * 2, "only {noticed} of {tried} losses were noticed");
}

/// The same seed gives the same program, and others give others.
#[test]
fn a_program_follows_from_its_seed() {
    let texts: Vec<String> = (0..50).map(|seed| grow(seed).program.to_string()).collect();
    for (seed, text) in (0..).zip(&texts) {
        assert_eq!(grow(seed).program.to_string(), *text);
        assert_eq!(texts.iter().filter(|other| *other == text).count(), 1, "seed {seed} says something new");
        assert_eq!(Program::read(text).to_string(), *text, "it is printed as it is read");
    }
}

/// As a tree the term has 2^n symbols after n turns, though it is one more function deep.
#[test]
fn a_term_that_doubles_every_turn_is_refused_by_a_limit() {
    let rules = "(role a) (legal a noop) (goal a 0) (init (p c)) (<= terminal (true over))
        (<= (next (p (g ?x ?x))) (true (p ?x)))";
    let game = Game::compile(rules, &Options::PLAY).expect("the rules are sound").game;
    let mut scratch = game.scratch();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let ended = game.playout(game.initial_state(), &mut rng, &mut scratch);
    assert!(matches!(ended, Err(GameError::Limit { .. })), "{ended:?}");
}
