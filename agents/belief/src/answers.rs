//! Answers of a policy that are costly to find again.

use std::sync::{Mutex, PoisonError};

use croupier_engine::InformationSet;
use rustc_hash::FxHashMap;

/// Probabilities of moves by information set. Since an answer does not depend on earlier questions, this only saves time.
#[derive(Debug, Default)]
pub struct Answers(Mutex<FxHashMap<InformationSet, Vec<f64>>>);

impl Answers {
    /// Most information sets that are remembered; then all are forgotten.
    const KNOWN_MAX: usize = 1 << 16;

    /// The answer for an information set with so many legal moves, if it is remembered.
    #[must_use]
    pub fn get(&self, known: &InformationSet, moves_count: usize) -> Option<Vec<f64>> {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(known).filter(|answer| answer.len() == moves_count).cloned()
    }

    /// Remembers an answer, and returns it.
    pub fn keep(&self, known: &InformationSet, answer: Vec<f64>) -> Vec<f64> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= Self::KNOWN_MAX {
            answers.clear();
        }
        answers.insert(known.clone(), answer.clone());
        answer
    }
}
