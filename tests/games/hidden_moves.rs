//! What it takes to hold very many hidden moves possible.

use std::{fs, sync::Arc, time::Instant};

use croupier_belief::{ExactBelief, ExactOptions};
use croupier_engine::{Game, Options, game::Backend};

/// Rules in which one player picks one of `numbers^3` moves that the other is not told of.
fn hidden(numbers: usize) -> String {
    let rules = "
        (role me) (role other) (init (turn 0)) (legal me wait)
        (<= (legal other (pick ?x ?y ?z)) (number ?x) (number ?y) (number ?z) (true (turn 0)))
        (<= (legal other wait) (not (true (turn 0))))
        (<= (next (picked ?x ?y ?z)) (does other (pick ?x ?y ?z)))
        (<= (next (picked ?x ?y ?z)) (true (picked ?x ?y ?z)))
        (<= (next (turn 1)) (true (turn 0))) (<= (next (turn 2)) (true (turn 1)))
        (<= terminal (true (turn 2)))
        (<= (sees me told) (true (turn ?n))) (<= (goal ?r 50) (role ?r))";
    (0..numbers).fold(rules.to_owned(), |rules, number| rules + &format!("(number {number})"))
}

/// Seconds that this thread has worked, where Linux says so, or else by the clock.
fn worked(begun: Instant) -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Seconds that a belief takes for two turns, on average over so many times: enough for a clock that counts in ticks.
#[expect(clippy::disallowed_methods, reason = "the figure is about time")]
fn seconds(numbers: usize, backend: Backend, times: u32) -> f64 {
    let options = Options { backend, ..Options::PLAY };
    let game = Arc::new(Game::compile(&hidden(numbers), &options).expect("sound rules").game);
    let me = game.roles().find("me").expect("a role");
    let (wait, told) = (game.move_id("wait").expect("a term"), game.percepts_of(["told"]).expect("a term"));
    let clock = Instant::now();
    let begun = worked(clock);
    for _ in 0..times {
        let mut belief = ExactBelief::new(Arc::clone(&game), me, ExactOptions::STANDARD).expect("a player");
        belief.advance(wait, &told).expect("every move agrees");
        belief.advance(wait, &told).expect("every state agrees");
        assert_eq!(belief.distribution().states_count(), numbers.pow(3));
    }
    (worked(clock) - begun) / f64::from(times)
}

#[test]
fn exact_beliefs_grow_no_faster_than_linearly_in_the_hidden_moves() {
    for backend in [Backend::Datalog, Backend::Propnet] {
        let (few, many) = (seconds(14, backend, 51), seconds(36, backend, 3));
        // 46,656 moves are 17 times as many as 2,744, and their square is 289 times as large. Five times as long for each
        // leaves room for slower memory and for other programs.
        assert!(many < 5.0 * 17.0 * few, "{backend:?}: {few} s and {many} s");
    }
}
