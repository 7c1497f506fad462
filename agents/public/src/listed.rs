//! The numbers of public states all of which are looked at.

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
    names::SpaceNames,
};

/// The numbers of public states all of which were looked at.
#[derive(Clone, Debug)]
pub(crate) struct ListedNumbers {
    features: PublicFeatures,
    /// By player.
    private: Vec<FxHashMap<Label, usize>>,
    label: LabelKind,
}

/// All public states of a game.
struct Exploration {
    nodes: Vec<PublicNode>,
}

impl ListedNumbers {
    /// The numbers of a game, and what they are.
    ///
    /// # Errors
    /// [`PublicError::TooMany`] if all public states together have more histories than allowed; as [`PublicNode::expand`].
    pub(crate) fn new(
        game: &Arc<Game>,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<(Self, SpaceNames), PublicError> {
        let explored = Exploration::of(game, eyes, looker, limits)?;
        let kinds = [LabelKind::Percepts, LabelKind::Turns, LabelKind::Moves];
        let is_enough = |kind: &LabelKind| explored.nodes.iter().all(|node| kind.tells_apart(node, eyes));
        let label = kinds.into_iter().find(is_enough).unwrap_or(LabelKind::Moves);
        let nodes: Vec<&PublicNode> = explored.nodes.iter().filter(|node| !node.is_over()).collect();
        let (features, public) = PublicFeatures::fluents(game, &nodes);
        let players = explored.nodes[0].players().len();
        let mut numbers = Self { features, private: vec![FxHashMap::default(); players], label };
        let mut names = SpaceNames {
            public,
            private: vec![Vec::new(); players],
            goals: explored.goals(),
            sum: explored.sum(),
        };
        nodes.iter().for_each(|node| numbers.take(game, node, eyes, &mut names));
        let are_enough = numbers
            .features
            .tell_futures_apart(&nodes, |node| numbers.places(node, eyes).unwrap_or_default());
        if !are_enough {
            (numbers.features, names.public) = PublicFeatures::percepts(game, &nodes);
        }
        Ok((numbers, names))
    }

    /// Numbers the private states of a public state.
    fn take(&mut self, game: &Game, node: &PublicNode, eyes: &mut PublicEyes, names: &mut SpaceNames) {
        for player in 0..self.private.len() {
            let labels = self.label.of(node, player, eyes);
            for (state, label) in node.private(player).iter().zip(labels) {
                let names = &mut names.private[player];
                let next = names.len();
                self.private[player].entry(label).or_insert_with(|| {
                    names.push(game.information_set_text(&state.known));
                    next
                });
            }
        }
    }

    /// The numbers of the private states of a public state, by player, among all values.
    ///
    /// # Errors
    /// [`PublicError::Unknown`] if it is not of this game.
    pub(crate) fn places(
        &self,
        node: &PublicNode,
        eyes: &mut PublicEyes,
    ) -> Result<Vec<Vec<usize>>, PublicError> {
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

    /// Writes what is public into numbers that are 0.
    pub(crate) fn write(&self, node: &PublicNode, row: &mut [f32]) {
        self.features.write(node, row);
    }

    /// To which place a symmetry takes each number of a row, the first so many of which are public; `None` if it leads out of what was looked
    /// at.
    pub(crate) fn places_under(
        &self,
        game: &Game,
        symmetry: &Symmetry,
        public: usize,
    ) -> Result<Option<Vec<usize>>, PublicError> {
        let all: usize = self.private.iter().map(FxHashMap::len).sum();
        let mut places = vec![usize::MAX; public + all];
        let Some(images) = self.features.under(game, symmetry)? else { return Ok(None) };
        images.into_iter().for_each(|(place, image)| places[place] = image);
        let players: Vec<_> = game.roles().players().collect();
        let first = |player: usize| public + self.private[..player].iter().map(FxHashMap::len).sum::<usize>();
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
