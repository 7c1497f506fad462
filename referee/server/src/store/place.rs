//! The location of a store: an SQLite file, or a PostgreSQL database.

use std::{
    convert::Infallible,
    fmt,
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sqlx::{
    AnyConnection, AnyPool, ConnectOptions as _, Connection as _, Executor as _,
    any::{AnyConnectOptions, AnyPoolOptions, install_default_drivers},
};

use tokio::time::sleep;

use super::{Result, StoreError};
use crate::clock;

/// The location of a store: an SQLite file, or a PostgreSQL database.
#[derive(Clone, PartialEq, Eq)]
pub enum StorePlace {
    /// A file, which is made if it is not there. One server has it at a time.
    Sqlite(PathBuf),
    /// A URL that begins with `postgres://`. Several servers may share it.
    Postgres(String),
}

impl FromStr for StorePlace {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let is_postgres = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        Ok(if is_postgres { Self::Postgres(text.to_owned()) } else { Self::Sqlite(text.into()) })
    }
}

/// The place without the password that a URL may hold.
impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(url) => {
                let place =
                    url.rsplit_once('@').or_else(|| url.split_once("//")).map_or("", |(_, place)| place);
                write!(f, "postgres://{}", place.split('?').next().unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The differences between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    /// The time of the database in milliseconds, as an expression: servers with different clocks agree on it.
    pub(super) fn now_ms(self) -> &'static str {
        match self {
            Self::Sqlite => "CAST(unixepoch('subsec') * 1000 AS BIGINT)",
            Self::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
        }
    }

    /// How a transaction that writes begins.
    pub(super) fn begin(self) -> &'static str {
        match self {
            // Whoever reads first and writes then may find that somebody else has written: the lock is taken at once.
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// Connections that write. SQLite has one writer; a commit of PostgreSQL waits for others less than for the disk.
    pub(super) fn writers(self) -> u32 {
        match self {
            Self::Sqlite => 1,
            Self::Postgres => 4,
        }
    }
}

/// Connections that read.
const READERS: u32 = 4;

/// A store that is open.
pub(super) struct Opened {
    pub(super) backend: Backend,
    pub(super) pool: AnyPool,
    /// What keeps other servers from a file.
    pub(super) lock: Option<File>,
}

impl StorePlace {
    /// Whether this build has what it takes to open it.
    fn is_supported(&self) -> bool {
        cfg!(feature = "cluster") || matches!(self, Self::Sqlite(_))
    }

    /// Opens it, and brings its tables to this version.
    pub(super) async fn open(&self) -> Result<Opened> {
        if !self.is_supported() {
            return Err(StoreError::NotBuilt);
        }
        install_default_drivers();
        let (backend, url, lock) = match self {
            Self::Sqlite(path) => (Backend::Sqlite, sqlite_url(path)?, Some(own(path)?)),
            Self::Postgres(url) => (Backend::Postgres, url.clone(), None),
        };
        // What is stored is secret while a match runs: statements are in no log.
        let options = AnyConnectOptions::from_str(&url)?.disable_statement_logging();
        let greeted = greet(backend, &options).await?;
        let pool = AnyPoolOptions::new()
            .max_connections(READERS + backend.writers())
            // Many matches that go on at once wait for a reader, and that is in order.
            .acquire_slow_threshold(Duration::from_secs(60))
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if backend == Backend::Sqlite {
                        connection.execute(PRAGMAS).await?;
                    }
                    Ok(())
                })
            })
            .connect_with(options)
            .await?;
        backend.migrator().run(&pool).await?;
        // Not before: whoever closes an SQLite file last removes its log, and a new one is on the disk later than what was told.
        greeted.close().await?;
        Ok(Opened { backend, pool, lock })
    }
}

/// How long a database that does not listen may take to start.
const START_MAX: Duration = Duration::from_secs(30);

/// Opens the store once by itself, so that what is wrong with it is said at once: a pool tries again for half a minute, whatever it is, and
/// then knows only that the time is over.
async fn greet(backend: Backend, options: &AnyConnectOptions) -> Result<AnyConnection> {
    let begun = clock::now();
    let mut connection = loop {
        match AnyConnection::connect_with(options).await {
            Err(sqlx::Error::Io(error)) if backend == Backend::Postgres && begun.elapsed() < START_MAX => {
                tracing::warn!(%error, "the database does not answer yet");
                sleep(Duration::from_secs(1)).await;
            }
            connected => break connected?,
        }
    };
    if backend == Backend::Sqlite {
        connection.execute(PRAGMAS).await?;
        connection.execute("SELECT COUNT(*) FROM sqlite_schema").await?;
    }
    Ok(connection)
}

/// Every commit reaches the disk before anyone is told its content. A commit writes whole pages, and each match
/// that has a turn touches its own: so pages are small, and a checkpoint comes after the usual number of bytes.
const PRAGMAS: &str = "\
PRAGMA busy_timeout = 10000; PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
PRAGMA wal_autocheckpoint = 4000; PRAGMA foreign_keys = ON;";

fn sqlite_url(path: &Path) -> Result<String> {
    let text = path
        .to_str()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidFilename, "the path is not UTF-8"))?;
    Ok(format!("sqlite:{}?mode=rwc", utf8_percent_encode(text, NON_ALPHANUMERIC)))
}

/// Creates the file of a store, if it does not exist, readable only by its owner: it holds the seeds of running
/// matches. SQLite gives its other files the same permissions. The lock file beside it is locked until the server stops.
fn own(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock = options.open(name)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Taken),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
