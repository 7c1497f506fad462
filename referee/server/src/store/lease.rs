//! How long this server may take its matches for its own.
//!
//! Servers that share a store lose their matches by falling silent. One that was suspended does not notice: so everything that is told
//! about a match is preceded by a look at the clock, and who has missed a renewal takes up its matches anew before it answers for them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::LEASE;
use crate::clock;

/// The lease of this server, as far as it knows.
#[derive(Debug)]
pub(crate) struct Lease {
    /// Until when it is valid, on [`clock::awake_ms`].
    until_ms: AtomicU64,
    /// How many leases there were; a renewal in time prolongs the same one.
    term: AtomicU64,
}

impl Lease {
    /// The lease of the only server of a store, which has no end.
    pub(super) fn endless() -> Arc<Self> {
        Arc::new(Self { until_ms: AtomicU64::new(u64::MAX), term: AtomicU64::new(1) })
    }

    /// A lease that has not begun.
    pub(super) fn none() -> Arc<Self> {
        Arc::new(Self { until_ms: AtomicU64::new(0), term: AtomicU64::new(0) })
    }

    /// It was valid without a gap until it was renewed, by a request of this instant.
    pub(super) fn prolong(&self, asked_ms: u64) {
        let until_ms = asked_ms + u64::try_from(LEASE.as_millis()).unwrap_or_default();
        self.until_ms.fetch_max(until_ms, Ordering::SeqCst);
    }

    /// Another one begins, by a request of this instant: matches of the last one may be others' now.
    pub(super) fn begin(&self, asked_ms: u64) {
        self.term.fetch_add(1, Ordering::SeqCst);
        self.prolong(asked_ms);
    }

    /// What is taken or made now is this server's for the term of the lease.
    pub(super) fn tenure(self: &Arc<Self>) -> Tenure {
        Tenure { lease: Arc::clone(self), term: self.term.load(Ordering::SeqCst) }
    }
}

/// For how long a match is this server's: as long as the lease that it was taken under is renewed in time.
#[derive(Clone, Debug)]
pub(crate) struct Tenure {
    lease: Arc<Lease>,
    term: u64,
}

impl Tenure {
    /// Whether the match is still this server's.
    pub(crate) fn is_held(&self) -> bool {
        // In this order: the next lease begins with its number, and with its end after that.
        let until_ms = self.lease.until_ms.load(Ordering::SeqCst);
        until_ms > clock::awake_ms() && self.lease.term.load(Ordering::SeqCst) == self.term
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_held_while_its_lease_is_renewed_in_time_and_never_again_after_another_has_begun() {
        let lease = Lease::none();
        assert!(!lease.tenure().is_held());
        lease.begin(clock::awake_ms());
        let tenure = lease.tenure();
        assert!(tenure.is_held());
        lease.begin(clock::awake_ms());
        assert!(!tenure.is_held() && lease.tenure().is_held());
        assert!(Lease::endless().tenure().is_held());
    }

    #[test]
    fn a_lease_that_was_asked_for_long_ago_is_over() {
        let lease = Lease::none();
        let long_ago = clock::awake_ms().saturating_sub(u64::try_from(LEASE.as_millis()).unwrap());
        lease.begin(long_ago);
        assert!(!lease.tenure().is_held());
        lease.prolong(clock::awake_ms());
        assert!(lease.tenure().is_held(), "nobody else had it meanwhile");
    }
}
