//! Policies that ask players, for use in beliefs.

use std::sync::{Mutex, PoisonError};

use croupier_belief::{Answers, Coverage, Policy};
use croupier_engine::{InformationSet, MoveId};

use crate::{Budget, Decision, Player};

/// A policy that asks players.
#[derive(Debug)]
pub(crate) struct Thinking {
    reading: AnswerPart,
    thinkers: Mutex<Vec<Box<dyn Player>>>,
    answers: Answers,
}

/// Which part of a player's answer is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerPart {
    /// Its mixed strategy, or otherwise the choices of all players.
    Choices,
    /// The first player's estimate of each move: the better, the likelier.
    Estimates,
}

impl Thinking {
    /// The policy of some players of one role, at least one, who differ in their seeds.
    pub(crate) fn new(thinkers: Vec<Box<dyn Player>>, reading: AnswerPart) -> Self {
        Self { reading, thinkers: Mutex::new(thinkers), answers: Answers::default() }
    }
}

/// Descents for each legal move from which a quantal response is estimated.
const DESCENTS: u32 = 64;

impl Policy for Thinking {
    /// Uniform where the players cannot give an answer.
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let uniform = 1.0 / legal.len() as f64;
        if legal.len() < 2 {
            return vec![uniform; legal.len()];
        }
        if let Some(answer) = self.answers.get(known, legal.len()) {
            return answer;
        }
        let mut thinkers = self.thinkers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match self.reading {
            AnswerPart::Estimates => quantal(&mut *thinkers[0], known, legal),
            AnswerPart::Choices => chosen(&mut thinkers, known, legal),
        };
        self.answers.keep(known, found.unwrap_or_else(|| vec![uniform; legal.len()]))
    }

    fn coverage(&self) -> Option<Coverage> {
        let thinkers = self.thinkers.lock().unwrap_or_else(PoisonError::into_inner);
        Coverage::sum(thinkers.iter().map(|thinker| thinker.coverage()))
    }
}

/// The choice of players; `None` if it is not legal.
fn chosen(thinkers: &mut [Box<dyn Player>], known: &InformationSet, legal: &[MoveId]) -> Option<Vec<f64>> {
    let mut weights = vec![0.0; legal.len()];
    let place = |played: MoveId| legal.iter().position(|&legal| legal == played);
    for thinker in thinkers {
        let Ok(decision) = thinker.choose(known, &mut Budget::Own) else { continue };
        let Decision { chosen, moves, strategy, .. } = decision;
        if let Some(strategy) = strategy {
            weights.fill(0.0);
            for (&played, probability) in moves.iter().zip(strategy) {
                weights[place(played)?] += probability;
            }
            break;
        }
        weights[place(chosen)?] += 1.0;
    }
    let sum: f64 = weights.iter().sum();
    (sum > 0.0).then(|| weights.iter().map(|weight| weight / sum).collect())
}

/// A softmax of a player's estimates of the moves; `None` if it has none.
fn quantal(thinker: &mut dyn Player, known: &InformationSet, legal: &[MoveId]) -> Option<Vec<f64>> {
    let descents = DESCENTS * u32::try_from(legal.len()).ok()?;
    let decision = thinker.choose(known, &mut Budget::Iterations(descents)).ok()?;
    let mean = |&played: &MoveId| {
        decision.estimates.iter().find(|found| found.chosen == played).and_then(|found| found.mean_goal)
    };
    let means: Vec<f64> = legal.iter().map(mean).collect::<Option<_>>()?;
    let best = means.iter().fold(f64::NEG_INFINITY, |best, &mean| best.max(mean));
    let worst = means.iter().fold(f64::INFINITY, |worst, &mean| worst.min(mean));
    let temperature = ((best - worst) / 3.0).max(1.0);
    let weights: Vec<f64> = means.iter().map(|mean| exponential((mean - best) / temperature)).collect();
    let sum: f64 = weights.iter().sum();
    Some(weights.iter().map(|weight| weight / sum).collect())
}

/// Nearly the exponential of a number from -3 to 0, by operations that give the same bits on every machine.
fn exponential(exponent: f64) -> f64 {
    const HALVINGS: u32 = 10;
    (0..HALVINGS).fold(1.0 + exponent / f64::from(1 << HALVINGS), |power: f64, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::exponential;

    #[test]
    fn exponential_is_close_to_the_one_of_the_platform() {
        for exponent in [-3.0, -1.5, -0.1, 0.0_f64] {
            assert!((exponential(exponent) / exponent.exp() - 1.0).abs() < 0.01, "{exponent}");
        }
    }
}
