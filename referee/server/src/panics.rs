//! How often a match has panicked.

use dashmap::DashMap;

/// How often each match has panicked since it last ended well.
#[derive(Debug, Default)]
pub(crate) struct Panics(DashMap<String, u32>);

impl Panics {
    /// Counts one more; how many there were.
    pub(crate) fn add(&self, id: &str) -> u32 {
        let mut times = self.0.entry(id.to_owned()).or_default();
        *times += 1;
        *times
    }

    /// How often it has.
    pub(crate) fn count(&self, id: &str) -> u32 {
        self.0.get(id).map_or(0, |times| *times)
    }

    /// Forgets a match.
    pub(crate) fn remove(&self, id: &str) {
        self.0.remove(id);
    }
}
