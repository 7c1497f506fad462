//! Rate limits: by address without a token, by token with one.

use std::{
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use dashmap::DashMap;
use governor::{
    Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
    state::keyed::DashMapStateStore,
};

use crate::{
    limits::RateLimits,
    problem::{Problem, Result},
};

/// The burst size, in seconds' worth of requests.
const BURST: u32 = 10;

/// How long nobody listens to a client that has opened too many connections without a request.
const BARRED: Duration = Duration::from_secs(1);

/// After this many requests, clients that have been idle for long are forgotten.
const FORGET_EVERY: u32 = 16_384;

/// The rate limiters.
#[derive(Debug)]
pub(crate) struct Rates {
    address: Option<KeyedLimit<IpAddr>>,
    token: Option<KeyedLimit<[u8; 32]>>,
    refusal: Option<KeyedLimit<IpAddr>>,
    /// Whom nobody listens to, until then.
    barred: DashMap<IpAddr, Instant>,
}

impl Rates {
    pub(crate) fn new(limits: RateLimits) -> Self {
        Self {
            address: KeyedLimit::new(limits.address),
            token: KeyedLimit::new(limits.token),
            refusal: KeyedLimit::new(limits.refusal),
            barred: DashMap::new(),
        }
    }

    /// Counts a request without a token.
    ///
    /// # Errors
    /// [`Problem`] that says how long to wait.
    pub(crate) fn ask(&self, from: IpAddr) -> Result<()> {
        self.address.as_ref().map_or(Ok(()), |rate| rate.count(network(from)))
    }

    /// Counts a request with a token, by its digest.
    ///
    /// # Errors
    /// [`Problem`] that says how long to wait.
    pub(crate) fn ask_with(&self, token: [u8; 32]) -> Result<()> {
        self.token.as_ref().map_or(Ok(()), |rate| rate.count(token))
    }

    /// Counts a request whose token was invalid.
    ///
    /// # Errors
    /// [`Problem`] that says how long to wait: it replaces the response, so that a guess gets no answer at all.
    pub(crate) fn be_refused(&self, from: IpAddr) -> Result<()> {
        self.refusal.as_ref().map_or(Ok(()), |rate| rate.count(network(from)))
    }

    /// Counts a connection that brought no request: one more than the limit, and its client is barred for a moment.
    pub(crate) fn ask_nothing(&self, from: IpAddr, now: Instant) {
        if self.be_refused(from).is_err() {
            self.barred.retain(|_, until| *until > now);
            self.barred.insert(network(from), now + BARRED);
        }
    }

    /// Whether connections of a client are closed unread.
    pub(crate) fn is_barred(&self, from: IpAddr, now: Instant) -> bool {
        self.barred.get(&network(from)).is_some_and(|until| *until > now)
    }
}

/// Whom an address belongs to: in IPv6 everybody has a network of 64 bits.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

/// One limit for each key.
#[derive(Debug)]
struct KeyedLimit<K: Hash + Eq + Clone> {
    limiter: RateLimiter<K, DashMapStateStore<K>, DefaultClock>,
    counted: AtomicU32,
}

impl<K: Hash + Eq + Clone> KeyedLimit<K> {
    /// This many per second; `None` for no limit.
    fn new(per_second: u32) -> Option<Self> {
        let per_second = NonZeroU32::new(per_second)?;
        let burst = per_second.saturating_mul(NonZeroU32::new(BURST)?);
        let quota = Quota::per_second(per_second).allow_burst(burst);
        Some(Self { limiter: RateLimiter::dashmap(quota), counted: AtomicU32::new(0) })
    }

    fn count(&self, key: K) -> Result<()> {
        if self.counted.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        self.limiter.check_key(&key).map_err(|full| {
            let wait: Duration = full.wait_time_from(DefaultClock::default().now());
            Problem::too_many(wait)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::{RateLimits, Rates, network};

    fn rates(address: u32, token: u32, refusal: u32) -> Rates {
        Rates::new(RateLimits { address, token, refusal, is_behind_proxy: false })
    }

    #[test]
    fn an_address_has_a_burst_of_ten_seconds_and_others_are_untouched() {
        let rates = rates(2, 0, 0);
        let [one, other]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        let taken = (0..40).filter(|_| rates.ask(one).is_ok()).count();
        assert!((20..=21).contains(&taken), "{taken}");
        assert!(rates.ask(other).is_ok());
        assert!(rates.be_refused(one).is_ok(), "refusals are counted apart");
        assert!((0..1_000).all(|_| rates.ask_with([0; 32]).is_ok()), "0 is no limit");
    }

    #[test]
    fn addresses_of_one_network_of_ipv6_count_as_one_and_those_of_ipv4_each() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
