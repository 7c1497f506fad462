//! What a role knows: what is true in every history that it cannot tell from the true one.

/// Whether a role knows something, and how that was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// Whether it is true in every history looked at.
    pub holds: bool,
    /// What was looked at.
    pub basis: KnowledgeBasis,
}

/// How it was found out whether a role knows something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnowledgeBasis {
    /// Certain: by all histories, by one in which it is false, or by a proof that there is none.
    Proved,
    /// No sample contradicts it; others may.
    Sampled {
        /// How many histories were looked at.
        samples: usize,
    },
}

impl Knowledge {
    /// Certain.
    pub(crate) fn proved(holds: bool) -> Self {
        Self { holds, basis: KnowledgeBasis::Proved }
    }

    /// As far as so many samples say.
    pub(crate) fn sampled(samples: usize) -> Self {
        Self { holds: true, basis: KnowledgeBasis::Sampled { samples } }
    }
}
