//! Random turns from any state, hundreds of matches at once: what they lead to contradicts guesses that the state itself does not.

use croupier_engine::{Game, game::RowStatus};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::{
    interner::row_of,
    lanes::{LANES, MatchLanes, Style},
    sample::StateSample,
};

/// Turns that are played from a state.
const TURNS: usize = 8;

/// Plays turns from states, which may be none that can be reached.
pub(crate) struct Wanderer {
    lanes: MatchLanes,
    bases: usize,
    rng: ChaCha8Rng,
}

impl Wanderer {
    /// `None` if the game has no network for rows.
    pub(crate) fn new(game: &Game) -> Option<Self> {
        let lanes = MatchLanes::new(game, LANES)?;
        let bases = lanes.network().fluents().len();
        Some(Self { lanes, bases, rng: ChaCha8Rng::seed_from_u64(0) })
    }

    /// The row of a state that has these bases.
    pub(crate) fn row(&self, has: impl Fn(usize) -> bool) -> Vec<u64> {
        row_of(self.bases, has)
    }

    /// States that follow on a state.
    pub(crate) fn after(&mut self, row: &[u64]) -> StateSample {
        let bases = self.bases;
        StateSample::new(bases, self.turns(row).into_iter().map(|[_, after]| after))
    }

    /// Turns from a state on, each as the rows of the states before and after it.
    pub(crate) fn turns(&mut self, row: &[u64]) -> Vec<[Vec<u64>; 2]> {
        let mut turns = Vec::new();
        let mut open: Vec<usize> = (0..LANES).collect();
        open.iter().for_each(|&lane| self.lanes.set(lane, row));
        for turn in 0..TURNS {
            self.lanes.look();
            open.retain(|&lane| self.lanes.status(lane) == RowStatus::Running);
            for &lane in &open {
                self.lanes.draw(lane, &Style::Uniform, turn, &mut self.rng);
            }
            let before: Vec<Vec<u64>> = open.iter().map(|&lane| self.lanes.row(lane).to_vec()).collect();
            if self.lanes.play() == 0 {
                break;
            }
            let after = open.iter().map(|&lane| self.lanes.row(lane).to_vec());
            turns.extend(before.into_iter().zip(after).map(|(before, after)| [before, after]));
        }
        turns
    }
}
