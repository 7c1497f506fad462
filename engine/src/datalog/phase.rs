//! When a relation can be computed.

/// When a relation can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RelationPhase {
    /// Once and for all.
    Static,
    /// When the state is known.
    State,
    /// When the joint move is known too.
    Joint,
}
