//! What outlives the server: games, matches, and their records line by line.

mod writer;

use std::{path::Path, str::FromStr as _, sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions as _, Row as _, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous},
};
use thiserror::Error;
use tokio::sync::oneshot;

use writer::{Write, Writer};

/// Why something is not in the store.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database says so.
    #[error("the store fails: {0}")]
    Database(#[from] sqlx::Error),
    /// Its tables cannot be brought to this version.
    #[error("the store cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The file cannot be made.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// The server is stopping.
    #[error("the store is closed")]
    Closed,
}

/// A match as the store has it.
#[derive(Clone, Debug)]
pub(crate) struct StoredMatch {
    /// Its id.
    pub(crate) id: String,
    /// What was asked for when it was made, as JSON.
    pub(crate) setup: String,
    /// `waiting`, `running`, or how it ended.
    pub(crate) status: String,
    /// How it ended, as JSON.
    pub(crate) outcome: Option<String>,
    /// When it was made.
    pub(crate) created_ms: i64,
}

impl StoredMatch {
    /// The match of a row of `id, setup, status, outcome, created_ms`.
    fn of(row: &SqliteRow) -> Self {
        Self {
            id: row.get(0),
            setup: row.get(1),
            status: row.get(2),
            outcome: row.get(3),
            created_ms: row.get(4),
        }
    }
}

/// A match that is to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewMatch {
    pub(crate) id: String,
    pub(crate) game_digest: String,
    pub(crate) game_name: Option<String>,
    pub(crate) rules: String,
    pub(crate) setup: String,
    pub(crate) seed: [u8; 32],
    pub(crate) created_ms: i64,
}

/// The store: many readers, and one writer that makes what is pending durable at once.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
    writer: Writer,
}

/// Connections that read.
const READERS: u32 = 4;

impl Store {
    /// Opens the database in a file, which is made if it is not there.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or not be brought to this version.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        own(path)?;
        let options = SqliteConnectOptions::from_str("sqlite:")?
            .filename(path)
            .journal_mode(SqliteJournalMode::Wal)
            // Every commit reaches the disk before anybody is told what stands in it.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10))
            // What is stored is secret while a match runs: statements are in no log.
            .disable_statement_logging();
        let pool = SqlitePoolOptions::new()
            .max_connections(READERS)
            // Many matches that go on at once wait for a reader, and that is in order.
            .acquire_slow_threshold(Duration::from_secs(60))
            .connect_with(options.clone())
            .await?;
        sqlx::migrate!("migrations/sqlite").run(&pool).await?;
        let writer = Writer::start(options).await?;
        Ok(Self { pool, writer })
    }

    /// Stores a match that has not begun.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn create(&self, new: NewMatch) -> Result<(), StoreError> {
        self.write(|done| Write::Create { new: Box::new(new), done }).await
    }

    /// Makes lines of a record durable.
    ///
    /// # Errors
    /// [`StoreError`]; then none of them is.
    pub(crate) async fn append(&self, id: &str, first: u64, lines: Arc<[String]>) -> Result<(), StoreError> {
        self.write(|done| Write::Append { id: id.to_owned(), first, lines, done }).await
    }

    /// Notes how far a match is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn set_status(
        &self,
        id: &str,
        status: &str,
        outcome: Option<String>,
    ) -> Result<(), StoreError> {
        let (id, status) = (id.to_owned(), status.to_owned());
        self.write(|done| Write::Status { id, status, outcome, done }).await
    }

    async fn write(
        &self,
        write: impl FnOnce(oneshot::Sender<Result<(), StoreError>>) -> Write,
    ) -> Result<(), StoreError> {
        let (done, stored) = oneshot::channel();
        self.writer.give(write(done)).await?;
        stored.await.unwrap_or(Err(StoreError::Closed))
    }

    /// The next epoch of a match: who goes on with it is the only one that may.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn next_epoch(&self, id: &str) -> Result<u64, StoreError> {
        let row = sqlx::query("UPDATE match SET epoch = epoch + 1 WHERE id = ? RETURNING epoch")
            .bind(id)
            .fetch_one(&self.pool)
            .await?;
        Ok(u64::try_from(row.get::<i64, _>(0)).unwrap_or_default())
    }

    /// The ids of all matches that are not over, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn open_matches(&self) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query(
            "SELECT id FROM match WHERE status IN ('waiting', 'running') ORDER BY created_ms, id",
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// A match.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn find(&self, id: &str) -> Result<Option<StoredMatch>, StoreError> {
        let row = sqlx::query("SELECT id, setup, status, outcome, created_ms FROM match WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.as_ref().map(StoredMatch::of))
    }

    /// Matches before one, the youngest first, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn list(
        &self,
        before: Option<(i64, String)>,
        count: u32,
    ) -> Result<Vec<StoredMatch>, StoreError> {
        let (before_ms, before_id) = before.unwrap_or((i64::MAX, String::new()));
        let rows = sqlx::query(
            "SELECT id, setup, status, outcome, created_ms FROM match
             WHERE (created_ms, id) < (?, ?) ORDER BY created_ms DESC, id DESC LIMIT ?",
        )
        .bind(before_ms)
        .bind(before_id)
        .bind(count)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.iter().map(StoredMatch::of).collect())
    }

    /// The rules of a match.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn rules(&self, id: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT rules FROM match JOIN game ON game = digest WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|row| row.get(0)))
    }

    /// The seed of a match: for the referee that goes on with it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn seed(&self, id: &str) -> Result<Option<[u8; 32]>, StoreError> {
        let row = sqlx::query("SELECT seed FROM match_secret WHERE match = ?")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.and_then(|row| row.get::<Vec<u8>, _>(0).try_into().ok()))
    }

    /// The record of a match as far as it is stored, each line with its newline.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn record(&self, id: &str) -> Result<String, StoreError> {
        let rows = sqlx::query("SELECT line FROM journal WHERE match = ? ORDER BY seq")
            .bind(id)
            .fetch_all(&self.pool)
            .await?;
        let mut text = String::new();
        for row in &rows {
            text.push_str(row.get(0));
            text.push('\n');
        }
        Ok(text)
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn check(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Writes what is pending, and closes the database.
    pub(crate) async fn close(&self) {
        self.writer.close().await;
        self.pool.close().await;
    }
}

/// Makes the file of a store, if it is not there, as one that its owner alone can read: it holds the seeds of matches that
/// run. SQLite gives its other files the same rights.
fn own(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}
