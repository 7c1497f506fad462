//! One player's response to a fixed strategy of all others, walked with a deal in each lane.

use rayon::prelude::*;

use super::{
    blueprint::Blueprint,
    clock::Clock,
    ends::LaneValues,
    move_tree::{MoveNode, MoveTree},
    paired::PairedLanes,
    walk::{TableLayout, add, scale},
};

/// A blueprint that everyone but one player follows, with its probabilities spread out.
#[derive(Debug)]
pub(super) struct Fixed<'b> {
    pub(super) blueprint: &'b Blueprint,
    layout: TableLayout,
    /// By information set, bucket and move.
    probabilities: Vec<f32>,
}

/// By information set, bucket and move of the responding player: how much more the move wins than the blueprint in that place, summed
/// over deals, each weighted by how likely the others come there.
#[derive(Debug)]
pub(super) struct MoveGains {
    pub(super) sums: Vec<f32>,
    /// The squares of what was summed up, summed up: the variance of the sum if the mean were 0.
    pub(super) squares: Vec<f32>,
}

/// What was learnt, by two ways to tell hands apart.
#[derive(Debug)]
pub(super) struct Learnt {
    /// In the player's own abstraction.
    pub(super) fine: MoveGains,
    /// In that of the blueprint: less exact, and known sooner.
    pub(super) fixed: MoveGains,
}

/// What stays as it is while walks are under way.
#[derive(Clone, Copy)]
pub(super) struct Opposition<'g> {
    pub(super) tree: &'g MoveTree,
    pub(super) fixed: &'g Fixed<'g>,
    /// Of the responding player's own abstraction.
    pub(super) layout: &'g TableLayout,
    pub(super) learnt: &'g Learnt,
}

/// A move is preferred to the blueprint if its sum is this many standard deviations above 0. Without such a bar the best of several
/// moves would often be the luckiest: in rare places few deals decide.
const DEVIATIONS: f32 = 3.0;

/// How often the others looked something up, each time as likely as it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lookups {
    pub(super) met: f64,
    pub(super) known: f64,
}

/// One player's way down the tree.
pub(super) struct ResponseWalk<'w, 'c> {
    pub(super) opposition: Opposition<'w>,
    pub(super) dealt: &'w PairedLanes,
    /// Who responds.
    pub(super) seat: usize,
    pub(super) clock: &'w Clock<'c>,
    pub(super) purpose: Purpose<'w>,
}

/// What a walk is for.
pub(super) enum Purpose<'w> {
    /// To learn: every move of the player is examined, and what it tells is added here.
    Learning(&'w mut Learnt),
    /// To measure: the player makes the moves that it has come to prefer.
    Measuring(&'w mut Lookups),
}

/// The lanes in which a node is reached.
pub(super) struct Reached {
    pub(super) lanes: Vec<usize>,
    /// By place in `lanes`, how likely the others come there.
    pub(super) chances: LaneValues,
}

impl MoveGains {
    pub(super) fn new(len: usize) -> Self {
        Self { sums: vec![0.0; len], squares: vec![0.0; len] }
    }

    /// Among `count` moves from `start` on, the one that is most surely better than the blueprint, if any is.
    fn preferred(&self, start: usize, count: usize) -> Option<usize> {
        let least = |place: usize| self.sums[start + place] - DEVIATIONS * self.squares[start + place].sqrt();
        let better = |best: usize, place: usize| if least(place) > least(best) { place } else { best };
        Some((0..count).fold(0, better)).filter(|&best| least(best) > 0.0)
    }

    fn add(&mut self, start: usize, advantages: impl Iterator<Item = f32>) {
        let sums = self.sums[start..].iter_mut().zip(&mut self.squares[start..]);
        for ((sum, square), advantage) in sums.zip(advantages) {
            *sum += advantage;
            *square += advantage * advantage;
        }
    }

    /// Takes in what another has, with a weight, and clears that.
    fn merge(&mut self, other: &mut Self, weight: f32) {
        let take = |table: &mut [f32], change: &mut [f32], weight: f32| {
            table.par_iter_mut().zip(change).for_each(|(value, change)| {
                *value += weight * *change;
                *change = 0.0;
            });
        };
        take(&mut self.sums, &mut other.sums, weight);
        take(&mut self.squares, &mut other.squares, weight * weight);
    }
}

impl Learnt {
    pub(super) fn new(layout: &TableLayout, fixed: &Fixed<'_>) -> Self {
        Self { fine: MoveGains::new(layout.len), fixed: MoveGains::new(fixed.layout.len) }
    }

    /// Takes in what another has, with a weight, and clears that.
    pub(super) fn merge(&mut self, other: &mut Self, weight: f32) {
        self.fine.merge(&mut other.fine, weight);
        self.fixed.merge(&mut other.fixed, weight);
    }

    pub(super) fn clear(&mut self) {
        for evidence in [&mut self.fine, &mut self.fixed] {
            evidence.sums.fill(0.0);
            evidence.squares.fill(0.0);
        }
    }
}

impl<'b> Fixed<'b> {
    pub(super) fn new(tree: &MoveTree, blueprint: &'b Blueprint) -> Self {
        let layout = TableLayout::new(tree, &blueprint.abstraction);
        let mut probabilities = Vec::with_capacity(layout.len);
        for (set, &round) in (0..).zip(&layout.rounds) {
            for bucket in 0..blueprint.abstraction.buckets[round].centroids.len() {
                let bucket = u32::try_from(bucket).expect("buckets are fewer than 2^32");
                let of_bucket = blueprint.probabilities(tree, set, bucket);
                probabilities.extend(of_bucket.into_iter().map(|probability| probability as f32));
            }
        }
        Self { blueprint, layout, probabilities }
    }
}

impl ResponseWalk<'_, '_> {
    /// What a node is worth to the player in each lane that reaches it; nothing that means anything if time is up.
    pub(super) fn follow(&mut self, place: usize, reached: &Reached) -> LaneValues {
        let tree = self.opposition.tree;
        let node = &tree.nodes[place];
        if node.children.is_empty() || self.clock.is_over() {
            let values = self.dealt.ends.values(place, self.seat);
            return reached.lanes.iter().map(|&lane| values[lane]).collect();
        }
        if node.choosers.is_empty() {
            return self.follow(node.children[0] as usize, reached);
        }
        let own = node.choosers.iter().position(|&(player, _)| player == self.seat);
        let own_set = own.map(|own| node.choosers[own].1);
        let strategy = own_set.map(|set| self.strategy(set, reached));
        self.look_up(node, reached);
        // By the player's own move, its value in each lane; one for all where it has no choice.
        let count = strategy.as_ref().map_or(1, Vec::len);
        let mut moves = vec![vec![0.0; reached.lanes.len()]; count];
        for (child, &below) in node.children.iter().enumerate() {
            let digits = tree.digits(node, child);
            let digit = own.map_or(0, |own| digits[own]);
            let weights = self.others(node, &digits, reached);
            let mut chances = weights.clone();
            scale(&mut chances, &reached.chances);
            if let (Purpose::Measuring(_), Some(strategy)) = (&self.purpose, &strategy) {
                scale(&mut chances, &strategy[digit]);
            }
            let kept: Vec<usize> = (0..chances.len()).filter(|&at| chances[at] > 0.0).collect();
            if kept.is_empty() {
                continue;
            }
            let after = Reached {
                lanes: kept.iter().map(|&at| reached.lanes[at]).collect(),
                chances: kept.iter().map(|&at| chances[at]).collect(),
            };
            let values = self.follow(below as usize, &after);
            kept.iter().zip(values).for_each(|(&at, value)| moves[digit][at] += weights[at] * value);
        }
        let (Some(set), Some(strategy)) = (own_set, strategy) else { return moves.swap_remove(0) };
        self.learn(set, &moves, reached);
        let mut worth = vec![0.0; reached.lanes.len()];
        strategy.iter().zip(&moves).for_each(|(weights, values)| add(&mut worth, weights, values));
        worth
    }

    /// How likely the others make their moves of a child, in each lane.
    fn others(&self, node: &MoveNode, digits: &[usize], reached: &Reached) -> LaneValues {
        let Opposition { tree, fixed, .. } = self.opposition;
        let mut weights = vec![1.0; reached.lanes.len()];
        for (&(player, set), &digit) in node.choosers.iter().zip(digits) {
            if player != self.seat {
                let (first, count) = (fixed.layout.first[set as usize], tree.sets[set as usize].moves.len());
                let buckets = &self.dealt.buckets[fixed.layout.rounds[set as usize]];
                for (weight, &lane) in weights.iter_mut().zip(&reached.lanes) {
                    *weight *= fixed.probabilities[first + buckets[lane].fixed as usize * count + digit];
                }
            }
        }
        weights
    }

    /// Where the moves of an information set begin for a lane, in the player's own tables and in the blueprint's.
    fn starts(&self, set: u32, lane: usize) -> (usize, usize) {
        let Opposition { tree, layout, fixed, .. } = self.opposition;
        let (set, count) = (set as usize, tree.sets[set as usize].moves.len());
        let bucket = self.dealt.buckets[layout.rounds[set]][lane];
        (
            layout.first[set] + bucket.fine as usize * count,
            fixed.layout.first[set] + bucket.fixed as usize * count,
        )
    }

    /// What the player does in an information set, for each move a number for each lane: what it prefers, or else what the
    /// blueprint does.
    fn strategy(&self, set: u32, reached: &Reached) -> Vec<LaneValues> {
        let Opposition { tree, fixed, learnt, .. } = self.opposition;
        let count = tree.sets[set as usize].moves.len();
        let mut strategy = vec![vec![0.0; reached.lanes.len()]; count];
        for (at, &lane) in reached.lanes.iter().enumerate() {
            let (own, other) = self.starts(set, lane);
            let preferred = learnt.fine.preferred(own, count);
            match preferred.or_else(|| learnt.fixed.preferred(other, count)) {
                Some(best) => strategy[best][at] = 1.0,
                None => {
                    let probabilities = &fixed.probabilities[other..other + count];
                    strategy.iter_mut().zip(probabilities).for_each(|(values, one)| values[at] = *one);
                }
            }
        }
        strategy
    }

    /// Adds how much more each move wins than the blueprint, weighted by how likely the others come there.
    fn learn(&mut self, set: u32, moves: &[LaneValues], reached: &Reached) {
        if matches!(self.purpose, Purpose::Measuring(_)) {
            return;
        }
        for (at, (&lane, &chance)) in reached.lanes.iter().zip(&reached.chances).enumerate() {
            let (own, other) = self.starts(set, lane);
            let probabilities = &self.opposition.fixed.probabilities[other..other + moves.len()];
            let blueprint: f32 = probabilities.iter().zip(moves).map(|(one, values)| one * values[at]).sum();
            let Purpose::Learning(learnt) = &mut self.purpose else { return };
            let advantages = moves.iter().map(|values| chance * (values[at] - blueprint));
            learnt.fine.add(own, advantages.clone());
            learnt.fixed.add(other, advantages);
        }
    }

    /// Counts what the others look up at a node.
    fn look_up(&mut self, node: &MoveNode, reached: &Reached) {
        let Purpose::Measuring(lookups) = &mut self.purpose else { return };
        let Opposition { tree, fixed, .. } = self.opposition;
        for &(_, set) in node.choosers.iter().filter(|(player, _)| *player != self.seat) {
            let buckets = &self.dealt.buckets[fixed.layout.rounds[set as usize]];
            for (&lane, &chance) in reached.lanes.iter().zip(&reached.chances) {
                lookups.met += f64::from(chance);
                if fixed.blueprint.is_computed(tree, set, buckets[lane].fixed) {
                    lookups.known += f64::from(chance);
                }
            }
        }
    }
}
