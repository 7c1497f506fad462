//! What becomes public in the tree of moves, and what is at stake in it.

use croupier_engine::{Percepts, batch::Plane};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::PublicPart;
use crate::deal::{
    DealError,
    abstraction::deal,
    machine::{DealTape, Deals, LANES, States, id},
    move_tree::MoveTree,
    passive::passive_children,
};

/// What is known of each turn of the tree of moves.
#[derive(Debug)]
pub(super) struct MovePlaces {
    /// The children until the first turn in which a player has a choice.
    pub(super) way: Vec<u32>,
    /// That turn.
    pub(super) first: u32,
    /// What became public until then.
    pub(super) first_told: Vec<Percepts>,
    /// By turn without chance and child, what becomes public.
    pub(super) told: Vec<Vec<Percepts>>,
    /// By turn, the least and the greatest goal where nobody does more than it takes until the deal decides.
    pub(super) at_stake: Vec<(f32, f32)>,
    /// What the goals of all players always add up to.
    pub(super) sum: Option<f32>,
}

impl MovePlaces {
    pub(super) fn new(
        tree: &MoveTree,
        machine: &mut DealTape,
        public: &mut PublicPart<'_>,
    ) -> Result<Self, DealError> {
        let (mut way, mut place) = (Vec::new(), 0);
        while tree.nodes[place].choosers.is_empty() {
            way.push(0);
            place = *tree.nodes[place].children.first().ok_or(DealError::Ends)? as usize;
        }
        let deals = deal(tree, machine, &mut ChaCha8Rng::from_seed([0; 32]));
        let count = tree.nodes.len();
        let places = Self {
            first_told: Vec::new(),
            told: vec![Vec::new(); count],
            at_stake: vec![(0.0, 0.0); count],
            first: id(place),
            sum: None,
            way,
        };
        let initial = machine.initial();
        let mut search = PlaceSearch { tree, machine, deals, public, places, sums: None };
        search.look(0, &initial)?;
        let PlaceSearch { mut places, sums, .. } = search;
        places.sum = sums.and_then(|(least, greatest)| (least == greatest).then_some(least));
        places.first_told = first_told(tree, &places)?;
        let passive = passive_children(tree);
        for place in (0..count).rev() {
            if let Some(&below) = tree.nodes[place].children.get(passive[place]) {
                places.at_stake[place] = places.at_stake[below as usize];
            }
        }
        Ok(places)
    }
}

/// What becomes public until the first choice, which is always the same.
fn first_told(tree: &MoveTree, places: &MovePlaces) -> Result<Vec<Percepts>, DealError> {
    let (mut place, mut told) = (0, Vec::new());
    for &child in &places.way {
        told.push(places.told[place].get(child as usize).cloned().ok_or(DealError::Ends)?);
        place = tree.nodes[place].children[child as usize] as usize;
    }
    Ok(told)
}

struct PlaceSearch<'s, 'p> {
    tree: &'s MoveTree,
    machine: &'s mut DealTape,
    deals: Deals,
    public: &'s mut PublicPart<'p>,
    places: MovePlaces,
    /// The least and the greatest sum of goals.
    sums: Option<(f32, f32)>,
}

impl PlaceSearch<'_, '_> {
    fn look(&mut self, place: usize, states: &States) -> Result<(), DealError> {
        let node = &self.tree.nodes[place];
        if node.children.is_empty() {
            self.end(place, states);
            return Ok(());
        }
        for (child, &below) in node.children.iter().enumerate() {
            self.machine.enter(states);
            let next = self.tree.after(self.machine, &self.deals, node, child);
            // Nobody listens after the end; and of later turns of chance boards know.
            let is_board = node.chance.is_some() && self.places.way.len() <= place;
            if is_board && !node.choosers.is_empty() {
                return Err(DealError::HiddenMoves);
            }
            if is_board || self.tree.nodes[below as usize].children.is_empty() {
                self.places.told[place].push(Percepts::default());
            } else {
                let told = self.told()?;
                if self.places.told[place].contains(&told) {
                    return Err(DealError::HiddenMoves);
                }
                self.places.told[place].push(told);
            }
            self.look(below as usize, &next)?;
        }
        Ok(())
    }

    /// What became public in a turn that was played, the same in all deals.
    fn told(&mut self) -> Result<Percepts, DealError> {
        self.machine.listen();
        let mut found: Option<Percepts> = None;
        for &role in &self.tree.players {
            let mut lanes = Plane::ALL;
            while let Some(lane) = lanes.lanes().next() {
                let told = self.machine.told(role, lane);
                lanes &= !self.machine.told_exactly(role, &told);
                let told = (self.public)(&self.tree.network.percepts_of(role, &told));
                if found.get_or_insert_with(|| told.clone()) != &told {
                    return Err(DealError::Percepts { role });
                }
            }
        }
        Ok(found.unwrap_or_default())
    }

    fn end(&mut self, place: usize, states: &States) {
        self.machine.enter(states);
        self.machine.count();
        let (mut values, mut sums) = (vec![0.0; LANES], vec![0.0_f32; LANES]);
        let (mut least, mut greatest) = (f32::INFINITY, f32::NEG_INFINITY);
        for &role in &self.tree.players {
            self.machine.goals(role, &mut values);
            for (sum, &value) in sums.iter_mut().zip(&values) {
                *sum += value;
                (least, greatest) = (least.min(value), greatest.max(value));
            }
        }
        self.places.at_stake[place] = (least, greatest);
        for sum in sums {
            let (least, greatest) = self.sums.unwrap_or((sum, sum));
            self.sums = Some((least.min(sum), greatest.max(sum)));
        }
    }
}
