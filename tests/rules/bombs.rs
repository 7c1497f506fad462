//! Grounding bombs: rules with very many instances. Each ends with a verdict in bounded time and memory,
//! and what the lifted reasoner can play is played.
//!
//! A bomb is a join of k relations of m constants, m to the power of k from a thousand to 10^18, at the places where
//! rules can have one. Each is run in a process of its own, so that its memory can be told.

use std::{fmt::Write as _, fs, path::PathBuf};

use croupier_tests::{
    grounding::{Measured, Question, Verdict, measure},
    size,
};

/// Constants and conditions: all of them for every bomb, and more, with `CROUPIER_SLOW=1`.
const SIZES: [(usize, usize); 3] = [(10, 3), (10, 6), (10, 18)];
const MORE_SIZES: [(usize, usize); 4] = [(100, 4), (10, 9), (1000, 4), (1000, 6)];

/// What one process may have: the limits of [`croupier_engine::Limits::STANDARD`], and a little for the rest.
const PEAK_BYTES_MAX: u64 = 2 << 30;

/// Processor seconds until there is a verdict, with room for slower machines.
const GROUND_SECONDS_MAX: f64 = 60.0;
const PLAY_SECONDS_MAX: f64 = 30.0;

/// A game that would end at once, was it not for a bomb.
const GAME: &str = "
(role r)
(init (at 1))
(legal r wait)
(<= (next (at ?x)) (true (at ?x)) (does r wait))
(<= (next over) (does r wait))
(<= terminal (true over))
(goal r 100)
";

/// A place where a join explodes: its name, and the rules with `?1` to `?k`.
type Bomb = (&'static str, fn(usize) -> String);

const BOMBS: [Bomb; 10] = [
    ("static", |k| format!("(<= (p {}) {}) (<= terminal (p {}))", all(k), join("d", k), twos(k))),
    ("dynamic", |k| {
        let head = format!("(<= (p {}) (true (at ?a)) {})", all(k), join("d", k));
        format!("{head} (<= terminal (p {}) (not (true (at 1))))", twos(k))
    }),
    ("small-head", |k| format!("(<= (p ?1) (true (at ?1)) {}) (<= terminal (p 2))", join("d", k))),
    ("chain", |k| {
        let links = (1..k).fold(String::new(), |text, i| format!("{text} (e ?{i} ?{})", i + 1));
        format!("(<= (e ?x ?y) (d ?x) (d ?y)) (<= terminal (true (at ?1)) {links} (true (at ?{k})) (d 0))")
    }),
    ("clique", |k| {
        format!(
            "(<= (e ?x ?y) (d ?x) (d ?y) (distinct ?x ?y)) (<= terminal (not (true (at 1))) {})",
            clique("e", k)
        )
    }),
    ("dynamic-clique", |k| {
        let edges = "(<= (next (e ?x ?y)) (does r wait) (d ?x) (d ?y))";
        format!("{edges} (<= terminal {})", clique("true", k))
    }),
    ("next", |k| format!("(<= (next (f {})) (does r wait) (true over) {})", all(k), join("d", k))),
    ("legal", |k| format!("(<= (legal r (m {})) (true over) {})", all(k), join("d", k))),
    ("sees", |k| format!("(<= (sees r (m {})) (true over) {})", all(k), join("d", k))),
    ("nested", |k| {
        let nest = (1..=k).fold("nil".to_owned(), |nest, i| format!("(s ?{i} {nest})"));
        format!("(<= (next (f {nest})) (does r wait) (true over) {})", join("d", k))
    }),
];

fn all(k: usize) -> String {
    (1..=k).fold(String::new(), |text, i| format!("{text} ?{i}"))
}

fn twos(k: usize) -> String {
    " 2".repeat(k)
}

fn join(relation: &str, k: usize) -> String {
    (1..=k).fold(String::new(), |text, i| format!("{text} ({relation} ?{i})"))
}

/// Every two variables are connected.
fn clique(relation: &str, k: usize) -> String {
    let pairs = (1..=k).flat_map(|i| (i + 1..=k).map(move |j| (i, j)));
    pairs.fold(String::new(), |text, (i, j)| match relation {
        "true" => format!("{text} (true (e ?{i} ?{j}))"),
        _ => format!("{text} ({relation} ?{i} ?{j})"),
    })
}

fn bomb(rules: fn(usize) -> String, m: usize, k: usize) -> String {
    let mut text = GAME.to_owned();
    for constant in 1..=m {
        write!(text, "(d {constant})").expect("memory takes it");
    }
    text + &rules(k)
}

/// A line for each bomb, and whether it ended as it should.
fn run_all(question: Question, seconds_max: f64, is_clear: fn(&Verdict) -> bool) -> Vec<(String, bool)> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(question.argument());
    fs::create_dir_all(&folder).expect("a folder for files");
    let more = MORE_SIZES.into_iter().filter(|_| size(false, true));
    let mut ended = Vec::new();
    for (place, (name, rules)) in BOMBS.into_iter().enumerate() {
        // One of the two large sizes, the other or neither, in turn: each takes seconds, and stops for the same reasons in most places.
        let is_run = |index: usize| size(index == 0 || index % 3 == place % 3, true);
        let sizes = SIZES.into_iter().enumerate().filter(|(index, _)| is_run(*index)).map(|(_, size)| size);
        for (m, k) in sizes.chain(more.clone()) {
            let file = folder.join(format!("{name}-{m}-{k}.gdl"));
            fs::write(&file, bomb(rules, m, k)).expect("a file");
            let measured = measure(env!("CARGO_BIN_EXE_ground-report"), question, &file);
            let Measured { verdict, seconds, peak_bytes } = &measured;
            let peak = peak_bytes.unwrap_or_default();
            let line = format!("{name} {m}^{k}: {seconds:.2} s, {} MiB, {verdict:?}", peak >> 20);
            ended.push((line, is_clear(verdict) && *seconds <= seconds_max && peak <= PEAK_BYTES_MAX));
        }
    }
    ended
}

#[test]
fn a_bomb_is_grounded_or_refused_with_relation_and_limit() {
    let ended = run_all(Question::Ground, GROUND_SECONDS_MAX, |verdict| match verdict {
        Verdict::Ground(_) => true,
        Verdict::Stopped(error) => error.contains(" stops at ") && error.contains("limit"),
        Verdict::Refused(error) => error.contains("limit"),
        Verdict::Played(_) => false,
    });
    ended.iter().for_each(|(line, _)| println!("{line}"));
    let failures: Vec<&str> = ended.iter().filter(|(_, is_well)| !is_well).map(|(line, _)| &**line).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_bomb_is_played_or_refused_with_its_limit() {
    let ended = run_all(Question::Play, PLAY_SECONDS_MAX, |verdict| match verdict {
        Verdict::Played(_) => true,
        Verdict::Stopped(error) | Verdict::Refused(error) => error.contains("limit"),
        Verdict::Ground(_) => false,
    });
    ended.iter().for_each(|(line, _)| println!("{line}"));
    let failures: Vec<&str> = ended.iter().filter(|(_, is_well)| !is_well).map(|(line, _)| &**line).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
