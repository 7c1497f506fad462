//! A strategy in a game with other names than those of its net.

use std::sync::Arc;

use croupier_belief::{Coverage, Names, Policy};
use croupier_engine::{Game, InformationSet, MoveId};
use croupier_players::{BroughtStrategy, PlayerError};

/// The strategy of a game by the names of the net.
#[derive(Debug)]
pub(crate) struct RenamedStrategy {
    pub(crate) game: Arc<Game>,
    pub(crate) names: Names,
    pub(crate) written: Arc<dyn BroughtStrategy>,
}

impl RenamedStrategy {
    fn asked(&self, known: &InformationSet, legal: &[MoveId]) -> Option<(InformationSet, Vec<MoveId>)> {
        let known = self.names.written_set(&self.game, known)?.into_owned();
        let legal = legal.iter().map(|&played| self.names.written_move(&self.game, played));
        Some((known, legal.collect::<Option<_>>()?))
    }
}

impl BroughtStrategy for RenamedStrategy {
    fn try_probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, PlayerError> {
        let problem = || "the net fails: no match of its game reaches this turn".to_owned();
        let asked = self.asked(known, legal).ok_or_else(|| PlayerError::Brought { problem: problem() });
        asked.and_then(|(known, legal)| self.written.try_probabilities(&known, &legal))
    }
}

impl Policy for RenamedStrategy {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        match self.asked(known, legal) {
            Some((known, legal)) => self.written.probabilities(&known, &legal),
            None => vec![1.0 / legal.len() as f64; legal.len()],
        }
    }

    fn coverage(&self) -> Option<Coverage> {
        self.written.coverage()
    }
}
