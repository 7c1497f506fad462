//! How much work answers may take.

/// How large the graph of all states may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphLimits {
    /// States.
    pub states: usize,
    /// Joint moves in all states together.
    pub edges: usize,
    /// States in all information sets of one role together.
    pub members: usize,
}

impl GraphLimits {
    /// One or two gigabytes.
    pub const STANDARD: Self = Self { states: 8_000_000, edges: 40_000_000, members: 40_000_000 };
}
