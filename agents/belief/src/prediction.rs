//! Predicts what a role will be told.

use croupier_engine::{Game, GameError, MoveId, PerceptId, Percepts, RoleId, Scratch};
use rustc_hash::FxHashMap;

use crate::{Distribution, continuation::played_on};

impl Distribution {
    /// What `role` will be told if it plays `own_move` now, most likely first; of equally likely
    /// ones the first as printed. The probabilities have the sum one.
    ///
    /// States in which that move is illegal are skipped; if there is no other, nothing is predicted.
    ///
    /// # Errors
    /// [`GameError`] if the rules fail.
    ///
    /// # Complexity
    /// One evaluation of the percepts for each state and each joint move of the others, without a limit.
    pub fn expected_percepts(
        &self,
        game: &Game,
        role: RoleId,
        own_move: MoveId,
        scratch: &mut Scratch,
    ) -> Result<Vec<(Percepts, f64)>, GameError> {
        let mut positions: FxHashMap<Percepts, usize> = FxHashMap::default();
        let mut expected: Vec<(Percepts, f64)> = Vec::new();
        for (state, probability) in self.iter() {
            let Some(mut legal) = played_on(game.playable_moves(state, scratch))? else { continue };
            if !legal[role].contains(&own_move) {
                continue;
            }
            legal[role] = vec![own_move];
            let count: f64 = legal.iter().map(|(_, moves)| moves.len() as f64).product();
            for joint_move in game.joint_moves(&legal) {
                let percepts = game.percepts(state, &joint_move, role, scratch)?;
                let position = *positions.entry(percepts).or_insert_with_key(|percepts| {
                    expected.push((percepts.clone(), 0.0));
                    expected.len() - 1
                });
                expected[position].1 += probability / count;
            }
        }
        let total: f64 = expected.iter().map(|(_, probability)| probability).sum();
        for (_, probability) in &mut expected {
            *probability /= total;
        }
        expected.sort_by(|(one, likely), (other, more_likely)| {
            let by_probability = more_likely.total_cmp(likely);
            by_probability.then_with(|| game.percept_terms(one).cmp(&game.percept_terms(other)))
        });
        Ok(expected)
    }

    /// The probability that `role` will be told `percept`, possibly among others, if it plays `own_move` now; 0 if
    /// that move is illegal in every possible state.
    ///
    /// # Errors
    /// [`GameError`] if the rules fail.
    ///
    /// # Complexity
    /// As [`expected_percepts`](Self::expected_percepts).
    pub fn percept_probability(
        &self,
        game: &Game,
        role: RoleId,
        own_move: MoveId,
        percept: PerceptId,
        scratch: &mut Scratch,
    ) -> Result<f64, GameError> {
        let expected = self.expected_percepts(game, role, own_move, scratch)?;
        let told = expected.iter().filter(|(percepts, _)| percepts.iter().any(|known| known == percept));
        Ok(told.map(|(_, probability)| probability).sum())
    }
}
