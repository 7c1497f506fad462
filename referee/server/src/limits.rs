//! The limits of a server, set by its operator.

use std::time::Duration;

/// Processor time of one check of rules. The largest public game takes a hundredth of it.
pub const CHECK: Duration = Duration::from_secs(5);

/// The limits of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Matches at once, at most.
    pub matches_max: usize,
    /// Threads on which players of this server compute.
    pub threads: usize,
    /// Whether players may be called at addresses of private networks, this machine included.
    pub allow_private: bool,
    /// Whether requests for a match may choose its seed.
    pub takes_seeds: bool,
    /// Open seats that one client may have at once in matches that are not over.
    pub open_seats: u32,
    /// Sessions that one client without a name may have open at once; with 0, only the operator and organisers open sessions.
    pub open_tables: u32,
    /// Connections at once, at most.
    pub connections_max: usize,
    /// How long the body of a request may take to arrive.
    pub body: Duration,
    /// Processor time of one check of rules: [`CHECK`], but for tests.
    pub check: Duration,
    /// Rate limits.
    pub rates: RateLimits,
}

/// Requests per second, and ten times as many in a burst; 0 means no limit. The operator's token has none.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits {
    /// From one address (one network of 64 bits in IPv6), without a token.
    pub address: u32,
    /// With one token.
    pub token: u32,
    /// From one address, with invalid tokens.
    pub refusal: u32,
    /// Whether a client's address is the last one in `X-Forwarded-For`, because the server is behind a proxy.
    pub is_behind_proxy: bool,
}
