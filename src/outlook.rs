//! A belief of one moment, and what it comes from.

use croupier_belief::Distribution;

/// A belief and how it came about.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    /// The states held possible.
    pub(crate) distribution: Distribution,
    /// What they come from.
    pub(crate) basis: Basis,
}

/// What a belief comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Basis {
    /// All histories that agree with what the role knows.
    Histories(u64),
    /// Some of them.
    Particles {
        /// How many.
        count: usize,
        /// The number of equally heavy ones that would be as good.
        effective: f64,
    },
}
