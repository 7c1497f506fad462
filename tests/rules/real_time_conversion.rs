//! Real-time forms of turn-based games against the games themselves: ticks over the whole catalogue and other people's
//! games, clocks where one player at a time has a choice.
//!
//! `CROUPIER_MATCHES` says how many matches of each game to play (100 for the whole claim), `CROUPIER_GAME` names the
//! one game to play.

use std::{
    env,
    panic::{AssertUnwindSafe, catch_unwind},
};

use croupier_engine::{
    Limits,
    realtime::conversion::ChessClock,
    stages::{
        rules::is_real_time,
        syntax::{Syntax, read},
    },
};
use croupier_tests::{
    conversion::{TickPlan, Ticked, play_ticks, play_with_clocks},
    corpus::{self, RuleFile, catalogue_game},
    size,
};

/// Other people's games that are not compared. The unsafe ones leave out a condition that the words of the language
/// imply, and other names do not. Grounded with its order of moves, backgammon has the move `(move 1 1 3)` twice.
const LEFT_OUT: &[&str] = &["backgammon", "blindBreakthrough5x5_unsafe", "oneCardGame_unsafe"];

/// Matches of each game, if nothing else is said: those of every change, and of the long version.
const MATCHES: (usize, usize) = (2, 8);

fn plan(ticks: usize) -> TickPlan {
    let matches = match env::var("CROUPIER_MATCHES") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("CROUPIER_MATCHES={text} is not a number")),
        Err(_) => size(MATCHES.0, MATCHES.1),
    };
    TickPlan { seed: 2_026, matches, ticks }
}

/// Plays all games, or the one that was asked for; fails with all differences.
fn play(files: Vec<RuleFile>, plan: &TickPlan) -> Vec<(String, Option<Ticked>)> {
    let wanted = env::var("CROUPIER_GAME").ok();
    let is_timed =
        |file: &RuleFile| is_real_time(&read(&file.text, Syntax::Auto, &Limits::STANDARD).description);
    let files = files.into_iter().filter(|file| wanted.as_ref().is_none_or(|name| *name == file.name));
    let files = files.filter(|file| !is_timed(file));
    let (mut played, mut failed) = (Vec::new(), Vec::new());
    for file in files {
        match catch_unwind(AssertUnwindSafe(|| play_ticks(&file.text, plan))) {
            Ok(result) => played.push((file.name, result)),
            Err(_) => failed.push(file.name),
        }
    }
    assert!(failed.is_empty(), "they come apart: {}", failed.join(", "));
    played
}

fn summary(played: &[(String, Option<Ticked>)]) -> String {
    let done: Vec<&Ticked> = played.iter().filter_map(|(_, result)| result.as_ref()).collect();
    let sum = |count: fn(&Ticked) -> usize| done.iter().map(|ticked| count(ticked)).sum::<usize>();
    let networks = done.iter().filter(|ticked| ticked.is_network).count();
    let refused = played.iter().filter(|(_, result)| result.is_none()).map(|(name, _)| name.as_str());
    format!(
        "{} games, {networks} of them as networks, {} ticks, {} ends, {} silences; refused: {}",
        done.len(),
        sum(|ticked| ticked.ticks),
        sum(|ticked| ticked.ends),
        sum(|ticked| ticked.silences),
        refused.collect::<Vec<_>>().join(", ")
    )
}

#[test]
fn the_catalogue_ticks_as_it_takes_turns() {
    let played = play(corpus::catalogue(), &plan(size(60, 200)));
    println!("{}", summary(&played));
    for (name, result) in &played {
        assert!(result.is_some_and(|ticked| ticked.is_network && ticked.ticks > 0), "{name}: {result:?}");
    }
}

#[test]
fn other_peoples_games_tick_as_they_take_turns() {
    let mut files = corpus::shared("gdl2");
    let every = if env::var_os("CROUPIER_MATCHES").is_some() || env::var_os("CROUPIER_GAME").is_some() {
        1
    } else {
        size(8, 1)
    };
    files.extend(corpus::shared("gdl").into_iter().step_by(every));
    files.extend(corpus::shared("infix").into_iter().step_by(every));
    if files.is_empty() {
        croupier_tests::skipped("corpus: no such games are there");
        return;
    }
    files.retain(|file| !LEFT_OUT.contains(&file.name.as_str()));
    println!("{}", summary(&play(files, &plan(60))));
}

fn clock(time: &str, delay: Option<&str>) -> ChessClock {
    let lifetime = |text: &str| text.parse().expect("a lifetime");
    ChessClock { time: lifetime(time), delay: delay.map(lifetime) }
}

#[test]
fn with_clocks_a_match_ends_as_it_does_without_unless_a_flag_falls() {
    let games = ["tic-tac-toe", "connect-four", "nim", "pig", "kuhn"];
    for name in games {
        let text = catalogue_game(name).text;
        let (mut ends, mut flags) = (0, 0);
        for seed in 0..12 {
            for clock in [clock("60", None), clock("4.5", None), clock("4.5", Some("2"))] {
                let (played, fell) =
                    play_with_clocks(&text, clock, 2_500_000, seed).expect("a game that can be converted");
                assert!(played > 0 || fell, "{name}");
                (ends, flags) = (ends + usize::from(!fell), flags + usize::from(fell));
            }
        }
        println!("{name}: {ends} ends, {flags} flags");
        assert!(ends > 0, "{name}");
    }
}
