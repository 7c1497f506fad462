//! The engine against the oracle on every game there is: random walks, with legal moves, terminal,
//! goals, percepts and successors compared as sets in every state.
//!
//! `CROUPIER_GAME` names the one game to compare, `CROUPIER_SEED` the seed, and `CROUPIER_EFFORT` how many
//! million atoms the oracle may look at for one game.

use std::{
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use croupier_engine::{Game, Options, game::Backend};
use croupier_games::find_family;
use croupier_tests::{
    comparison::{Coverage, Difference, Plan, compare},
    corpus::{self, RuleFile},
    renamed::renamed,
    size,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

/// Other people's games for which the oracle may spend its effort before it has compared one state.
const TOO_SLOW_FOR_THE_ORACLE: &[&str] = &[
    "amazons",
    "amazonsTorus",
    "chess",
    "colonelBlotto",
    "colonelBlottoVariant2",
    "gt_two_thirds_4p",
    "hitori",
    "linesOfAction",
    "merrills",
    "mummymaze1p",
    "quad",
];

/// Other people's games that are compared in other ways.
///
/// The oracle computes relations whole, and `laikLee_hex` has one of all lists without repetition, more than 25!.
/// Conditions that the last two leave out are compared in `left_out`: the oracle reads only what is written.
const LEFT_OUT: &[&str] = &["laikLee_hex", "blindBreakthrough5x5_unsafe", "oneCardGame_unsafe"];

fn is_left_out(file: &RuleFile) -> bool {
    LEFT_OUT.contains(&file.name.as_str())
}

fn number(variable: &str, otherwise: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
        Err(_) => otherwise,
    }
}

fn plan(walks: usize, turns: usize, effort_millions: u64) -> Plan {
    let effort = number("CROUPIER_EFFORT", effort_millions) * 1_000_000;
    Plan { seed: number("CROUPIER_SEED", 2_026), walks, turns, effort, limits: Plan::LIMITS }
}

fn chosen(files: Vec<RuleFile>) -> Vec<RuleFile> {
    let Ok(name) = env::var("CROUPIER_GAME") else { return files };
    files.into_iter().filter(|file| file.name == name).collect()
}

/// Compares on every file; a panic is one more failure. The answer is in the order of the files.
fn compare_all(files: &[RuleFile], plan: &Plan) -> Vec<Result<Coverage, Difference>> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let work = || {
        let mut done = Vec::new();
        while let Some((index, file)) = files.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
            let result = catch_unwind(AssertUnwindSafe(|| compare(&file.text, plan)));
            done.push((index, result.unwrap_or_else(|_| Err(Difference::of_panic()))));
        }
        done
    };
    let mut results: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker that ends")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Fails with every difference; else a summary to print.
fn judge(files: &[RuleFile], plan: &Plan) -> String {
    let files: Vec<_> = files.iter().filter(|file| !is_left_out(file)).cloned().collect();
    if files.is_empty() {
        croupier_tests::skipped("corpus: no such games are there");
        return String::new();
    }
    let results = compare_all(&files, plan);
    let mut failures = Vec::new();
    let mut total = Coverage::default();
    let mut cut_short = Vec::new();
    for (file, result) in files.iter().zip(results) {
        match result {
            Ok(coverage) => {
                if coverage.states == 0 && !TOO_SLOW_FOR_THE_ORACLE.contains(&file.name.as_str()) {
                    failures.push(format!("{}: not one state was compared", file.name));
                }
                if coverage.is_cut_short {
                    cut_short.push(format!("{} ({} turns)", file.name, coverage.turns));
                }
                total += coverage;
            }
            Err(failure) => {
                let slow = size("", "CROUPIER_SLOW=1 ");
                let run = format!("{slow}CROUPIER_GAME={} CROUPIER_SEED={}", file.name, plan.seed);
                let run = format!("{run} cargo test -p croupier-tests --test rules differential");
                failures.push(format!("{}: {failure}\n    rerun with: {run}", file.path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {} games:\n  {}", failures.len(), files.len(), failures.join("\n  "));
    let Coverage { states, turns, ends, terms, networks, lanes, .. } = total;
    let sizes = format!(
        "{networks} of them as networks, {states} states, {turns} turns, {ends} ends, {terms} terms, {lanes} lanes"
    );
    format!("{} games, {sizes}; cut short: {}", files.len(), cut_short.join(", "))
}

#[test]
fn the_catalogue_plays_as_the_oracle_says() {
    println!("{}", judge(&chosen(corpus::catalogue()), &size(plan(4, 60, 4), plan(20, 200, 30))));
}

/// A member of a family: its name, its numbers, and a word.
type Member = (&'static str, &'static [(&'static str, &'static [u32])], (&'static str, &'static str));

/// Members that no game of the catalogue is like, and copies of them in which all names are others.
#[test]
fn members_of_families_and_their_copies_play_as_the_oracle_says() {
    let members: [Member; 4] = [
        ("no-limit-holdem", &[("players", &[3]), ("stacks", &[12, 1, 7])], ("bets", "all")),
        ("no-limit-holdem", &[("stacks", &[9, 14]), ("big-blind", &[4])], ("bets", "fractions")),
        ("liars-dice", &[("players", &[3]), ("dice", &[2, 0, 1])], ("stake", "die")),
        ("liars-dice", &[("dice", &[2])], ("stake", "die")),
    ];
    let files = members.into_iter().flat_map(|(name, numbers, (word, chosen))| {
        let values = numbers.iter().map(|&(name, numbers)| (name.to_owned(), numbers.to_vec().into()));
        let values = values.chain([(word.to_owned(), chosen.into())]).collect();
        let rules = find_family(name).expect("a family").rules(&values).expect("a member");
        let file = |name: String, text| RuleFile { name, path: "a member of a family".into(), text };
        [file(format!("{name}, renamed"), renamed(&rules, 7)), file(name.to_owned(), rules)]
    });
    println!("{}", judge(&files.collect::<Vec<_>>(), &size(plan(2, 60, 40), plan(20, 200, 200))));
}

#[test]
fn games_with_percepts_play_as_the_oracle_says() {
    println!("{}", judge(&chosen(corpus::shared("gdl2")), &size(plan(2, 60, 40), plan(10, 100, 40))));
}

#[test]
fn games_of_full_sight_play_as_the_oracle_says() {
    let mut files = corpus::shared("gdl");
    // Nothing is compared on those where the effort ends before the first state.
    files.retain(|file| size(!TOO_SLOW_FOR_THE_ORACLE.contains(&file.name.as_str()), true));
    let files = files.into_iter().step_by(size(3, 1)).collect();
    println!("{}", judge(&chosen(files), &size(plan(2, 40, 6), plan(4, 60, 6))));
}

#[test]
fn a_hex_of_lists_without_end_is_played_with_a_mark_for_each_blank_cell() {
    let Some(file) = corpus::shared("gdl").into_iter().find(|file| file.name == "laikLee_hex") else {
        croupier_tests::skipped("corpus: no such game is there");
        return;
    };
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    let game = Game::compile(&file.text, &options).unwrap_or_else(|error| panic!("{error}")).game;
    let (mut scratch, mut state) = (game.scratch(), game.initial_state().clone());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for turn in 0..4 {
        let count = |role| game.legal_moves(&state, role, &mut scratch).expect("within the limits").len();
        let mut counts: Vec<usize> = game.roles().all().map(count).collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 25 - turn], "one waits, and the other marks a blank cell");
        let joint = game.random_joint_move(&state, &mut rng, &mut scratch).expect("within the limits");
        let joint = joint.expect("nobody has connected two sides yet");
        state = game.successor(&state, &joint, &mut scratch).expect("within the limits");
    }
}
