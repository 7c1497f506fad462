//! The strategy of a net for a role of a game.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_belief::{Answers, Coverage, Policy};
use croupier_engine::{InformationSet, MoveId};
use croupier_players::{BroughtStrategy, PlayerError};
use croupier_training::TrainingError;
use thiserror::Error;

use crate::{network::NeuralNetwork, rows::PlayerRows};

/// The strategy of a [`Net`](crate::Net) for one role of a game.
#[derive(Debug)]
pub struct NetStrategy {
    network: Arc<NeuralNetwork>,
    rows: PlayerRows,
    /// Cached results: the histories of a belief share their information sets.
    answers: Answers,
    coverage: Mutex<Coverage>,
}

/// Why a net says nothing of an information set.
#[derive(Debug, Error)]
enum EvaluationError {
    /// What was told does not fit its features.
    #[error(transparent)]
    Row(#[from] TrainingError),
    #[error("it has no column for a legal move")]
    NoColumn,
    #[error("its numbers are not finite; the training has diverged")]
    Diverged,
}

impl NetStrategy {
    pub(crate) fn new(network: Arc<NeuralNetwork>, rows: PlayerRows) -> Self {
        Self { network, rows, answers: Answers::default(), coverage: Mutex::default() }
    }

    fn softmax(&self, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, EvaluationError> {
        let logits = self.network.compute(self.rows.row(known)?);
        let logit = |&played: &MoveId| {
            let column = self.rows.player().column(played).ok_or(EvaluationError::NoColumn)?;
            let logit = logits.get(column).map_or(f64::NAN, |&logit| f64::from(logit));
            logit.is_finite().then_some(logit).ok_or(EvaluationError::Diverged)
        };
        let logits: Vec<f64> = legal.iter().map(logit).collect::<Result<_, EvaluationError>>()?;
        let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logits.iter().map(|logit| libm::exp(logit - most)).collect();
        let sum: f64 = weights.iter().sum();
        Ok(weights.iter().map(|weight| weight / sum).collect())
    }
}

impl BroughtStrategy for NetStrategy {
    /// The softmax of the network's numbers for the legal moves. A single legal move needs no network.
    fn try_probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, PlayerError> {
        if known.role != self.rows.player().role {
            return Err(PlayerError::OtherRole);
        }
        if legal.len() < 2 {
            return Ok(vec![1.0; legal.len()]);
        }
        let failed = |error| PlayerError::Brought { problem: format!("the net fails: {error}") };
        self.softmax(known, legal).map_err(failed)
    }
}

impl Policy for NetStrategy {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let uniform = || vec![1.0 / legal.len() as f64; legal.len()];
        if let Some(answer) = self.answers.get(known, legal.len()) {
            return answer;
        }
        let answer = self.try_probabilities(known, legal);
        let mut coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        let probabilities = answer.unwrap_or_else(|error| {
            coverage.fault.get_or_insert_with(|| error.to_string());
            uniform()
        });
        if legal.len() > 1 {
            coverage.met += 1;
            coverage.known += u64::from(coverage.fault.is_none());
        }
        self.answers.keep(known, probabilities)
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(self.coverage.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
