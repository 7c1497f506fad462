//! Tournaments as they are stored, with their fixtures.
//!
//! The match of a fixture is made and noted in one transaction: there is none without the other, whatever dies in between.

use std::collections::BTreeMap;

use croupier_results::{Fixture, MatchResult};
use sqlx::{AnyConnection, AssertSqlSafe, Row as _, any::AnyRow};

use super::{
    NewMatch, Result, Store, count,
    endings::close_deals,
    keep_game, number, ratings, seed,
    writer::{create, rows},
};
use crate::idempotency::Idempotency;

/// Fixtures that one statement stores.
const FIXTURES_AT_ONCE: usize = 200;

/// A tournament as the store has it.
#[derive(Clone, Debug)]
pub(crate) struct StoredTournament {
    pub(crate) id: String,
    /// SHA-256 of the rules.
    pub(crate) game_digest: String,
    pub(crate) creator: String,
    /// What was asked for, as JSON.
    pub(crate) setup: String,
    /// The roles of the players in the order of the rules.
    pub(crate) roles: Vec<String>,
    /// `running`, `over` or `aborted`.
    pub(crate) status: String,
    /// Matches that run.
    pub(crate) live: u64,
    /// Matches that may run at once.
    pub(crate) at_once: u64,
    pub(crate) created_ms: i64,
}

/// What is read of a tournament.
const TOURNAMENT: &str =
    "SELECT id, game, creator, setup, roles, status, live, at_once, created_ms FROM tournament";

impl StoredTournament {
    /// The tournament of a row of [`TOURNAMENT`].
    fn of(row: &AnyRow) -> Self {
        Self {
            id: row.get(0),
            game_digest: row.get(1),
            creator: row.get(2),
            setup: row.get(3),
            roles: serde_json::from_str(&row.get::<String, _>(4)).unwrap_or_default(),
            status: row.get(5),
            live: count(row, 6),
            at_once: count(row, 7),
            created_ms: row.get(8),
        }
    }

    /// Whether it has an end, and all that was secret may be known.
    pub(crate) fn is_over(&self) -> bool {
        self.status != "running" && self.live == 0
    }
}

/// A tournament that is to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewTournament {
    pub(crate) id: String,
    pub(crate) game_digest: String,
    pub(crate) game_name: Option<String>,
    pub(crate) rules: String,
    pub(crate) creator: String,
    pub(crate) setup: String,
    pub(crate) roles: Vec<String>,
    pub(crate) at_once: u64,
    pub(crate) seed: [u8; 32],
    pub(crate) created_ms: i64,
    pub(crate) idempotency: Option<Idempotency>,
    /// Those that are known from the beginning.
    pub(crate) fixtures: Vec<Fixture>,
}

/// A place of a schedule as the store has it.
#[derive(Clone, Debug)]
pub(crate) struct StoredFixture {
    pub(crate) fixture: Fixture,
    pub(crate) match_id: Option<String>,
    pub(crate) result: Option<MatchResult>,
    /// Whether matches on the same deal are not over.
    pub(crate) is_deal_open: bool,
}

/// What is read of a fixture.
const FIXTURE: &str = "\
SELECT place, seats, fixture.deal, match, result, open FROM fixture
JOIN deal ON deal.tournament = fixture.tournament AND deal.number = fixture.deal WHERE fixture.tournament = $1";

impl StoredFixture {
    /// The fixture of a row of [`FIXTURE`].
    fn of(row: &AnyRow) -> Self {
        let seats = serde_json::from_str(&row.get::<String, _>(1)).unwrap_or_default();
        let result: Option<String> = row.get(4);
        Self {
            fixture: Fixture { index: count(row, 0), seats, deal: count(row, 2) },
            match_id: row.get(3),
            result: result.and_then(|text| serde_json::from_str(&text).ok()),
            is_deal_open: row.get::<i64, _>(5) > 0,
        }
    }
}

/// What became of a fixture whose match was to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// It is this server's.
    Own,
    /// Another server has it.
    Taken,
    /// As many matches run as may.
    Full,
}

impl Store {
    /// Stores a tournament with its first fixtures.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn create_tournament(&self, new: &NewTournament) -> Result<()> {
        let mut transaction = self.begin().await?;
        keep_game(&mut transaction, &new.game_digest, &new.rules).await?;
        let (key, request) = new.idempotency.as_ref().map(|asked| (&asked.key, &asked.request)).unzip();
        let roles = serde_json::to_string(&new.roles).expect("names are JSON");
        let (at_once, paired) = (number(new.at_once), number(new.fixtures.len() as u64));
        let NewTournament { id, game_digest, game_name, creator, setup, created_ms, .. } = new;
        sql!(
            execute(&mut *transaction),
            "INSERT INTO tournament (id, game, game_name, creator, setup, roles, status, live, at_once,
                 paired, created_ms, idempotency_key, request)
             VALUES ($1, $2, $3, $4, $5, $6, 'running', 0, $7, $8, $9, $10, $11)",
            [id, game_digest, game_name, creator, setup, roles, at_once, paired, created_ms, key, request]
        )?;
        sql!(
            execute(&mut *transaction),
            "INSERT INTO tournament_secret (tournament, seed) VALUES ($1, $2)",
            [id, hex::encode(new.seed)]
        )?;
        insert(&mut transaction, &new.id, &new.fixtures).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The tournament that was made when this request came first, and what it asked for.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn answered_tournament(&self, asked: &Idempotency) -> Result<Option<(String, String)>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT id, request FROM tournament WHERE creator = $1 AND idempotency_key = $2",
            [&asked.actor, &asked.key]
        )?;
        Ok(row.map(|row| (row.get(0), row.get(1))))
    }

    /// A tournament.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn tournament(&self, id: &str) -> Result<Option<StoredTournament>> {
        let row =
            sql!(fetch_optional(&self.pool), AssertSqlSafe(format!("{TOURNAMENT} WHERE id = $1")), [id])?;
        Ok(row.as_ref().map(StoredTournament::of))
    }

    /// The rules and the seed of a tournament: they are for the referee alone.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn secrets_of_tournament(&self, id: &str) -> Result<Option<(String, [u8; 32])>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT rules, seed FROM tournament JOIN game ON digest = game
             JOIN tournament_secret ON tournament = id WHERE id = $1",
            [id]
        )?;
        Ok(row.and_then(|row| Some((row.get(0), seed(&row, 1)?))))
    }

    /// Tournaments before one, the youngest first, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn tournaments(
        &self,
        before: Option<(i64, String)>,
        count: u32,
    ) -> Result<Vec<StoredTournament>> {
        let (before_ms, before_id) = before.unwrap_or((i64::MAX, String::new()));
        let rows = sql!(
            fetch_all(&self.pool),
            AssertSqlSafe(format!(
                "{TOURNAMENT} WHERE (created_ms, id) < ($1, $2) ORDER BY created_ms DESC, id DESC LIMIT $3"
            )),
            [before_ms, before_id, i64::from(count)]
        )?;
        Ok(rows.iter().map(StoredTournament::of).collect())
    }

    /// Tournaments in which there is something to do, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn unfinished_tournaments(&self) -> Result<Vec<StoredTournament>> {
        let rows = sql!(
            fetch_all(&self.pool),
            AssertSqlSafe(format!(
                "{TOURNAMENT} WHERE status = 'running' OR live > 0 ORDER BY created_ms, id"
            ))
        )?;
        Ok(rows.iter().map(StoredTournament::of).collect())
    }

    /// Fixtures from a place on, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn fixtures(
        &self,
        tournament: &str,
        first: u64,
        count: u32,
    ) -> Result<Vec<StoredFixture>> {
        let rows = sql!(
            fetch_all(&self.pool),
            AssertSqlSafe(format!("{FIXTURE} AND place >= $2 ORDER BY place LIMIT $3")),
            [tournament, number(first), i64::from(count)]
        )?;
        Ok(rows.iter().map(StoredFixture::of).collect())
    }

    /// The first fixtures that have no match yet, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn open_fixtures(&self, tournament: &str, count: u64) -> Result<Vec<Fixture>> {
        let rows = sql!(
            fetch_all(&self.pool),
            AssertSqlSafe(format!("{FIXTURE} AND match IS NULL AND result IS NULL ORDER BY place LIMIT $2")),
            [tournament, number(count)]
        )?;
        Ok(rows.iter().map(|row| StoredFixture::of(row).fixture).collect())
    }

    /// Stores the match of a fixture, if the tournament runs, has room for it, and the fixture has none.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn claim_fixture(
        &self,
        new: &NewMatch,
        tournament: &str,
        place: u64,
    ) -> Result<Claimed> {
        let mut transaction = self.begin().await?;
        let room = sql!(
            execute(&mut *transaction),
            "UPDATE tournament SET live = live + 1 WHERE id = $1 AND status = 'running' AND live < at_once",
            [tournament]
        )?;
        if room.rows_affected() == 0 {
            return Ok(Claimed::Full);
        }
        create(&mut transaction, new, &self.replica).await?;
        let claimed = sql!(
            execute(&mut *transaction),
            "UPDATE fixture SET match = $1
             WHERE tournament = $2 AND place = $3 AND match IS NULL AND result IS NULL",
            [&new.id, tournament, number(place)]
        )?;
        if claimed.rows_affected() == 0 {
            return Ok(Claimed::Taken);
        }
        transaction.commit().await?;
        Ok(Claimed::Own)
    }

    /// Notes the result of a fixture whose match cannot be made, unless it has one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn skip_fixture(&self, tournament: &str, deal: u64, result: &MatchResult) -> Result<()> {
        let mut transaction = self.begin().await?;
        // The tournament is locked before its fixtures, as everywhere.
        sql!(execute(&mut *transaction), "UPDATE tournament SET live = live WHERE id = $1", [tournament])?;
        let noted = sql!(
            execute(&mut *transaction),
            "UPDATE fixture SET result = $1
             WHERE tournament = $2 AND place = $3 AND match IS NULL AND result IS NULL",
            [serde_json::to_string(result).expect("plain data is JSON"), tournament, number(result.index)]
        )?;
        if noted.rows_affected() > 0 {
            let ended = BTreeMap::from([((tournament.to_owned(), number(deal)), 1)]);
            let to_rate = close_deals(&mut transaction, ended).await?;
            ratings::take_in(&mut transaction, &to_rate).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Adds fixtures behind so many that are known, unless another server has done that.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn add_fixtures(
        &self,
        tournament: &str,
        paired: u64,
        fixtures: &[Fixture],
    ) -> Result<()> {
        let mut transaction = self.begin().await?;
        let added = sql!(
            execute(&mut *transaction),
            "UPDATE tournament SET paired = paired + $1 WHERE id = $2 AND paired = $3 AND status = 'running'",
            [number(fixtures.len() as u64), tournament, number(paired)]
        )?;
        if added.rows_affected() > 0 {
            insert(&mut transaction, tournament, fixtures).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Notes that all matches of a tournament are over.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn conclude_tournament(&self, tournament: &str) -> Result<()> {
        sql!(
            execute(&self.pool),
            "UPDATE tournament SET status = 'over' WHERE id = $1 AND status = 'running'",
            [tournament]
        )?;
        Ok(())
    }

    /// Ends a tournament before its end; whether it was running. Fixtures without a match are gone; matches that run are for
    /// the servers to end that have them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn abort_tournament(&self, tournament: &str) -> Result<bool> {
        let mut transaction = self.begin().await?;
        let aborted = sql!(
            execute(&mut *transaction),
            "UPDATE tournament SET status = 'aborted' WHERE id = $1 AND status = 'running'",
            [tournament]
        )?;
        if aborted.rows_affected() == 0 {
            return Ok(false);
        }
        let removed = sql!(
            fetch_all(&mut *transaction),
            "DELETE FROM fixture WHERE tournament = $1 AND match IS NULL AND result IS NULL RETURNING deal",
            [tournament]
        )?;
        let mut deals = BTreeMap::new();
        for row in &removed {
            *deals.entry((tournament.to_owned(), row.get::<i64, _>(0))).or_insert(0) += 1;
        }
        let to_rate = close_deals(&mut transaction, deals).await?;
        ratings::take_in(&mut transaction, &to_rate).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// The matches of a tournament that are not over.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn running_matches(&self, tournament: &str) -> Result<Vec<String>> {
        let rows = sql!(
            fetch_all(&self.pool),
            "SELECT match FROM fixture WHERE tournament = $1 AND match IS NOT NULL AND result IS NULL",
            [tournament]
        )?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// The seats of a player in matches that are not over: the match, the role, and the setup of the match.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn seats_of(&self, player: &str) -> Result<Vec<(String, String, String)>> {
        let rows = sql!(
            fetch_all(&self.pool),
            "SELECT match.id, role, setup FROM seat JOIN match ON match.id = seat.match
             WHERE player = $1 AND outcome IS NULL ORDER BY created_ms, match.id, role",
            [player]
        )?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }
}

/// Stores fixtures, and how many matches there are on each of their deals.
async fn insert(
    connection: &mut AnyConnection,
    tournament: &str,
    fixtures: &[Fixture],
) -> Result<(), sqlx::Error> {
    let mut deals: BTreeMap<u64, u64> = BTreeMap::new();
    for some in fixtures.chunks(FIXTURES_AT_ONCE) {
        let values = rows(some.len(), &["TEXT", "BIGINT", "TEXT", "BIGINT"]);
        let sql = format!("INSERT INTO fixture (tournament, place, seats, deal) VALUES {values}");
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for Fixture { index, seats, deal } in some {
            *deals.entry(*deal).or_default() += 1;
            let seats = serde_json::to_string(seats).expect("numbers are JSON");
            query = query.bind(tournament).bind(number(*index)).bind(seats).bind(number(*deal));
        }
        query.execute(&mut *connection).await?;
    }
    let deals: Vec<(u64, u64)> = deals.into_iter().collect();
    for some in deals.chunks(FIXTURES_AT_ONCE) {
        let values = rows(some.len(), &["TEXT", "BIGINT", "BIGINT"]);
        let sql = format!("INSERT INTO deal (tournament, number, open) VALUES {values}");
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for (deal, open) in some {
            query = query.bind(tournament).bind(number(*deal)).bind(number(*open));
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}
