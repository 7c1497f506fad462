//! Servers that share a store: each has a lease, and the matches of a server whose lease has expired are taken over.
//!
//! A match belongs to one server at a time. A server that takes it over increments its epoch, and lines of an earlier epoch are
//! rejected from then on: a server that only seemed dead learns that it has lost the match, and tells nobody anything more.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Row as _, any::AnyRow};

use super::{Result, Store, Tenure, count};
use crate::clock;

/// How long a server may be silent before its matches are taken over.
pub(crate) const LEASE: Duration = Duration::from_secs(3);

/// How much longer others wait: a renewal that came in time may still be on its way to the disk.
const LEASE_GRACE_MS: i64 = 200;

/// What a renewal of the lease has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Renewal {
    /// It came in time.
    InTime,
    /// It came too late: others may have taken over the matches of this server.
    TooLate,
}

/// A server, as the store knows it: a new identity whenever it starts.
pub(crate) type ReplicaId = String;

/// A match that is this server's from now on.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    /// The match.
    pub(crate) id: String,
    /// The number of the referee that resumes it.
    pub(crate) epoch: u64,
    /// For how long it is this server's.
    pub(crate) tenure: Tenure,
}

impl Claim {
    /// The claim of a row of `match, epoch`.
    pub(super) fn of(row: &AnyRow, tenure: &Tenure) -> Self {
        Self { id: row.get(0), epoch: count(row, 1), tenure: tenure.clone() }
    }
}

/// Matches that are claimed at once.
pub(super) const CLAIMS_MAX: u32 = 512;

impl Store {
    /// Makes this server known with a first lease.
    pub(super) async fn register(&self, url: &str) -> Result<()> {
        if !self.is_shared() {
            // Whoever has the lock of the file is the only server: all others are gone.
            sql!(execute(&self.pool), "DELETE FROM replica")?;
        }
        let (now, asked_ms) = (self.backend.now_ms(), clock::awake_ms());
        sql!(
            execute(&self.pool),
            AssertSqlSafe(format!("INSERT INTO replica (id, url, expires_ms) VALUES ($1, $2, {now} + $3)")),
            [&self.replica, url, lease_ms()]
        )?;
        if self.is_shared() {
            self.lease.begin(asked_ms);
        }
        Ok(())
    }

    /// Renews the lease of this server. If it had run out, another one begins, and every [`Tenure`](super::Tenure) of the last one is over.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn renew(&self) -> Result<Renewal> {
        let (now, asked_ms) = (self.backend.now_ms(), clock::awake_ms());
        let renewal = format!("UPDATE replica SET expires_ms = {now} + $1 WHERE id = $2");
        // The only server of a file has nobody to fear: it learns here whether the disk takes anything.
        let in_time =
            if self.is_shared() { format!("{renewal} AND expires_ms > {now}") } else { renewal.clone() };
        let renewed = sql!(execute(&self.pool), AssertSqlSafe(in_time), [lease_ms(), &self.replica])?;
        if renewed.rows_affected() > 0 || !self.is_shared() {
            self.lease.prolong(asked_ms);
            return Ok(Renewal::InTime);
        }
        let asked_ms = clock::awake_ms();
        sql!(execute(&self.pool), AssertSqlSafe(renewal), [lease_ms(), &self.replica])?;
        self.lease.begin(asked_ms);
        Ok(Renewal::TooLate)
    }

    /// Begins another epoch of every match that is still this server's and not over, but for those of sessions: what was done for
    /// them under an earlier lease is void.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn reclaim_all(&self) -> Result<Vec<Claim>> {
        let tenure = self.tenure();
        let rows = sql!(
            fetch_all(&self.pool),
            "UPDATE ownership SET epoch = epoch + 1 WHERE replica = $1
             AND EXISTS (SELECT 1 FROM match WHERE match.id = ownership.match AND outcome IS NULL AND session IS NULL)
             RETURNING match, epoch",
            [&self.replica]
        )?;
        Ok(rows.iter().map(|row| Claim::of(row, &tenure)).collect())
    }

    /// Ends the lease of this server.
    pub(super) async fn resign(&self) -> Result<()> {
        sql!(execute(&self.pool), "DELETE FROM replica WHERE id = $1", [&self.replica])?;
        Ok(())
    }

    /// Whether a replica lives, as a condition of SQL.
    pub(super) fn lives(&self) -> String {
        let grace_ms = if self.is_shared() { LEASE_GRACE_MS } else { 0 };
        format!("replica.expires_ms > {} - {grace_ms}", self.backend.now_ms())
    }

    /// Takes over matches that are not over and belong to no server that lives, the oldest first, some at a time. Those of a
    /// session go with it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn claim(&self) -> Result<Vec<Claim>> {
        let (lives, tenure) = (self.lives(), self.tenure());
        // A match that two servers claim at once goes to the one whose statement comes first: the other's finds another epoch.
        let rows = sql!(
            fetch_all(&self.pool),
            AssertSqlSafe(format!(
                "UPDATE ownership SET replica = $1, epoch = ownership.epoch + 1
             FROM (SELECT ownership.match AS orphan, epoch AS last FROM match
                   JOIN ownership ON ownership.match = match.id
                   LEFT JOIN replica ON replica.id = ownership.replica AND {lives}
                   WHERE outcome IS NULL AND session IS NULL AND replica.id IS NULL
                   ORDER BY created_ms, match.id LIMIT {CLAIMS_MAX}) AS orphans
             WHERE ownership.match = orphan AND ownership.epoch = last
             RETURNING ownership.match, ownership.epoch"
            )),
            [&self.replica]
        )?;
        Ok(rows.iter().map(|row| Claim::of(row, &tenure)).collect())
    }

    /// Begins another epoch of a match that is this server's already; `None` if it no longer is, or is over.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn reclaim(&self, id: &str) -> Result<Option<Claim>> {
        let tenure = self.tenure();
        let row = sql!(
            fetch_optional(&self.pool),
            "UPDATE ownership SET epoch = epoch + 1 WHERE match = $1 AND replica = $2
             AND EXISTS (SELECT 1 FROM match WHERE match.id = $1 AND outcome IS NULL)
             RETURNING match, epoch",
            [id, &self.replica]
        )?;
        Ok(row.as_ref().map(|row| Claim::of(row, &tenure)))
    }

    /// The location of the server that has a match, if it is alive and another one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn elsewhere(&self, id: &str) -> Result<Option<String>> {
        let now = self.backend.now_ms();
        let row = sql!(
            fetch_optional(&self.pool),
            AssertSqlSafe(format!(
                "SELECT url FROM ownership JOIN replica ON replica.id = ownership.replica
             WHERE ownership.match = $1 AND replica.expires_ms > {now} AND replica.id <> $2"
            )),
            [id, &self.replica]
        )?;
        Ok(row.map(|row| row.get(0)))
    }
}

fn lease_ms() -> i64 {
    i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX)
}
