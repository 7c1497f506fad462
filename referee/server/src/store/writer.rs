//! The connections that write: whatever is pending becomes durable in one commit.
//!
//! While one commit waits for the disk, the next ones gather; so the more there is to write, the more share a commit.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher},
    sync::Arc,
};

use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection as _, Row as _, pool::PoolConnection};
use tokio::sync::{mpsc, oneshot};

use super::{
    NewEntries, NewMatch, ReplicaId, Result, StoreError,
    endings::{Ending, end},
    keep_game, number,
    place::Backend,
    sessions::{self, owns_session},
};
use crate::{clock, faults::crash_point, metrics::metrics, seat::SeatSetup};

/// Writes that may wait; whoever brings another waits too.
const PENDING_MAX: usize = 8_192;

/// Writes of one commit.
const COMMIT_MAX: usize = 2_048;

/// Records that one statement makes longer.
const APPENDS_MAX: usize = 32;

type Done = oneshot::Sender<Result<()>>;

/// Something to be made durable, and who waits for it.
#[derive(Debug)]
pub(super) struct Write {
    pub(super) what: Written,
    pub(super) done: Done,
}

/// Something to be made durable.
#[derive(Debug)]
pub(super) enum Written {
    Create {
        new: Box<NewMatch>,
        replica: ReplicaId,
    },
    Append {
        id: String,
        epoch: u64,
        first: u64,
        lines: Arc<[String]>,
    },
    Finish {
        id: String,
        epoch: u64,
        status: String,
        outcome: String,
    },
    Session(Box<NewEntries>),
    /// Everything before it.
    Close,
}

/// Where writes are brought. Those of one match go to the same connection, in order.
#[derive(Clone, Debug)]
pub(super) struct Writers(Arc<[mpsc::Sender<Write>]>);

impl Writers {
    pub(super) fn start(backend: Backend, pool: &AnyPool) -> Self {
        let start = |_| {
            let (sender, pending) = mpsc::channel(PENDING_MAX);
            tokio::spawn(work(backend, pool.clone(), pending));
            sender
        };
        Self((0..backend.writers()).map(start).collect())
    }

    pub(super) async fn give(&self, id: &str, write: Write) -> Result<()> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(id);
        let place = usize::try_from(hash % self.0.len() as u64).unwrap_or_default();
        self.0[place].send(write).await.map_err(|_| StoreError::Closed)
    }

    pub(super) async fn close(&self) {
        for writer in &*self.0 {
            let (done, closed) = oneshot::channel();
            if writer.send(Write { what: Written::Close, done }).await.is_ok() {
                let _ = closed.await;
            }
        }
    }
}

async fn work(backend: Backend, pool: AnyPool, mut pending: mpsc::Receiver<Write>) {
    let mut writes = Vec::new();
    while pending.recv_many(&mut writes, COMMIT_MAX).await > 0 {
        let is_closing = writes.iter().any(|write| matches!(write.what, Written::Close));
        // A connection that is lost is replaced by the pool.
        match pool.acquire().await {
            Ok(connection) => commit_or_fail_alone(backend, &pool, connection, &mut writes).await,
            Err(error) => {
                tracing::error!(%error, "the store does not answer");
                fail(&mut writes);
            }
        }
        if is_closing {
            break;
        }
    }
}

fn fail(writes: &mut Vec<Write>) {
    writes.drain(..).for_each(|write| drop(write.done.send(Err(StoreError::Closed))));
}

/// Commits all writes at once; where one of them cannot be, each for itself, so that it fails alone.
async fn commit_or_fail_alone(
    backend: Backend,
    pool: &AnyPool,
    connection: PoolConnection<Any>,
    writes: &mut Vec<Write>,
) {
    let begun = clock::now();
    if let Ok(refused) = commit_or_close(backend, connection, writes).await {
        metrics().committed(writes.len(), begun.elapsed());
        for (place, write) in writes.drain(..).enumerate() {
            let is_refused = refused.contains(&place);
            let _ = write.done.send(if is_refused { Err(StoreError::Fenced) } else { Ok(()) });
        }
        return;
    }
    while !writes.is_empty() {
        let Ok(connection) = pool.acquire().await else { return fail(writes) };
        let write = writes.remove(0);
        let result = match commit_or_close(backend, connection, std::slice::from_ref(&write)).await {
            Ok(refused) if refused.is_empty() => Ok(()),
            Ok(_) => Err(StoreError::Fenced),
            Err(error) => Err(error.into()),
        };
        let _ = write.done.send(result);
    }
}

/// Commits, or closes the connection. SQLite may have ended a transaction that failed, and then nobody can roll it back:
/// the connection would take itself to be in the middle of one for ever.
async fn commit_or_close(
    backend: Backend,
    mut connection: PoolConnection<Any>,
    writes: &[Write],
) -> Result<BTreeSet<usize>, sqlx::Error> {
    let result = commit(backend, &mut connection, writes).await;
    if result.is_err() {
        // It is gone, whether or not it says so.
        let _ = connection.close().await;
    }
    result
}

/// The places of writes that belong to an earlier epoch, and were left out.
async fn commit(
    backend: Backend,
    connection: &mut AnyConnection,
    writes: &[Write],
) -> Result<BTreeSet<usize>, sqlx::Error> {
    crash_point();
    let mut transaction = connection.begin_with(backend.begin()).await?;
    let (mut appends, mut finishes) = (Vec::new(), Vec::new());
    let mut refused = BTreeSet::new();
    for (place, write) in writes.iter().enumerate() {
        match &write.what {
            Written::Create { new, replica } => {
                if let Some(own) = &new.session
                    && !owns_session(&mut transaction, &own.hand.session, own.epoch).await?
                {
                    refused.insert(place);
                    continue;
                }
                create(&mut transaction, new, replica).await?;
            }
            Written::Append { id, epoch, first, lines } => {
                appends.push(Append { place, id, epoch: *epoch, first: *first, lines });
            }
            Written::Finish { id, epoch, status, outcome } => {
                finishes.push((place, *epoch, Ending { id, status, outcome }));
            }
            Written::Session(new) => {
                if !sessions::append(&mut transaction, new).await? {
                    refused.insert(place);
                }
            }
            Written::Close => {}
        }
    }
    // Locks are taken in the same order by everybody.
    appends.sort_unstable_by_key(|append| append.id);
    for some in appends.chunks(APPENDS_MAX) {
        refused.append(&mut append(&mut transaction, some).await?);
    }
    // What ends a match comes behind its last lines.
    finishes.sort_unstable_by_key(|(_, _, ending)| ending.id);
    let mut endings = Vec::new();
    for (place, epoch, ending) in finishes {
        if owns(&mut transaction, ending.id, epoch).await? {
            endings.push(ending);
        } else {
            refused.insert(place);
        }
    }
    end(&mut transaction, endings).await?;
    crash_point();
    transaction.commit().await?;
    crash_point();
    Ok(refused)
}

/// Stores a match that has not begun, and whose it is.
pub(super) async fn create(
    connection: &mut AnyConnection,
    new: &NewMatch,
    replica: &str,
) -> Result<(), sqlx::Error> {
    keep_game(connection, &new.game_digest, &new.rules).await?;
    sql!(
        execute(&mut *connection),
        "INSERT INTO match (id, game, game_name, creator, setup, status, created_ms, rating_pool, tournament, session,
             session_place)
         VALUES ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9, $10)",
        [
            &new.id,
            &new.game_digest,
            new.setup.game.as_ref(),
            &new.creator,
            serde_json::to_string(&new.setup).expect("a setup is JSON"),
            new.created_ms,
            new.rating_pool.as_ref(),
            new.tournament.as_ref(),
            new.session.as_ref().map(|own| &own.hand.session),
            new.session.as_ref().map(|own| number(own.hand.index))
        ]
    )?;
    for (role, seat) in &new.setup.seats {
        sql!(
            execute(&mut *connection),
            "INSERT INTO seat (match, role, player, is_free) VALUES ($1, $2, $3, $4)",
            [&new.id, role, seat.player(), i64::from(*seat == SeatSetup::Open)]
        )?;
    }
    if let Some(asked) = &new.idempotency {
        sql!(
            execute(&mut *connection),
            "INSERT INTO idempotency (actor, idempotency_key, request, match) VALUES ($1, $2, $3, $4)",
            [&asked.actor, &asked.key, &asked.request, &new.id]
        )?;
    }
    sql!(
        execute(&mut *connection),
        "INSERT INTO match_secret (match, seed) VALUES ($1, $2)",
        [&new.id, hex::encode(new.seed)]
    )?;
    sql!(
        execute(&mut *connection),
        "INSERT INTO ownership (match, replica, epoch, lines) VALUES ($1, $2, 1, 0)",
        [&new.id, replica]
    )?;
    Ok(())
}

/// Whether the epoch of a match is still the last, and remains so until the transaction ends.
async fn owns(connection: &mut AnyConnection, id: &str, epoch: u64) -> Result<bool, sqlx::Error> {
    let own = sql!(
        execute(connection),
        "UPDATE ownership SET epoch = epoch WHERE match = $1 AND epoch = $2",
        [id, number(epoch)]
    )?;
    Ok(own.rows_affected() > 0)
}

/// Lines of one record.
struct Append<'w> {
    /// Its place among the writes.
    place: usize,
    id: &'w str,
    epoch: u64,
    first: u64,
    lines: &'w [String],
}

/// Makes records longer, each if its epoch is the last and no line is missing before; the places of the others.
async fn append(
    connection: &mut AnyConnection,
    appends: &[Append<'_>],
) -> Result<BTreeSet<usize>, sqlx::Error> {
    let sql = format!(
        "UPDATE ownership SET lines = column4 FROM (VALUES {}) AS longer
         WHERE ownership.match = column1 AND ownership.epoch = column2 AND ownership.lines = column3
         RETURNING ownership.match",
        rows(appends.len(), &["TEXT", "BIGINT", "BIGINT", "BIGINT"]),
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for append in appends {
        let end = append.first + append.lines.len() as u64;
        query = query.bind(append.id).bind(number(append.epoch)).bind(number(append.first)).bind(number(end));
    }
    let taken = query.fetch_all(&mut *connection).await?;
    let taken: BTreeSet<String> = taken.iter().map(|row| row.get(0)).collect();
    let (fit, refused): (Vec<&Append<'_>>, Vec<_>) =
        appends.iter().partition(|append| taken.contains(append.id));
    if !fit.is_empty() {
        let values = rows(fit.len(), &["TEXT", "BIGINT", "TEXT"]);
        let sql = format!("INSERT INTO journal (match, seq, lines) VALUES {values}");
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for append in &fit {
            query = query.bind(append.id).bind(number(append.first)).bind(append.lines.join("\n"));
        }
        query.execute(&mut *connection).await?;
    }
    Ok(refused.into_iter().map(|append| append.place).collect())
}

/// Places for so many rows of parameters with these types.
pub(super) fn rows(count: usize, types: &[&str]) -> String {
    let mut text = String::new();
    for row in 0..count {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for (column, of) in types.iter().enumerate() {
            let comma = if column == 0 { "" } else { ", " };
            let parameter = row * types.len() + column + 1;
            write!(text, "{comma}CAST(${parameter} AS {of})").expect("a text takes more");
        }
        text.push(')');
    }
    text
}
