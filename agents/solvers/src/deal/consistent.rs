//! Deals that a player cannot tell from its own.

use croupier_engine::draw::draw_index;
use rand_chacha::ChaCha8Rng;

use super::{
    abstraction::deal_by,
    machine::{DealTape, Deals, LANES},
    move_tree::MoveTree,
};

/// The number of lanes with a deal. A hundred represent the opponents' possible hands nearly as well as all lanes, and evaluating hands takes most of the time.
pub(super) const DEALS: usize = 128;

/// A deal in each of the first lanes, in which a player is told what it was told; chance decides the rest again.
#[derive(Debug)]
pub(super) struct Consistent {
    pub(super) deals: Deals,
    /// How likely the deal of each lane is, for how likely it was drawn; 0 where none was found.
    pub(super) weights: Vec<f32>,
}

impl Consistent {
    /// Deals that tell a player this in the first chance turns; the first lane has the moves of `truth`, if given.
    pub(super) fn new(
        tree: &MoveTree,
        machine: &mut DealTape,
        player: usize,
        hand: &[u32],
        truth: Option<&[u32]>,
        rng: &mut ChaCha8Rng,
    ) -> Self {
        let all = machine.chance_numbers();
        let mut weights: Vec<f32> = (0..LANES).map(|lane| if lane < DEALS { 1.0 } else { 0.0 }).collect();
        let deals = deal_by(tree, machine, |machine, turn| {
            let possible = match hand.get(turn) {
                Some(&told) => &tree.hints[turn][player].moves[told as usize],
                None => &all,
            };
            let mut numbers = draw(machine, &all, possible, &mut weights, rng);
            if let Some(truth) = truth {
                numbers[0] = truth[turn];
            }
            numbers
        });
        Self { deals, weights }
    }
}

/// A move of chance for each lane among those that are possible, each legal one equally likely. Weights are multiplied by how
/// likely chance makes one of these.
fn draw(
    machine: &DealTape,
    all: &[u32],
    possible: &[u32],
    weights: &mut [f32],
    rng: &mut ChaCha8Rng,
) -> Vec<u32> {
    let legal = machine.legal_by_lane(possible);
    let total = if possible.len() == all.len() { None } else { Some(machine.legal_by_lane(all)) };
    let mut numbers = Vec::with_capacity(LANES);
    for (lane, legal) in legal.iter().enumerate() {
        if legal.is_empty() {
            weights[lane] = 0.0;
            numbers.push(possible[0]);
            continue;
        }
        let count = total.as_ref().map_or(legal.len(), |total| total[lane].len());
        weights[lane] *= legal.len() as f32 / count as f32;
        numbers.push(legal[draw_index(legal.len(), rng)]);
    }
    numbers
}
