//! The shutdown signal of a server, for everything that waits.

use tokio::sync::watch;

use crate::problem::{Problem, ProblemCode};

/// Whether the server is about to stop.
#[derive(Clone, Debug)]
pub(crate) struct Drain(watch::Sender<bool>);

impl Drain {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// From now on the server takes nothing new.
    pub(crate) fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the server is about to stop.
    pub(crate) async fn begun(&self) {
        // The sender is this value: it is there as long as somebody waits.
        let _ = self.0.subscribe().wait_for(|begun| *begun).await;
    }

    /// Refuses requests that would start something new.
    ///
    /// # Errors
    /// [`Problem`] with the code `draining`, if the server is about to stop.
    pub(crate) fn refuse(&self) -> Result<(), Problem> {
        if *self.0.borrow() { Err(ProblemCode::Draining.into()) } else { Ok(()) }
    }
}
