//! What every end of the tree of moves is worth with the deals of some lanes.

use rustc_hash::FxHashMap;

use super::{
    clock::Clock,
    machine::{DealTape, Deals, LANES, States},
    move_tree::MoveTree,
};

/// One number for each lane.
pub(super) type LaneValues = Vec<f32>;

/// The goal values at every end of the tree, in each lane.
///
/// In hold'em thousands of ends share a few dozen stakes, and with the same stake the same lanes win. So equal vectors are stored
/// once: an end has the number of its vector. With the ends at hand, a deal is walked for every seat
/// without the network.
#[derive(Debug)]
pub(super) struct Ends {
    players: usize,
    /// By node and player, the number of a vector; nothing but 0 at nodes that are no end.
    numbers: Vec<u32>,
    /// By number, a goal value for each lane.
    values: Vec<LaneValues>,
}

impl Ends {
    /// Follows every path of the tree once; `None` as soon as time is up.
    pub(super) fn new(
        tree: &MoveTree,
        machine: &mut DealTape,
        deals: &Deals,
        clock: &Clock<'_>,
    ) -> Option<Self> {
        let players = tree.players.len();
        let ends = Self { players, numbers: vec![0; tree.nodes.len() * players], values: Vec::new() };
        let initial = machine.initial();
        let mut search = EndSearch { tree, machine, deals, clock, ends, known: FxHashMap::default() };
        search.follow(0, &initial)?;
        Some(search.ends)
    }

    /// The memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.len() * size_of::<u32>() + self.values.len() * LANES * size_of::<f32>()
    }

    /// The goal values of a player at an end, by lane.
    pub(super) fn values(&self, place: usize, player: usize) -> &LaneValues {
        &self.values[self.numbers[place * self.players + player] as usize]
    }
}

struct EndSearch<'s, 'c> {
    tree: &'s MoveTree,
    machine: &'s mut DealTape,
    deals: &'s Deals,
    clock: &'s Clock<'c>,
    ends: Ends,
    /// By the bits of a vector, its number.
    known: FxHashMap<Vec<u32>, u32>,
}

impl EndSearch<'_, '_> {
    fn follow(&mut self, place: usize, states: &States) -> Option<()> {
        if self.clock.is_over() {
            return None;
        }
        let node = &self.tree.nodes[place];
        self.machine.enter(states);
        if node.children.is_empty() {
            self.machine.count();
            for (player, &role) in self.tree.players.iter().enumerate() {
                let mut values = vec![0.0; LANES];
                self.machine.goals(role, &mut values);
                self.ends.numbers[place * self.ends.players + player] = self.number(values);
            }
            return Some(());
        }
        let after = |child: usize| self.tree.after(self.machine, self.deals, node, child);
        let next: Vec<States> = (0..node.children.len()).map(after).collect();
        next.iter().zip(&node.children).try_for_each(|(states, &child)| self.follow(child as usize, states))
    }

    /// The number of a vector, which it gets the first time that it occurs.
    fn number(&mut self, values: LaneValues) -> u32 {
        let Self { ends, known, .. } = self;
        let bits = values.iter().map(|value| value.to_bits()).collect();
        *known.entry(bits).or_insert_with(|| {
            ends.values.push(values);
            u32::try_from(ends.values.len() - 1).expect("ends are fewer than 2^32")
        })
    }
}
