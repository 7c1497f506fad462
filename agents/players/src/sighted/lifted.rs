//! Playouts of a search with full sight in a game without a network, one after the other.

use std::sync::Arc;

use croupier_engine::{ByRole, Game, JointMove, MoveId, State};
use rand_core::Rng;
use rustc_hash::FxHashMap;

use super::{
    SightedSearch,
    graph::{End, Graph, Path},
};
use crate::{
    PlayerError, StopReason,
    ending::{FinalValues, note, playable},
    leaves::lifted,
};

/// The states of a graph and the moves in them, by number: a row is the number of a state.
#[derive(Debug)]
pub(super) struct Numbered {
    game: Arc<Game>,
    states: Vec<State>,
    numbers: FxHashMap<State, u64>,
    moves: Vec<MoveId>,
    move_numbers: FxHashMap<MoveId, u32>,
}

impl Numbered {
    /// No states yet.
    pub(super) fn new(game: Arc<Game>) -> Self {
        Self {
            game,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            moves: Vec::new(),
            move_numbers: FxHashMap::default(),
        }
    }

    /// Forgets the states.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.numbers.clear();
    }

    /// The row of a state.
    pub(super) fn row(&mut self, state: &State) -> [u64; 1] {
        let next = self.states.len() as u64;
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.states.push(state.clone());
        }
        [number]
    }

    /// The state of a row.
    #[cfg(test)]
    pub(super) fn state(&self, row: &[u64]) -> &State {
        &self.states[row[0] as usize]
    }

    /// The number of a move.
    pub(super) fn number(&mut self, played: MoveId) -> u32 {
        let next = u32::try_from(self.moves.len()).expect("moves are 32-bit numbers");
        let number = *self.move_numbers.entry(played).or_insert(next);
        if number == next {
            self.moves.push(played);
        }
        number
    }

    /// Descends and plays out until there are `end` descents, it is proved what to play, or time is up; says why it stopped unless
    /// it was for the number.
    pub(super) fn run<R: Rng>(
        &mut self,
        work: &mut SightedSearch<'_, '_, R>,
        end: u32,
    ) -> Result<Option<StopReason>, PlayerError> {
        let mut path = Path::default();
        while work.done < end {
            if work.graph.is_decided(work.root) {
                return Ok(Some(StopReason::Proved));
            }
            if work.budget.is_over() {
                return Ok(Some(StopReason::Deadline));
            }
            let values = match work.graph.descend(work.root, work.rng, &mut path) {
                End::Known(values) => values,
                End::New => self.play_out(work, &path)?,
            };
            work.graph.note(&path, &values, work.root);
            work.done += 1;
        }
        Ok(work.graph.is_decided(work.root).then_some(StopReason::Proved))
    }

    /// Adds the leaf that a descent leads to, and returns its value for each role.
    fn play_out<R: Rng>(
        &mut self,
        work: &mut SightedSearch<'_, '_, R>,
        path: &Path,
    ) -> Result<Vec<f64>, PlayerError> {
        let (parent, moves) = work.graph.last(path);
        let moves: Vec<Vec<MoveId>> = moves.map(|number| vec![self.moves[number as usize]]).collect();
        let game = Arc::clone(&self.game);
        let joint_move = joint_move(&game, &moves);
        let from = &self.states[work.graph.row(parent)[0] as usize];
        let state = game.successor(from, &joint_move, work.scratch)?;
        let outcome = playable(&game, &state, work.scratch)?;
        let row = self.row(&state);
        let known = work.graph.find(&row);
        let (node, values) = match outcome {
            Ok(legal) => {
                let node = known.or_else(|| work.graph.has_room().then(|| self.add(work.graph, row, &legal)));
                let ending = lifted(&game, &state, work.rng, work.scratch)?;
                (node, self.value(work, ending))
            }
            Err(fault) => {
                let ending = FinalValues::of(&game, &state, fault, work.scratch)?;
                let values = self.value(work, ending);
                let graph = &mut *work.graph;
                (known.or_else(|| graph.has_room().then(|| graph.add_end(&row, &values))), values)
            }
        };
        if let Some(node) = node {
            work.graph.link(path, node);
        }
        Ok(values)
    }

    /// Adds a state with its legal moves.
    pub(super) fn add(&mut self, graph: &mut Graph, row: [u64; 1], legal: &ByRole<Vec<MoveId>>) -> u32 {
        let numbers = |moves: &Vec<MoveId>| moves.iter().map(|&played| self.number(played)).collect();
        let legal: Vec<Vec<u32>> = legal.iter().map(|(_, moves)| moves).map(numbers).collect();
        graph.add(&row, legal.iter().map(Vec::as_slice))
    }

    fn value<R>(
        &self,
        work: &mut SightedSearch<'_, '_, R>,
        FinalValues { goals, fault }: FinalValues,
    ) -> Vec<f64> {
        if let Some(fault) = fault {
            note(work.open_ends, 1, fault);
        }
        goals
    }
}

fn joint_move(game: &Game, moves: &[Vec<MoveId>]) -> JointMove {
    let chosen = ByRole::from_fn(game.roles(), |role| moves[role.index()].clone());
    game.joint_moves(&chosen).next().expect("every role has a move here")
}
