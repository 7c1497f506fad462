//! Waiting in the task of a match: for the disk, and for an instant.

use std::{future::pending, pin::Pin, sync::Arc, time::Instant};

use tokio::time::sleep_until;

use crate::{clock, house::House, metrics::metrics, store::StoreError};

/// Lines on their way to the disk.
pub(crate) struct Storing {
    done: Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>,
    lines: Arc<[String]>,
    since: Instant,
}

impl Storing {
    /// Sends lines of a match to the store, the first of which has this number. An empty list is done immediately.
    pub(crate) fn new(house: &Arc<House>, id: &str, epoch: u64, first: u64, lines: Arc<[String]>) -> Self {
        let (house, id, written) = (Arc::clone(house), id.to_owned(), Arc::clone(&lines));
        let done = Box::pin(async move {
            if written.is_empty() { Ok(()) } else { house.store.append(&id, epoch, first, written).await }
        });
        Self { done, lines, since: clock::now() }
    }
}

/// The lines that are durable now; never, if none are on their way.
pub(crate) async fn stored(storing: &mut Option<Storing>) -> Result<Arc<[String]>, StoreError> {
    let Some(Storing { done, since, .. }) = storing else { return pending().await };
    let result = done.await;
    metrics().stored(since.elapsed());
    let lines = storing.take().map_or_else(Arc::default, |storing| storing.lines);
    result.map(|()| lines)
}

/// Waits for an instant; for ever, if there is none.
pub(crate) async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at.into()).await,
        None => pending().await,
    }
}
