//! A public state and what follows from it, as deep as is wanted: the numbers that a search works on.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use croupier_engine::game::Looker;

use crate::{
    PublicError, PublicEyes, PublicNode, PublicState,
    limits::HistoryBudget,
    pairs::PairNumbers,
    together::{Together, TreeHistory},
};

/// How far a public tree reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeDepth {
    /// Turns in which some player has a choice, at most; what follows without a choice, such as deals of chance, is there as well.
    pub choices: usize,
    /// Histories of the whole tree, at most.
    pub histories: usize,
    /// Ways in which chance goes on with a board, at most, where a search starts from its turn: so many are drawn if there are more.
    pub boards: usize,
}

impl TreeDepth {
    /// Ways in which chance goes on with a board that are enough for the mean of what follows.
    pub const BOARDS: usize = 24;
}

/// The public states that follow from one, each behind the one that it follows from.
///
/// Private states of all public states and all players are numbered in a row; so are their moves.
#[derive(Clone, Debug)]
pub struct PublicTree {
    nodes: Vec<TreeNode>,
    /// By private state.
    pub(crate) sets: Vec<TreeSet>,
    /// Histories in which the match is over.
    pub(crate) ends: Vec<TreeHistory>,
    /// Pairs of hands with which the match is over.
    pub(crate) pair_ends: Vec<PairEnd>,
    players: usize,
    moves: usize,
    /// Public states before it grew for the first time.
    first: Option<usize>,
}

/// A public state of a tree.
#[derive(Clone, Debug)]
struct TreeNode {
    state: PublicState,
    /// The one before; itself for the first.
    parent: usize,
    /// By player, its private states.
    sets: Vec<Range<usize>>,
    /// Which private states occur together, where the tree ends before the match does.
    open: Option<Together>,
    /// Whether the tree ended here and has grown since.
    has_grown: bool,
}

/// A private state as it is taken into a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreePrivate {
    /// The place of the one before among those of its player, and of the move that leads here among its moves.
    pub(crate) parent: usize,
    pub(crate) made: usize,
    /// How many moves it has.
    pub(crate) moves: usize,
}

/// Pairs of hands with which the match is over.
#[derive(Clone, Debug)]
pub(crate) struct PairEnd {
    /// The number of the first private state of each player.
    pub(crate) first: [usize; 2],
    pub(crate) worth: PairWorth,
}

/// What pairs of hands with which the match is over count: the probability of chance times the goal of each player.
#[derive(Clone, Debug)]
pub(crate) struct PairWorth {
    pub(crate) chances: Arc<PairNumbers>,
    /// By player, a goal that it gets with all pairs.
    pub(crate) same: [f64; 2],
    /// By player, what is added to that, as so many times these numbers: ends with the same board have them in common.
    pub(crate) contested: Option<[(Arc<PairNumbers>, f64); 2]>,
}

/// A private state of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeSet {
    /// Its position among the players.
    pub(crate) player: u32,
    /// The move that leads to it, numbered among all moves; none for private states of the root.
    pub(crate) by: Option<u32>,
    /// The private state before.
    pub(crate) parent: u32,
    /// Its first move; the others follow it.
    pub(crate) first: u32,
    /// How many moves it has.
    pub(crate) moves: u32,
}

impl PairEnd {
    /// Adds the counterfactual values of both players' hands.
    pub(crate) fn add_values(&self, reach: &[f64], values: &mut [f64]) {
        let PairWorth { chances, same, contested } = &self.worth;
        let [rows, columns] = chances.sets(self.first);
        let mut add = |numbers: [&PairNumbers; 2], factors: [f64; 2]| {
            if factors != [0.0; 2] {
                numbers[0].add_to_rows(&reach[columns.clone()], factors[0], &mut values[rows.clone()]);
                numbers[1].add_to_columns(&reach[rows.clone()], factors[1], &mut values[columns.clone()]);
            }
        };
        add([chances, chances], *same);
        if let Some([(of_rows, first), (of_columns, second)]) = contested {
            add([of_rows, of_columns], [*first, *second]);
        }
    }
}

impl TreeSet {
    pub(crate) fn choices(&self) -> Range<usize> {
        self.first as usize..(self.first + self.moves) as usize
    }
}

impl PublicTree {
    /// The tree from a public state.
    ///
    /// # Errors
    /// As [`PublicNode::expand`], [`PublicError::TooMany`] also if the whole tree has more histories than allowed.
    pub fn new(
        root: PublicNode,
        depth: TreeDepth,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
    ) -> Result<Self, PublicError> {
        let mut tree = Self::empty(root.players().len());
        tree.add_node(root, None);
        tree.extend(0, depth, eyes, looker)?;
        Ok(tree)
    }

    /// Goes on where the tree ends before the match does, by one turn with a choice and what follows it without one.
    ///
    /// # Errors
    /// As [`new`](Self::new); the tree is then of no use.
    pub(crate) fn grow(
        &mut self,
        leaf: usize,
        histories: usize,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
    ) -> Result<(), PublicError> {
        self.reopen(leaf);
        self.extend(leaf, TreeDepth { choices: 1, histories, boards: 1 }, eyes, looker)
    }

    /// Goes on from a public state so many turns with a choice.
    fn extend(
        &mut self,
        from: usize,
        depth: TreeDepth,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
    ) -> Result<(), PublicError> {
        // What is gone on from, with how many turns with a choice lie between.
        let mut waiting = VecDeque::from([(from, 0)]);
        let mut budget = HistoryBudget::new(depth.histories);
        while let Some((at, before)) = waiting.pop_front() {
            let Some(node) = self.nodes[at].state.listed() else { continue };
            budget.take(node);
            if node.is_over() || node.has_choice() && before >= depth.choices {
                self.end(at);
                continue;
            }
            let choices = before + usize::from(node.has_choice());
            let children = budget.expand(node, eyes, looker)?;
            // Where the tree ended, what is over was taken in before.
            if at == 0 || at != from {
                self.end_over(at);
            }
            for child in children {
                waiting.push_back((self.nodes.len(), choices));
                self.add_node(child, Some(at));
            }
        }
        Ok(())
    }

    /// No public state yet.
    pub(crate) fn empty(players: usize) -> Self {
        Self { nodes: vec![], sets: vec![], ends: vec![], pair_ends: vec![], players, moves: 0, first: None }
    }

    fn add_node(&mut self, node: PublicNode, parent: Option<usize>) {
        let of = |state: &crate::PrivateState| TreePrivate {
            parent: state.parent as usize,
            made: state.made as usize,
            moves: state.legal.len(),
        };
        let private = (0..self.players).map(|player| node.private(player).iter().map(of).collect());
        let private = private.collect();
        self.add(PublicState::Listed(node), parent, private);
    }

    /// Takes in a public state and, by player, its private states; gives its number.
    pub(crate) fn add(
        &mut self,
        state: PublicState,
        parent: Option<usize>,
        private: Vec<Vec<TreePrivate>>,
    ) -> usize {
        let mut sets = Vec::with_capacity(self.players);
        for (player, private) in private.into_iter().enumerate() {
            let begin = self.sets.len();
            for TreePrivate { parent: place, made, moves } in private {
                let before = parent.map(|parent| self.nodes[parent].sets[player].start + place);
                let by = before.map(|before| self.sets[before].first + made as u32);
                self.sets.push(TreeSet {
                    player: player as u32,
                    by,
                    parent: before.unwrap_or(self.sets.len()) as u32,
                    first: self.moves as u32,
                    moves: moves as u32,
                });
                self.moves += moves;
            }
            sets.push(begin..self.sets.len());
        }
        let parent = parent.unwrap_or(self.nodes.len());
        self.nodes.push(TreeNode { state, parent, sets, open: None, has_grown: false });
        self.nodes.len() - 1
    }

    /// The histories of a public state, if they are listed, with the numbers that their private states have in the tree.
    fn histories(&self, at: usize) -> impl Iterator<Item = TreeHistory> + '_ {
        let TreeNode { state, sets, .. } = &self.nodes[at];
        let histories = state.listed().map(PublicNode::histories).unwrap_or_default();
        histories.iter().map(move |history| TreeHistory {
            sets: history.private.iter().zip(sets).map(|(&own, sets)| sets.start as u32 + own).collect(),
            chance: history.chance,
            goals: history.goals.iter().flatten().map(|goal| f64::from(goal.value())).collect(),
        })
    }

    /// Which private states occur together in a public state; `is_open` leaves out where the match is over.
    pub(crate) fn together(&self, at: usize, is_open: bool) -> Together {
        let TreeNode { state, sets, .. } = &self.nodes[at];
        match state {
            PublicState::Listed(_) => {
                let histories = self.histories(at).filter(|history| !is_open || history.goals.is_empty());
                Together::Histories(histories.collect())
            }
            PublicState::Dealt(state) => {
                Together::Pairs([sets[0].start, sets[1].start], Arc::clone(state.chances()))
            }
        }
    }

    /// Takes in those histories of a public state that are over.
    fn end_over(&mut self, at: usize) {
        let over: Vec<TreeHistory> = self.histories(at).filter(|history| !history.goals.is_empty()).collect();
        self.ends.extend(over);
    }

    /// Ends the tree in a public state.
    fn end(&mut self, at: usize) {
        self.end_over(at);
        if self.histories(at).any(|history| history.goals.is_empty()) {
            self.end_open(at);
        }
    }

    /// Goes on from a public state in which the tree ended.
    pub(crate) fn reopen(&mut self, at: usize) {
        self.first.get_or_insert(self.nodes.len());
        self.nodes[at].open = None;
        self.nodes[at].has_grown = true;
    }

    /// Ends the tree in a public state in which the match goes on.
    pub(crate) fn end_open(&mut self, at: usize) {
        self.nodes[at].open = Some(self.together(at, true));
    }

    /// How many public states there are.
    #[must_use]
    pub fn nodes_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many histories all public states have together; of those with hands, hands, and pairs of them where they decide.
    #[must_use]
    pub fn histories_count(&self) -> usize {
        let count = |node: &TreeNode| match &node.state {
            PublicState::Listed(node) => node.histories().len(),
            PublicState::Dealt(state) => state.numbers_count(),
        };
        self.nodes.iter().map(count).sum()
    }

    /// A public state; the first is the root.
    #[must_use]
    pub fn state(&self, at: usize) -> &PublicState {
        &self.nodes[at].state
    }

    /// By player and private state of a public state, the range after one in the public state before, and the choices made there: by player,
    /// private state and move.
    pub(crate) fn ranges_after(
        &self,
        at: usize,
        before: &[Vec<f64>],
        chosen: &[Vec<Vec<f64>>],
    ) -> Vec<Vec<f64>> {
        let parent = &self.nodes[self.nodes[at].parent];
        let reach = |set: &TreeSet| {
            let player = set.player as usize;
            let place = set.parent as usize - parent.sets[player].start;
            let made = set.by.unwrap_or_default() - self.sets[set.parent as usize].first;
            before[player][place] * chosen[player][place][made as usize]
        };
        let of_player = |sets: &Range<usize>| self.sets[sets.clone()].iter().map(reach).collect();
        self.nodes[at].sets.iter().map(of_player).collect()
    }

    /// The public state before; the root's is itself.
    #[must_use]
    pub fn parent(&self, at: usize) -> usize {
        self.nodes[at].parent
    }

    /// Whether the tree ends in a public state before the match does.
    #[must_use]
    pub fn is_leaf(&self, at: usize) -> bool {
        self.nodes[at].open.is_some()
    }

    /// Whether the tree can [`grow`](Self::grow) in a public state: it ends there, and not because chance deals hands or a board.
    pub(crate) fn can_grow(&self, at: usize) -> bool {
        let is_dealing = matches!(&self.nodes[at].state, PublicState::Dealt(state) if state.is_dealing());
        self.is_leaf(at) && !is_dealing
    }

    /// The public states where the tree ends before the match does.
    pub fn leaves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&at| self.is_leaf(at))
    }

    /// The public states of the tree before it grew: those that a search decides for, and what it is made anew at.
    pub(crate) fn decided(&self) -> Range<usize> {
        0..self.first.unwrap_or(self.nodes.len())
    }

    /// Whether the tree ended in a public state before it grew, and not because the match did.
    pub(crate) fn is_horizon(&self, at: usize) -> bool {
        self.decided().contains(&at) && (self.is_leaf(at) || self.nodes[at].has_grown)
    }

    /// The numbers of a player's private states in a public state.
    #[must_use]
    pub fn sets(&self, at: usize, player: usize) -> Range<usize> {
        self.nodes[at].sets[player].clone()
    }

    /// Which private states occur together in a leaf.
    pub(crate) fn open(&self, at: usize) -> Option<&Together> {
        self.nodes[at].open.as_ref()
    }

    /// Whether no player has a choice before the tree ends.
    pub(crate) fn has_no_choice(&self) -> bool {
        let inside = self.nodes.iter().filter(|node| node.open.is_none());
        inside.flat_map(|node| node.sets.iter().cloned().flatten()).all(|set| self.sets[set].moves < 2)
    }

    /// How many players there are.
    #[must_use]
    pub fn players_count(&self) -> usize {
        self.players
    }

    /// How many moves all private states have together.
    #[must_use]
    pub fn moves_count(&self) -> usize {
        self.moves
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Game, Options, Percepts};

    use super::*;

    /// What is public at a node, the sizes of ranges, and whether the tree ends there.
    type Described = (Vec<Percepts>, Vec<usize>, bool);

    /// All nodes; and the chance and the goals of all ends, as bits.
    fn described(tree: &PublicTree) -> (Vec<Described>, Vec<(u64, Vec<u64>)>) {
        let node = |at: usize| {
            let sizes = (0..tree.players).map(|player| tree.sets(at, player).len()).collect();
            (tree.state(at).told().to_vec(), sizes, tree.is_leaf(at))
        };
        let mut nodes: Vec<_> = (0..tree.nodes_count()).map(node).collect();
        nodes.sort();
        let bits = |number: &f64| number.to_bits();
        let end = |end: &TreeHistory| (bits(&end.chance), end.goals.iter().map(bits).collect());
        let mut ends: Vec<_> = tree.ends.iter().map(end).collect();
        ends.sort();
        (nodes, ends)
    }

    #[test]
    fn a_tree_that_grows_everywhere_is_the_deeper_tree() {
        for name in ["kuhn", "leduc", "goofspiel-4", "monty-hall"] {
            let rules = croupier_games::find(name).unwrap().rules;
            let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
            let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
            let root = PublicNode::initial(&game, &mut looker).unwrap();
            let depth = |choices| TreeDepth { choices, histories: 1_000_000, boards: 1 };
            let mut grown = PublicTree::new(root.clone(), depth(1), &mut eyes, &mut looker).unwrap();
            for choices in 2..5 {
                for leaf in grown.leaves().collect::<Vec<usize>>() {
                    grown.grow(leaf, 1_000_000, &mut eyes, &mut looker).unwrap();
                }
                let deeper = PublicTree::new(root.clone(), depth(choices), &mut eyes, &mut looker).unwrap();
                assert_eq!(described(&grown), described(&deeper), "{name}, {choices} choices");
            }
        }
    }
}
