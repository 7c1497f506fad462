//! What pairs of hands count at ends where they decide.

use std::{collections::VecDeque, sync::Arc};

use croupier_solvers::{HandGame, HandTape};
use rustc_hash::FxHashMap;

use crate::{dealt::DealtState, pairs::PairNumbers, tree::PairWorth};

/// A pair of hands, and its goals at an end.
pub(super) type PairGoals = ([u32; 2], [f32; 2]);

/// What pairs of hands count at ends where they decide, by board: the latest last.
///
/// On a river of hold'em a million pairs of hands are compared, and the same ones win at every end: only stakes differ.
#[derive(Debug, Default)]
pub(super) struct Contests {
    kept: VecDeque<Contest>,
}

/// All pairs of hands with a board, at an end.
#[derive(Debug)]
struct Contest {
    board: Vec<u32>,
    chances: Arc<PairNumbers>,
    /// The goals that there are.
    kinds: Vec<[f32; 2]>,
    /// By pair, those of the second player fastest, which of these it has; [`NONE`] of pairs that cannot be dealt.
    pairs: Vec<u16>,
    /// By pair, the goal of the first player times the probability of chance.
    first: Arc<PairNumbers>,
}

/// No kind.
const NONE: u16 = u16::MAX;

/// By how much a goal may be another than a line says.
const OFF: f64 = 1e-4;

impl Contests {
    /// Boards that are kept: a search stays on one.
    const KEPT: usize = 4;

    /// What pairs of hands count at an end, of which the goals of `some` are known.
    ///
    /// Pairs whose goals are the same at an end with the same board are taken for the same here as well, if some hundreds of pairs say so.
    pub(super) fn worth(
        &mut self,
        game: &HandGame,
        tape: &mut HandTape,
        state: &DealtState,
        some: &[PairGoals],
    ) -> PairWorth {
        let known = self.kept.iter().find(|contest| contest.is_of(state));
        if let Some(goals) = known.and_then(|contest| contest.alike(state, some)) {
            return known.expect("it was found").worth(&goals);
        }
        let contest = Contest::new(game, tape, state);
        let worth = contest.worth(&contest.kinds);
        if self.kept.len() == Self::KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(contest);
        worth
    }
}

impl Contest {
    /// Plays all pairs to the end.
    fn new(game: &HandGame, tape: &mut HandTape, state: &DealtState) -> Self {
        let all = game.possible(&state.board).collect();
        let states = game.states(tape, &state.way, &state.board, all);
        let (mut kinds, mut known) = (Vec::new(), FxHashMap::default());
        let mut pairs = vec![NONE; state.chances.len()];
        for (hands, goals) in game.goals(tape, &states) {
            let Some(place) = state.place_of_pair(hands) else { continue };
            pairs[place] = *known.entry(goals.map(f32::to_bits)).or_insert_with(|| {
                kinds.push(goals);
                u16::try_from(kinds.len() - 1).ok().filter(|&kind| kind != NONE).expect("few goals: 0 to 100")
            });
        }
        let first = Arc::new(weighted(&state.chances, &pairs, &kinds, 0));
        Self { board: state.board.clone(), chances: Arc::clone(&state.chances), kinds, pairs, first }
    }

    fn is_of(&self, state: &DealtState) -> bool {
        self.board == state.board && Arc::ptr_eq(&self.chances, &state.chances)
    }

    /// By kind, the goals at another end with the same board; `None` if `some` pairs do not say them, or that they are not the same for all.
    fn alike(&self, state: &DealtState, some: &[PairGoals]) -> Option<Vec<[f32; 2]>> {
        let mut found: Vec<Option<[f32; 2]>> = vec![None; self.kinds.len()];
        for &(hands, goals) in some {
            let kind = self.pairs[state.place_of_pair(hands)?];
            if *found.get_mut(usize::from(kind))?.get_or_insert(goals) != goals {
                return None;
            }
        }
        found.into_iter().collect()
    }

    /// What pairs count if these are the goals of each kind. Most often stakes are larger or smaller, and one sum is more or less than
    /// the other: then goals lie on a line, and no number is kept for each pair.
    fn worth(&self, goals: &[[f32; 2]]) -> PairWorth {
        let chances = Arc::clone(&self.chances);
        if let [Some(first), Some(second)] = [self.line(goals, 0), self.line(goals, 1)] {
            let (same, factors) = ([first.0, second.0], [first.1, second.1]);
            return PairWorth {
                chances,
                same,
                contested: Some(factors.map(|factor| (Arc::clone(&self.first), factor))),
            };
        }
        let contested = [0, 1].map(|player| (Arc::new(weighted(&chances, &self.pairs, goals, player)), 1.0));
        PairWorth { chances, same: [0.0; 2], contested: Some(contested) }
    }

    /// A player's goals as a sum and so many times those that the first player has here, if they are that.
    fn line(&self, goals: &[[f32; 2]], player: usize) -> Option<(f64, f64)> {
        let mut points =
            self.kinds.iter().zip(goals).map(|(kind, goals)| (f64::from(kind[0]), f64::from(goals[player])));
        let (x, y) = points.clone().next()?;
        let factor = points
            .clone()
            .find(|&(other, _)| other != x)
            .map_or(0.0, |(other, goal)| (goal - y) / (other - x));
        let line = (y - factor * x, factor);
        points.all(|(x, y)| (line.0 + line.1 * x - y).abs() < OFF).then_some(line)
    }
}

/// By pair, the probability of chance times the goal of a player.
fn weighted(chances: &PairNumbers, pairs: &[u16], goals: &[[f32; 2]], player: usize) -> PairNumbers {
    let columns = chances.columns();
    let (mut found, mut row_of) = (Vec::with_capacity(pairs.len()), vec![0.0; columns]);
    for (row, kinds) in pairs.chunks_exact(columns.max(1)).enumerate() {
        chances.write_row(row, &mut row_of);
        let goal = |&kind: &u16| goals.get(usize::from(kind)).map_or(0.0, |goals| goals[player]);
        found.extend(kinds.iter().zip(&row_of).map(|(kind, chance)| chance * goal(kind)));
    }
    PairNumbers::of(pairs.len() / columns.max(1), columns, found)
}
