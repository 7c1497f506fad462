//! Deals that a player cannot tell from its own.

use croupier_engine::draw::draw_index;
use rand_chacha::ChaCha8Rng;

use super::{
    machine::{Deals, LANES, Machine, id},
    move_tree::MoveTree,
};

/// Lanes that have a deal. A hundred show what others may hold nearly as well as all lanes, and their hands cost the time.
pub(super) const DEALS: usize = 128;

/// A deal in each of the first lanes, in which a player is told what it was told; chance decides the rest again.
#[derive(Debug)]
pub(super) struct Consistent {
    pub(super) deals: Deals,
    /// How likely the deal of each lane is, for how likely it was drawn; 0 where none was found.
    pub(super) weights: Vec<f32>,
}

impl Consistent {
    /// Deals that tell a player this in the first chance turns; the first lane has the moves of `truth`, if they are given.
    pub(super) fn new(
        tree: &MoveTree,
        machine: &mut Machine,
        player: usize,
        hand: &[u32],
        truth: Option<&[u32]>,
        rng: &mut ChaCha8Rng,
    ) -> Self {
        let random = tree.random.filter(|_| tree.chances_count() > 0);
        let all: Vec<u32> =
            random.map_or(0..0, |role| 0..id(tree.network.tape().moves_count(role))).collect();
        let mut found = Self { deals: Deals::default(), weights: Vec::new() };
        found.weights = (0..LANES).map(|lane| if lane < DEALS { 1.0 } else { 0.0 }).collect();
        let (mut states, mut place) = (machine.initial(), 0);
        for &child in &tree.quiet {
            let node = &tree.nodes[place];
            machine.enter(&states);
            if let Some(turn) = node.chance {
                let turn = turn as usize;
                let possible = match hand.get(turn) {
                    Some(&told) => &tree.hints[turn][player].moves[told as usize],
                    None => &all,
                };
                found.draw(machine, &all, possible, truth.map(|truth| truth[turn]), rng);
            }
            states = tree.after(machine, &found.deals, node, child);
            place = node.children[child] as usize;
        }
        found
    }

    /// A legal move of chance for each lane among those that are possible, each equally likely.
    fn draw(
        &mut self,
        machine: &Machine,
        all: &[u32],
        possible: &[u32],
        truth: Option<u32>,
        rng: &mut ChaCha8Rng,
    ) {
        let legal = by_lane(machine, possible);
        let total = if possible.len() == all.len() { None } else { Some(by_lane(machine, all)) };
        let mut numbers = Vec::with_capacity(LANES);
        for lane in 0..LANES {
            let count = total.as_ref().map_or(legal[lane].len(), |total| total[lane].len());
            if legal[lane].is_empty() {
                self.weights[lane] = 0.0;
                numbers.push(possible[0]);
                continue;
            }
            self.weights[lane] *= legal[lane].len() as f32 / count as f32;
            let drawn = legal[lane][draw_index(legal[lane].len(), rng)];
            numbers.push(truth.filter(|_| lane == 0).unwrap_or(drawn));
        }
        self.deals.push(numbers);
    }
}

/// By lane, the moves of chance that are legal there.
fn by_lane(machine: &Machine, moves: &[u32]) -> Vec<Vec<u32>> {
    let mut legal = vec![Vec::new(); LANES];
    for &number in moves {
        machine.chance_legal(number).lanes().for_each(|lane| legal[lane].push(number));
    }
    legal
}
