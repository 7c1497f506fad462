//! Sessions that go on: those of this server after it was stopped, those of others that have died, and those that the store interrupted.

use std::sync::Arc;

use tokio::task::JoinError;

use super::{handle::SessionHandle, live::SessionMaking};
use crate::{
    interruptions::{End, Pauses},
    problem::{Problem, Result},
    referee::Referee,
    store::SessionClaim,
};

impl Referee {
    /// Goes on with a session of this server.
    ///
    /// # Errors
    /// [`Problem`] if it cannot.
    pub(crate) async fn take_up_session(self: &Arc<Self>, claim: &SessionClaim) -> Result<()> {
        let stored = self.store().session(&claim.id).await?.ok_or_else(Problem::lost)?;
        let books = self.books(&stored).await?;
        self.run_session(SessionMaking { books, epoch: claim.epoch, tenure: claim.tenure.clone() });
        Ok(())
    }

    /// Goes on with a session as soon as that is possible.
    pub(crate) async fn take_up_session_soon(self: Arc<Self>, claim: SessionClaim) {
        if let Err(problem) = self.take_up_session(&claim).await {
            tracing::error!(id = claim.id, %problem, "cannot resume a session");
            if problem.is_temporary() {
                self.take_up_session_later(&claim.id).await;
            }
        }
    }

    /// What follows the end of a session's task: nothing if it is over; otherwise another attempt, unless the store says that
    /// another server has it.
    pub(super) async fn go_on_after_session(
        self: &Arc<Self>,
        handle: SessionHandle,
        end: Result<End, JoinError>,
    ) {
        let id = handle.id.to_string();
        self.sessions.remove(&handle);
        let is_interrupted = self.interruptions.add("session", &id, &end);
        if let Ok(End::Over) = end {
            self.sessions.keep_ended(handle);
        }
        if is_interrupted {
            self.take_up_session_later(&id).await;
        }
    }

    async fn take_up_session_later(self: &Arc<Self>, id: &str) {
        let mut pauses = Pauses::new();
        while !self.is_leaving() {
            pauses.wait().await;
            if self.sessions.find(id).is_some() {
                return;
            }
            match self.store().reclaim_session(id).await {
                Ok(None) => return,
                Ok(Some(claim)) => match self.take_up_session(&claim).await {
                    Ok(()) => return tracing::info!(%id, "the session was resumed"),
                    Err(problem) => tracing::error!(%id, %problem, "cannot resume the session yet"),
                },
                Err(error) => tracing::error!(%id, %error, "the store does not answer yet"),
            }
        }
    }

    /// Leaves all sessions as they are stored.
    pub(crate) fn leave_sessions(&self) {
        self.sessions.all().iter().for_each(SessionHandle::leave);
    }

    /// Drops the sessions of a lease that has run out: others may have them.
    pub(crate) fn drop_lapsed_sessions(&self) {
        for handle in self.sessions.all() {
            if !handle.tenure.is_held() {
                handle.leave();
                self.sessions.remove(&handle);
            }
        }
    }
}
