//! How a match ended, and a series.

use croupier_engine::{ByPlayer, State};
use croupier_players::{Approaches, Coverage, OpenEnds};
use croupier_referee::{Conduct, Outcome};

/// Why a series is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All matches were played.
    Played,
    /// A signal came.
    Interrupted,
    /// Somebody at the terminal wants to play no more.
    Left,
    /// One match after another was void.
    Absent,
}

/// A match that is over.
pub(crate) struct Ended {
    pub(crate) match_id: String,
    /// The lines of its record.
    pub(crate) record: Vec<u8>,
    pub(crate) outcome: Outcome,
    /// The state that ended it, if it ended by the rules.
    pub(crate) last: Option<State>,
    /// How everybody answered.
    pub(crate) conducts: ByPlayer<Conduct>,
    /// Why players of this process gave no move the first time.
    pub(crate) errors: ByPlayer<Option<String>>,
    /// Which players met ends in their searches of which the rules say too little.
    pub(crate) open_ends: ByPlayer<Option<OpenEnds>>,
    /// How often the strategies in files that players go by had an entry.
    pub(crate) coverages: ByPlayer<Option<Coverage>>,
    /// In which of their ways players decided that have several.
    pub(crate) approaches: ByPlayer<Option<Approaches>>,
    /// Whether somebody at the terminal wants to play no more.
    pub(crate) is_left: bool,
}
