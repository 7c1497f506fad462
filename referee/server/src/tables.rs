//! Schedules of tournaments with the results that count so far: pure functions of the stored data, cached so that nothing is
//! paired or added up twice.
//!
//! A result counts when all matches of its deal, and all before it in the schedule, are over. So the standings reveal nothing about
//! a deal that is still being played, and are the same on every server.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use croupier_results::{MatchResult, RatingSystem, Schedule, Standings};
use dashmap::DashMap;
use tokio::task::spawn_blocking;

use crate::{
    problem::{Problem, Result},
    store::{Store, StoredFixture, StoredTournament},
    tournament::TournamentRequest,
};

/// Tables that are kept.
const TABLES_MAX: usize = 64;

/// Fixtures that are read at once.
const FIXTURES_AT_ONCE: u32 = 500;

/// A schedule with the results that count.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) schedule: Schedule,
    pub(crate) results: Vec<MatchResult>,
    entrants: usize,
    /// The standings after this many results.
    standings: Option<(usize, Arc<Standings>)>,
}

impl Table {
    /// Takes in results that follow those that it has.
    fn take(&mut self, fixtures: Vec<StoredFixture>) {
        for stored in fixtures {
            if stored.fixture.index != self.results.len() as u64 {
                continue;
            }
            let Some(result) = stored.result else { return };
            self.schedule.take(&result);
            self.results.push(result);
        }
    }

    /// The standings after all results that count.
    pub(crate) fn standings(&mut self) -> Arc<Standings> {
        if let Some((_, known)) = self.standings.as_ref().filter(|(count, _)| *count == self.results.len()) {
            return Arc::clone(known);
        }
        let system = RatingSystem::WengLin;
        let standings = Arc::new(Standings::new(&self.schedule, self.entrants, &self.results, system));
        self.standings = Some((self.results.len(), Arc::clone(&standings)));
        standings
    }
}

/// A shared table.
#[derive(Clone, Debug)]
pub(crate) struct SharedTable(Arc<Mutex<Table>>);

impl SharedTable {
    /// The table itself: not to be kept across an await.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Table> {
        // Whatever panicked here has changed nothing by halves that matters: results follow each other.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a function that takes its time makes of the table.
    ///
    /// # Errors
    /// [`Problem`] if the server stops.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Table) -> T + Send + 'static,
    ) -> Result<T> {
        let table = self.clone();
        let result = spawn_blocking(move || read(&mut table.lock())).await;
        result.map_err(|_| Problem::stopping())
    }
}

/// The tables of tournaments that were requested, or are being played.
#[derive(Debug, Default)]
pub(crate) struct Tables(DashMap<String, SharedTable>);

impl Tables {
    /// The table of a tournament with all results that count by now.
    ///
    /// # Errors
    /// [`Problem`] if the store does not answer.
    pub(crate) async fn table(&self, store: &Store, tournament: &StoredTournament) -> Result<SharedTable> {
        let known = self.0.get(&tournament.id).map(|table| table.clone());
        let table = match known {
            Some(table) => table,
            None => self.open(tournament).await?,
        };
        loop {
            let first = table.lock().results.len() as u64;
            let fixtures = store.fixtures(&tournament.id, first, FIXTURES_AT_ONCE).await?;
            let read = fixtures.len();
            let counts = |stored: &StoredFixture| stored.result.is_some() && !stored.is_deal_open;
            let fixtures: Vec<StoredFixture> = fixtures.into_iter().take_while(counts).collect();
            let is_last = fixtures.len() < read || read < FIXTURES_AT_ONCE as usize;
            if !fixtures.is_empty() {
                table.read(move |table| table.take(fixtures)).await?;
            }
            if is_last {
                return Ok(table);
            }
        }
    }

    async fn open(&self, tournament: &StoredTournament) -> Result<SharedTable> {
        let request = TournamentRequest::of(tournament)?;
        let (entrants, seats) = (request.entrants.len(), tournament.roles.len());
        let schedule = spawn_blocking(move || request.schedule(seats)).await;
        let schedule = schedule.map_err(|_| Problem::stopping())??;
        let table = Table { schedule, results: Vec::new(), entrants, standings: None };
        if self.0.len() >= TABLES_MAX {
            let other = self.0.iter().next().map(|entry| entry.key().clone());
            other.into_iter().for_each(|other| drop(self.0.remove(&other)));
        }
        let table = SharedTable(Arc::new(Mutex::new(table)));
        Ok(self.0.entry(tournament.id.clone()).or_insert(table).clone())
    }
}
