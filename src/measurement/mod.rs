//! How far a player is from an equilibrium, exactly: what `evaluate` and `solve --evaluate` print.

pub(crate) mod unfolded;
mod equilibrium;
pub(crate) mod figures;
mod reading;
mod report;

use std::{io::Write, path::Path, time::Duration};

use croupier_players::PlayerKind;
use croupier_referee::Seed;
use croupier_solvers::WalkError;

use self::{
    equilibrium::Matchup,
    reading::{Asking, Reading},
    report::MeasuredPlayer,
};
use crate::{
    arguments::{
        existing::Existing,
        file::WholeFile,
        source::Source,
        threads::{Threads, progress},
    },
    measurement::unfolded::{TreeArguments, Unfolded},
    output::failure::Failure,
    sessions::interrupt::Interrupt,
};

/// How long a player may think about a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Thinking {
    /// As many iterations as it was made with.
    Own,
    /// So many iterations.
    Iterations(u32),
    /// So long; players other than `resolve` make no more iterations than they were made with.
    Time(Duration),
}

/// Which player is measured, in which game, and how it is asked.
pub(crate) struct Measurement<'m> {
    /// A name from the catalogue, or the path of a rule file.
    pub(crate) game: &'m str,
    pub(crate) kind: &'m PlayerKind,
    /// What the seeds are derived from.
    pub(crate) seed: &'m Seed,
    /// With how many seeds it is asked where it does not know its strategy.
    pub(crate) seeds: u32,
    pub(crate) thinking: Thinking,
    /// What a player has before its first move.
    pub(crate) start_time: Option<Duration>,
    /// Whether an equilibrium is computed too, to seat the player against it.
    pub(crate) against_equilibrium: bool,
    /// Where the strategy that was read off is written.
    pub(crate) policy: Option<&'m Path>,
    /// What is done with a file that is there.
    pub(crate) existing: Existing,
    pub(crate) tree: &'m TreeArguments,
    pub(crate) threads: &'m Threads,
    pub(crate) as_json: bool,
}

impl Measurement<'_> {
    /// Enumerates the game, asks the player everywhere, and prints what it came to.
    ///
    /// # Errors
    /// If the game is too large, the player fails somewhere, or the command is interrupted.
    pub(crate) fn print(&self, interrupt: &Interrupt, out: &mut dyn Write) -> Result<(), Failure> {
        // What cannot be written is better known now than after hours.
        if let Some(path) = self.policy {
            self.existing.check(path)?;
        }
        let pool = self.threads.pool()?;
        let unfolded = Unfolded::new(self.game, self.tree, &pool)?;
        let bar = progress(unfolded.tree.information_sets_count() as u64, "information sets");
        let asking = Asking { measurement: self, unfolded: &unfolded, interrupt };
        let reading = pool.install(|| Reading::new(&asking, &bar));
        bar.finish_and_clear();
        let reading = reading?;
        if let Some(strategy) = reading.strategy_coverage(self.kind) {
            strategy.check()?;
            strategy.warn();
        }
        if let Some(path) = self.policy {
            let text = unfolded.table(&reading.policy(&unfolded))?.to_json();
            WholeFile::write_at(path, text.as_bytes())
                .map_err(|error| Failure::file("unwritable-file", path, &error))?;
        }
        let matchup = self
            .against_equilibrium
            .then(|| pool.install(|| Matchup::new(&unfolded, &reading.policy(&unfolded))));
        let measured = MeasuredPlayer {
            unfolded: &unfolded,
            kind: self.kind,
            seed: self.seed.reveal(),
            threads: self.threads.count(),
            thinking: self.thinking,
            reading: &reading,
            matchup: matchup.as_ref(),
        };
        measured.print(self.as_json, out)
    }
}

/// Why a game is not walked through.
pub(crate) fn walk_refusal(error: &WalkError, source: &Source) -> Failure {
    let failure = |code: &'static str| Failure::refuse(code, error.to_string()).at(&source.origin);
    match error {
        WalkError::NoNetwork => {
            failure("no-network").help("`croupier show GAME` says how large its network would be")
        }
        WalkError::NotNumbered { .. } | WalkError::TooManySets { .. } => failure("game-too-large")
            .help("--abstract solves games in which chance deals; players that search can play any: --seat ROLE=resolve"),
        WalkError::UnknownMoves { .. } => failure("unknown-moves")
            .help("add percepts that tell the role what it may play; `croupier check` finds such places too"),
        WalkError::Interrupted => Failure::Interrupted,
        WalkError::Game(_) => failure("rules-fail").help("`croupier check` explains what is wrong with the rules"),
        WalkError::Sampling { .. } => failure("bad-algorithm"),
        WalkError::Strategy(_) => failure("unknown-strategy"),
    }
}
