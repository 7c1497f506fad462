//! Knowledge: what is true in every history that a role cannot distinguish from the true one.

/// Whether a role knows something, and how that was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// Whether it is true in every history examined.
    pub holds: bool,
    /// The evidence.
    pub basis: KnowledgeBasis,
}

/// How it was determined whether a role knows something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnowledgeBasis {
    /// Certain: from all histories, from one in which it is false, or from a proof that there is none.
    Proved,
    /// No sample contradicts it; others may.
    Sampled {
        /// The number of histories examined.
        samples: usize,
    },
}

impl Knowledge {
    /// Certain.
    pub(crate) fn proved(holds: bool) -> Self {
        Self { holds, basis: KnowledgeBasis::Proved }
    }

    /// Based on this many samples.
    pub(crate) fn sampled(samples: usize) -> Self {
        Self { holds: true, basis: KnowledgeBasis::Sampled { samples } }
    }
}
