//! The one connection that writes: whatever is pending becomes durable in one commit.
//!
//! While one commit waits for the disk, the next ones gather; so the more there is to write, the more share a commit.

use std::sync::Arc;

use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::sync::{mpsc, oneshot};

use super::{NewMatch, StoreError};
use crate::{clock, metrics::metrics};

/// Writes that may wait; whoever brings another waits too.
const PENDING_MAX: usize = 8_192;

/// Writes of one commit.
const COMMIT_MAX: usize = 2_048;

type Done = oneshot::Sender<Result<(), StoreError>>;

/// Something to be made durable, and who waits for it.
#[derive(Debug)]
pub(super) enum Write {
    Create {
        new: Box<NewMatch>,
        done: Done,
    },
    Append {
        id: String,
        first: u64,
        lines: Arc<[String]>,
        done: Done,
    },
    Status {
        id: String,
        status: String,
        outcome: Option<String>,
        done: Done,
    },
    /// Everything before it.
    Close {
        done: Done,
    },
}

impl Write {
    fn done(self) -> Done {
        match self {
            Self::Create { done, .. }
            | Self::Append { done, .. }
            | Self::Status { done, .. }
            | Self::Close { done } => done,
        }
    }
}

/// Where writes are brought.
#[derive(Clone, Debug)]
pub(super) struct Writer(mpsc::Sender<Write>);

impl Writer {
    pub(super) async fn start(options: SqliteConnectOptions) -> Result<Self, StoreError> {
        let connection = SqliteConnection::connect_with(&options).await?;
        let (sender, pending) = mpsc::channel(PENDING_MAX);
        tokio::spawn(work(connection, pending));
        Ok(Self(sender))
    }

    pub(super) async fn give(&self, write: Write) -> Result<(), StoreError> {
        self.0.send(write).await.map_err(|_| StoreError::Closed)
    }

    pub(super) async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.give(Write::Close { done }).await.is_ok() {
            let _ = closed.await;
        }
    }
}

async fn work(mut connection: SqliteConnection, mut pending: mpsc::Receiver<Write>) {
    let mut writes = Vec::new();
    while pending.recv_many(&mut writes, COMMIT_MAX).await > 0 {
        let is_closing = writes.iter().any(|write| matches!(write, Write::Close { .. }));
        commit_or_fail_alone(&mut connection, &mut writes).await;
        if is_closing {
            break;
        }
    }
    // What is said on closing changes nothing that is durable.
    let _ = connection.close().await;
}

/// Commits all writes at once; where one of them cannot be, each for itself, so that it fails alone.
async fn commit_or_fail_alone(connection: &mut SqliteConnection, writes: &mut Vec<Write>) {
    let begun = clock::now();
    if commit(connection, writes).await.is_ok() {
        metrics().committed(writes.len(), begun.elapsed());
        writes.drain(..).for_each(|write| drop(write.done().send(Ok(()))));
        return;
    }
    for write in writes.drain(..) {
        let result = commit(connection, std::slice::from_ref(&write)).await;
        let _ = write.done().send(result.map_err(StoreError::from));
    }
}

async fn commit(connection: &mut SqliteConnection, writes: &[Write]) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for write in writes {
        apply(&mut transaction, write).await?;
    }
    transaction.commit().await
}

async fn apply(connection: &mut SqliteConnection, write: &Write) -> Result<(), sqlx::Error> {
    match write {
        Write::Create { new, .. } => {
            sqlx::query("INSERT INTO game (digest, name, rules) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                .bind(&new.game_digest)
                .bind(&new.game_name)
                .bind(&new.rules)
                .execute(&mut *connection)
                .await?;
            sqlx::query(
                "INSERT INTO match (id, game, setup, status, epoch, created_ms) VALUES (?, ?, ?, 'waiting', 1, ?)",
            )
            .bind(&new.id)
            .bind(&new.game_digest)
            .bind(&new.setup)
            .bind(new.created_ms)
            .execute(&mut *connection)
            .await?;
            sqlx::query("INSERT INTO match_secret (match, seed) VALUES (?, ?)")
                .bind(&new.id)
                .bind(&new.seed[..])
                .execute(&mut *connection)
                .await?;
        }
        Write::Append { id, first, lines, .. } => {
            for (seq, line) in (*first..).zip(lines.iter()) {
                sqlx::query("INSERT INTO journal (match, seq, line) VALUES (?, ?, ?)")
                    .bind(id)
                    .bind(i64::try_from(seq).unwrap_or(i64::MAX))
                    .bind(line)
                    .execute(&mut *connection)
                    .await?;
            }
        }
        Write::Status { id, status, outcome, .. } => {
            sqlx::query("UPDATE match SET status = ?, outcome = ? WHERE id = ?")
                .bind(status)
                .bind(outcome)
                .bind(id)
                .execute(&mut *connection)
                .await?;
        }
        Write::Close { .. } => {}
    }
    Ok(())
}
