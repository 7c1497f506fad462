//! Continues after missed messages: turns are filled in consistently with everything else.

use std::sync::Arc;

use croupier_belief::ParticleBelief;
use croupier_engine::{Game, InformationSet, MoveId, Percepts, Scratch};

use crate::{small_belief::small_belief, told::Evidence};

/// Turns that are filled in at most; beyond it there are too many guesses for one of them to be of use.
pub(crate) const MISSING_TURNS_MAX: usize = 3;

/// Maximum number of ways to fill in one turn, the most likely first.
const GUESSES_MAX: usize = 64;

/// Maximum number of beliefs computed in one repair: each costs as much as a turn of a small player.
const BELIEFS_MAX: u32 = 200;

/// The information set after `turns` follow `known`, with missing parts filled in: the most likely percepts
/// first, by a belief in which others choose uniformly. `None` if nothing is consistent within the limits.
pub(crate) fn fill_in(
    game: &Arc<Game>,
    known: &InformationSet,
    turns: &[Evidence],
    is_over: &dyn Fn() -> bool,
) -> Option<InformationSet> {
    let mut search = Search { game, scratch: game.scratch(), beliefs: 0, is_over };
    search.fill_in(known.clone(), turns)
}

struct Search<'s> {
    game: &'s Arc<Game>,
    scratch: Scratch,
    beliefs: u32,
    is_over: &'s dyn Fn() -> bool,
}

impl Search<'_> {
    /// Recursion is as deep as there are turns to fill in: at most [`MISSING_TURNS_MAX`] and one.
    fn fill_in(&mut self, known: InformationSet, turns: &[Evidence]) -> Option<InformationSet> {
        let belief = self.belief(&known)?;
        let Some((turn, later)) = turns.split_first() else { return Some(known) };
        let own_moves = match turn.own_move {
            Some(own_move) => vec![own_move],
            None => self.own_moves(&belief, &known),
        };
        for own_move in own_moves {
            for percepts in self.guesses(&belief, &known, own_move, turn) {
                let mut longer = known.clone();
                longer.turns.push((own_move, percepts));
                if let Some(filled) = self.fill_in(longer, later) {
                    return Some(filled);
                }
                if self.beliefs >= BELIEFS_MAX || (self.is_over)() {
                    return None;
                }
            }
        }
        None
    }

    fn belief(&mut self, known: &InformationSet) -> Option<ParticleBelief> {
        self.beliefs += 1;
        small_belief(self.game, known, [0; 32])
    }

    fn own_moves(&mut self, belief: &ParticleBelief, known: &InformationSet) -> Vec<MoveId> {
        let distribution = belief.distribution();
        let legal = distribution.iter().find_map(|(state, _)| {
            let moves = self.game.legal_moves(state, known.role, &mut self.scratch).ok()?;
            Some(moves).filter(|moves| !moves.is_empty())
        });
        legal.unwrap_or_default()
    }

    fn guesses(
        &mut self,
        belief: &ParticleBelief,
        known: &InformationSet,
        own_move: MoveId,
        turn: &Evidence,
    ) -> Vec<Percepts> {
        if let Some(percepts) = &turn.percepts {
            return vec![percepts.clone()];
        }
        let expected =
            belief.distribution().expected_percepts(self.game, known.role, own_move, &mut self.scratch);
        expected.unwrap_or_default().into_iter().take(GUESSES_MAX).map(|(percepts, _)| percepts).collect()
    }
}
