//! Moves that risk as little as can be, and give nothing up: checks and calls.

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::{
    abstraction::deal,
    machine::{DealTape, Deals, LANES, States},
    move_tree::MoveTree,
};

/// How a match continues from a turn.
#[derive(Clone, Copy, Debug)]
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
    let mut machine = DealTape::new(&tree.network, tree.random);
    let deals = deal(tree, &mut machine, &mut ChaCha8Rng::from_seed([0; 32]));
    let initial = machine.initial();
    let mut search = PassiveSearch { tree, machine, deals, children: vec![0; tree.nodes.len()] };
    search.look(0, &initial);
    search.children
}

struct PassiveSearch<'t> {
    tree: &'t MoveTree,
    machine: DealTape,
    deals: Deals,
    children: Vec<usize>,
}

impl PassiveSearch<'_> {
    fn look(&mut self, place: usize, states: &States) -> Way {
        let node = &self.tree.nodes[place];
        if node.children.is_empty() {
            return self.end(states);
        }
        let mut best: Option<Way> = None;
        for (child, &below) in node.children.iter().enumerate() {
            self.machine.enter(states);
            let next = self.tree.after(&mut self.machine, &self.deals, node, child);
            let way = Way { child, ..self.look(below as usize, &next) };
            if best.is_none_or(|best| way.is_better(&best)) {
                best = Some(way);
            }
        }
        let mut way = best.expect("a turn has a way on");
        self.children[place] = way.child;
        way.choices += node.choosers.len();
        way
    }

    fn end(&mut self, states: &States) -> Way {
        self.machine.enter(states);
        self.machine.count();
        let mut values = vec![0.0; LANES];
        let mut stake = 0.0_f32;
        for &role in &self.tree.players {
            self.machine.goals(role, &mut values);
            let greatest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let least = values.iter().copied().fold(f32::INFINITY, f32::min);
            stake = stake.max(greatest - least);
        }
        Way { is_contested: stake > 0.0, choices: 0, stake, child: 0 }
    }
}

impl Way {
    fn is_better(&self, other: &Self) -> bool {
        let key = |way: &Self| (!way.is_contested, way.choices);
        key(self).cmp(&key(other)).then(self.stake.total_cmp(&other.stake)).is_lt()
    }
}
