//! How many of other people's games become networks, and at what cost.
//!
//! The corpus lies beside the checkout; where it does not, the test says so and ends. docs/grounding.md has
//! the table of all of it.

use std::{sync::Mutex, thread};

use croupier_tests::{
    corpus::{RuleFile, catalogue, shared},
    grounding::{Measured, Question, Verdict, measure},
    size,
};

/// What one game may have.
const PEAK_BYTES_MAX: u64 = 2 << 30;

/// Processor seconds, with room for slower machines: on a quiet one it is ten.
const SECONDS_MAX: f64 = 60.0;

/// Other people's games that take most of the time of all of them: only with `CROUPIER_SLOW=1`.
const SLOW: &[&str] =
    &["amazons", "amazonsTorus", "chess", "laikLee_hex", "merrills", "mummymaze1p", "smallDominion"];

/// Grounds every file in a process of its own, two at a time.
fn measure_all(files: &[RuleFile]) -> Vec<(String, Measured)> {
    let (next, done) = (Mutex::new(files.iter()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let Some(file) = next.lock().expect("no worker panics here").next() else { break };
            let measured = measure(env!("CARGO_BIN_EXE_ground-report"), Question::Ground, &file.path);
            done.lock().expect("no worker panics here").push((file.name.clone(), measured));
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    done.into_inner().expect("no worker panicked")
}

/// The games that are not grounded within the bounds, and how many games there are.
fn not_grounded(files: &[RuleFile]) -> (Vec<String>, usize) {
    let mut measured = measure_all(files);
    measured.retain(|(_, measured)| !matches!(measured.verdict, Verdict::Refused(_)));
    let is_grounded = |measured: &Measured| {
        let Measured { verdict, seconds, peak_bytes } = measured;
        matches!(verdict, Verdict::Ground(_))
            && *seconds <= SECONDS_MAX
            && peak_bytes.is_none_or(|bytes| bytes <= PEAK_BYTES_MAX)
    };
    let failed = measured.iter().filter(|(_, measured)| !is_grounded(measured));
    (failed.map(|(name, measured)| format!("{name}: {measured:?}")).collect(), measured.len())
}

#[test]
fn every_game_of_the_catalogue_is_grounded() {
    let (failed, games) = not_grounded(&catalogue());
    assert!(games > 0 && failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn nearly_all_known_games_are_grounded_within_the_limits() {
    let mut files = [shared("gdl"), shared("gdl2")].concat();
    if files.is_empty() {
        croupier_tests::skipped("corpus: there are no such games beside the checkout");
        return;
    }
    files.retain(|file| size(!SLOW.contains(&file.name.as_str()), true));
    let (failed, games) = not_grounded(&files);
    println!("{} of {games} games are grounded; not these:\n{}", games - failed.len(), failed.join("\n"));
    assert!(failed.len() * 20 <= games, "fewer than 95 %");
}
