//! Many pairs of hands, followed from turn to turn on lanes.

use std::collections::BTreeSet;

use croupier_engine::batch::Plane;

use super::HandGame;
use crate::deal::{
    DealError,
    machine::{DealTape, Deals, LANES, States, W, id},
    move_tree::MoveTree,
};

/// Where states are followed.
#[derive(Debug)]
pub struct HandTape(pub(super) DealTape);

/// The states of pairs of hands in one turn.
#[derive(Clone, Debug)]
pub struct HandStates {
    pairs: Vec<[u32; 2]>,
    /// By block of lanes.
    blocks: Vec<States>,
}

impl HandGame {
    /// Where states of the game are followed.
    #[must_use]
    pub fn tape(&self) -> HandTape {
        HandTape(DealTape::new(&self.tree.network, self.tree.random))
    }

    /// Some hundreds of pairs of hands that chance can deal with a board, always the same.
    #[must_use]
    pub fn witnesses(&self, board: &[u32]) -> Vec<[u32; 2]> {
        self.possible(board).take(LANES).collect()
    }

    /// All pairs of hands that chance can deal with a board.
    pub fn possible(&self, board: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.boards.possible(&self.pairs, board)
    }

    /// The states of pairs of hands after these children and this board.
    #[must_use]
    pub fn states(
        &self,
        tape: &mut HandTape,
        way: &[u32],
        board: &[u32],
        pairs: Vec<[u32; 2]>,
    ) -> HandStates {
        let block = |some: &[[u32; 2]]| follow(&self.tree, &mut tape.0, way, &self.pairs.deals(some, board));
        let blocks = pairs.chunks(LANES).map(block).collect();
        HandStates { pairs, blocks }
    }

    /// The states after a turn, in which chance makes this move if it deals.
    ///
    /// # Errors
    /// [`DealError::Boards`] if it cannot in some of them.
    pub fn after(
        &self,
        tape: &mut HandTape,
        states: &HandStates,
        place: u32,
        child: usize,
        dealt: Option<u32>,
    ) -> Result<HandStates, DealError> {
        let (node, machine) = (&self.tree.nodes[place as usize], &mut tape.0);
        let mut blocks = Vec::with_capacity(states.blocks.len());
        for block in &states.blocks {
            machine.enter(block);
            self.tree.make_moves(machine, node, child);
            if let (Some(number), Some(random)) = (dealt, self.tree.random) {
                if machine.legal(random, number) != Plane::ALL {
                    return Err(DealError::Boards);
                }
                machine.make_chance(number, Plane::ALL);
            }
            blocks.push(machine.next());
        }
        Ok(HandStates { pairs: states.pairs.clone(), blocks })
    }

    /// The numbers of the fluents that are true in all of these states.
    #[must_use]
    pub fn common(&self, states: &HandStates) -> Vec<u32> {
        let all = |base: &usize| states.blocks.iter().all(|block| block[*base] == Plane::ALL);
        let bases = 0..self.tree.network.fluents().len();
        bases.filter(all).map(id).collect()
    }

    /// The moves of chance that are legal in some of these states, in ascending order, and how many are in each of them.
    #[must_use]
    pub fn dealable(&self, tape: &mut HandTape, states: &HandStates) -> (Vec<u32>, usize) {
        let Some(random) = self.tree.random else { return (Vec::new(), 0) };
        let (mut found, mut each) = (BTreeSet::new(), 0);
        for block in &states.blocks {
            tape.0.enter(block);
            let numbers = tape.0.chance_numbers();
            let legal = |number: &u32| tape.0.legal(random, *number);
            each = numbers.iter().filter(|number| legal(number).get(0)).count();
            found.extend(numbers.into_iter().filter(|number| legal(number).any()));
        }
        (found.into_iter().collect(), each)
    }

    /// For each pair of hands, its goals at the end of the match.
    #[must_use]
    pub fn goals(&self, tape: &mut HandTape, states: &HandStates) -> Vec<([u32; 2], [f32; 2])> {
        let mut found = Vec::with_capacity(states.pairs.len());
        let (mut first, mut second) = (vec![0.0; LANES], vec![0.0; LANES]);
        for (some, block) in states.pairs.chunks(LANES).zip(&states.blocks) {
            tape.0.enter(block);
            tape.0.count();
            tape.0.goals(self.tree.players[0], &mut first);
            tape.0.goals(self.tree.players[1], &mut second);
            let goals = first.iter().zip(&second).map(|(&first, &second)| [first, second]);
            found.extend(some.iter().copied().zip(goals));
        }
        found
    }
}

impl HandStates {
    /// The numbers of the fluents that are true in some of these states and not in others.
    pub(super) fn differing(&self) -> impl Iterator<Item = u32> + '_ {
        let bases = self.blocks.first().map_or(0, Vec::len);
        let is_same = |base: usize| {
            let same = |plane: Plane<W>| self.blocks.iter().all(|block| block[base] == plane);
            same(Plane::ALL) || same(Plane::NONE)
        };
        (0..bases).filter(move |&base| !is_same(base)).map(id)
    }
}

/// The states after these children, from the beginning.
pub(super) fn follow(tree: &MoveTree, machine: &mut DealTape, way: &[u32], deals: &Deals) -> States {
    let (mut states, mut place) = (machine.initial(), 0);
    for &child in way {
        let node = &tree.nodes[place];
        machine.enter(&states);
        states = tree.after(machine, deals, node, child as usize);
        place = node.children[child as usize] as usize;
    }
    states
}
