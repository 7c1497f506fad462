//! Matches as they are stored, and their records.

use std::{collections::BTreeMap, sync::Arc};

use sqlx::{AssertSqlSafe, Row as _, any::AnyRow};

use super::{Result, Store, seed, writer::Written};
use crate::{
    idempotency::Idempotency,
    setup::{SessionHand, StoredSetup},
};

/// A match as the store has it.
#[derive(Clone, Debug)]
pub(crate) struct StoredMatch {
    /// Its id.
    pub(crate) id: String,
    /// What was asked for when it was made, as JSON.
    pub(crate) setup: String,
    /// `running`, or how it ended.
    pub(crate) status: String,
    /// How it ended, as JSON.
    pub(crate) outcome: Option<String>,
    /// When it was made.
    pub(crate) created_ms: i64,
    /// Who made it.
    pub(crate) creator: String,
    /// Whether it changes the ratings of its players.
    pub(crate) is_rated: bool,
    /// What others play on may be seen in it.
    pub(crate) shared: Shared,
}

/// What a match shares with others that are not over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Its deal: goals tell of cards that others hold.
    pub(crate) deal: bool,
    /// Its seed, one that others follow from, or what was hidden in it.
    pub(crate) seed: bool,
}

/// What is read of a match.
const MATCH: &str = "\
SELECT id, setup, status, outcome, created_ms, creator, rating_pool,
CASE WHEN tournament IS NULL THEN 0 ELSE
    (SELECT COUNT(*) FROM fixture JOIN deal ON deal.tournament = fixture.tournament AND deal.number = fixture.deal
     WHERE fixture.match = match.id AND deal.open > 0) END,
CASE WHEN tournament IS NULL THEN 0 ELSE
    (SELECT COUNT(*) FROM fixture JOIN tournament ON tournament.id = fixture.tournament
     WHERE fixture.match = match.id AND fixture.deal = 0
     AND (tournament.status = 'running' OR tournament.live > 0)) END,
CASE WHEN session IS NULL THEN 0 ELSE
    (SELECT COUNT(*) FROM session WHERE session.id = match.session AND session.status = 'running') END
FROM match";

/// Which matches are listed; where nothing is said, all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Of this game.
    pub(crate) game: Option<String>,
    /// In which this player sits.
    pub(crate) player: Option<String>,
    /// That ended like this, or `running`.
    pub(crate) status: Option<String>,
}

impl StoredMatch {
    /// The match of a row of [`MATCH`].
    fn of(row: &AnyRow) -> Self {
        let shares_deal = row.get::<i64, _>(7) > 0;
        Self {
            id: row.get(0),
            setup: row.get(1),
            status: row.get(2),
            outcome: row.get(3),
            created_ms: row.get(4),
            creator: row.get(5),
            is_rated: row.get::<Option<String>, _>(6).is_some(),
            // The first deal has the seed of the tournament, from which all others follow; and what was folded in a match of a session
            // stays closed as long as others follow.
            shared: Shared {
                deal: shares_deal,
                seed: shares_deal || row.get::<i64, _>(8) > 0 || row.get::<i64, _>(9) > 0,
            },
        }
    }
}

/// All that it takes to go on with a match, but for its record. It has the seed: it is for the referee alone.
pub(crate) struct StoredWhole {
    pub(crate) setup: String,
    pub(crate) rules: String,
    pub(crate) seed: [u8; 32],
}

/// A match that is to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewMatch {
    pub(crate) id: String,
    pub(crate) game_digest: String,
    pub(crate) rules: String,
    pub(crate) setup: StoredSetup,
    pub(crate) seed: [u8; 32],
    pub(crate) created_ms: i64,
    pub(crate) creator: String,
    pub(crate) idempotency: Option<Idempotency>,
    /// The game in which its players are rated by it, if they are.
    pub(crate) rating_pool: Option<String>,
    /// The tournament that it belongs to.
    pub(crate) tournament: Option<String>,
    /// The session that it belongs to.
    pub(crate) session: Option<OwnHand>,
}

/// The session of a match that is to be stored, which must be this server's.
#[derive(Clone, Debug)]
pub(crate) struct OwnHand {
    pub(crate) hand: SessionHand,
    /// The epoch of the session in which the match is made.
    pub(crate) epoch: u64,
}

/// A request for an open seat.
#[derive(Clone, Debug)]
pub(crate) struct SeatClaim<'c> {
    pub(crate) id: &'c str,
    pub(crate) role: &'c str,
    /// The name of who asks, if it has one.
    pub(crate) player: Option<&'c str>,
    /// Who asks, as one of those who may have so many seats.
    pub(crate) by: String,
    /// What the request is called, so that it is answered twice.
    pub(crate) key: Option<String>,
    /// Open seats that one client may have at once in matches that are not over.
    pub(crate) seats_max: u32,
}

/// What came of a request for an open seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeatTaken {
    /// It is theirs, now or since the same request came before.
    Own,
    /// Somebody else has it, or it is none.
    Other,
    /// It is free, but they have as many as they may.
    TooMany,
}

impl Store {
    /// Stores a match that has not begun; it is this server's.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn create(&self, new: NewMatch) -> Result<()> {
        let id = new.id.clone();
        let replica = self.replica.clone();
        self.write(&id, Written::Create { new: Box::new(new), replica }).await
    }

    /// Makes lines of a record durable, the first of which has this number.
    ///
    /// # Errors
    /// [`StoreError`]; then none of them is. It is [`StoreError::Fenced`] if the match has a later epoch.
    pub(crate) async fn append(&self, id: &str, epoch: u64, first: u64, lines: Arc<[String]>) -> Result<()> {
        self.write(id, Written::Append { id: id.to_owned(), epoch, first, lines }).await
    }

    /// Notes how a match ended, once.
    ///
    /// # Errors
    /// [`StoreError`]. It is [`StoreError::Fenced`] if the match has a later epoch.
    pub(crate) async fn finish(&self, id: &str, epoch: u64, status: &str, outcome: String) -> Result<()> {
        let (own_id, status) = (id.to_owned(), status.to_owned());
        self.write(id, Written::Finish { id: own_id, epoch, status, outcome }).await
    }

    /// A match.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn find(&self, id: &str) -> Result<Option<StoredMatch>> {
        let row = sql!(fetch_optional(&self.pool), AssertSqlSafe(format!("{MATCH} WHERE id = $1")), [id])?;
        Ok(row.as_ref().map(StoredMatch::of))
    }

    /// Matches before one, the youngest first, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn list(
        &self,
        wanted: &Wanted,
        before: Option<(i64, String)>,
        count: u32,
    ) -> Result<Vec<StoredMatch>> {
        let (before_ms, before_id) = before.unwrap_or((i64::MAX, String::new()));
        let rows = sql!(
            fetch_all(&self.pool),
            AssertSqlSafe(format!(
                "{MATCH} WHERE (created_ms, id) < ($1, $2)
             AND (CAST($3 AS TEXT) IS NULL OR game_name = $3)
             AND (CAST($4 AS TEXT) IS NULL OR id IN (SELECT match FROM seat WHERE player = $4))
             AND (CAST($5 AS TEXT) IS NULL OR status = $5)
             AND (session IS NULL OR EXISTS (SELECT 1 FROM session WHERE session.id = match.session AND is_listed = 1))
             ORDER BY created_ms DESC, id DESC LIMIT $6"
            )),
            [
                before_ms,
                before_id,
                wanted.game.as_ref(),
                wanted.player.as_ref(),
                wanted.status.as_ref(),
                i64::from(count)
            ]
        )?;
        Ok(rows.iter().map(StoredMatch::of).collect())
    }

    /// The match that was made when this request came first, and what it asked for.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn answered(&self, asked: &Idempotency) -> Result<Option<(String, String)>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT match, request FROM idempotency WHERE actor = $1 AND idempotency_key = $2",
            [&asked.actor, &asked.key]
        )?;
        Ok(row.map(|row| (row.get(0), row.get(1))))
    }

    /// Gives a free seat to somebody, who has few enough of them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn take_seat(&self, claim: &SeatClaim<'_>) -> Result<SeatTaken> {
        let SeatClaim { id, role, player, by, key, seats_max } = claim;
        let taken = sql!(
            execute(&self.pool),
            "UPDATE seat SET player = $1, is_free = 0, claimed_by = $4, claim_key = $5
             WHERE match = $2 AND role = $3 AND is_free = 1
             AND (SELECT COUNT(*) FROM seat AS other JOIN match ON match.id = other.match
                  WHERE other.claimed_by = $4 AND match.outcome IS NULL) < $6",
            [*player, *id, *role, by, key.as_ref(), i64::from(*seats_max)]
        )?;
        if taken.rows_affected() > 0 {
            return Ok(SeatTaken::Own);
        }
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT is_free, claimed_by, claim_key FROM seat WHERE match = $1 AND role = $2",
            [*id, *role]
        )?;
        let Some(row) = row else { return Ok(SeatTaken::Other) };
        let (owner, known): (Option<String>, Option<String>) = (row.get(1), row.get(2));
        Ok(match row.get::<i64, _>(0) {
            1 => SeatTaken::TooMany,
            _ if known.is_some() && owner.as_ref() == Some(by) && known == *key => SeatTaken::Own,
            _ => SeatTaken::Other,
        })
    }

    /// Who sits in a match, by role; nobody that has a name, or nobody yet, is `None`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn players_of(&self, id: &str) -> Result<BTreeMap<String, Option<String>>> {
        let rows = sql!(fetch_all(&self.pool), "SELECT role, player FROM seat WHERE match = $1", [id])?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// All that it takes to go on with a match, but for its record.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn whole(&self, id: &str) -> Result<Option<StoredWhole>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT setup, rules, seed FROM match JOIN game ON game.digest = match.game
             JOIN match_secret ON match_secret.match = match.id WHERE match.id = $1",
            [id]
        )?;
        let whole =
            |row: AnyRow| Some(StoredWhole { setup: row.get(0), rules: row.get(1), seed: seed(&row, 2)? });
        Ok(row.and_then(whole))
    }

    /// The record of a match as far as it is stored, each line with its newline.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn record(&self, id: &str) -> Result<String> {
        let rows =
            sql!(fetch_all(&self.pool), "SELECT lines FROM journal WHERE match = $1 ORDER BY seq", [id])?;
        let mut text = String::new();
        for row in &rows {
            text.push_str(&row.get::<String, _>(0));
            text.push('\n');
        }
        Ok(text)
    }
}
