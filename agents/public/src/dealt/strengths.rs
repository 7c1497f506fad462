//! How strong hands are among those that a board leaves.

use std::sync::Arc;

use croupier_solvers::{HandGame, HandTape};
use rustc_hash::FxHashMap;

use crate::dealt::DealtState;

/// How strong hands are, by board: a network reads ranges and says values by strength, as it is the strength of a hand that counts, and no
/// network has to learn which cards make it.
///
/// # Sources
/// M. Moravčík et al.: DeepStack, Science 356, 2017, where hands are put together by their strength too.
#[derive(Debug, Default)]
pub(crate) struct Strengths {
    /// By the moves that dealt a board, in ascending order, and player: by hand, of all.
    known: FxHashMap<Vec<u32>, [Arc<Vec<usize>>; 2]>,
}

impl Strengths {
    /// Boards that are kept: all of royal hold'em.
    const KEPT: usize = 32_768;

    /// By player, the strengths of these hands with a board.
    pub(crate) fn of(
        &mut self,
        game: &HandGame,
        tape: &mut HandTape,
        board: &[u32],
        hands: &[Arc<Vec<u32>>; 2],
    ) -> [Arc<Vec<usize>>; 2] {
        let mut sorted = board.to_vec();
        sorted.sort_unstable();
        if self.known.len() > Self::KEPT {
            self.known.clear();
        }
        let of_all = self
            .known
            .entry(sorted)
            .or_insert_with(|| game.strengths(tape, board).map(|strengths| Arc::new(ranked(&strengths))));
        [0, 1]
            .map(|player| Arc::new(hands[player].iter().map(|&hand| of_all[player][hand as usize]).collect()))
    }
}

/// In which of [`DealtState::STRENGTHS`] parts each number is, as many in each; the same numbers in the same.
fn ranked(numbers: &[Option<f32>]) -> Vec<usize> {
    let mut sorted: Vec<f32> = numbers.iter().copied().flatten().collect();
    sorted.sort_unstable_by(f32::total_cmp);
    let rank = |number: f32| {
        let below = sorted.partition_point(|&other| other < number);
        let not_above = sorted.partition_point(|&other| other <= number);
        // The middle of those that are the same.
        (below + not_above) * DealtState::STRENGTHS / (2 * sorted.len())
    };
    numbers
        .iter()
        .map(|number| number.map_or(0, |number| rank(number).min(DealtState::STRENGTHS - 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_large_and_what_is_the_same_is_in_the_same() {
        let all: Vec<Option<f32>> = (0..640).map(|place| Some(place as f32)).collect();
        let found = ranked(&all);
        assert!((0..DealtState::STRENGTHS).all(|part| found.iter().filter(|&&of| of == part).count() == 10));
        let few = ranked(&[Some(2.0), Some(1.0), None, Some(1.0), Some(3.0)]);
        assert_eq!(few, [40, 16, 0, 16, 56]);
    }
}
