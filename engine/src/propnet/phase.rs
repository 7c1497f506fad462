//! What can be computed at one time.

/// What can be computed at one time, in the order in which it has to be.
///
/// Every phase stands on [`State`](Self::State), and [`Sees`](Self::Sees) on [`Next`](Self::Next) as well.
/// What a phase leaves holds until a phase behind it begins, with the exceptions that are written here.
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
