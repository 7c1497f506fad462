//! How a match is driven, and what whoever watches it is shown.

use std::time::Duration;

use croupier_engine::RoleId;
use croupier_referee::{Conduct, Message};

/// What becomes of a match when a player cannot be reached at its beginning, goes away at once, or stays busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The match is void: it does not begin.
    Void,
    /// It is played all the same, with moves of the referee for whoever is absent.
    Played,
}

/// How a match is driven.
#[derive(Clone, Copy)]
pub struct Manner<'m> {
    /// What becomes of it without one of its players.
    pub absence: Absence,
    /// How long a player may answer START by `busy` and is asked again, before it counts as absent. The clock of the match
    /// stands still meanwhile.
    pub busy_max: Duration,
    /// Whether the match is to be aborted; asked many times a second.
    pub is_interrupted: &'m (dyn Fn() -> bool + Sync),
}

impl Manner<'_> {
    /// Everybody has to be there, within half a minute; nobody interrupts.
    pub const STANDARD: Self =
        Self { absence: Absence::Void, busy_max: Duration::from_secs(30), is_interrupted: &|| false };
}

/// What whoever watches a match is shown.
#[derive(Clone, Copy, Debug)]
pub enum Observed<'m> {
    /// This message goes to that role.
    Message(RoleId, &'m Message),
    /// That player is busy with another match, and will be asked again.
    Busy(RoleId),
    /// A move was played for that role, which has answered like this so far.
    Substituted(RoleId, &'m Conduct),
}
