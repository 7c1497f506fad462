//! Random matches, hundreds at once, that look for what refutes a claim or shows that something can happen.

use croupier_engine::Game;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::{
    lanes::{LANES, MatchLanes, Style},
    maximum::Maximum,
    shown::{Shown, WatchedMatch, Watcher},
};

/// What random matches came upon.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// Matches that came to an end.
    pub(crate) playouts: usize,
    pub(crate) shown: Shown,
    /// Some of the matches, each as the rows of its states.
    kept: Vec<Vec<u64>>,
    kept_words: usize,
    words: usize,
}

/// Words of matches that are kept: 64 megabytes.
const KEPT_MAX: usize = 8 << 20;

impl Walked {
    /// States that were met.
    pub(crate) fn states(&self) -> impl Iterator<Item = &[u64]> {
        self.kept.iter().flat_map(|rows| rows.chunks_exact(self.words))
    }

    /// States that followed on each other.
    pub(crate) fn turns(&self) -> impl Iterator<Item = [&[u64]; 2]> {
        let pairs = |rows: &'_ [u64]| 0..(rows.len() / self.words).saturating_sub(1);
        self.kept.iter().flat_map(move |rows| {
            pairs(rows).map(move |turn| [turn, turn + 1].map(|turn| &rows[turn * self.words..][..self.words]))
        })
    }

    /// Keeps a match that is over, if there is room.
    fn keep(&mut self, rows: &[u64], last: &[u64]) {
        self.playouts += 1;
        if self.kept_words < KEPT_MAX {
            self.kept_words += rows.len() + last.len();
            self.kept.push([rows, last].concat());
        }
    }
}

/// The most turns of a match: longer ones are given up.
const TURNS_MAX: usize = 3_000;

/// Plays matches at random until `is_over` says so. `None` if the game has no network for rows.
pub(crate) fn walk(game: &Game, maxima: &[Maximum], is_over: &dyn Fn() -> bool) -> Option<Walked> {
    let mut lanes = MatchLanes::new(game, LANES)?;
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let start = lanes.row(0).to_vec();
    let mut walked = Walked { words: lanes.words(), ..Walked::default() };
    let mut watcher = Watcher::new(game, maxima);
    let mut walks: Vec<WatchedMatch> = (0..LANES).map(|lane| begin(lane, &mut rng)).collect();
    while !is_over() {
        lanes.look();
        for (lane, walk) in walks.iter_mut().enumerate() {
            if watcher.watch(walk, &lanes, lane) {
                walked.keep(&walk.rows, lanes.row(lane));
            }
            let turn = walk.moves.len() / lanes.roles();
            walk.is_over |= turn >= TURNS_MAX;
            if !walk.is_over {
                walk.moves.extend(lanes.draw(lane, &walk.style, turn, &mut rng));
            }
        }
        lanes.play();
        for (lane, walk) in walks.iter_mut().enumerate().filter(|(_, walk)| walk.is_over) {
            *walk = begin(lane, &mut rng);
            lanes.set(lane, &start);
        }
    }
    walked.shown = watcher.shown;
    Some(walked)
}

fn begin(lane: usize, rng: &mut ChaCha8Rng) -> WatchedMatch {
    WatchedMatch::new(Style::of_lane(lane, rng))
}
