//! Shorter matches that show the same.
//!
//! Of a match some turns are left out, a few others are played in their place, and then it goes on as it did: with the same moves where they
//! are legal, with any where they are not. Hundreds of such tries are made at once; what is shorter is tried again, until many in turn fail.
//!
//! # Sources
//! A. Zeller and R. Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE Transactions on Software Engineering 28(2), 2002,
//! for leaving out parts of all sizes; here the parts are drawn, and what no longer fits is mended.

use croupier_engine::{Game, draw::draw_index};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rand_core::Rng;

use crate::{
    lanes::{ANY, LANES, MatchLanes, Style},
    maximum::Maximum,
    shown::{Shown, WatchedMatch, Watcher, Way},
};

/// For each match the tries that may fail one after the other before no more are made.
const FAILURES_MAX: usize = 32 * LANES;

/// The most turns that are played in the place of others.
const NEW_TURNS_MAX: usize = 3;

/// A match that is like another but shorter.
struct Variation {
    watched: WatchedMatch,
    /// The other takes so many turns.
    turns: usize,
}

/// Looks for shorter matches in the place of those that take more than `least` turns, until `is_over` says so.
pub(crate) fn shorten(
    game: &Game,
    maxima: &[Maximum],
    shown: &mut Shown,
    least: usize,
    is_over: &dyn Fn() -> bool,
) {
    let mut long = longer(shown, least);
    let Some(mut lanes) = MatchLanes::new(game, LANES).filter(|_| !long.is_empty()) else { return };
    let mut watcher = Watcher::new(game, maxima);
    watcher.shown = std::mem::take(shown);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut variations: Vec<Variation> =
        (0..LANES).map(|lane| vary(&long[lane % long.len()], &mut lanes, lane, &mut rng)).collect();
    let mut failures = 0;
    while failures < FAILURES_MAX * long.len() && !is_over() {
        let before = turns(&watcher.shown);
        lanes.look();
        for (lane, Variation { watched, turns }) in variations.iter_mut().enumerate() {
            watcher.watch(watched, &lanes, lane);
            let turn = watched.moves.len() / lanes.roles();
            watched.is_over |= turn + 1 >= *turns;
            if !watched.is_over {
                watched.moves.extend(lanes.draw(lane, &watched.style, turn, &mut rng));
            }
        }
        lanes.play();
        if turns(&watcher.shown) != before {
            (long, failures) = (longer(&watcher.shown, least), 0);
        }
        for (lane, variation) in variations.iter_mut().enumerate() {
            if variation.watched.is_over && !long.is_empty() {
                failures += 1;
                *variation = vary(&long[lane % long.len()], &mut lanes, lane, &mut rng);
            }
        }
    }
    *shown = watcher.shown;
}

/// The matches that take more turns than this.
fn longer(shown: &Shown, least: usize) -> Vec<Way> {
    shown.ways().filter(|way| way.turns > least).cloned().collect()
}

fn turns(shown: &Shown) -> Vec<usize> {
    shown.ways().map(|way| way.turns).collect()
}

/// Begins in a lane what a match becomes if from some turn on others are left out than are played in their place.
fn vary(way: &Way, lanes: &mut MatchLanes, lane: usize, rng: &mut ChaCha8Rng) -> Variation {
    let (roles, words) = (lanes.roles(), lanes.words());
    let kept = draw_index(way.turns, rng);
    let rest = way.turns - kept;
    // As often one as two or three, or four to seven.
    let left_out = 1_usize << draw_index(rest.ilog2() as usize + 1, rng);
    let left_out = (left_out + draw_index(left_out, rng)).min(rest);
    let new = draw_index(2, rng) * draw_index(left_out.min(NEW_TURNS_MAX + 1), rng);
    let mut moves = way.moves[..(kept + new) * roles].to_vec();
    for number in &mut moves[kept * roles..] {
        *number = if rng.next_u64().is_multiple_of(2) { ANY } else { *number };
    }
    moves.extend_from_slice(&way.moves[(kept + left_out) * roles..]);
    lanes.set(lane, &way.rows[kept * words..][..words]);
    Variation { watched: WatchedMatch::after(way, kept, Style::Following(moves)), turns: way.turns }
}
