//! Public belief states as rows of numbers: what a value network reads, and what it says.

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::{
    Game, GoalValue,
    game::{Looker, Symmetry},
};
use rustc_hash::FxHashMap;

use crate::{
    PublicError, PublicEyes, PublicLimits, PublicNode,
    features::PublicFeatures,
    label::{Label, LabelKind},
    limits::HistoryBudget,
};

/// The numbers of the public belief states of a game.
///
/// A row has a number for each fluent that can be true in all histories of a public state, 0 or 1, and then, for each player, one for each
/// private state that it can have beside any public state: its share of the player's range. A row of values has a number for each of these
/// private states: the expected goal, from -1 for the least of the game to 1 for the greatest.
///
/// Where these fluents do not tell public states apart that have different futures, the row has a number for each percept that can be
/// public in each turn instead: all that everybody has seen. Otherwise it does not matter how the match came to where it is, and no network
/// has to learn that.
///
/// Private states of different public states have the same number if what the player was told alone, and, where that does not tell them
/// apart, when, and what it did, are the same: a card in the hand is the same private state whatever is bet. What a player is told in all
/// of its private states of a public state says nothing about which it is in, and is left out. Public states in which the match is over
/// are left out as well.
#[derive(Clone, Debug)]
pub struct PublicSpace {
    features: PublicFeatures,
    /// By player.
    private: Vec<FxHashMap<Label, usize>>,
    label: LabelKind,
    names: Vec<String>,
    private_names: Vec<Vec<String>>,
    goals: (f64, f64),
    /// What the goals of all players together always are, if that is so.
    sum: Option<f64>,
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
        let nodes: Vec<&PublicNode> = explored.nodes.iter().filter(|node| !node.is_over()).collect();
        let (features, names) = PublicFeatures::fluents(game, &nodes);
        let mut space = Self {
            features,
            names,
            private: vec![FxHashMap::default(); explored.nodes[0].players().len()],
            label,
            private_names: vec![Vec::new(); explored.nodes[0].players().len()],
            goals: explored.goals(),
            sum: explored.sum(),
        };
        nodes.iter().for_each(|node| space.take(game, node, eyes));
        let are_enough =
            space.features.tell_futures_apart(&nodes, |node| space.places(node, eyes).unwrap_or_default());
        if !are_enough {
            (space.features, space.names) = PublicFeatures::percepts(game, &nodes);
        }
        Ok(space)
    }

    /// Numbers the private states of a public state.
    fn take(&mut self, game: &Game, node: &PublicNode, eyes: &mut PublicEyes) {
        for player in 0..self.private.len() {
            let labels = self.label.of(node, player, eyes);
            for (state, label) in node.private(player).iter().zip(labels) {
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
            let place = |label: &Label| known.get(label).map(|place| first + place);
            let found: Option<Vec<usize>> = self.label.of(node, player, eyes).iter().map(place).collect();
            places.push(found.ok_or(PublicError::Unknown)?);
            first += known.len();
        }
        Ok(places)
    }

    /// Writes what is public into a row.
    pub(crate) fn write_public(&self, node: &PublicNode, row: &mut [f32]) {
        self.features.write(node, row);
    }

    /// Writes ranges into the rest of a row, each with the sum one.
    pub(crate) fn write_ranges(&self, places: &[Vec<usize>], ranges: &[f64], row: &mut [f32]) {
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

    /// For each symmetry of the rules that is found quickly, the identity too: to which place it takes each number of a row. The last
    /// [`outputs`](Self::outputs) of these are the places of values, as far from the first of them.
    ///
    /// A row and its values under a symmetry are as true as the original.
    ///
    /// # Errors
    /// [`PublicError::Game`] if the game has no room for more terms.
    pub fn symmetries(&self, game: &Game) -> Result<Vec<Vec<usize>>, PublicError> {
        let mut found = Vec::new();
        for symmetry in game.quick_symmetries() {
            found.extend(self.places_under(game, symmetry)?);
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() {
            found.push((0..self.inputs()).collect());
        }
        Ok(found)
    }

    /// `None` if a symmetry leads out of what was looked at.
    fn places_under(&self, game: &Game, symmetry: &Symmetry) -> Result<Option<Vec<usize>>, PublicError> {
        let mut places = vec![usize::MAX; self.inputs()];
        let Some(images) = self.features.under(game, symmetry)? else { return Ok(None) };
        images.into_iter().for_each(|(place, image)| places[place] = image);
        let players: Vec<_> = game.roles().players().collect();
        let first = |player: usize| {
            self.names.len() + self.private[..player].iter().map(FxHashMap::len).sum::<usize>()
        };
        for (player, &role) in players.iter().enumerate() {
            let other = players.iter().position(|&other| other == symmetry.role(role));
            let Some(other) = other else { return Ok(None) };
            for (label, &place) in &self.private[player] {
                let image = label.image(game, symmetry)?;
                let Some(&image) = self.private[other].get(&image) else { return Ok(None) };
                places[first(player) + place] = first(other) + image;
            }
        }
        Ok(Some(places))
    }

    /// What the goals of all players together always are; `None` if they are not always the same.
    #[must_use]
    pub fn sum_of_goals(&self) -> Option<f64> {
        self.sum
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

impl Exploration {
    fn of(
        game: &Arc<Game>,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Self, PublicError> {
        let mut nodes = vec![PublicNode::initial(game, looker)?];
        let (mut at, mut budget) = (0, HistoryBudget::new(limits.histories));
        while at < nodes.len() {
            budget.take(&nodes[at]);
            let children = budget.expand(&nodes[at], eyes, looker)?;
            nodes.extend(children);
            at += 1;
        }
        Ok(Self { nodes })
    }

    /// By history that is over, the goals of all players.
    fn ends(&self) -> impl Iterator<Item = &Vec<GoalValue>> {
        self.nodes.iter().flat_map(PublicNode::histories).filter_map(|history| history.goals.as_ref())
    }

    /// The least and the greatest goal.
    fn goals(&self) -> (f64, f64) {
        let all: BTreeSet<i32> = self.ends().flatten().map(|goal| goal.value()).collect();
        let bound = |goal: Option<&i32>| goal.copied().map_or(0.0, f64::from);
        (bound(all.first()), bound(all.last()))
    }

    /// What all goals of an end are together, if that is the same in all.
    fn sum(&self) -> Option<f64> {
        let sums: BTreeSet<i32> =
            self.ends().map(|goals| goals.iter().map(|goal| goal.value()).sum()).collect();
        (sums.len() == 1).then(|| sums.first().copied().map(f64::from)).flatten()
    }
}
