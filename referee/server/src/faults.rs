//! Places where tests can make the process crash, to check what survives: empty without the feature `faults`.

#[cfg(feature = "faults")]
use std::{
    env, process,
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// The number of the place that the process does not get past, from 1.
#[cfg(feature = "faults")]
static CRASH_AT: LazyLock<Option<u64>> =
    LazyLock::new(|| env::var("CROUPIER_CRASH_AT").ok().and_then(|text| text.parse().ok()));

/// How many places were passed.
#[cfg(feature = "faults")]
static PASSED: AtomicU64 = AtomicU64::new(0);

/// A place before or after an externally visible effect. In test builds the process ends at the one whose number
/// `CROUPIER_CRASH_AT` gives, as if it were killed: nothing is flushed, no destructor runs.
pub(crate) fn crash_point() {
    #[cfg(feature = "faults")]
    if CRASH_AT.is_some_and(|at| PASSED.fetch_add(1, Ordering::SeqCst) + 1 == at) {
        process::abort();
    }
}
