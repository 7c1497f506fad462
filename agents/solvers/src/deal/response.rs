//! One player's response to a fixed strategy of all others, walked with a deal in each lane.

use super::{
    blueprint::Blueprint,
    clock::Clock,
    move_tree::{MoveNode, MoveTree},
    paired::PairedLanes,
    walk::{Layout, Values},
};

/// A blueprint that everyone but one player follows, with its probabilities spread out.
#[derive(Debug)]
pub(super) struct Fixed<'b> {
    pub(super) blueprint: &'b Blueprint,
    layout: Layout,
    /// By information set, bucket and move.
    probabilities: Vec<f32>,
}

/// What stays as it is while walks are under way.
#[derive(Clone, Copy)]
pub(super) struct Opposition<'g> {
    pub(super) tree: &'g MoveTree,
    pub(super) fixed: &'g Fixed<'g>,
    /// Of the responding player's tables.
    pub(super) layout: &'g Layout,
    /// By information set, bucket and move of the responding player, what the move would have won more than what was played, weighted by
    /// how likely the others come there.
    pub(super) regrets: &'g [f32],
}

/// How often the others looked something up, each time as likely as it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lookups {
    pub(super) met: f64,
    pub(super) known: f64,
}

/// One player's way down the tree.
pub(super) struct ResponseWalk<'w, 'c> {
    pub(super) ground: Opposition<'w>,
    pub(super) dealt: &'w PairedLanes,
    /// Who responds.
    pub(super) seat: usize,
    pub(super) clock: &'w Clock<'c>,
    pub(super) purpose: Purpose<'w>,
}

/// What a walk is for.
pub(super) enum Purpose<'w> {
    /// To learn: every move of the player is examined, and what regrets change by is added here.
    Learning(&'w mut [f32]),
    /// To measure: the player makes the best move that it knows.
    Measuring(&'w mut Lookups),
}

/// The lanes in which a node is reached.
pub(super) struct Reached {
    pub(super) lanes: Vec<usize>,
    /// By place in `lanes`, how likely the others come there.
    pub(super) chances: Values,
}

impl<'b> Fixed<'b> {
    pub(super) fn new(tree: &MoveTree, blueprint: &'b Blueprint) -> Self {
        let layout = Layout::new(tree, &blueprint.abstraction);
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
    pub(super) fn follow(&mut self, place: usize, reached: &Reached) -> Values {
        let tree = self.ground.tree;
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
        let chosen = own_set.map(|set| self.best(set, reached));
        self.look_up(node, reached);
        // By the player's own move, its value in each lane; one for all where it has no choice.
        let count = own_set.map_or(1, |set| tree.sets[set as usize].moves.len());
        let mut moves = vec![vec![0.0; reached.lanes.len()]; count];
        for (child, &below) in node.children.iter().enumerate() {
            let digits = tree.digits(node, child);
            let digit = own.map_or(0, |own| digits[own]);
            let mut weights = self.others(node, &digits, reached);
            if let (Purpose::Measuring(_), Some(chosen)) = (&self.purpose, &chosen) {
                let is_other = |&(_, &choice): &(&mut f32, &usize)| choice != digit;
                weights.iter_mut().zip(chosen).filter(is_other).for_each(|(weight, _)| *weight = 0.0);
            }
            let kept: Vec<usize> = (0..weights.len()).filter(|&at| weights[at] > 0.0).collect();
            if kept.is_empty() {
                continue;
            }
            let after = Reached {
                lanes: kept.iter().map(|&at| reached.lanes[at]).collect(),
                chances: kept.iter().map(|&at| reached.chances[at] * weights[at]).collect(),
            };
            let values = self.follow(below as usize, &after);
            kept.iter().zip(values).for_each(|(&at, value)| moves[digit][at] += weights[at] * value);
        }
        match (own_set, chosen) {
            (Some(set), Some(chosen)) => {
                let worth: Values = chosen.iter().enumerate().map(|(at, &digit)| moves[digit][at]).collect();
                self.learn(set, &moves, &worth, reached);
                worth
            }
            _ => moves.swap_remove(0),
        }
    }

    /// How likely the others make their moves of a child, in each lane.
    fn others(&self, node: &MoveNode, digits: &[usize], reached: &Reached) -> Values {
        let Opposition { tree, fixed, .. } = self.ground;
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

    /// Where the moves of an information set begin in the player's tables, for a lane.
    fn start(&self, set: u32, lane: usize) -> usize {
        let Opposition { tree, layout, .. } = self.ground;
        let bucket = self.dealt.buckets[layout.rounds[set as usize]][lane].fine;
        layout.first[set as usize] + bucket as usize * tree.sets[set as usize].moves.len()
    }

    /// The move with the greatest regret in each lane, the first of equals.
    fn best(&self, set: u32, reached: &Reached) -> Vec<usize> {
        let count = self.ground.tree.sets[set as usize].moves.len();
        let best = |&lane: &usize| {
            let start = self.start(set, lane);
            let regrets = &self.ground.regrets[start..start + count];
            let better =
                |best: usize, place: usize| if regrets[place] > regrets[best] { place } else { best };
            (0..count).fold(0, better)
        };
        reached.lanes.iter().map(best).collect()
    }

    /// Adds regrets, weighted by how likely the others come there.
    fn learn(&mut self, set: u32, moves: &[Values], worth: &Values, reached: &Reached) {
        for (at, &lane) in reached.lanes.iter().enumerate() {
            let start = self.start(set, lane);
            if let Purpose::Learning(changes) = &mut self.purpose {
                let changes = &mut changes[start..start + moves.len()];
                for (change, values) in changes.iter_mut().zip(moves) {
                    *change += reached.chances[at] * (values[at] - worth[at]);
                }
            }
        }
    }

    /// Counts what the others look up at a node.
    fn look_up(&mut self, node: &MoveNode, reached: &Reached) {
        let Purpose::Measuring(lookups) = &mut self.purpose else { return };
        let Opposition { tree, fixed, .. } = self.ground;
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
