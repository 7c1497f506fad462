//! What a player is told of its message: that it is kept, that it is held, or why it does not count.

use tokio::sync::oneshot;

use crate::problem::{Problem, Result};

/// What became of a message that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Receipt {
    /// It is durable: it counts, whatever happens to the server.
    Kept,
    /// It has arrived, and is in memory alone: until it is judged, its player sends it again if the connection breaks.
    Held,
}

/// A receipt that a player waits for. If it is dropped, the message may be lost.
#[derive(Debug)]
pub(crate) struct Owed(oneshot::Sender<Result<Receipt>>);

/// Where a receipt arrives.
pub(crate) type Receipts = oneshot::Receiver<Result<Receipt>>;

impl Owed {
    pub(crate) fn new() -> (Self, Receipts) {
        let (sender, receiver) = oneshot::channel();
        (Self(sender), receiver)
    }

    pub(crate) fn give(self, receipt: Receipt) {
        // Whoever is gone asks again.
        let _ = self.0.send(Ok(receipt));
    }

    pub(crate) fn refuse(self, problem: impl Into<Problem>) {
        let _ = self.0.send(Err(problem.into()));
    }
}
