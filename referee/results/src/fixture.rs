//! One match of a schedule.

/// One match of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its place in the schedule, from 0.
    pub index: u64,
    /// The entrant in each seat, in the order of the players' roles.
    pub seats: Vec<usize>,
    /// The number of its deal: matches with the same number are played with the same seed.
    pub deal: u64,
}
