//! What a net says in a game with other names than its own.

use std::sync::Arc;

use croupier_belief::{Coverage, Names, Policy};
use croupier_engine::{Game, InformationSet, MoveId};
use croupier_players::{BroughtStrategy, PlayerError};

/// The strategy of a game by the names of the net.
#[derive(Debug)]
struct RenamedStrategy {
    game: Arc<Game>,
    names: Names,
    written: Arc<dyn BroughtStrategy>,
}

/// Makes something of a file for a game: by the names of the game, or else by those of the file's rules, which `names` finds.
///
/// # Errors
/// What is wrong with the names of the game, if the file has no rules that are the same by other names.
pub(crate) fn by_any_names<T>(
    names: impl FnOnce() -> Option<Names>,
    make: impl Fn(Names) -> Result<T, PlayerError>,
) -> Result<T, PlayerError> {
    let refused = match make(Names::OWN) {
        Ok(made) => return Ok(made),
        Err(refused) => refused,
    };
    match names().filter(|names| !names.are_own()) {
        Some(names) => make(names),
        None => Err(refused),
    }
}

/// A strategy by these names.
pub(crate) fn named(
    game: &Arc<Game>,
    names: Names,
    written: Arc<dyn BroughtStrategy>,
) -> Arc<dyn BroughtStrategy> {
    if names.are_own() {
        return written;
    }
    Arc::new(RenamedStrategy { game: Arc::clone(game), names, written })
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
