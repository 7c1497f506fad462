//! Sessions that go on: those of this server after it was stopped, those of others that have died, and those that the store interrupted.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinError, time::sleep};

use super::{
    handle::SessionHandle,
    live::{SessionEnd, SessionMaking},
};
use crate::{
    problem::{Problem, Result},
    referee::Referee,
    store::{SessionClaim, StoreError},
};

/// Between two attempts to go on with a session that was interrupted: the first pause, and the longest.
const PAUSE: Duration = Duration::from_millis(500);
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// How often in a row a session may panic before it is ignored.
const PANICS_MAX: u32 = 3;

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
        end: Result<SessionEnd, JoinError>,
    ) {
        let id = handle.id.to_string();
        self.sessions.remove(&handle);
        match end {
            Ok(SessionEnd::Over) => {
                self.panics.remove(&id);
                return self.sessions.keep_ended(handle);
            }
            Ok(SessionEnd::Left) => return self.panics.remove(&id),
            Ok(SessionEnd::Unstored(StoreError::Fenced)) => {
                tracing::warn!(%id, "another referee has taken this session over");
            }
            Ok(SessionEnd::Unstored(error)) => {
                tracing::error!(%id, %error, "a session stands still: its journal cannot be stored");
            }
            Err(_) => {
                let times = self.panics.add(&id);
                tracing::error!(%id, times, "a session panicked");
                if times >= PANICS_MAX {
                    return tracing::error!(%id, "ignored until the server restarts");
                }
            }
        }
        self.take_up_session_later(&id).await;
    }

    async fn take_up_session_later(self: &Arc<Self>, id: &str) {
        let mut pause = PAUSE;
        while !self.is_leaving() {
            sleep(pause).await;
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
            pause = PAUSE_MAX.min(pause * 2);
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
