//! A search tree: what one observer can distinguish, and the statistics of moves there.

use std::collections::BTreeMap;

use croupier_engine::{InformationSet, JointMove, MoveId, Percepts, RoleId};
use rustc_hash::FxHashMap;

use crate::bandit::Bandit;

/// A node by its place in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u32);

/// What leads from one node to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Edge {
    /// The search began in the state with this number.
    Began(usize),
    /// The search began, and the observer knew this.
    Knowing(InformationSet),
    /// All roles played this.
    Played(JointMove),
    /// The observer played this and was told that.
    Told(MoveId, Percepts),
}

/// Nodes and edges, from a root.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<TreeNode>,
    children: FxHashMap<(NodeId, Edge), NodeId>,
}

#[derive(Debug, Default)]
struct TreeNode {
    visits: u32,
    bandits: BTreeMap<RoleId, Bandit>,
}

impl Tree {
    /// The root.
    pub(crate) const ROOT: NodeId = NodeId(0);

    /// Nodes of one tree, at most. A tree that is full is searched on, but not below its leaves.
    const NODES_MAX: usize = 1 << 20;

    /// A root.
    pub(crate) fn new() -> Self {
        Self { nodes: vec![TreeNode::default()], children: FxHashMap::default() }
    }

    /// Where an edge leads, perhaps to a new node; `None` if that would be one too many.
    pub(crate) fn child(&mut self, from: NodeId, edge: Edge) -> Option<NodeId> {
        let key = (from, edge);
        if let Some(&child) = self.children.get(&key) {
            return Some(child);
        }
        let count = u32::try_from(self.nodes.len()).expect("nodes are bounded");
        if self.nodes.len() >= Self::NODES_MAX {
            return None;
        }
        self.nodes.push(TreeNode::default());
        self.children.insert(key, NodeId(count));
        Some(NodeId(count))
    }

    /// Counts a visit.
    pub(crate) fn visit(&mut self, node: NodeId) {
        self.nodes[node.0 as usize].visits += 1;
    }

    /// Whether a node is unvisited.
    pub(crate) fn is_new(&self, node: NodeId) -> bool {
        self.nodes[node.0 as usize].visits == 0
    }

    /// How the moves of a role have done at a node.
    pub(crate) fn bandit(&mut self, node: NodeId, role: RoleId) -> &mut Bandit {
        self.nodes[node.0 as usize].bandits.entry(role).or_default()
    }

    /// The same, if any were tried.
    pub(crate) fn found(&self, node: NodeId, role: RoleId) -> Option<&Bandit> {
        self.nodes[node.0 as usize].bandits.get(&role)
    }
}
