//! Options for driving a match, and what its observer is shown.

use std::time::Duration;

use croupier_engine::RoleId;
use croupier_referee::{Conduct, Message};

/// What happens to a match if a player cannot be reached at the start, disconnects at once, or stays busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The match is void: it does not begin.
    Void,
    /// It is played anyway, with moves of the referee for absent players.
    Played,
}

/// How a match is driven.
#[derive(Clone, Copy)]
pub struct DriverOptions<'m> {
    /// What becomes of it without one of its players.
    pub absence: Absence,
    /// How long a player may answer START with `busy` and is asked again, before it counts as absent. The clock of the match
    /// is paused meanwhile.
    pub busy_max: Duration,
    /// Whether the match is to be aborted; called many times a second.
    pub is_interrupted: &'m (dyn Fn() -> bool + Sync),
}

impl DriverOptions<'_> {
    /// All players are required, within half a minute; there are no interruptions.
    pub const STANDARD: Self =
        Self { absence: Absence::Void, busy_max: Duration::from_secs(30), is_interrupted: &|| false };
}

/// What the observer of a match is shown.
#[derive(Clone, Copy, Debug)]
pub enum Observed<'m> {
    /// This message goes to that role.
    Message(RoleId, &'m Message),
    /// The player is busy with another match, and will be asked again.
    Busy(RoleId),
    /// A move was played for that role, which has answered like this so far.
    Substituted(RoleId, &'m Conduct),
}
