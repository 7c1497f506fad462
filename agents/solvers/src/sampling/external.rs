//! External sampling: one move of chance and of every opponent, all moves of the player.

use super::Sampler;
use crate::tree::{Node, NodeId};

/// Memory of walks, kept between them.
///
/// # Sources
/// M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, NIPS 2009, section 3.3; averages are weighted stochastically, at the
/// nodes of the player after the one that walks, as in M. Lanctot's thesis (2013), section 4.4. With more than two players
/// the weight of an iteration so depends on how the others play in it.
#[derive(Debug, Default)]
pub(crate) struct ExternalSampling {
    frames: Vec<PlayerNode>,
    /// For each frame and each move, its probability and its value.
    strategies: Vec<f64>,
    values: Vec<f64>,
    strategy: Vec<f64>,
}

/// A node of the player between two of its moves.
#[derive(Clone, Copy, Debug)]
struct PlayerNode {
    first_child: NodeId,
    first_sequence: usize,
    moves: usize,
    done: usize,
    /// Where its moves begin in the lists.
    start: usize,
    /// How likely the player comes there by its own moves.
    reach: f64,
}

impl ExternalSampling {
    /// A walk for the player.
    pub(super) fn walk(&mut self, sampler: &mut Sampler<'_>) {
        let (mut node, mut reach) = (sampler.tree.root(), 1.0);
        loop {
            let value = self.descend(sampler, node, reach);
            match self.ascend(sampler, value) {
                Some(next) => (node, reach) = next,
                None => return,
            }
        }
    }

    /// Descends to a terminal node by first moves of the player, and samples of everyone else; returns its value.
    fn descend(&mut self, sampler: &mut Sampler<'_>, mut node: NodeId, mut reach: f64) -> f64 {
        loop {
            match sampler.tree.node(node) {
                Node::Terminal { outcome } => return sampler.worth(outcome),
                Node::Chance { menu, first_child } => {
                    (node, _) = sampler.chance(menu, first_child);
                }
                Node::Decision { information_set, first_child } => {
                    let sequences = sampler.form.set(information_set).sequences();
                    sampler.strategy(sequences.clone(), &mut self.strategy);
                    let owner = sampler.tree.player(information_set);
                    let players = sampler.form.players.len();
                    if owner == (sampler.player + 1) % players {
                        // A single player comes after itself, and its walk does not follow its own probabilities.
                        let weight = if owner == sampler.player { reach } else { 1.0 };
                        let played = sequences.clone().zip(self.strategy.iter().map(|p| weight * p));
                        sampler.changes.averages.extend(played);
                    }
                    if owner != sampler.player {
                        node = first_child.plus(sampler.draw(&self.strategy));
                        continue;
                    }
                    let (start, moves) = (self.values.len(), sequences.len());
                    self.strategies.extend_from_slice(&self.strategy);
                    self.values.resize(start + moves, 0.0);
                    let first_sequence = sequences.start;
                    self.frames.push(PlayerNode {
                        first_child,
                        first_sequence,
                        moves,
                        done: 0,
                        start,
                        reach,
                    });
                    node = first_child;
                    reach *= self.strategy[0];
                }
            }
        }
    }

    /// Takes a value to the nodes above it, until one has a move that was not made: the node after it, and the player's reach.
    fn ascend(&mut self, sampler: &mut Sampler<'_>, mut value: f64) -> Option<(NodeId, f64)> {
        while let Some(frame) = self.frames.last_mut() {
            self.values[frame.start + frame.done] = value;
            frame.done += 1;
            if frame.done < frame.moves {
                let probability = self.strategies[frame.start + frame.done];
                return Some((frame.first_child.plus(frame.done), frame.reach * probability));
            }
            let values = &self.values[frame.start..];
            let expected: f64 = values.iter().zip(&self.strategies[frame.start..]).map(|(v, p)| v * p).sum();
            let regrets = values.iter().map(|value| value - expected);
            sampler.changes.regrets.extend((frame.first_sequence..).zip(regrets));
            self.values.truncate(frame.start);
            self.strategies.truncate(frame.start);
            self.frames.pop();
            value = expected;
        }
        None
    }
}
