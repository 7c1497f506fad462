//! A public state and what follows from it, as deep as is wanted: the numbers that a search works on.

use std::ops::Range;

use croupier_engine::game::Looker;

use crate::{PublicError, PublicEyes, PublicNode, limits::HistoryBudget};

/// How far a public tree reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeDepth {
    /// Turns in which some player has a choice, at most; what follows without a choice, such as deals of chance, is there as well.
    pub choices: usize,
    /// Histories of the whole tree, at most.
    pub histories: usize,
}

/// The public states that follow from one, breadth first.
///
/// Private states of all public states and all players are numbered in a row; so are their moves.
#[derive(Clone, Debug)]
pub struct PublicTree {
    nodes: Vec<TreeNode>,
    /// By private state.
    pub(crate) sets: Vec<TreeSet>,
    /// Histories in which the match is over.
    pub(crate) ends: Vec<TreeHistory>,
    players: usize,
    moves: usize,
}

/// A public state of a tree.
#[derive(Clone, Debug)]
struct TreeNode {
    node: PublicNode,
    /// The one before; itself for the first.
    parent: usize,
    /// By player, its private states.
    sets: Vec<Range<usize>>,
    /// Histories, where the tree ends before the match does; otherwise none.
    open: Vec<TreeHistory>,
    is_leaf: bool,
}

/// A private state of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeSet {
    /// Its position among the players.
    pub(crate) player: u32,
    /// The move that leads to it, numbered among all moves; none for private states of the root.
    pub(crate) by: Option<u32>,
    /// The private state before.
    pub(crate) parent: u32,
    /// Its first move; the others follow it.
    pub(crate) first: u32,
    /// How many moves it has.
    pub(crate) moves: u32,
}

/// A history where a tree ends.
#[derive(Clone, Debug)]
pub(crate) struct TreeHistory {
    /// By player, its private state.
    pub(crate) sets: Vec<u32>,
    pub(crate) chance: f64,
    /// By player its goal, if the match is over.
    pub(crate) goals: Vec<f64>,
}

impl TreeSet {
    pub(crate) fn choices(&self) -> Range<usize> {
        self.first as usize..(self.first + self.moves) as usize
    }
}

impl PublicTree {
    /// The tree from a public state.
    ///
    /// # Errors
    /// As [`PublicNode::expand`], [`PublicError::TooMany`] also if the whole tree has more histories than allowed.
    pub fn new(
        root: PublicNode,
        depth: TreeDepth,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
    ) -> Result<Self, PublicError> {
        let players = root.players().len();
        let mut tree = Self { nodes: Vec::new(), sets: Vec::new(), ends: Vec::new(), players, moves: 0 };
        tree.add(root, None);
        // By node, how many turns with a choice lie before it.
        let mut before = vec![0];
        let (mut at, mut budget) = (0, HistoryBudget::new(depth.histories));
        while at < tree.nodes.len() {
            let node = &tree.nodes[at].node;
            budget.take(node);
            if node.is_over() || node.has_choice() && before[at] >= depth.choices {
                tree.end(at);
            } else {
                let choices = before[at] + usize::from(node.has_choice());
                let children = budget.expand(node, eyes, looker)?;
                tree.end_over(at);
                for child in children {
                    tree.add(child, Some(at));
                    before.push(choices);
                }
            }
            at += 1;
        }
        Ok(tree)
    }

    fn add(&mut self, node: PublicNode, parent: Option<usize>) {
        let sets = (0..self.players).map(|player| {
            let begin = self.sets.len();
            for state in node.private(player) {
                let before =
                    parent.map(|parent| self.nodes[parent].sets[player].start + state.parent as usize);
                let by = before.map(|before| self.sets[before].first + state.made);
                self.sets.push(TreeSet {
                    player: player as u32,
                    by,
                    parent: before.unwrap_or(self.sets.len()) as u32,
                    first: self.moves as u32,
                    moves: state.legal.len() as u32,
                });
                self.moves += state.legal.len();
            }
            begin..self.sets.len()
        });
        let sets = sets.collect();
        let parent = parent.unwrap_or(self.nodes.len());
        self.nodes.push(TreeNode { node, parent, sets, open: Vec::new(), is_leaf: false });
    }

    /// The histories of a public state, with the numbers that their private states have in the tree.
    pub(crate) fn histories(&self, at: usize) -> impl Iterator<Item = TreeHistory> + '_ {
        let TreeNode { node, sets, .. } = &self.nodes[at];
        node.histories().iter().map(move |history| TreeHistory {
            sets: history.private.iter().zip(sets).map(|(&own, sets)| sets.start as u32 + own).collect(),
            chance: history.chance,
            goals: history.goals.iter().flatten().map(|goal| f64::from(goal.value())).collect(),
        })
    }

    /// Takes in those histories of a public state that are over.
    fn end_over(&mut self, at: usize) {
        let over: Vec<TreeHistory> = self.histories(at).filter(|history| !history.goals.is_empty()).collect();
        self.ends.extend(over);
    }

    /// Ends the tree in a public state.
    fn end(&mut self, at: usize) {
        self.end_over(at);
        let open: Vec<TreeHistory> = self.histories(at).filter(|history| history.goals.is_empty()).collect();
        self.nodes[at].is_leaf = !open.is_empty();
        self.nodes[at].open = open;
    }

    /// How many public states there are.
    #[must_use]
    pub fn nodes_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many histories all public states have together.
    #[must_use]
    pub fn histories_count(&self) -> usize {
        self.nodes.iter().map(|node| node.node.histories().len()).sum()
    }

    /// A public state; the first is the root.
    #[must_use]
    pub fn node(&self, at: usize) -> &PublicNode {
        &self.nodes[at].node
    }

    /// The public state before; the root's is itself.
    #[must_use]
    pub fn parent(&self, at: usize) -> usize {
        self.nodes[at].parent
    }

    /// Whether the tree ends in a public state before the match does.
    #[must_use]
    pub fn is_leaf(&self, at: usize) -> bool {
        self.nodes[at].is_leaf
    }

    /// The public states where the tree ends before the match does.
    pub fn leaves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&at| self.is_leaf(at))
    }

    /// The numbers of a player's private states in a public state.
    #[must_use]
    pub fn sets(&self, at: usize, player: usize) -> Range<usize> {
        self.nodes[at].sets[player].clone()
    }

    /// The open histories of a leaf.
    pub(crate) fn open(&self, at: usize) -> &[TreeHistory] {
        &self.nodes[at].open
    }

    /// How many players there are.
    #[must_use]
    pub fn players_count(&self) -> usize {
        self.players
    }

    /// How many moves all private states have together.
    #[must_use]
    pub fn moves_count(&self) -> usize {
        self.moves
    }
}
