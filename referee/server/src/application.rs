//! The server as a whole: bound when it is built, so that its port is known before it runs.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use actix_web::{
    App, HttpServer,
    dev::{Server, ServerHandle},
    middleware::from_fn,
    web::{Data, JsonConfig, PayloadConfig},
};
use croupier_referee::SealKey;
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use crate::{
    api::{Context, routes},
    drain::Drain,
    edge::pass,
    limits::Limits,
    line::Lines,
    metrics::metrics,
    problem::Problem,
    rates::Rates,
    referee::Referee,
    rights::TokenDigest,
    store::{Store, StoreError},
    tls::{Certificate, TlsError, TlsFiles},
};

/// How a referee is served.
#[derive(Debug)]
pub struct Settings {
    /// Where it listens; port 0 lets the system choose.
    pub address: SocketAddr,
    /// The file of its store.
    pub store: PathBuf,
    /// What signs its records.
    pub key: SealKey,
    /// What the operator shows.
    pub operator_token: String,
    /// What it takes.
    pub limits: Limits,
    /// The certificate that it shows; without one it does not encrypt.
    pub tls: Option<TlsFiles>,
    /// Whether everybody sees what it counts.
    pub open_metrics: bool,
    /// Between the news that it is about to stop and the end of its listener.
    pub drain: Duration,
}

/// Why a server cannot be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// It cannot listen, or gets no threads.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its certificate cannot be shown.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Its store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A referee that listens.
pub struct Application {
    server: Server,
    referee: Arc<Referee>,
    runtime: Runtime,
    address: SocketAddr,
    resumed: usize,
    drain: Drain,
    /// Between the news that it is about to stop and the end of its listener.
    pause: Duration,
}

/// What stops a server from elsewhere.
#[derive(Clone, Debug)]
pub struct Stopper {
    server: ServerHandle,
    drain: Drain,
    pause: Duration,
}

impl Stopper {
    /// Stops the server: it takes no new matches, tells spectators and players that connect, and waits as long as its settings say;
    /// then it closes its listener and finishes what it is answering, for at most two seconds.
    pub async fn stop(self) {
        tracing::info!("the server is about to stop; matches go on when it starts again");
        self.drain.begin();
        actix_rt::time::sleep(self.pause).await;
        self.server.stop(true).await;
    }
}

/// Threads that serve requests, and as many on which matches run.
const WORKERS: usize = 2;

/// Longest time for the head of a request to arrive.
const HEAD_MAX: Duration = Duration::from_secs(5);

/// How long requests may take that are being served when the server stops.
const SHUTDOWN_S: u64 = 2;

/// Longest body: rules as long as may be, in JSON.
const BODY_BYTES_MAX: usize = 3 << 20;

impl Application {
    /// Opens the store, goes on with every match that is not over, and listens.
    ///
    /// It must be called in a runtime of `actix-rt`.
    ///
    /// # Errors
    /// [`BuildError`].
    pub async fn build(settings: Settings) -> Result<Self, BuildError> {
        let Settings { address, store, key, operator_token, limits, tls, open_metrics, drain: pause } =
            settings;
        // What can be wrong with settings is wrong before anything is touched.
        let certificate = tls.map(Certificate::read).transpose()?;
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let runtime =
            Builder::new_multi_thread().worker_threads(WORKERS).thread_name("match").enable_all().build()?;
        let opened = runtime.spawn(async move { Store::open(&store).await }).await;
        let store = opened.unwrap_or(Err(StoreError::Closed))?;
        let referee = Referee::new(store, runtime.handle().clone(), key, &limits);
        let going_on = Arc::clone(&referee);
        let resumed = runtime.spawn(async move { going_on.go_on().await }).await;
        let resumed = resumed.unwrap_or(Err(StoreError::Closed))?;
        metrics().resumed.inc_by(resumed as u64);
        let drain = Drain::new();
        let operator = TokenDigest::of(&operator_token);
        let context = Data::new(Context {
            referee: Arc::clone(&referee),
            operator,
            drain: drain.clone(),
            rates: Rates::new(limits.rates),
            is_behind_proxy: limits.rates.is_behind_proxy,
            body: limits.body,
            has_open_metrics: open_metrics,
        });
        let json = JsonConfig::default().limit(BODY_BYTES_MAX).error_handler(|error, _| {
            Problem::unfit("bad-json", format!("the body is not what this takes: {error}")).into()
        });
        let lines = Lines::default();
        let watched = lines.clone();
        runtime.spawn(lines.tend());
        let server = HttpServer::new(move || {
            App::new()
                .app_data(context.clone())
                .app_data(json.clone())
                .app_data(PayloadConfig::new(BODY_BYTES_MAX))
                .configure(routes)
                .wrap(from_fn(pass))
        })
        .workers(WORKERS)
        .on_connect(move |connection, extensions| watched.watch(connection, extensions))
        .max_connections(limits.connections_max.div_ceil(WORKERS))
        .client_request_timeout(HEAD_MAX)
        .shutdown_timeout(SHUTDOWN_S)
        .disable_signals();
        let server = match certificate {
            None => server.listen(listener)?,
            Some(certificate) => {
                let config = certificate.server_config()?;
                runtime.spawn(certificate.follow());
                server.listen_rustls_0_23(listener, config)?
            }
        };
        Ok(Self { server: server.run(), referee, runtime, address, resumed, drain, pause })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many matches it went on with.
    #[must_use]
    pub fn resumed(&self) -> usize {
        self.resumed
    }

    /// What stops it from elsewhere.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper { server: self.server.handle(), drain: self.drain.clone(), pause: self.pause }
    }

    /// Serves until it is stopped by its stopper; matches that run are left as they are stored, and go on when it starts again.
    ///
    /// # Errors
    /// If the system takes the listener away.
    pub async fn run_until_stopped(self) -> io::Result<()> {
        let result = self.server.await;
        let referee = self.referee;
        let _ = self.runtime.spawn(async move { referee.leave().await }).await;
        self.runtime.shutdown_background();
        result
    }
}
