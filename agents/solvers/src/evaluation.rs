//! The value of a policy, and how much each player could gain by deviating.

use crate::{
    form::{PlayerForm, SequenceForm},
    policy::Policy,
};

/// The value of a policy for one player, in goal values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerValue {
    /// The expected goal if everybody follows the policy.
    pub value: f64,
    /// The expected goal if this player does the best it can against the others, who follow it.
    pub best_response: f64,
}

impl PlayerValue {
    /// The player's gain from deviating; never negative, except for rounding.
    #[must_use]
    pub fn gain(&self) -> f64 {
        self.best_response - self.value
    }
}

/// The value of a policy for every player.
///
/// ```
/// use croupier_solvers::{Evaluation, GameTree, Policy, SequenceForm, TreeLimits};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
/// let tree = GameTree::new(&game, &TreeLimits { histories_max: 1_000 }, &mut |_| {})?;
/// let form = SequenceForm::new(&tree);
/// let evaluation = Evaluation::new(&form, &Policy::uniform(&form));
/// // OpenSpiel has 0.916667 chips for the same policy; a chip is worth 25 here.
/// assert!((evaluation.nash_conv() / 25.0 - 0.916_667).abs() < 1e-6);
/// assert!(evaluation.players.iter().all(|player| player.gain() > 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// One for each player, in the order of [`GameTree::players`](crate::GameTree::players).
    pub players: Vec<PlayerValue>,
}

impl Evaluation {
    /// Evaluates a policy exactly.
    ///
    /// # Complexity
    /// Linear in terminal nodes and information sets, for each player.
    #[must_use]
    pub fn new(form: &SequenceForm, policy: &Policy) -> Self {
        let reach = policy.reach(form);
        let players = form.players.iter().map(|player| PlayerValue {
            value: value(form, player, &reach),
            best_response: best_response(form, player, &reach).0,
        });
        Self { players: players.collect() }
    }

    /// The sum of the players' gains: zero exactly in a Nash equilibrium, of any game.
    #[must_use]
    pub fn nash_conv(&self) -> f64 {
        self.players.iter().map(PlayerValue::gain).sum()
    }

    /// The mean of the players' gains. In a two-player zero-sum game it is the average loss of a policy against
    /// opponents who know it, over both seats; in other games it has no such meaning.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        self.nash_conv() / self.players.len() as f64
    }
}

/// The policy in which `player`, an index among the players, plays a best response to the others, who follow
/// `policy`; of equally good moves it takes the first, also in information sets that are never reached.
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
/// // It comes to what the evaluation says that it is worth, and against it alone nothing better is left.
/// let (before, after) = (Evaluation::new(&form, &uniform), Evaluation::new(&form, &response));
/// assert!((after.players[0].value - before.players[0].best_response).abs() < 1e-9);
/// assert!(after.players[0].gain().abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn best_response_policy(form: &SequenceForm, policy: &Policy, player: usize) -> Policy {
    let mut response = policy.clone();
    let (_, chosen) = best_response(form, &form.players[player], &policy.reach(form));
    for (set, chosen) in form.sets[form.players[player].sets.clone()].iter().zip(chosen) {
        response.probabilities[set.sequences()].fill(0.0);
        response.probabilities[chosen] = 1.0;
    }
    response
}

fn value(form: &SequenceForm, player: &PlayerForm, reach: &[f64]) -> f64 {
    let values = player.sequences.clone().map(|sequence| reach[sequence] * form.value(sequence, reach));
    player.middle + values.sum::<f64>()
}

/// For each sequence of a player the counterfactual value of what comes after it, relative to the middle of its goals.
pub(crate) fn counterfactual_values(form: &SequenceForm, player: usize, policy: &Policy) -> Vec<f64> {
    let player = &form.players[player];
    let reach = policy.reach(form);
    let first = player.sequences.start;
    let mut values: Vec<f64> =
        player.sequences.clone().map(|sequence| form.value(sequence, &reach)).collect();
    for set in form.sets[player.sets.clone()].iter().rev() {
        let expected: f64 =
            set.sequences().map(|sequence| policy.probabilities[sequence] * values[sequence - first]).sum();
        values[set.parent as usize - first] += expected;
    }
    values
}

/// The highest expected goal, and for each information set of the player the best sequence.
fn best_response(form: &SequenceForm, player: &PlayerForm, reach: &[f64]) -> (f64, Vec<usize>) {
    let first = player.sets.start;
    let mut best = vec![(f64::NEG_INFINITY, 0); player.sets.len()];
    let total = |sequence: usize, best: &[(f64, usize)]| {
        let next = form.next(sequence).map(|set| best[set - first].0);
        form.value(sequence, reach) + next.sum::<f64>()
    };
    for set in player.sets.clone().rev() {
        for sequence in form.sets[set].sequences() {
            let value = total(sequence, &best);
            if value > best[set - first].0 {
                best[set - first] = (value, sequence);
            }
        }
    }
    let root = total(player.sequences.start, &best);
    (player.middle + root, best.into_iter().map(|(_, sequence)| sequence).collect())
}
