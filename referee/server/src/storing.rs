//! A match's part of the store, and those who watch it: what both kinds of match have in common while they run.

use std::{collections::BTreeMap, future::pending, pin::Pin, sync::Arc, time::Instant};

use croupier_engine::{ByPlayer, GoalValue, RoleId, Roles};
use croupier_referee::Failure;
use serde_json::Value;
use tokio::time::sleep_until;

use crate::{
    audience::Audience,
    clock,
    context::ServerContext,
    metrics::metrics,
    outbox::Lines,
    store::{StoreError, Tenure},
};

/// Lines on their way to the disk.
struct Storing {
    done: Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>,
    lines: Arc<[String]>,
    since: Instant,
}

/// A running match as the store has it, and its spectators.
pub(crate) struct StoredMatch {
    pub(crate) context: Arc<ServerContext>,
    id: String,
    /// Which referee of the match this is, counted from 1.
    epoch: u64,
    tenure: Tenure,
    storing: Option<Storing>,
    pub(crate) audience: Audience,
}

/// How a match ended, as it is stored.
pub(crate) struct Conclusion {
    pub(crate) status: &'static str,
    /// Turns or updates.
    pub(crate) steps: u32,
    /// All that is said of it.
    pub(crate) shown: Value,
}

impl StoredMatch {
    pub(crate) fn new(
        context: Arc<ServerContext>,
        id: String,
        epoch: u64,
        tenure: Tenure,
        audience: Audience,
    ) -> Self {
        Self { context, id, epoch, tenure, storing: None, audience }
    }

    /// Sends lines to the store; [`Self::stored`] says when they are durable.
    pub(crate) fn store(&mut self, Lines { first, lines }: Lines) {
        let (context, id, epoch) = (Arc::clone(&self.context), self.id.clone(), self.epoch);
        let lines: Arc<[String]> = lines.into();
        let written = Arc::clone(&lines);
        let done = Box::pin(async move { context.store.append(&id, epoch, first, written).await });
        self.storing = Some(Storing { done, lines, since: clock::now() });
    }

    /// The lines that are durable now; never, if none are on their way.
    pub(crate) async fn stored(&mut self) -> Result<Arc<[String]>, StoreError> {
        let Some(Storing { done, since, .. }) = &mut self.storing else { return pending().await };
        let result = done.await;
        metrics().stored(since.elapsed());
        let lines = self.storing.take().map_or_else(Arc::default, |storing| storing.lines);
        result.map(|()| lines)
    }

    /// That the match is this server's.
    ///
    /// # Errors
    /// [`StoreError::Lapsed`] if another server may have it: then nobody is told anything.
    pub(crate) fn demand_tenure(&self) -> Result<(), StoreError> {
        if self.tenure.is_held() { Ok(()) } else { Err(StoreError::Lapsed) }
    }

    /// Stores how the match ended, and then says so to spectators.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub(crate) async fn finish(&mut self, conclusion: Conclusion) -> Result<(), StoreError> {
        self.demand_tenure()?;
        let Conclusion { status, steps, shown } = conclusion;
        self.context.store.finish(&self.id, self.epoch, status, shown.to_string()).await?;
        self.audience.note(|progress| {
            progress.status = status;
            progress.turns = steps;
        });
        Ok(())
    }
}

/// The goals of a match by the names of the roles. Where it was lost because its deal was spoilt, by whoever did not disclose a
/// nonce, these have 0 and the others 100.
pub(crate) fn goals(
    roles: &Roles,
    goals: Option<&ByPlayer<GoalValue>>,
    withheld: &[(RoleId, Failure)],
) -> Option<BTreeMap<String, i32>> {
    let forfeit = |role: RoleId| if withheld.iter().any(|(other, _)| *other == role) { 0 } else { 100 };
    let goal = |role: RoleId| goals.map_or_else(|| forfeit(role), |goals| goals[role].value());
    let named = roles.players().map(|role| (roles.name(role).to_owned(), goal(role)));
    (goals.is_some() || !withheld.is_empty()).then(|| named.collect())
}

/// Waits for an instant; for ever, if there is none.
pub(crate) async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at.into()).await,
        None => pending().await,
    }
}
