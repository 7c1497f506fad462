//! Players that are registered, tokens, games that were uploaded.

use sqlx::{Row as _, any::AnyRow};

use super::{Result, Store, keep_game};
use crate::rights::TokenDigest;

/// A player that is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredPlayer {
    /// What it is called here.
    pub(crate) name: String,
    /// Where it is called; `None` if it connects.
    pub(crate) address: Option<String>,
    /// The messages that it knows.
    pub(crate) dialect: Option<String>,
    /// Who registered it.
    pub(crate) registered_by: String,
    /// When.
    pub(crate) created_ms: i64,
}

impl StoredPlayer {
    /// The player of a row of `name, address, dialect, registered_by, created_ms`.
    fn of(row: &AnyRow) -> Self {
        Self {
            name: row.get(0),
            address: row.get(1),
            dialect: row.get(2),
            registered_by: row.get(3),
            created_ms: row.get(4),
        }
    }
}

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Making matches and tournaments, and registering players and games.
    Organiser,
    /// Playing under a name.
    Player,
}

impl TokenKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Organiser => "organiser",
            Self::Player => "player",
        }
    }
}

/// A game that was uploaded.
#[derive(Clone, Debug)]
pub(crate) struct StoredGame {
    /// What it is called here.
    pub(crate) name: String,
    /// SHA-256 of its rules.
    pub(crate) digest: String,
    /// Who uploaded it.
    pub(crate) uploaded_by: String,
}

impl Store {
    /// How long a turn of a game takes to compute at most, if it was measured.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn turn_us(&self, digest: &str) -> Result<Option<u64>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT turn_us FROM game WHERE digest = $1 AND turn_us IS NOT NULL",
            [digest]
        )?;
        Ok(row.and_then(|row| u64::try_from(row.get::<i64, _>(0)).ok()))
    }

    /// Keeps that.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn keep_turn_us(&self, digest: &str, rules: &str, turn_us: u64) -> Result<()> {
        sql!(
            execute(&self.pool),
            "INSERT INTO game (digest, rules, turn_us) VALUES ($1, $2, $3)
             ON CONFLICT (digest) DO UPDATE SET turn_us = $3",
            [digest, rules, i64::try_from(turn_us).unwrap_or(i64::MAX)]
        )?;
        Ok(())
    }

    /// Registers a player; whether the name was free.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn register_player(&self, player: &StoredPlayer, token: TokenDigest) -> Result<bool> {
        let mut transaction = self.begin().await?;
        let StoredPlayer { name, address, dialect, registered_by, created_ms } = player;
        let inserted = sql!(
            execute(&mut *transaction),
            "INSERT INTO player (name, address, dialect, registered_by, created_ms)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
            [name, address, dialect, registered_by, created_ms]
        )?;
        if inserted.rows_affected() == 0 {
            return Ok(false);
        }
        sql!(
            execute(&mut *transaction),
            "INSERT INTO token (digest, kind, subject, created_ms) VALUES ($1, $2, $3, $4)",
            [token.to_hex(), TokenKind::Player.as_str(), &player.name, player.created_ms]
        )?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Takes a player off the list, with its token; whether it was there. Its matches stay.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn remove_player(&self, name: &str) -> Result<bool> {
        let mut transaction = self.begin().await?;
        let removed = sql!(execute(&mut *transaction), "DELETE FROM player WHERE name = $1", [name])?;
        sql!(execute(&mut *transaction), "DELETE FROM token WHERE kind = 'player' AND subject = $1", [name])?;
        transaction.commit().await?;
        Ok(removed.rows_affected() > 0)
    }

    /// A player that is registered.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn player(&self, name: &str) -> Result<Option<StoredPlayer>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT name, address, dialect, registered_by, created_ms FROM player WHERE name = $1",
            [name]
        )?;
        Ok(row.as_ref().map(StoredPlayer::of))
    }

    /// Players behind a name, in alphabetical order, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn players(&self, after: &str, count: u32) -> Result<Vec<StoredPlayer>> {
        let rows = sql!(
            fetch_all(&self.pool),
            "SELECT name, address, dialect, registered_by, created_ms FROM player
             WHERE name > $1 ORDER BY name LIMIT $2",
            [after, i64::from(count)]
        )?;
        Ok(rows.iter().map(StoredPlayer::of).collect())
    }

    /// Makes a token known; one that the subject had before is worth nothing from now on.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn set_token(
        &self,
        kind: TokenKind,
        subject: &str,
        token: TokenDigest,
        now_ms: i64,
    ) -> Result<()> {
        sql!(execute(&self.pool), "INSERT INTO token (digest, kind, subject, created_ms) VALUES ($1, $2, $3, $4)
             ON CONFLICT (kind, subject) DO UPDATE SET digest = excluded.digest, created_ms = excluded.created_ms", [token.to_hex(), kind.as_str(), subject, now_ms])?;
        Ok(())
    }

    /// Takes a token away; whether there was one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn remove_token(&self, kind: TokenKind, subject: &str) -> Result<bool> {
        let removed = sql!(
            execute(&self.pool),
            "DELETE FROM token WHERE kind = $1 AND subject = $2",
            [kind.as_str(), subject]
        )?;
        Ok(removed.rows_affected() > 0)
    }

    /// Whose token this is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn bearer(&self, token: TokenDigest) -> Result<Option<(TokenKind, String)>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT kind, subject FROM token WHERE digest = $1",
            [token.to_hex()]
        )?;
        Ok(row.and_then(|row| {
            let kind: String = row.get(0);
            let kind =
                [TokenKind::Organiser, TokenKind::Player].into_iter().find(|known| known.as_str() == kind)?;
            Some((kind, row.get(1)))
        }))
    }

    /// The digest of the token of a registered player.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn token_of_player(&self, name: &str) -> Result<Option<String>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT digest FROM token WHERE kind = 'player' AND subject = $1",
            [name]
        )?;
        Ok(row.map(|row| row.get(0)))
    }

    /// Stores a game under a name; whether the name was free, or had these rules already.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn upload(&self, game: &StoredGame, rules: &str, now_ms: i64) -> Result<bool> {
        let mut transaction = self.begin().await?;
        keep_game(&mut transaction, &game.digest, rules).await?;
        sql!(
            execute(&mut *transaction),
            "INSERT INTO upload (name, game, uploaded_by, created_ms) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING",
            [&game.name, &game.digest, &game.uploaded_by, now_ms]
        )?;
        let row =
            sql!(fetch_one(&mut *transaction), "SELECT game FROM upload WHERE name = $1", [&game.name])?;
        transaction.commit().await?;
        Ok(row.get::<String, _>(0) == game.digest)
    }

    /// Games that were uploaded, in alphabetical order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn uploads(&self) -> Result<Vec<StoredGame>> {
        let rows = sql!(fetch_all(&self.pool), "SELECT name, game, uploaded_by FROM upload ORDER BY name")?;
        let game =
            |row: &AnyRow| StoredGame { name: row.get(0), digest: row.get(1), uploaded_by: row.get(2) };
        Ok(rows.iter().map(game).collect())
    }

    /// The rules of a game that was uploaded.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn uploaded_rules(&self, name: &str) -> Result<Option<String>> {
        let row = sql!(
            fetch_optional(&self.pool),
            "SELECT rules FROM upload JOIN game ON digest = game WHERE name = $1",
            [name]
        )?;
        Ok(row.map(|row| row.get(0)))
    }
}
