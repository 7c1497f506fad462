//! The server's durable storage: games, matches, and their records line by line.
//!
//! The statements are the same for SQLite and PostgreSQL. Reads use a few connections, writes use others, which
//! make all pending writes durable in one commit.

/// Awaits a statement with the values of its parameters: how it is executed and where, its text, and the values in order.
macro_rules! sql {
    ($how:ident($place:expr), $text:expr $(, [$($value:expr),+ $(,)?])?) => {
        sqlx::query($text)$($(.bind($value))+)?.$how($place).await
    };
}

mod place;
mod migrations;
mod writer;
mod ratings;
mod endings;
mod matches;
mod people;
mod tournaments;
mod sessions;
mod replicas;
mod lease;

use std::{fs::File, io, sync::Arc};

use sqlx::{Any, AnyConnection, AnyPool, Row as _, Transaction, any::AnyRow, migrate::MigrateError};
use thiserror::Error;
use tokio::sync::oneshot;

pub use place::StorePlace;
use place::{Backend, Opened};
use writer::{Write, Writers, Written};

use lease::Lease;
pub(crate) use lease::Tenure;
pub(crate) use matches::{NewMatch, OwnHand, SeatClaim, SeatTaken, StoredMatch, StoredWhole, Wanted};
pub(crate) use people::{StoredGame, StoredPlayer, TokenKind};
pub(crate) use ratings::StoredRating;
pub(crate) use replicas::{Claim, LEASE, Renewal, ReplicaId};
pub(crate) use sessions::{MatchAt, NewEntries, NewSession, SessionClaim, StoredSession};
pub(crate) use tournaments::{Claimed, NewTournament, StoredFixture, StoredTournament};

/// Why something is not in the store.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database says so.
    #[error("the store failed: {0}")]
    Database(#[from] sqlx::Error),
    /// Its tables cannot be brought to this version.
    #[error("the store cannot be migrated: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The file cannot be made.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// This build cannot open such a store.
    #[error("this build has no PostgreSQL: build it with `--features cluster`, or name a file")]
    NotBuilt,
    /// Another server has the file.
    #[error("another server uses this store; to share a store, use PostgreSQL")]
    Taken,
    /// Another server has taken the match over.
    #[error("another server has taken the match over")]
    Fenced,
    /// This server was silent for so long that another one may have taken the match over.
    #[error("the lease of this server has run out")]
    Lapsed,
    /// The server is stopping.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Whether the store may be opened later as it is: its disk is full or does not write.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        let of_database = |error: &sqlx::Error| {
            let code = error.as_database_error().and_then(|error| Some(error.code()?.into_owned()));
            code.is_some_and(|code| match code.parse::<u32>() {
                // Disk full in PostgreSQL; full, and any error of reading or writing, in SQLite, whose low byte is the kind.
                Ok(53_100) => true,
                Ok(code) => code < 1 << 16 && matches!(code & 0xff, 10 | 13),
                Err(_) => false,
            })
        };
        match self {
            Self::Database(error) => of_database(error),
            Self::Migration(MigrateError::Execute(error)) => of_database(error),
            Self::File(error) => error.kind() == io::ErrorKind::StorageFull,
            Self::Migration(_)
            | Self::NotBuilt
            | Self::Taken
            | Self::Fenced
            | Self::Lapsed
            | Self::Closed => false,
        }
    }
}

/// What comes of the store.
pub(crate) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// The store: many readers, and writers that make all pending writes durable at once.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    backend: Backend,
    pool: AnyPool,
    writers: Writers,
    /// Whose matches are written.
    replica: ReplicaId,
    /// How long they are this server's.
    lease: Arc<Lease>,
    /// What keeps other servers from a file.
    lock: Arc<Option<File>>,
}

impl Store {
    /// Opens a store for a server that is reached at this address by the others.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or not be brought to this version.
    pub(crate) async fn open(place: &StorePlace, replica: ReplicaId, url: &str) -> Result<Self> {
        let Opened { backend, pool, lock } = place.open().await?;
        let writers = Writers::start(backend, &pool);
        let lease = if backend == Backend::Postgres { Lease::none() } else { Lease::endless() };
        let store = Self { backend, pool, writers, replica, lease, lock: Arc::new(lock) };
        store.register(url).await?;
        Ok(store)
    }

    /// Whether other servers may have a part of its matches.
    pub(crate) fn is_shared(&self) -> bool {
        self.backend == Backend::Postgres
    }

    /// For how long a match is this server's that is made or taken over from now on: taken before the store is asked.
    pub(crate) fn tenure(&self) -> Tenure {
        self.lease.tenure()
    }

    /// A transaction that writes.
    async fn begin(&self) -> Result<Transaction<'static, Any>> {
        Ok(self.pool.begin_with(self.backend.begin()).await?)
    }

    async fn write(&self, id: &str, what: Written) -> Result<()> {
        let (done, stored) = oneshot::channel();
        self.writers.give(id, Write { what, done }).await?;
        stored.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn check(&self) -> Result<()> {
        sql!(execute(&self.pool), "SELECT 1")?;
        Ok(())
    }

    /// Writes what is pending, releases the lease, and closes the database.
    pub(crate) async fn close(&self) {
        self.writers.close().await;
        if let Err(error) = self.resign().await {
            tracing::warn!(%error, "the lease of this server runs out by itself");
        }
        self.pool.close().await;
        if let Some(Err(error)) = self.lock.as_ref().as_ref().map(File::unlock) {
            tracing::warn!(%error, "the store is free when this process ends");
        }
    }
}

/// A count as the database has it.
fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The count in a column.
fn count(row: &AnyRow, column: usize) -> u64 {
    u64::try_from(row.get::<i64, _>(column)).unwrap_or_default()
}

/// The seed in a column.
fn seed(row: &AnyRow, column: usize) -> Option<[u8; 32]> {
    let mut seed = [0; 32];
    hex::decode_to_slice(row.get::<String, _>(column), &mut seed).ok()?;
    Some(seed)
}

/// Stores the rules of a game, unless they are there.
async fn keep_game(connection: &mut AnyConnection, digest: &str, rules: &str) -> Result<(), sqlx::Error> {
    let keep = "INSERT INTO game (digest, rules) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    sql!(execute(connection), keep, [digest, rules])?;
    Ok(())
}

#[cfg(test)]
mod tests;
