//! How matches are played, whoever sits in them.

use croupier_referee::{Clocks, SealKey, Seed};

use super::{addresses::Addresses, house_rules::HouseRules};
use crate::sessions::{interrupt::Interrupt, seat::Timing, terminal::Stream};

/// The clocks in the record where nobody is timed.
pub(crate) const UNTIMED: Clocks = Clocks::of(60_000, 60_000);

/// How matches are played, whoever sits in them.
pub(crate) struct SeriesSettings {
    pub(crate) seed: Seed,
    /// How many matches there will be, as their records say.
    pub(crate) total: u64,
    /// The key that signs the records, if somebody has one.
    pub(crate) seal_key: Option<SealKey>,
    /// What players are told.
    pub(crate) clocks: Clocks,
    pub(crate) timing: Timing,
    /// Where people read what they are told.
    pub(crate) people_read: Stream,
    pub(crate) dialect_of: DialectOf,
    pub(crate) house_rules: HouseRules,
    /// Where matches are being played.
    pub(crate) addresses: Addresses,
    pub(crate) interrupt: Interrupt,
}

/// What the option `--dialect` of a command is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DialectOf {
    /// `ROLE=DIALECT`.
    Role,
    /// `ADDRESS=DIALECT`.
    Address,
}
