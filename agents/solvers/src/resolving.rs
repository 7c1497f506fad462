//! The gadget game: a subgame in front of which the opponent may take what the subgame was worth before.

use std::fmt;

use croupier_engine::{InformationSet, MoveId};

use crate::{
    evaluation::counterfactual_values,
    form::SequenceForm,
    gadget::Gadget,
    policy::Policy,
    tree::{GameTree, GoalSum, Root},
};

/// What everybody did so far in an information set, if anything was known: moves with their probabilities.
pub type Former<'f> = dyn Fn(&InformationSet) -> Option<Vec<(MoveId, f64)>> + 'f;

/// What makes solving a subgame again *safe*: the opponent may decline it.
///
/// In each of its information sets at the roots the opponent first chooses between *follow*, into the subgame, and *terminate*, for the
/// value that the former strategies give it there. So the new strategy has to be as good as the former one against every
/// hand that the opponent may bring, and not only against those that a model of it makes probable. This is as true as the roots are
/// complete and the values at the edge of the tree right.
///
/// # Sources
/// N. Burch, M. Johanson, M. Bowling: Solving Imperfect Information Games Using Decomposition, AAAI 2014. The value of terminating
/// is that of the former strategies in self-play, as in M. Moravčík et al.: DeepStack, Science 356, 2017.
#[derive(Clone, Copy)]
pub struct Resolving<'f> {
    /// Who may decline, by the position among the players.
    pub opponent: usize,
    /// The former strategies of everybody.
    pub former: &'f Former<'f>,
}

impl fmt::Debug for Resolving<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolving").field("opponent", &self.opponent).finish_non_exhaustive()
    }
}

impl Resolving<'_> {
    /// The form of the gadget game of a subgame; `None` if it is not one of two players who win what the other loses, for which alone it
    /// is safe.
    pub(crate) fn form(&self, tree: &GameTree, roots: &[Root<'_>]) -> Option<SequenceForm> {
        if tree.players().len() != 2 || !matches!(tree.goal_sum(), GoalSum::Constant(_)) {
            return None;
        }
        let gadget = Gadget::new(self.opponent, roots);
        let mut form = SequenceForm::with_gadget(tree, Some(&gadget));
        let values = counterfactual_values(&form, self.opponent, &self.policy(tree, &form));
        for [follow, terminate] in form.of_gadget(tree, &gadget) {
            form.worth(terminate, values[follow - form.players[self.opponent].sequences.start]);
        }
        Some(form)
    }

    /// The former strategies, uniform where there was none.
    fn policy(&self, tree: &GameTree, form: &SequenceForm) -> Policy {
        Policy::from_fn(form, |id, probabilities| {
            if id.index() >= tree.information_sets_count() {
                return;
            }
            let Some(former) = (self.former)(&tree.information_set(id)) else { return };
            for (probability, played) in probabilities.iter_mut().zip(tree.moves(id)) {
                let same = former.iter().find(|(known, _)| known == played);
                *probability = same.map_or(0.0, |(_, probability)| *probability);
            }
        })
    }
}
