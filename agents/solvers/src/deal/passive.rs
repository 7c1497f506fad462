//! Moves that risk as little as can be, and give nothing up: checks and calls.

use super::move_tree::MoveTree;

/// How a match continues from a turn.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// Whether the deal decides the result.
    is_contested: bool,
    /// Choices on the way.
    choices: usize,
    /// The range of the possible results.
    stake: f32,
    child: usize,
}

/// By node, the child that leads to an end at which the deal decides, with the fewest choices and the smallest stakes; if there is
/// no such end, to the nearest one.
pub(super) fn passive_children(tree: &MoveTree) -> Vec<usize> {
    let mut ways = vec![Way::default(); tree.nodes.len()];
    // Every node comes before those after it.
    for (place, node) in tree.nodes.iter().enumerate().rev() {
        let through = |(child, &below): (usize, &u32)| {
            let way: &Way = &ways[below as usize];
            Way { child, choices: way.choices + node.choosers.len(), ..*way }
        };
        let better = |best: Way, way: Way| if way.is_better(&best) { way } else { best };
        let found = node.children.iter().enumerate().map(through).reduce(better);
        ways[place] =
            found.unwrap_or(Way { is_contested: node.spread > 0.0, stake: node.spread, ..Way::default() });
    }
    ways.into_iter().map(|way| way.child).collect()
}

impl Way {
    fn is_better(&self, other: &Self) -> bool {
        let key = |way: &Self| (!way.is_contested, way.choices);
        key(self).cmp(&key(other)).then(self.stake.total_cmp(&other.stake)).is_lt()
    }
}
