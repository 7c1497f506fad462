//! How much of a long test is run.

/// A part that is quick enough for every change, or the whole with `CROUPIER_SLOW=1`, as `.ci/nightly` runs it.
pub fn size<T>(part: T, whole: T) -> T {
    if std::env::var("CROUPIER_SLOW").is_ok() { whole } else { part }
}
