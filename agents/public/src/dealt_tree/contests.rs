//! The goals of pairs of hands where they decide them.

use std::collections::VecDeque;

use croupier_solvers::{HandGame, HandTape};

use crate::dealt::DealtState;

/// A pair of hands, and its goals at an end.
pub(super) type PairGoals = ([u32; 2], [f32; 2]);

/// The goals of all pairs of hands at ends where they decide, by board: the latest last.
///
/// On a river of hold'em a million pairs of hands are compared, and the same ones win at every end: only stakes differ.
#[derive(Debug, Default)]
pub(super) struct Contests {
    kept: VecDeque<Contest>,
}

#[derive(Debug)]
struct Contest {
    board: Vec<u32>,
    /// Those of the second player fastest; none of pairs that cannot be dealt.
    goals: Vec<Option<[f32; 2]>>,
}

impl Contests {
    /// Boards that are kept: a search stays on one.
    const KEPT: usize = 4;

    /// By pair of hands, those of the second player fastest, the goals at an end, of which `some` are known; nothing for pairs that cannot
    /// be dealt.
    ///
    /// Pairs whose goals are the same at an end with the same board are taken for the same here as well, if some hundreds of pairs say so.
    pub(super) fn goals(
        &mut self,
        game: &HandGame,
        tape: &mut HandTape,
        state: &DealtState,
        some: &[PairGoals],
    ) -> Vec<[f32; 2]> {
        let known = self.kept.iter().find(|contest| contest.board == state.board);
        if let Some(found) = known.and_then(|contest| contest.alike(state, some)) {
            return found;
        }
        let all = game.possible(&state.board).collect();
        let states = game.states(tape, &state.way, &state.board, all);
        let mut goals = vec![None; state.hands[0].len() * state.hands[1].len()];
        for (hands, found) in game.goals(tape, &states) {
            if let Some(place) = state.place_of_pair(hands) {
                goals[place] = Some(found);
            }
        }
        let found = goals.iter().map(|goals| goals.unwrap_or_default()).collect();
        if self.kept.len() == Self::KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(Contest { board: state.board.clone(), goals });
        found
    }
}

impl Contest {
    /// The goals at another end with the same board; `None` if `some` pairs say that others are the same there.
    fn alike(&self, state: &DealtState, some: &[PairGoals]) -> Option<Vec<[f32; 2]>> {
        let mut likes: Vec<([f32; 2], [f32; 2])> = Vec::new();
        let other = |likes: &[([f32; 2], [f32; 2])], here: [f32; 2]| {
            likes.iter().find(|(like, _)| *like == here).map(|(_, other)| *other)
        };
        for &(hands, goals) in some {
            let here = self.goals[state.place_of_pair(hands)?]?;
            match other(&likes, here) {
                Some(before) if before != goals => return None,
                Some(_) => {}
                None => likes.push((here, goals)),
            }
        }
        let of = |goals: &Option<[f32; 2]>| goals.map_or(Some([0.0; 2]), |here| other(&likes, here));
        self.goals.iter().map(of).collect()
    }
}
