//! What ended before it was over, a match or a session: whether this server tries to go on with it, and when.

use std::time::Duration;

use dashmap::DashMap;
use tokio::{task::JoinError, time::sleep};

use crate::store::StoreError;

/// Why the task of a match or a session ended.
#[derive(Debug)]
pub(crate) enum End {
    /// It is over, and stored as such.
    Over,
    /// The server stops; what is stored is sound.
    Left,
    /// The store took nothing more; what is stored is sound.
    Unstored(StoreError),
}

/// How often each match and session has panicked since it last ended well.
#[derive(Debug, Default)]
pub(crate) struct Interruptions(DashMap<String, u32>);

impl Interruptions {
    /// How often in a row something may panic before it is ignored.
    const PANICS_MAX: u32 = 3;

    /// Whether what ended so is to be gone on with. `what` says in the log whether it is a match or a session.
    pub(crate) fn add(&self, what: &'static str, id: &str, end: &Result<End, JoinError>) -> bool {
        match end {
            Ok(End::Over | End::Left) => {
                self.0.remove(id);
                return false;
            }
            Ok(End::Unstored(StoreError::Fenced)) => {
                // Or this one has, where the answer to a write was lost, or its lease ran out meanwhile.
                tracing::warn!(%id, "another referee has taken this {what} over");
            }
            Ok(End::Unstored(error)) => {
                tracing::error!(%id, %error, "a {what} stands still: it cannot be stored");
            }
            Err(_) => {
                let times = self.panicked(id);
                tracing::error!(%id, times, "a {what} panicked");
                if times >= Self::PANICS_MAX {
                    tracing::error!(%id, "ignored until the server restarts");
                    return false;
                }
            }
        }
        true
    }

    fn panicked(&self, id: &str) -> u32 {
        let mut times = self.0.entry(id.to_owned()).or_default();
        *times += 1;
        *times
    }

    /// Whether it has panicked so often that it is ignored.
    pub(crate) fn is_ignored(&self, id: &str) -> bool {
        self.0.get(id).is_some_and(|times| *times >= Self::PANICS_MAX)
    }
}

/// The pauses between attempts to go on with something: each twice as long as the one before, up to a minute.
#[derive(Debug)]
pub(crate) struct Pauses(Duration);

impl Pauses {
    const FIRST: Duration = Duration::from_millis(500);
    const LONGEST: Duration = Duration::from_secs(60);

    pub(crate) fn new() -> Self {
        Self(Self::FIRST)
    }

    /// Waits for the next attempt.
    pub(crate) async fn wait(&mut self) {
        sleep(self.0).await;
        self.0 = Self::LONGEST.min(self.0 * 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a task ends that panics.
    async fn panicked() -> Result<End, JoinError> {
        Err(tokio::spawn(async { panic!("on purpose") }).await.unwrap_err())
    }

    #[tokio::test]
    async fn what_panics_three_times_in_a_row_is_ignored_and_what_ends_well_begins_anew() {
        let interruptions = Interruptions::default();
        let often = |times| (0..times).map(|_| panicked());
        for end in often(2) {
            assert!(interruptions.add("match", "m", &end.await));
        }
        assert!(!interruptions.add("match", "m", &Ok(End::Left)), "the server leaves");
        for end in often(2) {
            assert!(interruptions.add("match", "m", &end.await));
        }
        assert!(!interruptions.is_ignored("m"));
        assert!(!interruptions.add("match", "m", &panicked().await), "the third in a row");
        assert!(interruptions.is_ignored("m") && !interruptions.is_ignored("other"));
        assert!(interruptions.add("session", "other", &Ok(End::Unstored(StoreError::Fenced))));
    }
}
