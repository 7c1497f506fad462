//! What a server takes, as its operator says.

use std::time::Duration;

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
    /// Connections at once, at most.
    pub connections_max: usize,
    /// How long the body of a request may take to arrive.
    pub body: Duration,
    /// How often may be asked.
    pub rates: RateLimits,
}

/// Requests a second, and ten times as many in a burst; 0 stands for no limit. The operator's token has none.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits {
    /// From one address (one network of 64 bits in IPv6), without a token.
    pub address: u32,
    /// With one token.
    pub token: u32,
    /// From one address, with tokens that are refused.
    pub refusal: u32,
    /// Whether the address of a client is the last in `X-Forwarded-For`, because a proxy stands in front.
    pub is_behind_proxy: bool,
}
