//! The sessions of a server: those that run here, and the last ones that are over.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use croupier_referee::Seed;
use dashmap::DashMap;
use tokio::sync::watch;

use super::{
    books::{SessionBooks, SessionOrigin},
    handle::{Call, SessionHandle},
    journal::JournalEntry,
    live::{LiveSession, SessionMaking},
    setup::SessionSetup,
    view::{SessionStatus, SessionView},
};
use crate::{
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    rights::TokenDigest,
    store::StoredSession,
};

/// Sessions that are over of which views are kept.
const ENDED_MAX: usize = 128;

/// The sessions of a server.
#[derive(Debug, Default)]
pub(crate) struct SessionRegister {
    running: DashMap<String, SessionHandle>,
    ended: Mutex<VecDeque<SessionHandle>>,
    /// Changes when a session begins here.
    begun: watch::Sender<()>,
}

impl SessionRegister {
    /// A session that runs here.
    pub(super) fn find(&self, id: &str) -> Option<SessionHandle> {
        self.running.get(id).filter(|handle| handle.tenure.is_held()).map(|handle| handle.clone())
    }

    /// Makes a session known that runs here from now on.
    pub(super) fn insert(&self, handle: SessionHandle) {
        if let Some(earlier) = self.running.insert(handle.id.to_string(), handle) {
            earlier.leave();
        }
        self.begun.send_replace(());
    }

    /// Forgets a session that runs here no longer, unless it runs under another task by now.
    pub(super) fn remove(&self, own: &SessionHandle) {
        self.running.remove_if(&*own.id, |_, handle| handle.is(own));
    }

    /// Keeps a session that is over.
    pub(super) fn keep_ended(&self, handle: SessionHandle) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.retain(|other| other.id != handle.id);
        ended.push_back(handle);
        if ended.len() > ENDED_MAX {
            ended.pop_front();
        }
    }

    fn ended(&self, id: &str) -> Option<SessionHandle> {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.iter().find(|handle| &*handle.id == id).cloned()
    }

    /// All that run here.
    pub(super) fn all(&self) -> Vec<SessionHandle> {
        self.running.iter().map(|handle| handle.clone()).collect()
    }
}

impl Referee {
    /// A session: one that runs here, or one that is over.
    ///
    /// # Errors
    /// [`Problem`] if there is none, if it runs on another server of the same store, or if it will go on in a moment.
    pub(crate) async fn session(&self, id: &str) -> Result<SessionHandle> {
        if let Some(handle) = self.sessions.find(id).or_else(|| self.sessions.ended(id)) {
            return Ok(handle);
        }
        let stored =
            self.store().session(id).await?.ok_or_else(|| Problem::absent("there is no such session"))?;
        if stored.status == "running" {
            return Err(match self.store().session_elsewhere(id).await? {
                Some(server) => Problem::elsewhere(&server, ""),
                None => ProblemCode::Interrupted.because("the session goes on in a moment: ask again"),
            });
        }
        let books = self.books(&stored).await?;
        let handle = SessionHandle::of_ended(&books, self.store().tenure());
        self.sessions.keep_ended(handle.clone());
        Ok(handle)
    }

    /// A session as it follows from what is stored of it.
    pub(super) async fn books(&self, stored: &StoredSession) -> Result<SessionBooks> {
        let mut books = self.blank_books(stored)?;
        for entry in self.journal(&stored.id).await? {
            books.take(&entry).map_err(|error| damaged(&error.to_string()))?;
        }
        Ok(books)
    }

    /// A session of which no entry was read yet.
    pub(super) fn blank_books(&self, stored: &StoredSession) -> Result<SessionBooks> {
        let setup = SessionSetup::read(&stored.setup)?;
        let origin = SessionOrigin {
            id: stored.id.clone(),
            facts: Arc::new(setup.facts()),
            setup,
            seed: Seed::from_bytes(stored.seed),
            created_ms: stored.created_ms,
            host: TokenDigest::of(&self.host_token(&stored.id)),
            watch: TokenDigest::of(&self.watch_token(&stored.id)),
        };
        SessionBooks::open(origin).map_err(|error| damaged(&error.to_string()))
    }

    /// The journal of a session.
    pub(super) async fn journal(&self, id: &str) -> Result<Vec<JournalEntry>> {
        let lines = self.store().session_journal(id).await?;
        let entries = lines.iter().map(|line| serde_json::from_str(line));
        entries.collect::<Result<_, _>>().map_err(|error| damaged(&error.to_string()))
    }

    /// The tables that anybody may watch, and that are not over, in no particular order.
    pub(crate) fn open_tables(&self) -> Vec<Arc<SessionView>> {
        let views = self.sessions.all().into_iter().map(|handle| Arc::clone(&handle.view.borrow()));
        views.filter(|view| view.is_listed && view.status != SessionStatus::Over).collect()
    }

    /// Changes when a session begins here.
    pub(crate) fn sessions_begun(&self) -> watch::Receiver<()> {
        self.sessions.begun.subscribe()
    }

    /// How many run here.
    pub(super) fn sessions_running(&self) -> usize {
        self.sessions.running.len()
    }

    /// Runs a session, and registers it for as long as it runs.
    pub(super) fn run_session(self: &Arc<Self>, making: SessionMaking) {
        let (live, handle) = LiveSession::new(Arc::clone(self), making);
        self.sessions.insert(handle.clone());
        let referee = Arc::clone(self);
        self.runtime.spawn(async move {
            let end = tokio::spawn(live.run()).await;
            referee.go_on_after_session(handle, end).await;
        });
    }

    /// The token of the host of a session.
    pub(crate) fn host_token(&self, session: &str) -> String {
        self.token_for(&format!("host/{session}"))
    }

    /// The token of those who watch a session.
    pub(crate) fn watch_token(&self, session: &str) -> String {
        self.token_for(&format!("watch/{session}"))
    }

    /// The token of an invitation of a session, by its number.
    pub(super) fn invitation_token(&self, session: &str, number: u64) -> String {
        self.token_for(&format!("invitation/{session}/{number}"))
    }
}

fn damaged(what: &str) -> Problem {
    ProblemCode::Altered.because(format!("the journal of the session is damaged: {what}"))
}

impl SessionHandle {
    /// Whether it is the handle of the same task.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.calls.same_channel(&other.calls)
    }

    /// Ends the task: it is no longer known whose the session is, or the server stops.
    pub(super) fn leave(&self) {
        // A task whose calls pile up finds out by itself before it stores anything.
        let _ = self.calls.try_send(Call::Leave);
    }
}
