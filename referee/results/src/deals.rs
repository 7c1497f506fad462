//! Which matches are played on the same deal.

/// Which matches are played on the same deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deals {
    /// Each match has a deal of its own.
    Single,
    /// Each deal is played in every rotation of the seats, by every group: luck cancels, and the matches of one group on one
    /// deal are one observation.
    Duplicate,
}
