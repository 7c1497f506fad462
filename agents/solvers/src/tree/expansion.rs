//! Expands a game to its tree, breadth first, state by state: for games without a network, or with a very large one.
//!
//! Histories of one length are expanded on many threads, and taken in order.

use std::{
    ops::{ControlFlow, Range},
    sync::{Mutex, PoisonError},
};

use croupier_engine::{
    Game, GameError, GoalValue, JointMove, State, Status, Turn,
    game::{Branch, Looker},
};
use rayon::prelude::*;

use super::{
    GameTree, NodeId, TreeError, TreeLimits,
    builder::{BRANCHES, Legal, TreeBuilder},
    knowledge::KnowledgeId,
    levels::{Growth, grow},
    lists::ListId,
};

/// The number of histories that one thread evaluates at once: as many as a network does.
const BLOCK: usize = 512;

/// The histories of one length that are not expanded yet.
#[derive(Default)]
struct Level {
    /// The position of each in the tree.
    nodes: Vec<NodeId>,
    states: Vec<State>,
    /// Each player's information set, as many as players for each history.
    known: Vec<KnowledgeId>,
}

/// A joint move that is to be played, and the node after it.
struct PendingMove {
    /// The place of the history in its level.
    history: usize,
    joint_move: JointMove,
    node: NodeId,
}

/// Working memory for threads, each used by one thread at a time and then kept for the next.
struct Lookers<'g> {
    game: &'g Game,
    idle: Mutex<Vec<Looker>>,
}

/// A growing tree, and the working memory for its histories.
struct Expansion<'g> {
    builder: TreeBuilder<'g>,
    lookers: Lookers<'g>,
}

/// The tree of a game.
///
/// # Errors
/// As [`GameTree::new`].
pub(super) fn expand(
    game: &Game,
    limits: &TreeLimits,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<GameTree, TreeError> {
    let builder = TreeBuilder::new(game, limits);
    let level = Level {
        nodes: vec![NodeId(0)],
        states: vec![game.initial_state().clone()],
        known: builder.knowledge.initial(),
    };
    let mut expansion = Expansion { builder, lookers: Lookers { game, idle: Mutex::default() } };
    grow(&mut expansion, level, progress)?;
    Ok(expansion.builder.finish(Vec::new()))
}

impl Lookers<'_> {
    /// The status of each of several states, on the threads of the calling rayon pool.
    fn statuses(&self, states: &[State]) -> Vec<Result<Status, GameError>> {
        let look = |states: &[State]| {
            let states: Vec<&State> = states.iter().collect();
            self.with(|looker| looker.statuses(self.game, &states))
        };
        states.par_chunks(BLOCK).flat_map_iter(look).collect()
    }

    /// The results of each joint move, in order, or the first error.
    fn turns(&self, level: &Level, waiting: &[PendingMove]) -> Result<Vec<Turn>, GameError> {
        let look = |waiting: &[PendingMove]| {
            let mut states: Vec<&State> = Vec::new();
            let mut last = None;
            let mut branches: Vec<Branch<'_>> = Vec::with_capacity(waiting.len());
            for PendingMove { history, joint_move, .. } in waiting {
                if last.replace(*history) != Some(*history) {
                    states.push(&level.states[*history]);
                }
                branches.push(Branch { state: states.len() - 1, joint_move });
            }
            self.with(|looker| looker.turns(self.game, &states, &branches))
        };
        // All blocks are waited for, so that the error does not depend on which thread was first.
        let blocks: Vec<Result<Vec<Turn>, GameError>> = waiting.par_chunks(BLOCK).map(look).collect();
        let mut turns = Vec::with_capacity(waiting.len());
        for block in blocks {
            turns.append(&mut block?);
        }
        Ok(turns)
    }

    fn with<T>(&self, look: impl FnOnce(&mut Looker) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut looker = taken.unwrap_or_else(|| Looker::new(self.game));
        let answer = look(&mut looker);
        idle().push(looker);
        answer
    }
}

impl<'g> Growth<'g> for Expansion<'g> {
    type Level = Level;

    fn builder(&mut self) -> &mut TreeBuilder<'g> {
        &mut self.builder
    }

    fn histories(level: &Level) -> usize {
        level.nodes.len()
    }

    /// Legal moves are counted before anything is played, so that time and memory follow the limit and not the number
    /// of joint moves.
    fn expand(&mut self, level: &Level, chunk: Range<usize>, next: &mut Level) -> Result<(), TreeError> {
        let statuses = self.lookers.statuses(&level.states[chunk.clone()]);
        let running = statuses.iter().filter_map(|status| match status {
            Ok(Status::Running { legal }) => Some(legal.iter().map(|(_, moves)| moves.len())),
            Ok(Status::Terminal { .. }) | Err(_) => None,
        });
        self.builder.count(statuses.len(), running)?;
        let (mut waiting, mut leaves) = (Vec::new(), Vec::new());
        for (history, status) in chunk.zip(statuses) {
            let node = level.nodes[history];
            match status? {
                Status::Terminal { goals } => {
                    let goals: Vec<GoalValue> = goals.iter().map(|(_, goal)| *goal).collect();
                    self.builder.end(node, &goals);
                }
                Status::Running { legal } => {
                    let lists: Vec<ListId> =
                        legal.iter().map(|(_, moves)| self.builder.lists.intern(moves)).collect();
                    let choices = Legal { lists: &lists, weights: 0 };
                    self.builder.choices(node, self.known_of(level, history), choices, &mut leaves)?;
                    for (&node, joint_move) in leaves.iter().zip(self.builder.game.joint_moves(&legal)) {
                        waiting.push(PendingMove { history, joint_move, node });
                        if waiting.len() == BRANCHES {
                            self.play(level, std::mem::take(&mut waiting), next)?;
                        }
                    }
                }
            }
        }
        self.play(level, waiting, next)
    }
}

impl Expansion<'_> {
    /// Plays the joint moves that are waiting.
    fn play(&mut self, level: &Level, waiting: Vec<PendingMove>, next: &mut Level) -> Result<(), TreeError> {
        let turns = self.lookers.turns(level, &waiting)?;
        for (PendingMove { history, joint_move, node }, turn) in waiting.into_iter().zip(turns) {
            for (player, &before) in self.known_of(level, history).iter().enumerate() {
                let role = self.builder.players[player];
                next.known.push(self.builder.learn(before, joint_move.of(role), &turn.percepts[role]));
            }
            next.nodes.push(node);
            next.states.push(turn.successor);
        }
        Ok(())
    }

    /// Each player's information set in a history.
    fn known_of<'l>(&self, level: &'l Level, history: usize) -> &'l [KnowledgeId] {
        let players = self.builder.players.len();
        &level.known[history * players..(history + 1) * players]
    }
}
