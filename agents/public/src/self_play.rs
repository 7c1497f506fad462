//! Matches of a search against itself, and what a value network learns from them.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId, draw::unit_interval, game::Looker};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    NetworkLeaves, PublicBelief, PublicError, PublicEyes, PublicNode, PublicSearch, PublicSpace, PublicTree,
    TreeDepth, ValueNetwork,
};

/// How a search looks ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// How far, and how large a tree may be.
    pub depth: TreeDepth,
    /// Iterations of each search.
    pub iterations: u32,
    /// In matches with itself, the share of uniform play in the moves of one player of each search.
    pub exploration: f64,
}

/// What a search has found out about a public belief state.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The public belief state: [`PublicSpace::inputs`] numbers.
    pub row: Vec<f32>,
    /// The values that the search gives: [`PublicSpace::outputs`] numbers.
    pub values: Vec<f32>,
    /// 1 where there is a value.
    pub mask: Vec<f32>,
}

/// The strategy of a player in an information set, as a search found it: its legal moves in canonical order, and their probabilities.
pub type Found = (InformationSet, Vec<MoveId>, Vec<f64>);

/// Plays matches of a search with itself, each search deciding for all players at once.
///
/// # Sources
/// N. Brown et al. (2020), algorithm 1.
#[derive(Debug)]
pub struct SelfPlay {
    game: Arc<Game>,
    eyes: PublicEyes,
    looker: Looker,
    space: Arc<PublicSpace>,
    ahead: LookAhead,
    rng: ChaCha8Rng,
}

impl SelfPlay {
    /// Nothing is played yet; all draws follow from the seed.
    ///
    /// # Errors
    /// As [`PublicEyes::new`].
    pub fn new(
        game: Arc<Game>,
        space: Arc<PublicSpace>,
        ahead: LookAhead,
        seed: [u8; 32],
    ) -> Result<Self, PublicError> {
        let (eyes, looker) = (PublicEyes::new(Arc::clone(&game))?, Looker::new(&game));
        Ok(Self { game, eyes, looker, space, ahead, rng: ChaCha8Rng::from_seed(seed) })
    }

    /// How far its draws have come.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.rng.get_word_pos()
    }

    /// Goes on with the draws from a position.
    pub fn go_to(&mut self, position: u128) {
        self.rng.set_word_pos(position);
    }

    /// Plays one match, and gives what each of its searches found out.
    ///
    /// # Errors
    /// Those of the network, and [`PublicError::TooMany`].
    pub fn play(&mut self, network: &mut dyn ValueNetwork) -> Result<Vec<Example>, PublicError> {
        let (mut examples, space) = (Vec::new(), Arc::clone(&self.space));
        let mut next = Some(PublicBelief::initial(&self.game, &mut self.looker)?);
        while let Some(belief) = next {
            let ranges = belief.ranges().to_vec();
            let tree = self.tree(belief.node().clone())?;
            let mut search = PublicSearch::new(&tree, &ranges);
            let drawn = (unit_interval(&mut self.rng) * f64::from(self.ahead.iterations)) as u32;
            let mut leaves = NetworkLeaves::new(&space, network, &tree, &mut self.eyes)?;
            search.advance(drawn, &mut leaves)?;
            next = self.following(&tree, &search)?;
            search.advance(self.ahead.iterations - drawn, &mut leaves)?;
            examples.push(self.example(&belief, &search)?);
        }
        Ok(examples)
    }

    fn tree(&mut self, root: PublicNode) -> Result<PublicTree, PublicError> {
        PublicTree::new(root, self.ahead.depth, &mut self.eyes, &mut self.looker)
    }

    /// One of the leaves, drawn by the current strategies; `None` where the match ends.
    fn following(
        &mut self,
        tree: &PublicTree,
        search: &PublicSearch<'_>,
    ) -> Result<Option<PublicBelief>, PublicError> {
        let explorer = (unit_interval(&mut self.rng) * tree.players_count() as f64) as usize;
        let (leaves, over) = search.leaf_probabilities(explorer, self.ahead.exploration);
        let total: f64 = leaves.iter().map(|(_, probability)| probability).sum::<f64>() + over;
        let mut rest = unit_interval(&mut self.rng) * total;
        for (leaf, probability) in leaves {
            if rest < probability {
                let belief = PublicBelief::of(tree.node(leaf).clone(), search.ranges(leaf));
                return Ok(Some(belief));
            }
            rest -= probability;
        }
        Ok(None)
    }

    fn example(&mut self, belief: &PublicBelief, search: &PublicSearch<'_>) -> Result<Example, PublicError> {
        let row = self.space.row(belief.node(), belief.ranges(), &mut self.eyes)?;
        let places = self.space.places(belief.node(), &mut self.eyes)?;
        let outputs = self.space.outputs();
        let (mut values, mut mask) = (vec![0.0; outputs], vec![0.0; outputs]);
        for (&place, value) in places.iter().flatten().zip(search.root_values().concat()) {
            if let Some(value) = value {
                values[place] = self.space.scaled(value) as f32;
                mask[place] = 1.0;
            }
        }
        Ok(Example { row, values, mask })
    }

    /// What the search does in every information set of the game, if it is played by it from the beginning: anew at each public state in
    /// which a player has a choice, with the ranges that its own earlier strategies lead to.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn strategies(&mut self, network: &mut dyn ValueNetwork) -> Result<Vec<Found>, PublicError> {
        let mut found = Vec::new();
        let mut waiting = vec![PublicBelief::initial(&self.game, &mut self.looker)?];
        while let Some(belief) = waiting.pop() {
            let tree = self.tree(belief.node().clone())?;
            let mut search = PublicSearch::new(&tree, belief.ranges());
            let mut leaves = NetworkLeaves::new(&self.space, network, &tree, &mut self.eyes)?;
            search.advance(self.ahead.iterations, &mut leaves)?;
            // By node, its ranges under the average strategies, until the first choice was made.
            let mut ranges = vec![Some(belief.ranges().to_vec())];
            for at in 0..tree.nodes_count() {
                let node = tree.node(at);
                let own = match (at, ranges.get(tree.parent(at)).cloned().flatten()) {
                    (0, own) => own,
                    (_, Some(before)) => {
                        let chosen = search.strategy(tree.parent(at));
                        let own = node.ranges_after(&before, &chosen);
                        if tree.node(tree.parent(at)).has_choice() {
                            waiting.extend((!node.is_over()).then(|| PublicBelief::of(node.clone(), own)));
                            None
                        } else {
                            Some(own)
                        }
                    }
                    (_, None) => None,
                };
                if own.is_some() && node.has_choice() {
                    for (player, chosen) in search.strategy(at).into_iter().enumerate() {
                        let states = node.private(player).iter().zip(chosen);
                        let states = states.filter(|(state, _)| state.has_choice());
                        found.extend(
                            states.map(|(state, moves)| (state.known.clone(), state.legal.clone(), moves)),
                        );
                    }
                }
                if at == 0 { ranges[0] = own } else { ranges.push(own) }
            }
        }
        Ok(found)
    }
}
