//! Leaves of searches, valued by a network: those of many searches in one call.

use std::{ops::Range, sync::Arc};

use crate::{LeafRanges, PublicError, PublicEyes, PublicSearch, PublicSpace, PublicTree, ValueUnit};

/// A function from rows to rows of values: a network.
pub trait ValueNetwork {
    /// The values of so many rows, one after the other: [`PublicSpace::inputs`] numbers each, to [`PublicSpace::outputs`].
    ///
    /// # Errors
    /// [`PublicError::PolicyFailed`].
    fn values(&mut self, rows: usize, inputs: &[f32]) -> Result<Vec<f32>, PublicError>;

    /// Whether its values are what private states are worth beyond what they get of what is at stake if nobody bets more, where
    /// [`PublicSpace::has_shares`] is true.
    fn is_beyond_shares(&self) -> bool {
        true
    }
}

/// Everything is worth as much: what a search knows that has no network.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroValues {
    /// Values of a row.
    pub outputs: usize,
}

impl ValueNetwork for ZeroValues {
    fn values(&mut self, rows: usize, _inputs: &[f32]) -> Result<Vec<f32>, PublicError> {
        Ok(vec![0.0; rows * self.outputs])
    }

    fn is_beyond_shares(&self) -> bool {
        false
    }
}

/// The rows of a tree's leaves.
#[derive(Debug)]
pub(crate) struct LeafRows {
    /// The nodes of the tree that are leaves.
    nodes: Vec<usize>,
    /// By leaf and player, the places of private states among the values.
    places: Vec<Vec<Vec<usize>>>,
    /// What is public in each leaf; the rest of each row is for ranges.
    public: Vec<f32>,
    /// What values stand for in each leaf.
    units: Vec<ValueUnit>,
}

impl LeafRows {
    /// Fails with [`PublicError::Unknown`] if the tree is not of the game of the space.
    pub(crate) fn new(
        space: &PublicSpace,
        tree: &PublicTree,
        eyes: &mut PublicEyes,
    ) -> Result<Self, PublicError> {
        let mut rows = Self { nodes: vec![], places: vec![], public: vec![], units: vec![] };
        for leaf in tree.leaves() {
            rows.add(leaf, space, tree, eyes)?;
        }
        Ok(rows)
    }

    /// The rows of a tree that has grown from the one that these are of.
    pub(crate) fn grown(
        &self,
        space: &PublicSpace,
        tree: &PublicTree,
        eyes: &mut PublicEyes,
    ) -> Result<Self, PublicError> {
        let inputs = space.inputs();
        let mut rows = Self { nodes: vec![], places: vec![], public: vec![], units: vec![] };
        for leaf in tree.leaves() {
            let Ok(place) = self.nodes.binary_search(&leaf) else {
                rows.add(leaf, space, tree, eyes)?;
                continue;
            };
            rows.nodes.push(leaf);
            rows.public.extend(&self.public[place * inputs..(place + 1) * inputs]);
            rows.places.push(self.places[place].clone());
            rows.units.push(self.units[place]);
        }
        Ok(rows)
    }

    fn add(
        &mut self,
        leaf: usize,
        space: &PublicSpace,
        tree: &PublicTree,
        eyes: &mut PublicEyes,
    ) -> Result<(), PublicError> {
        let mut row = vec![0.0; space.inputs()];
        space.write_public(tree.state(leaf), &mut row);
        self.nodes.push(leaf);
        self.public.extend(row);
        self.places.push(space.places(tree.state(leaf), eyes)?);
        self.units.push(space.unit(tree.state(leaf)));
        Ok(())
    }

    /// The leaves whose values count, each with where its private states are among those of all: where nobody's opponents come, values are
    /// multiplied by zero, and no network is asked. That is so in many leaves once strategies have left moves out.
    pub(crate) fn counting<'r>(
        &'r self,
        asked: LeafRanges<'r>,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'r {
        let ends = self.places.iter().scan(0, |first, places| {
            let here = *first..*first + places.iter().map(Vec::len).sum::<usize>();
            *first = here.end;
            Some(here)
        });
        ends.enumerate()
            .filter(move |(_, here)| asked.counterfactual[here.clone()].iter().any(|&others| others > 0.0))
    }

    /// Gives how many rows were written.
    pub(crate) fn write(&self, space: &PublicSpace, asked: LeafRanges<'_>, rows: &mut Vec<f32>) -> usize {
        let (begin, inputs) = (rows.len(), space.inputs());
        for (leaf, here) in self.counting(asked) {
            let begin = rows.len();
            rows.extend(&self.public[leaf * inputs..(leaf + 1) * inputs]);
            space.write_ranges(&self.places[leaf], &asked.ranges[here], &mut rows[begin..]);
        }
        (rows.len() - begin) / inputs
    }

    /// The values of all private states as goals. Where the goals of all players always add up to the same, a leaf's do as well: what a
    /// network is wrong by together is taken from all alike (as the outer network of M. Moravčík et al.: DeepStack, Science 356, 2017).
    pub(crate) fn read(
        &self,
        space: &PublicSpace,
        asked: LeafRanges<'_>,
        found: &LeafAnswer<'_>,
        worth: &mut [f64],
    ) {
        for ((leaf, here), row) in self.counting(asked).zip(found.values.chunks_exact(space.outputs())) {
            let places = &self.places[leaf];
            let worth = &mut worth[here.clone()];
            let others = &asked.counterfactual[here.clone()];
            let shares = match found.is_beyond_shares {
                true => asked.tree.state(self.nodes[leaf]).shares(&asked.ranges[here.clone()], others),
                false => vec![0.0; others.len()],
            };
            for ((&place, share), worth) in places.iter().flatten().zip(shares).zip(&mut *worth) {
                *worth = self.units[leaf].goal(f64::from(row[place]) + share);
            }
            if let Some(sum) = space.sum_of_goals() {
                let weights = asked.ranges[here.clone()].iter().zip(&asked.counterfactual[here]);
                let (mut all, mut expected) = (0.0, 0.0);
                for ((range, others), worth) in weights.zip(&*worth) {
                    all += range * others;
                    expected += range * others * worth;
                }
                let players = places.len() as f64;
                // Every history counts once for each player.
                let excess = if all > 0.0 { expected / all - sum / players } else { 0.0 };
                worth.iter_mut().for_each(|worth| *worth -= excess);
            }
        }
    }
}

/// What a network says of leaves.
pub(crate) struct LeafAnswer<'a> {
    pub(crate) values: &'a [f32],
    pub(crate) is_beyond_shares: bool,
}

/// A search whose leaves are valued by a network.
#[derive(Debug)]
pub(crate) struct ValuedSearch {
    pub(crate) search: PublicSearch,
    pub(crate) rows: Arc<LeafRows>,
    /// Iterations that are enough, however many are wanted: one where nobody has a choice.
    pub(crate) most: u32,
    /// How often its tree has grown.
    pub(crate) grown: u32,
}
