//! What is computed from the records of matches that are over: it takes its time and never changes, so a few are computed at once,
//! and the last ones are kept.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::problem::{Problem, Result};

/// Replays that are computed at once.
const AT_ONCE: usize = 2;

/// Replays that wait to be computed; who brings more is told to come later.
const WAITING_MAX: usize = 64;

/// All that is kept, in bytes.
const BYTES_MAX: usize = 32 << 20;

/// Texts that were computed from a record, or why there are none.
pub(crate) type Replayed = Result<Arc<[Arc<str>]>>;

/// The last replays.
#[derive(Debug)]
pub(crate) struct Replays {
    waiting: Semaphore,
    computing: Semaphore,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// By match and what of it, the latest last.
    entries: VecDeque<(String, Replayed)>,
    bytes: usize,
}

impl Default for Replays {
    fn default() -> Self {
        Self {
            waiting: Semaphore::new(WAITING_MAX),
            computing: Semaphore::new(AT_ONCE),
            kept: Mutex::default(),
        }
    }
}

impl Replays {
    /// What was computed under this name, or what this computes.
    ///
    /// # Errors
    /// [`Problem`] if there is nothing to show, or too many wait.
    pub(crate) async fn of(
        &self,
        name: String,
        record: impl Future<Output = Result<String>>,
        compute: impl FnOnce(&str) -> Replayed + Send + 'static,
    ) -> Replayed {
        if let Some(known) = self.known(&name) {
            return known;
        }
        let Ok(_place) = self.waiting.try_acquire() else {
            return Err(Problem::full("too many records are being replayed; try again"));
        };
        let _permit = self.computing.acquire().await.map_err(|_| Problem::stopping())?;
        // Perhaps somebody asked for the same just before.
        if let Some(known) = self.known(&name) {
            return known;
        }
        let record = record.await?;
        let replayed = spawn_blocking(move || compute(&record)).await;
        let replayed = replayed.map_err(|_| Problem::stopping())?;
        self.keep(name, replayed.clone());
        replayed
    }

    fn known(&self, name: &str) -> Option<Replayed> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entries.iter().find(|(known, _)| known == name).map(|(_, replayed)| replayed.clone())
    }

    fn keep(&self, name: String, replayed: Replayed) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += bytes(&name, &replayed);
        kept.entries.push_back((name, replayed));
        while kept.bytes > BYTES_MAX
            && let Some((name, replayed)) = kept.entries.pop_front()
        {
            kept.bytes -= bytes(&name, &replayed);
        }
    }
}

fn bytes(name: &str, replayed: &Replayed) -> usize {
    const ENTRY: usize = 256;
    let texts = replayed.as_ref().map_or(0, |texts| texts.iter().map(|text| text.len()).sum());
    ENTRY + name.len() + texts
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    async fn ask(replays: &Replays, name: &str, text: String, count: &Arc<AtomicUsize>) -> Replayed {
        let count = Arc::clone(count);
        let compute = move |record: &str| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(Arc::from([Arc::from(record)]))
        };
        replays.of(name.to_owned(), async { Ok(text) }, compute).await
    }

    #[tokio::test]
    async fn a_replay_is_computed_once_and_what_is_kept_has_a_bound() {
        let (replays, count) = (Replays::default(), Arc::new(AtomicUsize::new(0)));
        for _ in 0..10 {
            let texts = ask(&replays, "one", "record".to_owned(), &count).await.expect("texts");
            assert_eq!(&*texts[0], "record");
        }
        assert_eq!(count.load(Ordering::Relaxed), 1);
        for number in 0..40 {
            ask(&replays, &format!("{number}"), "x".repeat(1 << 20), &count).await.expect("texts");
        }
        assert!(replays.kept.lock().expect("nobody panicked").bytes <= BYTES_MAX);
        assert_eq!(count.load(Ordering::Relaxed), 41);
        ask(&replays, "39", String::new(), &count).await.expect("texts");
        assert_eq!(count.load(Ordering::Relaxed), 41, "the last ones are kept");
        ask(&replays, "one", "record".to_owned(), &count).await.expect("texts");
        assert_eq!(count.load(Ordering::Relaxed), 42, "the first one is not");
    }
}
