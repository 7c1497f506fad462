//! How much work answers about real-time games may take.

/// How much may be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedLimits {
    /// States, or classes of states.
    pub states: usize,
    /// Updates in all of them together.
    pub updates: usize,
}

impl TimedLimits {
    /// One or two gigabytes.
    pub const STANDARD: Self = Self { states: 1_000_000, updates: 8_000_000 };
}
