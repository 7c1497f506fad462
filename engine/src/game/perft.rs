//! Counts of a game's tree, by full enumeration: what a second description of the game must agree with.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::game::{ByPlayer, Game, GameError, InformationSet, JointMove, Scratch, State, Status};

/// How many nodes of each kind a game tree has.
///
/// A node is a history. It is a *chance* node if `random` has more than one legal move, and a
/// *decision* node of each player that has more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeCounts {
    /// Histories in which `random` has a choice.
    pub chance: u64,
    /// Histories in which a player has a choice, once for each such player.
    pub decision: u64,
    /// Histories that end in a terminal state.
    pub terminal: u64,
    /// What each player can tell apart where it has a choice.
    pub information_sets: ByPlayer<u64>,
    /// All histories by their length.
    pub histories_by_depth: Vec<u64>,
}

/// Why a tree was not counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TreeError {
    /// More histories than allowed.
    #[error("the game tree has more than {0} histories")]
    TooLarge(u64),
    /// The rules fail somewhere in the tree.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// A node still to be visited: its state, depth, and what each player knows there.
struct Node {
    state: State,
    depth: usize,
    known: ByPlayer<InformationSet>,
}

/// Counts the whole tree of `game`, if it has at most `histories_max` histories.
///
/// # Errors
/// [`TreeError::TooLarge`] beyond `histories_max`, [`TreeError::Game`] where the rules fail.
///
/// # Complexity
/// Time linear in the histories, memory linear in the information sets and in depth times branching.
pub fn count_tree(game: &Game, histories_max: u64, scratch: &mut Scratch) -> Result<TreeCounts, TreeError> {
    let roles = game.roles();
    let mut seen = ByPlayer::from_fn(roles, |_| BTreeSet::new());
    let mut counts = TreeCounts {
        chance: 0,
        decision: 0,
        terminal: 0,
        information_sets: ByPlayer::from_fn(roles, |_| 0),
        histories_by_depth: Vec::new(),
    };
    let known = ByPlayer::from_fn(roles, InformationSet::initial);
    let mut open = vec![Node { state: game.initial_state().clone(), depth: 0, known }];
    let mut visited = 0;
    while let Some(node) = open.pop() {
        visited += 1;
        if visited > histories_max {
            return Err(TreeError::TooLarge(histories_max));
        }
        counts.histories_by_depth.resize(counts.histories_by_depth.len().max(node.depth + 1), 0);
        counts.histories_by_depth[node.depth] += 1;
        match game.status(&node.state, scratch)? {
            Status::Terminal { .. } => counts.terminal += 1,
            Status::Running { legal } => {
                for (role, _) in legal.iter().filter(|(_, moves)| moves.len() > 1) {
                    if Some(role) == roles.random() {
                        counts.chance += 1;
                    } else {
                        counts.decision += 1;
                        seen[role].insert(node.known[role].clone());
                    }
                }
                for joint_move in game.joint_moves(&legal) {
                    open.push(child(game, &node, &joint_move, scratch)?);
                }
            }
        }
    }
    counts.information_sets = ByPlayer::from_fn(roles, |role| seen[role].len() as u64);
    Ok(counts)
}

fn child(game: &Game, node: &Node, joint_move: &JointMove, scratch: &mut Scratch) -> Result<Node, GameError> {
    let turn = game.turn(&node.state, joint_move, scratch)?;
    let mut known = node.known.clone();
    for (role, set) in known.iter_mut() {
        set.turns.push((joint_move.of(role), turn.percepts[role].clone()));
    }
    Ok(Node { state: turn.successor, depth: node.depth + 1, known })
}
