//! Matches that go on: those of this server after it was stopped, those of others that have died, and those that the store
//! or an error of the server interrupted.

use std::sync::Arc;

use croupier_engine::{ByPlayer, RoleId};
use croupier_referee::{MatchState, Seed, read_records, replay, resume};
use serde_json::json;
use tokio::{
    sync::Semaphore,
    task::{JoinError, JoinHandle},
    time::{MissedTickBehavior, interval},
};

use crate::{
    actor::{MatchActor, Resumption},
    cadence::Cadence,
    handle::Command,
    interruptions::{End, Pauses},
    live::Making,
    outcome::MatchOutcome,
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    setup::StoredSetup,
    store::{Claim, LEASE, Renewal, SessionClaim, StoreError, StoredWhole},
};

/// How many matches go on at once.
const AT_ONCE: usize = 64;

impl Referee {
    /// Resumes every match that belongs to no live server; returns their number.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be claimed.
    pub(crate) async fn take_over(self: &Arc<Self>) -> Result<usize, StoreError> {
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        let mut tasks = Vec::new();
        loop {
            let claims = self.store().claim().await?;
            if claims.is_empty() {
                break;
            }
            tasks.extend(claims.into_iter().map(|claim| self.go_on_soon(claim, &permits)));
        }
        loop {
            let claims = self.store().claim_sessions().await?;
            if claims.is_empty() {
                break;
            }
            tasks.extend(claims.into_iter().flat_map(|claim| self.go_on_with_session(claim, &permits)));
        }
        Ok(all(tasks).await)
    }

    /// Drops the matches of a lease that ran out, and resumes those that no other server has taken over; returns their number.
    async fn take_up_anew(self: &Arc<Self>) -> Result<usize, StoreError> {
        self.drop_lapsed();
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        let claims = self.store().reclaim_all().await?;
        let mut tasks: Vec<_> = claims.into_iter().map(|claim| self.go_on_soon(claim, &permits)).collect();
        let claims = self.store().reclaim_sessions().await?;
        tasks.extend(claims.into_iter().flat_map(|claim| self.go_on_with_session(claim, &permits)));
        Ok(all(tasks).await)
    }

    /// A session goes on with its matches; the tasks to wait for.
    fn go_on_with_session(
        self: &Arc<Self>,
        claim: SessionClaim,
        permits: &Arc<Semaphore>,
    ) -> Vec<JoinHandle<()>> {
        let matches = claim.matches.clone().into_iter();
        let mut tasks: Vec<_> = matches.map(|claim| self.go_on_soon(claim, permits)).collect();
        tasks.push(self.runtime.spawn(Arc::clone(self).take_up_session_soon(claim)));
        tasks
    }

    fn go_on_soon(self: &Arc<Self>, claim: Claim, permits: &Arc<Semaphore>) -> JoinHandle<()> {
        let (referee, permits) = (Arc::clone(self), Arc::clone(permits));
        self.runtime.spawn(async move {
            let _permit = permits.acquire().await;
            let Err(error) = referee.go_on_with(&claim).await else { return };
            tracing::error!(id = claim.id, %error, "cannot resume a match");
            if error.is_temporary() {
                // The match is this server's now, and no other one will look after it.
                let again = Arc::clone(&referee);
                referee.runtime.spawn(async move { again.go_on_later(&claim.id).await });
            }
        })
    }

    /// Keeps this server's lease, and takes over the matches of servers whose lease has expired, until it stops.
    pub(crate) async fn keep_lease(self: Arc<Self>) {
        let mut ticks = interval(LEASE / 3);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Until it has taken up its matches, and not just once: the store may fail in the middle of it.
        let mut was_silent = false;
        while !self.is_leaving() {
            ticks.tick().await;
            let renewal = self.store().renew().await;
            if let Ok(Renewal::TooLate) = renewal {
                tracing::warn!("this server was silent for too long: it takes its matches up anew");
                was_silent = true;
            }
            let kept = match renewal {
                Ok(_) if was_silent => self.take_up_anew().await,
                Ok(_) if self.store().is_shared() => self.take_over().await,
                Ok(_) => Ok(0),
                Err(error) => Err(error),
            };
            was_silent &= kept.is_err();
            self.note_store(kept.is_ok());
            match kept {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "matches go on here"),
                Err(_) if self.is_leaving() => return,
                Err(error) => tracing::error!(%error, "cannot renew the lease of this server"),
            }
        }
    }

    /// What follows the end of a match's task: nothing if the match is over; otherwise another attempt, as soon as the store
    /// responds, unless it says that another server has the match.
    pub(crate) async fn go_on_after(self: &Arc<Self>, id: String, end: Result<End, JoinError>) {
        if self.interruptions.add("match", &id, &end) {
            self.go_on_later(&id).await;
        }
    }

    /// Resumes a match of this server as soon as possible, with increasing pauses.
    async fn go_on_later(self: &Arc<Self>, id: &str) {
        let mut pauses = Pauses::new();
        while !self.is_leaving() {
            pauses.wait().await;
            if self.find(id).is_some() {
                // It has been taken up anew meanwhile.
                return;
            }
            match self.store().reclaim(id).await {
                Ok(None) => return,
                Ok(Some(claim)) => match self.go_on_with(&claim).await {
                    Ok(()) => return tracing::info!(%id, "the match was resumed"),
                    Err(error) => tracing::error!(%id, %error, "cannot resume the match yet"),
                },
                Err(error) => tracing::error!(%id, %error, "the store does not answer yet"),
            }
        }
    }

    /// Ends a match of this server that is stored but does not run: it is resumed and ended, or, if it cannot be resumed, noted as
    /// ended, with the record that it has.
    ///
    /// # Errors
    /// [`Problem`] if it is not this server's, or the store does not answer.
    pub(crate) async fn end_standing(self: &Arc<Self>, id: &str) -> Result<()> {
        let Some(claim) = self.store().reclaim(id).await? else {
            return Err(Problem::full("the match will resume in a moment; try again"));
        };
        let epoch = claim.epoch;
        if !self.interruptions.is_ignored(id) {
            let referee = Arc::clone(self);
            let resumed = self.runtime.spawn(async move { referee.go_on_with(&claim).await }).await;
            if let (Ok(Ok(())), Some(handle)) = (resumed, self.find(id)) {
                // A match that has just ended needs no command.
                let _ = handle.commands.send(Command::Abort).await;
                return Ok(());
            }
        }
        tracing::warn!(%id, "a match that cannot be resumed is ended");
        let outcome = json!(MatchOutcome { status: "aborted".to_owned(), ..MatchOutcome::default() });
        Ok(self.store().finish(id, epoch, "aborted", outcome.to_string()).await?)
    }

    async fn go_on_with(self: &Arc<Self>, claim: &Claim) -> Result<()> {
        let (id, epoch, store) = (&*claim.id, claim.epoch, self.store());
        let whole = store.whole(id).await?.ok_or_else(Problem::lost)?;
        let setup = StoredSetup::read(&whole.setup)?;
        if setup.real_time.is_some() {
            return self.go_on_in_real_time(claim, whole, &setup).await;
        }
        let StoredWhole { rules, seed, .. } = whole;
        let seed = Seed::from_bytes(seed);
        let header = self.header(id, rules, &setup).await?;
        if setup.cadence != Cadence::Prompt {
            self.demand_bound(&header).await?;
        }
        let seats = setup.sound_seats(&header, self.agents())?;
        let text = store.record(id).await?;
        let mut ended = None;
        let (actor, instructions) = if text.is_empty() {
            (MatchActor::new(MatchState::new(Arc::clone(&header), self.secrets(&seed))), None)
        } else {
            let records = read_records(text.as_bytes()).map_err(|_| Problem::lost())?;
            let record = records.first().ok_or_else(Problem::lost)?;
            let (state, effects) = resume(record, &header, self.secrets(&seed))
                .map_err(|error| ProblemCode::Altered.because(format!("its record was altered: {error}")))?;
            if state.outcome().is_some() {
                let replayed = replay(record).map_err(|_| Problem::lost())?;
                ended = Some(ByPlayer::from_fn(header.roles(), |role| replayed.messages(role).to_vec()));
            }
            let is_idempotent = |role: RoleId| seats[role].is_idempotent();
            let lines = record.lines().len() as u64;
            let resumption = Resumption { lines, epoch, is_idempotent: &is_idempotent };
            let mut scratch = header.game().scratch();
            let (actor, instructions) = MatchActor::go_on_with(state, effects, &resumption, &mut scratch);
            (actor, Some(instructions))
        };
        let (pledge, tenure) = (self.pledge(&setup), claim.tenure.clone());
        self.start(Making { setup, header, pledge, actor, seats, seed, epoch, tenure, instructions, ended });
        Ok(())
    }
}

/// Waits for tasks; how many there were. A match whose record makes the server panic is left alone; the others go on.
async fn all(tasks: Vec<JoinHandle<()>>) -> usize {
    let count = tasks.len();
    for task in tasks {
        let _ = task.await;
    }
    count
}
