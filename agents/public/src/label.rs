//! What private states of different public states have in common.

use croupier_engine::{Game, GameError, InformationSet, MoveId, PerceptId, game::Symmetry};
use rustc_hash::FxHashSet;

use crate::{PublicEyes, PublicNode};

/// What private states of different public states have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LabelKind {
    /// The private percepts, whenever they came.
    Percepts,
    /// The private percepts of each turn.
    Turns,
    /// The same with the own moves.
    Moves,
}

/// A private state without what is public.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Label {
    /// Private percepts, each with its turn, or with zero where that says nothing.
    told: Vec<(u32, PerceptId)>,
    made: Vec<MoveId>,
}

impl LabelKind {
    /// By private state of a player in a public state.
    pub(crate) fn of(self, node: &PublicNode, player: usize, eyes: &mut PublicEyes) -> Vec<Label> {
        let mut labels: Vec<Label> =
            node.private(player).iter().map(|state| self.whole(&state.known, eyes)).collect();
        let mut common = labels.first().map_or_else(Vec::new, |label| label.told.clone());
        labels.iter().for_each(|label| keep_common(&mut common, &label.told));
        for label in &mut labels {
            let mut common = common.iter().peekable();
            label.told.retain(|told| common.next_if(|common| *common == told).is_none());
        }
        labels
    }

    /// With what all have in common.
    fn whole(self, known: &InformationSet, eyes: &mut PublicEyes) -> Label {
        let (mut told, mut made) = (Vec::new(), Vec::new());
        for (turn, (own, percepts)) in (1..).zip(&known.turns) {
            let public = eyes.public(percepts);
            let private = percepts.only(|percept| !public.iter().any(|other| other == percept));
            let when = if self == Self::Percepts { 0 } else { turn };
            told.extend(private.iter().map(|percept| (when, percept)));
            made.push(*own);
        }
        told.sort_unstable();
        if self != Self::Moves {
            made.clear();
        }
        Label { told, made }
    }

    /// Whether it tells all private states of a public state apart.
    pub(crate) fn tells_apart(self, node: &PublicNode, eyes: &PublicEyes) -> bool {
        let mut eyes = eyes.clone();
        (0..node.players().len()).all(|player| {
            let labels: FxHashSet<Label> = self.of(node, player, &mut eyes).into_iter().collect();
            labels.len() == node.private(player).len()
        })
    }
}

/// Leaves in one sorted list what is also in another one, as often as it is in both.
fn keep_common<T: Ord>(kept: &mut Vec<T>, other: &[T]) {
    let mut other = other.iter().peekable();
    kept.retain(|kept| {
        while other.next_if(|other| *other < kept).is_some() {}
        other.next_if(|other| *other == kept).is_some()
    });
}

impl Label {
    /// The label of the image of what is labelled so.
    pub(crate) fn image(&self, game: &Game, symmetry: &Symmetry) -> Result<Self, GameError> {
        let told = self.told.iter().map(|&(turn, percept)| Ok((turn, symmetry.percept(game, percept)?)));
        let mut told = told.collect::<Result<Vec<_>, GameError>>()?;
        told.sort_unstable();
        let made = self.made.iter().map(|&made| symmetry.played(game, made));
        Ok(Self { told, made: made.collect::<Result<_, GameError>>()? })
    }
}
