//! Sessions as they are stored: what was agreed on, and a journal of everything that happened, from which all else follows.
//!
//! A session and the match that it plays belong to one server: they are claimed together. The match of a place is made once, whatever
//! dies in between, because the store has one match for each place of a session.

use std::collections::BTreeMap;

use sqlx::{AnyConnection, AssertSqlSafe, Row as _, any::AnyRow};

use super::{
    Claim, Result, Store, Tenure, count, keep_game, number, replicas::CLAIMS_MAX, seed, writer::Written,
};
use crate::{idempotency::Idempotency, rights::TokenDigest};

/// A session that is to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewSession {
    pub(crate) id: String,
    pub(crate) game_digest: String,
    pub(crate) rules: String,
    pub(crate) creator: String,
    /// What was agreed on, as JSON.
    pub(crate) setup: String,
    pub(crate) seed: [u8; 32],
    pub(crate) is_listed: bool,
    pub(crate) created_ms: i64,
    pub(crate) idempotency: Option<Idempotency>,
    /// The first entries of its journal.
    pub(crate) entries: Vec<String>,
    /// The keys that were made with it.
    pub(crate) keys: Vec<TokenDigest>,
}

/// A session as the store has it, but for its journal.
#[derive(Clone, Debug)]
pub(crate) struct StoredSession {
    pub(crate) id: String,
    pub(crate) rules: String,
    /// What was agreed on, as JSON.
    pub(crate) setup: String,
    /// `running` or `over`.
    pub(crate) status: String,
    pub(crate) created_ms: i64,
    /// It is for the referee alone.
    pub(crate) seed: [u8; 32],
}

/// What is read of a session.
const SESSION: &str = "\
SELECT id, rules, setup, status, created_ms, seed FROM session
JOIN game ON game.digest = session.game JOIN session_secret ON session_secret.session = session.id";

impl StoredSession {
    /// The session of a row of [`SESSION`].
    fn of(row: &AnyRow) -> Option<Self> {
        Some(Self {
            id: row.get(0),
            rules: row.get(1),
            setup: row.get(2),
            status: row.get(3),
            created_ms: row.get(4),
            seed: seed(row, 5)?,
        })
    }
}

/// Entries of the journal of a session that are to be made durable.
#[derive(Debug)]
pub(crate) struct NewEntries {
    pub(crate) id: String,
    pub(crate) epoch: u64,
    /// The number of the first, from 0.
    pub(crate) first: u64,
    pub(crate) entries: Vec<String>,
    /// The keys that were made with them.
    pub(crate) keys: Vec<TokenDigest>,
    /// Whether the session is over with them.
    pub(crate) is_over: bool,
}

/// A session that is this server's from now on, with the matches of it that are not over.
#[derive(Clone, Debug)]
pub(crate) struct SessionClaim {
    pub(crate) id: String,
    pub(crate) epoch: u64,
    pub(crate) tenure: Tenure,
    pub(crate) matches: Vec<Claim>,
}

/// The match of a session, at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MatchAt {
    pub(crate) id: String,
    /// How it ended, as JSON.
    pub(crate) outcome: Option<String>,
}

impl Store {
    /// Stores a session with the first entries of its journal; it is this server's, in epoch 1.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn create_session(&self, new: &NewSession) -> Result<()> {
        let mut transaction = self.begin().await?;
        keep_game(&mut transaction, &new.game_digest, &new.rules).await?;
        let (key, request) = new.idempotency.as_ref().map(|asked| (&asked.key, &asked.request)).unzip();
        sql!(
            execute(&mut *transaction),
            "INSERT INTO session (id, game, creator, setup, status, is_listed, created_ms, idempotency_key, request)
             VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8)",
            [
                &new.id,
                &new.game_digest,
                &new.creator,
                &new.setup,
                i64::from(new.is_listed),
                new.created_ms,
                key,
                request
            ]
        )?;
        let secret = "INSERT INTO session_secret (session, seed) VALUES ($1, $2)";
        sql!(execute(&mut *transaction), secret, [&new.id, hex::encode(new.seed)])?;
        sql!(
            execute(&mut *transaction),
            "INSERT INTO session_ownership (session, replica, epoch, entries) VALUES ($1, $2, 1, $3)",
            [&new.id, &self.replica, number(new.entries.len() as u64)]
        )?;
        keep_entries(&mut transaction, &new.id, 0, &new.entries).await?;
        keep_keys(&mut transaction, &new.id, &new.keys).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Makes entries of the journal of a session durable.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError); then none of them is. It is [`Fenced`](super::StoreError::Fenced) if the session has a later epoch.
    pub(crate) async fn append_session(&self, new: NewEntries) -> Result<()> {
        let id = new.id.clone();
        self.write(&id, Written::Session(Box::new(new))).await
    }

    /// A session.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn session(&self, id: &str) -> Result<Option<StoredSession>> {
        let row = sql!(fetch_optional(&self.pool), AssertSqlSafe(format!("{SESSION} WHERE id = $1")), [id])?;
        Ok(row.as_ref().and_then(StoredSession::of))
    }

    /// The journal of a session, in order.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn session_journal(&self, id: &str) -> Result<Vec<String>> {
        let sql = "SELECT entry FROM session_journal WHERE session = $1 ORDER BY seq";
        let rows = sql!(fetch_all(&self.pool), sql, [id])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// The session of a key.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn session_of_key(&self, key: TokenDigest) -> Result<Option<String>> {
        let sql = "SELECT session FROM session_key WHERE digest = $1";
        let row = sql!(fetch_optional(&self.pool), sql, [key.to_hex()])?;
        Ok(row.map(|row| row.get(0)))
    }

    /// The session that was made when this request came first, and what it asked for.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn answered_session(&self, asked: &Idempotency) -> Result<Option<(String, String)>> {
        let sql = "SELECT id, request FROM session WHERE creator = $1 AND idempotency_key = $2";
        let row = sql!(fetch_optional(&self.pool), sql, [&asked.actor, &asked.key])?;
        Ok(row.map(|row| (row.get(0), row.get(1))))
    }

    /// How many sessions of a creator are not over.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn sessions_of(&self, creator: &str) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM session WHERE creator = $1 AND status = 'running'";
        let row = sql!(fetch_one(&self.pool), sql, [creator])?;
        Ok(count(&row, 0))
    }

    /// The match at a place of a session, if it was made.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn match_at(&self, session: &str, place: u64) -> Result<Option<MatchAt>> {
        let sql = "SELECT id, outcome FROM match WHERE session = $1 AND session_place = $2";
        let row = sql!(fetch_optional(&self.pool), sql, [session, number(place)])?;
        Ok(row.map(|row| MatchAt { id: row.get(0), outcome: row.get(1) }))
    }

    /// Takes over sessions that belong to no server that lives, some at a time, with their matches.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn claim_sessions(&self) -> Result<Vec<SessionClaim>> {
        let lives = self.lives();
        self.take_sessions(&format!(
            "UPDATE session_ownership SET replica = $1, epoch = session_ownership.epoch + 1
             FROM (SELECT session_ownership.session AS orphan, epoch AS last FROM session
                   JOIN session_ownership ON session_ownership.session = session.id
                   LEFT JOIN replica ON replica.id = session_ownership.replica AND {lives}
                   WHERE status = 'running' AND replica.id IS NULL
                   ORDER BY created_ms, session.id LIMIT {CLAIMS_MAX}) AS orphans
             WHERE session_ownership.session = orphan AND session_ownership.epoch = last
             RETURNING session_ownership.session, session_ownership.epoch"
        ))
        .await
    }

    /// Begins another epoch of every session of this server that is not over, and of their matches.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn reclaim_sessions(&self) -> Result<Vec<SessionClaim>> {
        self.take_sessions(
            "UPDATE session_ownership SET epoch = epoch + 1 WHERE replica = $1
             AND EXISTS (SELECT 1 FROM session WHERE session.id = session_ownership.session AND status = 'running')
             RETURNING session, epoch",
        )
        .await
    }

    /// Begins another epoch of one session of this server; `None` if it no longer is, or is over. Its match goes on as it does.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn reclaim_session(&self, id: &str) -> Result<Option<SessionClaim>> {
        let tenure = self.tenure();
        let row = sql!(
            fetch_optional(&self.pool),
            "UPDATE session_ownership SET epoch = epoch + 1 WHERE session = $1 AND replica = $2
             AND EXISTS (SELECT 1 FROM session WHERE session.id = $1 AND status = 'running')
             RETURNING session, epoch",
            [id, &self.replica]
        )?;
        Ok(row.map(|row| SessionClaim { id: row.get(0), epoch: count(&row, 1), tenure, matches: Vec::new() }))
    }

    /// Takes the sessions that a statement returns, and their matches that are not over, in one transaction.
    async fn take_sessions(&self, statement: &str) -> Result<Vec<SessionClaim>> {
        let tenure = self.tenure();
        let mut transaction = self.begin().await?;
        let rows = sql!(fetch_all(&mut *transaction), AssertSqlSafe(statement.to_owned()), [&self.replica])?;
        let mut claims: BTreeMap<String, SessionClaim> = BTreeMap::new();
        for row in &rows {
            let (id, epoch): (String, u64) = (row.get(0), count(row, 1));
            let rows = sql!(
                fetch_all(&mut *transaction),
                "UPDATE ownership SET replica = $1, epoch = epoch + 1
                 WHERE match IN (SELECT id FROM match WHERE session = $2 AND outcome IS NULL)
                 RETURNING match, epoch",
                [&self.replica, &id]
            )?;
            let matches = rows.iter().map(|row| Claim::of(row, &tenure)).collect();
            claims.insert(id.clone(), SessionClaim { id, epoch, tenure: tenure.clone(), matches });
        }
        transaction.commit().await?;
        Ok(claims.into_values().collect())
    }

    /// The location of the server that has a session, if it is alive and another one.
    ///
    /// # Errors
    /// [`StoreError`](super::StoreError).
    pub(crate) async fn session_elsewhere(&self, id: &str) -> Result<Option<String>> {
        let now = self.backend.now_ms();
        let row = sql!(
            fetch_optional(&self.pool),
            AssertSqlSafe(format!(
                "SELECT url FROM session_ownership JOIN replica ON replica.id = session_ownership.replica
                 WHERE session_ownership.session = $1 AND replica.expires_ms > {now} AND replica.id <> $2"
            )),
            [id, &self.replica]
        )?;
        Ok(row.map(|row| row.get(0)))
    }
}

/// Makes the journal of a session longer, if its epoch is the last and no entry is missing before; whether it did.
pub(super) async fn append(connection: &mut AnyConnection, new: &NewEntries) -> Result<bool, sqlx::Error> {
    let NewEntries { id, epoch, first, entries, keys, is_over } = new;
    let end = first + entries.len() as u64;
    let longer = sql!(
        execute(&mut *connection),
        "UPDATE session_ownership SET entries = $1 WHERE session = $2 AND epoch = $3 AND entries = $4",
        [number(end), id, number(*epoch), number(*first)]
    )?;
    if longer.rows_affected() == 0 {
        return Ok(false);
    }
    keep_entries(connection, id, *first, entries).await?;
    keep_keys(connection, id, keys).await?;
    if *is_over {
        sql!(execute(connection), "UPDATE session SET status = 'over' WHERE id = $1", [id])?;
    }
    Ok(true)
}

/// Whether the epoch of a session is still the last, and remains so until the transaction ends.
pub(super) async fn owns_session(
    connection: &mut AnyConnection,
    id: &str,
    epoch: u64,
) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE session_ownership SET epoch = epoch WHERE session = $1 AND epoch = $2";
    let own = sql!(execute(connection), sql, [id, number(epoch)])?;
    Ok(own.rows_affected() > 0)
}

async fn keep_entries(
    connection: &mut AnyConnection,
    id: &str,
    first: u64,
    entries: &[String],
) -> Result<(), sqlx::Error> {
    for (seq, entry) in (first..).zip(entries) {
        let sql = "INSERT INTO session_journal (session, seq, entry) VALUES ($1, $2, $3)";
        sql!(execute(&mut *connection), sql, [id, number(seq), entry])?;
    }
    Ok(())
}

async fn keep_keys(
    connection: &mut AnyConnection,
    id: &str,
    keys: &[TokenDigest],
) -> Result<(), sqlx::Error> {
    for key in keys {
        let sql = "INSERT INTO session_key (digest, session) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        sql!(execute(&mut *connection), sql, [key.to_hex(), id.to_owned()])?;
    }
    Ok(())
}
