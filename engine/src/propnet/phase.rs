//! The phases of a turn's computation.

/// What can be computed at one time, in the required order.
///
/// Every phase depends on [`State`](Self::State), and [`Sees`](Self::Sees) also on [`Next`](Self::Next).
/// The results of a phase are valid until a later phase starts, with the exceptions listed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Terminal and legal, from the bases. Both hold while goals are computed, not longer.
    State,
    /// Goals, from the bases.
    Goal,
    /// Next, from bases and moves. It holds while percepts are computed.
    Next,
    /// Percepts, from bases and moves.
    Sees,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::State, Self::Goal, Self::Next, Self::Sees];
}
