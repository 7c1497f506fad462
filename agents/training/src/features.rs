//! What the features of a role show.

/// Which part of a match the features of a role show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Features {
    /// For each own move and percept whether it ever came, and whether it came in each of the last turns, the latest first.
    /// Unlimited turns would name the information set.
    Percepts {
        /// How many of the last turns are told apart.
        last: usize,
    },
    /// Only the player's own move and percepts of the last turn, for recurrent learners.
    Turn,
    /// The probability of each fluent, if every other role chooses uniformly: exact as long as there are at most 16,384 states
    /// that the player cannot tell apart, otherwise by particles, which depend only on its information set. They are
    /// written for players who have a choice; those of others are 0.
    Belief {
        /// The number of particles of a belief that is not exact.
        particles: usize,
    },
    /// The state, which no player may see. For critics in training.
    State,
}
