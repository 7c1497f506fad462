//! A disk that is full, or broken, at the n-th call: nobody is told anything that is not on it, and afterwards all goes on.

use std::{
    thread,
    time::{Duration, Instant},
};

use croupier_tests::size;

use crate::{
    expected::check,
    players::Players,
    server::{Home, asked},
    trace,
};

const TURNS: u32 = 3;

/// How long a match is waited for that may stand still, and a server that may wait for its disk.
const PATIENCE: Duration = Duration::from_secs(4);

/// What fails, and whether the match came to its end without another server.
fn fails_at(players: &Players, call: &str, error: &str, when: &str, seed: u64) -> bool {
    let home = Home::new("errors", "croupier.db");
    let inject = format!("inject={call}:error={error}:when={when}");
    let only = format!("trace={call}");
    let arguments = ["-f", "-s", "0", "--output=trace", "-e", &only, "-e", &inject];
    let match_ = asked(players, TURNS, seed);
    // Tables are made while the disk still works.
    drop(home.serve());
    let server = home.serve_traced_for(&arguments, PATIENCE);
    let id = server.as_ref().and_then(|server| server.create(&match_));
    let begun = Instant::now();
    let is_over = |id: &String| {
        let shown = server.as_ref().and_then(|server| server.find(id));
        shown.is_some_and(|shown| !shown["outcome"].is_null())
    };
    while id.as_ref().is_some_and(|id| !is_over(id)) && begun.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(20));
    }
    let has_ended = id.as_ref().is_some_and(is_over);
    if let Some(mut server) = server {
        server.signal_traced("KILL");
        // It has the file until its last thread is gone, and then the one who traces it ends, too.
        while server.has_ended().is_none() {
            thread::sleep(Duration::from_millis(5));
        }
    }
    let server = home.serve().expect("a server on a disk that works again");
    let known = server.list();
    let id = id.or_else(|| known.first().cloned()).or_else(|| server.create(&match_)).expect("a match");
    let record = server.record(&id).expect("a server that lives");
    check(&record, seed, &players.told(&id));
    has_ended
}

#[test]
fn a_disk_that_fails_at_any_call_costs_time_and_nothing_else() {
    if !trace::is_there() {
        return println!("skipped: there is no strace that may trace");
    }
    let players = Players::start(2, Duration::ZERO);
    let (count, stride) = size((60, 30), (120, 2));
    let (mut runs, mut alone) = (0, 0);
    for (call, error) in [("pwrite64", "ENOSPC"), ("fsync", "EIO"), ("pwrite64", "EIO")] {
        for first in (10..count).step_by(stride) {
            for when in [first.to_string(), format!("{first}+")] {
                runs += 1;
                alone += usize::from(fails_at(&players, call, error, &when, runs));
            }
        }
    }
    // The count is one for each thread: a fresh connection may fail at its n-th call, too.
    assert!(alone > 0, "a disk that fails once stops no match for good");
    println!("{runs} runs on a failing disk, {alone} matches ended without another server: 0 violations");
}
