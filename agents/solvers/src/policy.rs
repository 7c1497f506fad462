//! The strategies of all players in every information set.

use crate::{
    form::{SequenceForm, SetForm},
    tree::InformationSetId,
};

/// A probability for each move of each information set of one [`SequenceForm`], of all players.
///
/// ```
/// use croupier_solvers::{GameTree, Policy, SequenceForm, TreeLimits};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
/// let tree = GameTree::new(&game, &TreeLimits { histories_max: 1_000 }, &mut |_| {})?;
/// let form = SequenceForm::new(&tree);
/// let uniform = Policy::uniform(&form);
/// assert!(tree.information_sets().all(|id| uniform.of(&form, id) == [0.5, 0.5]));
/// // Always the first move, which is to bet.
/// let bold = Policy::from_fn(&form, |_, moves| moves.copy_from_slice(&[1.0, 0.0]));
/// assert!(tree.information_sets().all(|id| game.move_text(tree.moves(id)[0]) == "bet".into()));
/// assert_ne!(bold, uniform);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// By sequence: how likely the move that it ends with is; one for empty sequences.
    pub(crate) probabilities: Vec<f64>,
}

impl Policy {
    /// Every move of an information set with the same probability.
    #[must_use]
    pub fn uniform(form: &SequenceForm) -> Self {
        Self::normalised(form, &vec![0.0; form.sequences_count()])
    }

    /// Moves with probabilities in proportion to `weights`, which are not negative; uniform where all are zero.
    pub(crate) fn normalised(form: &SequenceForm, weights: &[f64]) -> Self {
        let mut probabilities = vec![1.0; form.sequences_count()];
        for set in &form.sets {
            normalise(&weights[set.sequences()], &mut probabilities[set.sequences()]);
        }
        Self { probabilities }
    }

    /// The policy in which each information set has the probabilities that `choose` gives; they have to have the sum one.
    #[must_use]
    pub fn from_fn(form: &SequenceForm, mut choose: impl FnMut(InformationSetId, &mut [f64])) -> Self {
        let mut policy = Self::uniform(form);
        for set in &form.sets {
            choose(set.id, &mut policy.probabilities[set.sequences()]);
        }
        policy
    }

    /// The one policy that plays as somebody does who draws one of `policies` before the match, in proportion to its weight, and
    /// keeps to it. Where none of them ever comes it is the mean of what they would do. Weights are not negative, and as many as there are
    /// policies.
    ///
    /// ```
    /// use croupier_solvers::{Evaluation, GameTree, Policy, SequenceForm, TreeLimits, best_response_policy};
    /// # use croupier_engine::{Game, Options};
    ///
    /// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
    /// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
    /// let tree = GameTree::new(&game, &TreeLimits { histories_max: 1_000 }, &mut |_| {})?;
    /// let form = SequenceForm::new(&tree);
    /// let uniform = Policy::uniform(&form);
    /// let response = best_response_policy(&form, &uniform, 0);
    /// let mixture = Policy::mixture(&form, &[uniform.clone(), response.clone()], &[1.0, 3.0]);
    /// let value = |policy: &Policy| Evaluation::new(&form, policy).players[0].value;
    /// // What is drawn before the match is worth the mean of what may be drawn.
    /// assert!((value(&mixture) - (value(&uniform) + 3.0 * value(&response)) / 4.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mixture(form: &SequenceForm, policies: &[Self], weights: &[f64]) -> Self {
        let mut reached = vec![0.0; form.sequences_count()];
        let mut meant = reached.clone();
        for (policy, &weight) in policies.iter().zip(weights) {
            let reach = policy.reach(form);
            for (sequence, probability) in policy.probabilities.iter().enumerate() {
                reached[sequence] += weight * reach[sequence];
                meant[sequence] += weight * probability;
            }
        }
        for set in &form.sets {
            if reached[set.sequences()].iter().sum::<f64>() <= 0.0 {
                reached[set.sequences()].copy_from_slice(&meant[set.sequences()]);
            }
        }
        Self::normalised(form, &reached)
    }

    /// The probabilities of the moves of an information set, in canonical order.
    #[must_use]
    pub fn of(&self, form: &SequenceForm, id: InformationSetId) -> &[f64] {
        &self.probabilities[form.set(id).sequences()]
    }

    /// How likely each player makes each of its sequences.
    pub(crate) fn reach(&self, form: &SequenceForm) -> Vec<f64> {
        let mut reach = self.probabilities.clone();
        for set in &form.sets {
            multiply(set, &mut reach);
        }
        reach
    }
}

/// Multiplies the probabilities of a set's moves by the reach of its parent sequence.
fn multiply(set: &SetForm, reach: &mut [f64]) {
    let before = reach[set.parent as usize];
    for probability in &mut reach[set.sequences()] {
        *probability *= before;
    }
}

/// Normalises weights, none of which is negative; uniform if their sum is zero.
#[inline]
pub(crate) fn normalise(weights: &[f64], probabilities: &mut [f64]) {
    let sum = weights.iter().sum::<f64>();
    if sum > 0.0 {
        for (probability, weight) in probabilities.iter_mut().zip(weights) {
            *probability = weight / sum;
        }
    } else {
        probabilities.fill(1.0 / weights.len() as f64);
    }
}
