//! What a whole tree says about its game: how long it lasts, what it is worth, who knows what.

use croupier_engine::GoalValue;

use super::{GameTree, Node};

/// What the goals of all players add up to at the end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalSum {
    /// Every player has the same goal in each ending.
    Identical,
    /// The same in every ending.
    Constant(i64),
    /// Different in different endings.
    General,
}

/// What is true of all matches of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Most choices that players make in one match; forced moves are none.
    pub choices_most: u64,
    /// Most choices that chance makes in one match.
    pub chances_most: u64,
    /// Whether whoever chooses knows the history: no information set has two.
    pub has_perfect_information: bool,
    /// The goals' sum.
    pub goal_sum: GoalSum,
    /// By player the least and the greatest goal that a match can end with.
    pub goals: Vec<(i32, i32)>,
}

impl GameTree {
    /// What is true of all matches of the game, if this is its whole tree.
    ///
    /// # Complexity
    /// Once through all nodes, with two numbers for each.
    #[must_use]
    pub fn properties(&self) -> Properties {
        let (choices_most, chances_most) = self.longest();
        let decisions = self.nodes().filter(|(_, node)| matches!(node, Node::Decision { .. })).count();
        let outcomes: Vec<&[_]> = self.goals.chunks(self.players.len()).collect();
        let value = |player: usize| outcomes.iter().map(move |goals| goals[player].value());
        let bounds = |player: usize| {
            let least = value(player).min().unwrap_or(0);
            (least, value(player).max().unwrap_or(least))
        };
        Properties {
            choices_most,
            chances_most,
            has_perfect_information: decisions == self.information_sets_count(),
            goal_sum: self.goal_sum(),
            goals: (0..self.players.len()).map(bounds).collect(),
        }
    }

    /// What the goals of all players add up to at its ends.
    pub(crate) fn goal_sum(&self) -> GoalSum {
        let endings = || self.goals.chunks(self.players.len());
        let sum = |goals: &[GoalValue]| goals.iter().map(|goal| i64::from(goal.value())).sum::<i64>();
        if endings().all(|goals| goals.iter().all(|goal| *goal == goals[0])) {
            return GoalSum::Identical;
        }
        match endings().next().map(sum) {
            Some(first) if endings().all(|goals| sum(goals) == first) => GoalSum::Constant(first),
            _ => GoalSum::General,
        }
    }

    /// The most choices of players, and of chance, on one way to an end.
    fn longest(&self) -> (u64, u64) {
        let mut depths = vec![(0_u64, 0_u64); self.nodes_count()];
        let mut longest = (0, 0);
        // Parents stand before their children.
        for (id, node) in self.nodes() {
            let (choices, chances) = depths[id.index()];
            let below = match node {
                Node::Chance { .. } => (choices, chances + 1),
                Node::Decision { .. } => (choices + 1, chances),
                Node::Terminal { .. } => (choices, chances),
            };
            longest = (longest.0.max(below.0), longest.1.max(below.1));
            self.children(node).for_each(|child| depths[child.index()] = below);
        }
        longest
    }
}
