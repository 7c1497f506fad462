//! Statistics of a particle belief.

/// Statistics of a particle belief so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterReport {
    /// Joint moves whose percepts were examined.
    pub joint_moves_looked_at: u64,
    /// Turns after which the particles were resampled.
    pub resamplings: u64,
    /// How often earlier turns were drawn again because no particle was left.
    pub rejuvenations: u64,
    /// How often all turns were drawn again because few particles were left, or to have all that there are.
    pub replenishments: u64,
    /// How often the complete search had to help.
    pub searches: u64,
    /// How often a SAT solver looked for histories.
    pub solver_rescues: u64,
    /// Turns of particles that were computed, dead ones and fresh starts included.
    pub particle_turns: u64,
}
