//! What a server takes, as its operator says.

/// What a server takes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Matches at once, at most.
    pub matches_max: usize,
    /// Threads on which players of this server think.
    pub threads: usize,
    /// Whether players may be called at addresses of private networks, this machine included.
    pub allow_private: bool,
    /// Whether whoever makes a match may say where its chance comes from.
    pub takes_seeds: bool,
}
