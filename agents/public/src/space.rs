//! Public belief states as rows of numbers: what a value network reads, and what it says.

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::{Game, MoveId, PerceptId, game::Looker};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    LeafRanges, LeafValues, PrivateState, PublicError, PublicEyes, PublicLimits, PublicNode, PublicTree,
};

/// The numbers of the public belief states of a game.
///
/// A row has a number for each percept that can be public in each turn, 0 or 1, and then, for each player, one for each private state that
/// it can have beside any public state: its share of the player's range. A row of values has a number for each of these private states:
/// the expected goal, from -1 for the least of the game to 1 for the greatest.
///
/// Private states of different public states have the same number if what the player was told alone, and, where that does not tell them
/// apart, when, and what it did, are the same: a card in the hand is the same private state whatever is bet.
#[derive(Clone, Debug)]
pub struct PublicSpace {
    told: FxHashMap<(u32, PerceptId), usize>,
    /// By player.
    private: Vec<FxHashMap<Label, usize>>,
    label: LabelKind,
    names: Vec<String>,
    private_names: Vec<Vec<String>>,
    goals: (f64, f64),
}

/// What private states of different public states have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LabelKind {
    /// The private percepts, whenever they came.
    Percepts,
    /// The private percepts of each turn.
    Turns,
    /// The same with the own moves.
    Moves,
}

/// A private state without what is public.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Label {
    /// Private percepts, each with its turn, or with zero where that says nothing.
    told: Vec<(u32, PerceptId)>,
    made: Vec<MoveId>,
}

/// Public states, and how many of them may be looked at.
struct Exploration {
    nodes: Vec<PublicNode>,
}

impl PublicSpace {
    /// The space of a game, all of whose public states are looked at.
    ///
    /// # Errors
    /// [`PublicError::TooMany`] if all of them together have more histories than allowed; as [`PublicNode::expand`].
    pub fn new(
        game: &Arc<Game>,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Self, PublicError> {
        let explored = Exploration::of(game, eyes, looker, limits)?;
        let kinds = [LabelKind::Percepts, LabelKind::Turns, LabelKind::Moves];
        let is_enough = |kind: &LabelKind| explored.nodes.iter().all(|node| kind.tells_apart(node, eyes));
        let label = kinds.into_iter().find(is_enough).unwrap_or(LabelKind::Moves);
        let mut space = Self {
            told: FxHashMap::default(),
            private: vec![FxHashMap::default(); explored.nodes[0].players().len()],
            label,
            names: Vec::new(),
            private_names: vec![Vec::new(); explored.nodes[0].players().len()],
            goals: explored.goals(),
        };
        for node in &explored.nodes {
            space.take(game, node, eyes);
        }
        Ok(space)
    }

    fn take(&mut self, game: &Game, node: &PublicNode, eyes: &mut PublicEyes) {
        if let Some(last) = node.told().last() {
            let turn = node.told().len() as u32;
            for percept in last.iter() {
                let next = self.names.len();
                self.told.entry((turn, percept)).or_insert_with(|| {
                    self.names.push(format!("{}, turn {turn}", game.percept_text(percept)));
                    next
                });
            }
        }
        for player in 0..self.private.len() {
            for state in node.private(player) {
                let label = self.label.of(state, eyes);
                let names = &mut self.private_names[player];
                let next = names.len();
                self.private[player].entry(label).or_insert_with(|| {
                    names.push(game.information_set_text(&state.known));
                    next
                });
            }
        }
    }

    /// Numbers of a row that is read.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.names.len() + self.outputs()
    }

    /// Numbers of a row of values: private states of all players.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.private.iter().map(FxHashMap::len).sum()
    }

    /// What the first numbers of a row are, if they are 1.
    #[must_use]
    pub fn public_names(&self) -> &[String] {
        &self.names
    }

    /// By player, one information set for each of its private states.
    #[must_use]
    pub fn private_names(&self) -> &[Vec<String>] {
        &self.private_names
    }

    /// The numbers of the private states of a public state, by player, among all values.
    ///
    /// # Errors
    /// [`PublicError::Unknown`] if it is not of this game.
    pub fn places(&self, node: &PublicNode, eyes: &mut PublicEyes) -> Result<Vec<Vec<usize>>, PublicError> {
        let mut first = 0;
        let mut places = Vec::new();
        for (player, known) in self.private.iter().enumerate() {
            let place =
                |state: &PrivateState| known.get(&self.label.of(state, eyes)).map(|place| first + place);
            let found: Option<Vec<usize>> = node.private(player).iter().map(place).collect();
            places.push(found.ok_or(PublicError::Unknown)?);
            first += known.len();
        }
        Ok(places)
    }

    /// Writes what is public into a row.
    fn write_public(&self, node: &PublicNode, row: &mut [f32]) {
        for (turn, told) in (1..).zip(node.told()) {
            told.iter()
                .filter_map(|percept| self.told.get(&(turn, percept)))
                .for_each(|&place| row[place] = 1.0);
        }
    }

    /// Writes ranges into the rest of a row, each with the sum one.
    fn write_ranges(&self, places: &[Vec<usize>], ranges: &[f64], row: &mut [f32]) {
        let row = &mut row[self.names.len()..];
        row.fill(0.0);
        let mut first = 0;
        for places in places {
            let range = &ranges[first..first + places.len()];
            let total: f64 = range.iter().sum();
            for (&place, reach) in places.iter().zip(range) {
                // Where nothing is possible, everything is as likely.
                let share = if total > 0.0 { reach / total } else { 1.0 / places.len() as f64 };
                row[place] = share as f32;
            }
            first += places.len();
        }
    }

    /// The row of a public state with these ranges, by player and private state.
    ///
    /// # Errors
    /// [`PublicError::Unknown`] if it is not of this game.
    pub fn row(
        &self,
        node: &PublicNode,
        ranges: &[Vec<f64>],
        eyes: &mut PublicEyes,
    ) -> Result<Vec<f32>, PublicError> {
        let mut row = vec![0.0; self.inputs()];
        self.write_public(node, &mut row);
        self.write_ranges(&self.places(node, eyes)?, &ranges.concat(), &mut row);
        Ok(row)
    }

    /// A goal in the unit of values.
    #[must_use]
    pub fn scaled(&self, goal: f64) -> f64 {
        let (least, greatest) = self.goals;
        if greatest > least { (2.0 * goal - least - greatest) / (greatest - least) } else { 0.0 }
    }

    /// A value as a goal.
    #[must_use]
    pub fn goal(&self, value: f64) -> f64 {
        let (least, greatest) = self.goals;
        f64::midpoint(least, greatest) + value * (greatest - least) / 2.0
    }
}

impl LabelKind {
    fn of(self, state: &PrivateState, eyes: &mut PublicEyes) -> Label {
        let (mut told, mut made) = (Vec::new(), Vec::new());
        for (turn, (own, percepts)) in (1..).zip(&state.known.turns) {
            let public = eyes.public(percepts);
            let private = percepts.only(|percept| !public.iter().any(|other| other == percept));
            let when = if self == Self::Percepts { 0 } else { turn };
            told.extend(private.iter().map(|percept| (when, percept)));
            made.push(*own);
        }
        if self == Self::Percepts {
            told.sort_unstable();
        }
        if self != Self::Moves {
            made.clear();
        }
        Label { told, made }
    }

    /// Whether it tells all private states of a public state apart.
    fn tells_apart(self, node: &PublicNode, eyes: &PublicEyes) -> bool {
        let mut eyes = eyes.clone();
        (0..node.players().len()).all(|player| {
            let labels: FxHashSet<Label> =
                node.private(player).iter().map(|state| self.of(state, &mut eyes)).collect();
            labels.len() == node.private(player).len()
        })
    }
}

impl Exploration {
    fn of(
        game: &Arc<Game>,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Self, PublicError> {
        let mut nodes = vec![PublicNode::initial(game, looker)?];
        let (mut at, mut count) = (0, 0);
        while at < nodes.len() {
            count += nodes[at].histories().len();
            let rest = PublicLimits { histories: limits.histories.saturating_sub(count) };
            let children = nodes[at].expand(eyes, looker, &rest)?;
            nodes.extend(children);
            at += 1;
        }
        Ok(Self { nodes })
    }

    /// The least and the greatest goal.
    fn goals(&self) -> (f64, f64) {
        let all: BTreeSet<i32> = self
            .nodes
            .iter()
            .flat_map(PublicNode::histories)
            .flat_map(|history| history.goals.iter().flatten().map(|goal| goal.value()))
            .collect();
        let bound = |goal: Option<&i32>| goal.copied().map_or(0.0, f64::from);
        (bound(all.first()), bound(all.last()))
    }
}

/// A function from rows to rows of values: a network.
pub trait ValueNetwork {
    /// The values of so many rows, one after the other: [`PublicSpace::inputs`] numbers each, to [`PublicSpace::outputs`].
    ///
    /// # Errors
    /// [`PublicError::PolicyFailed`].
    fn values(&mut self, rows: usize, inputs: &[f32]) -> Result<Vec<f32>, PublicError>;
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
}

/// The leaves of one tree, valued by a network, all in one call.
pub struct NetworkLeaves<'n> {
    space: &'n PublicSpace,
    network: &'n mut dyn ValueNetwork,
    /// By leaf and player.
    places: Vec<Vec<Vec<usize>>>,
    inputs: Vec<f32>,
}

impl<'n> NetworkLeaves<'n> {
    /// The leaves of a tree.
    ///
    /// # Errors
    /// [`PublicError::Unknown`] if the tree is not of the game of the space.
    pub fn new(
        space: &'n PublicSpace,
        network: &'n mut dyn ValueNetwork,
        tree: &PublicTree,
        eyes: &mut PublicEyes,
    ) -> Result<Self, PublicError> {
        let (mut places, mut inputs) = (Vec::new(), Vec::new());
        for leaf in tree.leaves() {
            let mut row = vec![0.0; space.inputs()];
            space.write_public(tree.node(leaf), &mut row);
            inputs.extend(row);
            places.push(space.places(tree.node(leaf), eyes)?);
        }
        Ok(Self { space, network, places, inputs })
    }
}

impl LeafValues for NetworkLeaves<'_> {
    fn values(&mut self, ranges: &LeafRanges<'_>, values: &mut [f64]) -> Result<(), PublicError> {
        let width = self.space.inputs();
        let mut first = 0;
        for (places, row) in self.places.iter().zip(self.inputs.chunks_exact_mut(width)) {
            let count: usize = places.iter().map(Vec::len).sum();
            self.space.write_ranges(places, &ranges.ranges[first..first + count], row);
            first += count;
        }
        let found = self.network.values(self.places.len(), &self.inputs)?;
        let outputs = self.space.outputs();
        if found.len() != outputs * self.places.len() {
            return Err(PublicError::PolicyFailed(format!("a value network gave {} numbers", found.len())));
        }
        let mut written = values.iter_mut();
        for (places, row) in self.places.iter().zip(found.chunks_exact(outputs)) {
            for (&place, value) in places.iter().flatten().zip(&mut written) {
                *value = self.space.goal(f64::from(row[place]));
            }
        }
        Ok(())
    }
}
