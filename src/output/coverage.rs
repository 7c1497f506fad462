//! How much of what was met the strategy in a file knows: what every command says that uses one.

use std::io::Write;

use croupier_games::printable;
use croupier_players::{Coverage, PlayerError, PlayerKind};
use serde::Serialize;

use crate::output::failure::Failure;

/// How much a strategy knew that somebody plays by, or expects others to play by.
pub(crate) struct StrategyCoverage<'c> {
    /// Who goes by it, as commands write it.
    pub(crate) who: String,
    pub(crate) coverage: &'c Coverage,
    /// Whether the files are models of others.
    pub(crate) is_model: bool,
}

/// How much a strategy in a file knew.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CoverageReport<'c> {
    /// Information sets with a choice in which it was looked up; repeats count.
    met: u64,
    /// Those for which it has an entry.
    known: u64,
    /// The first one without an entry.
    first_unknown: Option<&'c str>,
}

impl<'c> From<&'c Coverage> for CoverageReport<'c> {
    fn from(coverage: &'c Coverage) -> Self {
        let &Coverage { met, known, ref first_unknown, .. } = coverage;
        Self { met, known, first_unknown: first_unknown.as_deref() }
    }
}

/// Why a player cannot be had: a strategy in a file that is of another game has a code of its own, and anything else the code
/// `otherwise`.
pub(crate) fn player_refusal(error: &PlayerError, otherwise: &'static str) -> Failure {
    match error {
        PlayerError::Policy(_) | PlayerError::Blueprint { .. } => {
            Failure::refuse("unfit-policy", error.to_string()).help(UNFIT)
        }
        _ => Failure::refuse(otherwise, error.to_string()),
    }
}

impl<'c> StrategyCoverage<'c> {
    /// Of a player of this kind, in no role in particular.
    pub(crate) fn of(kind: &PlayerKind, coverage: &'c Coverage) -> Self {
        let is_model = matches!(kind, PlayerKind::Modelling { .. });
        Self { who: PlayerKind::brief(&kind.to_string()), coverage, is_model }
    }

    fn who(&self) -> String {
        printable(&if self.is_model { format!("the model of {}", self.who) } else { self.who.clone() })
    }

    /// `alice (policy:kuhn.json) knew 3 of 12 information sets that it met`.
    pub(crate) fn line(&self) -> String {
        let Coverage { met, known, .. } = self.coverage;
        let plural = if *met == 1 { "" } else { "s" };
        format!("{} knew {known} of {met} information set{plural} that it met", self.who())
    }

    /// Refuses a strategy with an entry that cannot be played where it was looked up.
    ///
    /// # Errors
    /// If there is one.
    pub(crate) fn check_playable(&self) -> Result<(), Failure> {
        match &self.coverage.fault {
            Some(fault) => Err(Failure::refuse("player-failed", format!("{}: {fault}", self.who()))),
            None => Ok(()),
        }
    }

    /// Refuses the same, and a strategy that has nothing to say where it is used.
    ///
    /// # Errors
    /// If an entry cannot be played, or none of what was met is known.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.check_playable()?;
        match self.coverage.is_none() {
            true => Err(Failure::refuse("unfit-policy", self.line()).help(UNFIT)),
            false => Ok(()),
        }
    }

    /// What to warn of, if it knows few.
    pub(crate) fn warning(&self) -> Option<String> {
        let first = self.coverage.first_unknown.as_deref().map_or_else(String::new, |first| {
            format!("; the first that it did not know is {}", printable(first))
        });
        (self.coverage.is_few() && !self.coverage.is_none())
            .then(|| format!("warning[few-known]: {}{first}", self.line()))
    }

    /// Writes that warning to standard error.
    pub(crate) fn warn(&self) {
        if let Some(line) = self.warning() {
            // Nobody is left to be told if standard error is closed.
            let _ = writeln!(anstream::stderr().lock(), "{line}");
        }
    }
}

pub(crate) const UNFIT: &str = "it was made for another game, for another role or for other rules; `croupier solve GAME --policy \
    FILE` makes one for these rules";
