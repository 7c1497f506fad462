//! Random turns from any state, hundreds of matches at once: what they lead to contradicts guesses that the state itself does not.

use croupier_engine::{
    Game,
    game::{PlayedRows, RowLooker, RowStatus, RowStatuses},
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::{interner::row_of, sample::StateSample, walks::draw_moves};

/// Turns that are played from a state.
const TURNS: usize = 8;

/// Plays turns from states, which may be none that can be reached.
pub(crate) struct Wanderer {
    looker: RowLooker,
    bases: usize,
    rng: ChaCha8Rng,
    statuses: RowStatuses,
    played: PlayedRows,
}

impl Wanderer {
    /// `None` if the game has no network for rows.
    pub(crate) fn new(game: &Game) -> Option<Self> {
        Some(Self {
            looker: RowLooker::new(game)?,
            bases: game.network()?.fluents().len(),
            rng: ChaCha8Rng::seed_from_u64(0),
            statuses: RowStatuses::default(),
            played: PlayedRows::default(),
        })
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
        let words = row.len();
        let mut turns = Vec::new();
        let mut states = row.repeat(RowLooker::BLOCK);
        for _ in 0..TURNS {
            let count = states.len() / words;
            self.looker.look(&states, count, &mut self.statuses);
            let (mut going, mut moves) = (Vec::new(), Vec::new());
            for lane in 0..count {
                if self.statuses.kinds[lane] == RowStatus::Running {
                    going.push(u32::try_from(lane).expect("a lane of a block"));
                    draw_moves(&self.statuses, lane, None, &mut self.rng, &mut moves);
                }
            }
            if going.is_empty() {
                break;
            }
            self.looker.play(&states, &going, &moves, &mut self.played);
            for (&lane, after) in going.iter().zip(self.played.states.chunks_exact(words)) {
                turns.push([states[lane as usize * words..][..words].to_vec(), after.to_vec()]);
            }
            states.clone_from(&self.played.states);
        }
        turns
    }
}
