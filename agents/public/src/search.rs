//! Counterfactual regret minimisation on a public tree, with the values of somebody else at its leaves.

use std::{ops::Range, sync::Arc};

use crate::{
    PublicError, PublicTree,
    discount::Discount,
    gadget::{Alternative, Gadget},
};

/// What the private states of a leaf are worth, given everybody's ranges there.
pub trait LeafValues {
    /// For each leaf of the tree, in order, and each player, in order, the expected goal in each private state: written to `values`,
    /// which are numbered as [`LeafRanges::ranges`] are.
    ///
    /// # Errors
    /// [`PublicError::PolicyFailed`].
    fn values(&mut self, ranges: &LeafRanges<'_>, values: &mut [f64]) -> Result<(), PublicError>;
}

/// The ranges at all leaves of a tree.
#[derive(Clone, Copy, Debug)]
pub struct LeafRanges<'r> {
    /// The tree.
    pub tree: &'r PublicTree,
    /// By leaf, player and private state, the probability of the player's own moves.
    pub ranges: &'r [f64],
    /// In the same order, the probability of chance and of the others' moves.
    pub counterfactual: &'r [f64],
}

/// Discounted CFR on a public tree from given ranges; at the leaves the values of a [`LeafValues`] for the ranges of the current strategies,
/// anew in every iteration (CFR-D). Players learn all at once where leaves
/// are asked for, and otherwise in turn, each from the new strategies of the others, which takes fewer iterations.
///
/// # Sources
/// N. Brown et al. (2020), sections 4 and 5, algorithm 1. Discounts: N. Brown, T. Sandholm: Solving Imperfect-Information Games via
/// Discounted Regret Minimization, AAAI 2019.
///
/// # Complexity
/// An iteration is linear in private states, their moves, and histories at the ends of the tree; and one call for all leaves.
#[derive(Debug)]
pub struct PublicSearch {
    tree: Arc<PublicTree>,
    /// By private state of the root, in order of players.
    ranges: Vec<f64>,
    leaves: Vec<usize>,
    /// By leaf and private state, under the strategies of the next iteration.
    leaf_ranges: Vec<f64>,
    leaf_counterfactual: Vec<f64>,
    /// What a player may take at the root instead of going on.
    gadget: Option<Gadget>,
    /// By private state.
    reach: Vec<f64>,
    values: Vec<f64>,
    /// By private state, the sum of its counterfactual values.
    value_sums: Vec<f64>,
    /// By move.
    strategy: Vec<f64>,
    move_values: Vec<f64>,
    regrets: Vec<f64>,
    sums: Vec<f64>,
    weights: f64,
    /// By public state, the weights of the iterations before it was in the tree.
    since: Vec<f64>,
    iterations: u32,
}

impl PublicSearch {
    /// A search from these ranges: by player and private state of the root. No iteration is made yet.
    ///
    /// # Panics
    /// If there are not as many ranges as players, or numbers in one as private states.
    #[must_use]
    pub fn new(tree: Arc<PublicTree>, ranges: &[Vec<f64>]) -> Self {
        let flat: Vec<f64> = ranges.concat();
        assert_eq!(flat.len(), all_sets(&tree, 0).end, "a number for each private state");
        let (sets, moves) = (tree.sets.len(), tree.moves_count());
        let leaves: Vec<usize> = tree.leaves().collect();
        let in_leaves = leaves.iter().map(|&leaf| all_sets(&tree, leaf).len()).sum();
        let mut search = Self {
            leaves,
            leaf_ranges: vec![0.0; in_leaves],
            leaf_counterfactual: vec![0.0; in_leaves],
            gadget: None,
            reach: vec![0.0; sets],
            values: vec![0.0; sets],
            value_sums: vec![0.0; sets],
            strategy: vec![0.0; moves],
            move_values: vec![0.0; moves],
            regrets: vec![0.0; moves],
            sums: vec![0.0; moves],
            ranges: flat,
            weights: 0.0,
            since: vec![0.0; tree.nodes_count()],
            iterations: 0,
            tree,
        };
        search.follow();
        search
    }

    /// A search that keeps what was found before: with an alternative, a player may take that at the root, and the others find strategies
    /// that are worth no more to it.
    ///
    /// # Panics
    /// As [`new`](Self::new), and if there are not as many values as private states.
    #[must_use]
    pub fn resolving(tree: Arc<PublicTree>, ranges: &[Vec<f64>], alternative: Option<&Alternative>) -> Self {
        let mut search = Self::new(tree, ranges);
        if let Some(Alternative { player, values }) = alternative {
            let own = search.tree.sets(0, *player);
            assert_eq!(own.len(), values.len(), "a value for each private state");
            search.gadget = Some(Gadget::new(*player, own, values.clone()));
            search.follow();
        }
        search
    }

    /// Makes this many more iterations.
    ///
    /// # Errors
    /// Those of the leaves.
    pub fn advance(&mut self, iterations: u32, leaves: &mut dyn LeafValues) -> Result<(), PublicError> {
        let mut worth = vec![0.0; self.leaf_ranges.len()];
        for _ in 0..iterations {
            if !self.leaves.is_empty() {
                leaves.values(&self.asks(), &mut worth)?;
            }
            self.iterate(&worth);
        }
        Ok(())
    }

    /// What the next iteration asks its leaves: many searches can ask together.
    #[must_use]
    pub fn asks(&self) -> LeafRanges<'_> {
        LeafRanges { tree: &self.tree, ranges: &self.leaf_ranges, counterfactual: &self.leaf_counterfactual }
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Arc<PublicTree> {
        &self.tree
    }

    /// Where the tree should grow: of the places where it can, the one that matches come to most, if all players follow their average
    /// strategies half the time, and otherwise choose any move. None if there is no such place.
    ///
    /// # Sources
    /// M. Schmid et al. (2023), where half of the choices on the way to what is expanded are those of the search, and half explore; here the
    /// probability of that is computed, where they draw.
    pub(crate) fn place_to_grow(&self) -> Option<usize> {
        let Self { tree, sums, ranges, .. } = self;
        let mut reach = vec![0.0; tree.sets.len()];
        reach[..ranges.len()].copy_from_slice(ranges);
        for (place, set) in tree.sets.iter().enumerate() {
            if let Some(by) = set.by {
                let choices = tree.sets[set.parent as usize].choices();
                let uniform = 1.0 / choices.len() as f64;
                let total: f64 = sums[choices].iter().sum();
                let average = if total > 0.0 { sums[by as usize] / total } else { uniform };
                reach[place] = reach[set.parent as usize] * f64::midpoint(average, uniform);
            }
        }
        let can_grow = self.leaves.iter().filter(|&&leaf| tree.can_grow(leaf));
        let likely = can_grow.map(|&leaf| (leaf, tree.together(leaf, true).probability(&reach)));
        let (leaf, probability) = likely.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        (probability > 0.0).then_some(leaf)
    }

    /// The tree, to grow; then [`go_on`](Self::go_on).
    pub(crate) fn tree_mut(&mut self) -> &mut PublicTree {
        Arc::make_mut(&mut self.tree)
    }

    /// Goes on in a tree that has grown. What is new begins with even strategies.
    pub(crate) fn go_on(&mut self) {
        let tree = &*self.tree;
        for numbers in [&mut self.reach, &mut self.values, &mut self.value_sums] {
            numbers.resize(tree.sets.len(), 0.0);
        }
        for numbers in [&mut self.strategy, &mut self.move_values, &mut self.regrets, &mut self.sums] {
            numbers.resize(tree.moves_count(), 0.0);
        }
        self.since.resize(tree.nodes_count(), self.weights);
        self.leaves = tree.leaves().collect();
        let in_leaves = self.leaves.iter().map(|&leaf| all_sets(tree, leaf).len()).sum();
        self.leaf_ranges.resize(in_leaves, 0.0);
        self.leaf_counterfactual.resize(in_leaves, 0.0);
        self.follow();
    }

    /// How many iterations were made.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Makes one iteration with the answer of the leaves: `worth` is numbered as what [`asks`](Self::asks) gives.
    pub fn iterate(&mut self, worth: &[f64]) {
        self.iterations += 1;
        let players = self.tree.players_count();
        if self.leaves.is_empty() {
            (0..players).for_each(|player| self.learn(player..player + 1, worth));
        } else {
            self.learn(0..players, worth);
        }
    }

    /// Makes these players learn from the strategies of all, and all follow what was learned.
    fn learn(&mut self, learning: Range<usize>, worth: &[f64]) {
        let discount = Discount::after(self.iterations);
        self.values.fill(0.0);
        self.end_matches();
        self.value_leaves(worth);
        self.back_up(&learning);
        for (sum, value) in self.value_sums.iter_mut().zip(&self.values) {
            *sum += discount.weight * value;
        }
        self.weights += discount.weight;
        if let Some(gadget) = self.gadget.as_mut().filter(|gadget| learning.contains(&gadget.player())) {
            gadget.choose(&self.values, &discount);
        }
        for (set, &reach) in self.tree.sets.iter().zip(&self.reach) {
            for choice in set.choices() {
                self.sums[choice] += discount.weight * reach * self.strategy[choice];
                if learning.contains(&(set.player as usize)) {
                    discount.apply(&mut self.regrets[choice]);
                }
            }
        }
        self.follow();
    }

    /// Strategies in proportion to positive regrets, the reach of every private state, and what is asked of the leaves.
    fn follow(&mut self) {
        let Self { tree, ranges, reach, strategy, regrets, gadget, .. } = self;
        reach[..ranges.len()].copy_from_slice(ranges);
        if let Some(gadget) = gadget {
            gadget.reach(reach);
        }
        for (place, set) in tree.sets.iter().enumerate() {
            if let Some(by) = set.by {
                reach[place] = reach[set.parent as usize] * strategy[by as usize];
            }
            let choices = set.choices();
            let positive: f64 = regrets[choices.clone()].iter().map(|regret| regret.max(0.0)).sum();
            for choice in choices {
                strategy[choice] = match positive > 0.0 {
                    true => regrets[choice].max(0.0) / positive,
                    false => 1.0 / f64::from(set.moves),
                };
            }
        }
        self.reach_leaves();
    }

    fn reach_leaves(&mut self) {
        let Self { tree, reach, leaves, leaf_ranges, leaf_counterfactual, .. } = self;
        leaf_counterfactual.fill(0.0);
        let mut first = 0;
        for &at in &*leaves {
            let sets = all_sets(tree, at);
            let here = first..first + sets.len();
            leaf_ranges[here.clone()].copy_from_slice(&reach[sets.clone()]);
            let found = &mut leaf_counterfactual[here];
            if let Some(open) = tree.open(at) {
                open.add_counterfactual(sets.start, reach, found);
            }
            first += sets.len();
        }
    }

    /// Adds the counterfactual values of matches that end in the tree.
    fn end_matches(&mut self) {
        let Self { tree, reach, values, .. } = self;
        for end in &tree.ends {
            for (player, &set) in end.sets.iter().enumerate() {
                values[set as usize] += end.others(player, reach) * end.chance * end.goals[player];
            }
        }
        tree.pair_ends.iter().for_each(|end| end.add_values(reach, values));
    }

    /// Adds those of the leaves.
    fn value_leaves(&mut self, worth: &[f64]) {
        let Self { tree, values, leaves, leaf_counterfactual, .. } = self;
        let of_leaves = leaves.iter().flat_map(|&at| all_sets(tree, at));
        let found = worth.iter().zip(leaf_counterfactual);
        of_leaves
            .zip(found)
            .for_each(|(set, (worth, counterfactual))| values[set] += worth * *counterfactual);
    }

    /// Values of all private states, from the deepest up, and regrets of these players.
    fn back_up(&mut self, learning: &Range<usize>) {
        let Self { tree, values, strategy, move_values, regrets, .. } = self;
        move_values.fill(0.0);
        for (place, set) in tree.sets.iter().enumerate().rev() {
            let choices = set.choices();
            let expected: f64 = choices.clone().map(|choice| strategy[choice] * move_values[choice]).sum();
            if learning.contains(&(set.player as usize)) {
                for choice in choices {
                    regrets[choice] += move_values[choice] - expected;
                }
            }
            values[place] += expected;
            if let Some(by) = set.by {
                move_values[by as usize] += values[place];
            }
        }
    }

    /// By player, private state of a node and move, the average strategy; uniform where it never comes.
    #[must_use]
    pub fn strategy(&self, at: usize) -> Vec<Vec<Vec<f64>>> {
        let of_set = |set: usize| {
            let sums = &self.sums[self.tree.sets[set].choices()];
            let total: f64 = sums.iter().sum();
            let uniform = 1.0 / sums.len().max(1) as f64;
            sums.iter().map(|sum| if total > 0.0 { sum / total } else { uniform }).collect()
        };
        (0..self.tree.players_count())
            .map(|player| self.tree.sets(at, player).map(of_set).collect())
            .collect()
    }

    /// By player and private state of a node, the reach under the current strategies: the range that a leaf is valued with.
    #[must_use]
    pub fn ranges(&self, at: usize) -> Vec<Vec<f64>> {
        (0..self.tree.players_count()).map(|player| self.reach[self.tree.sets(at, player)].to_vec()).collect()
    }

    /// The same under the average strategies.
    #[must_use]
    pub fn average_ranges(&self, at: usize) -> Vec<Vec<f64>> {
        if at == 0 {
            let of_player = |player| self.ranges[self.tree.sets(0, player)].to_vec();
            return (0..self.tree.players_count()).map(of_player).collect();
        }
        let parent = self.tree.parent(at);
        self.tree.ranges_after(at, &self.average_ranges(parent), &self.strategy(parent))
    }

    /// How likely the current strategies lead through a public state and the match goes on there, up to a factor that is the same for all.
    #[must_use]
    pub fn probability(&self, at: usize) -> f64 {
        self.tree.together(at, true).probability(&self.reach)
    }

    /// By private state of a public state and player, the mean counterfactual value over all iterations since it is in the tree: the expected goal, times the
    /// probability of chance and of the others' moves.
    #[must_use]
    pub fn values(&self, at: usize, player: usize) -> Vec<f64> {
        let weights = self.weights - self.since[at];
        self.value_sums[self.tree.sets(at, player)].iter().map(|sum| sum / weights).collect()
    }

    /// By player and private state of the root, the expected goal over all iterations, and the probability of chance and of the others'
    /// moves; no goal where that is zero.
    #[must_use]
    pub fn root_values(&self) -> Vec<Vec<(Option<f64>, f64)>> {
        let mut counterfactual = vec![0.0; self.ranges.len()];
        self.tree.together(0, false).add_counterfactual(0, &self.ranges, &mut counterfactual);
        let value = |set: usize| {
            let share = counterfactual[set] * self.weights;
            ((share > 0.0).then(|| self.value_sums[set] / share), counterfactual[set])
        };
        (0..self.tree.players_count()).map(|player| self.tree.sets(0, player).map(value).collect()).collect()
    }
}

/// The private states of all players in a public state.
fn all_sets(tree: &PublicTree, at: usize) -> Range<usize> {
    tree.sets(at, 0).start..tree.sets(at, tree.players_count() - 1).end
}
