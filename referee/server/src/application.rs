//! The server as a whole: bound when it is built, so that its port is known before it runs.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use actix_web::{
    App, HttpServer,
    dev::{Server, ServerHandle},
    web::{Data, JsonConfig, PayloadConfig},
};
use croupier_referee::SealKey;
use thiserror::Error;
use tokio::runtime::{Builder, Handle, Runtime};
use utoipa_actix_web::{AppExt as _, scope};
use utoipa_swagger_ui::SwaggerUi;

use crate::{
    api::{Context, document, otherwise, routes},
    entropy,
    limits::Limits,
    problem::Problem,
    referee::Referee,
    rights::TokenDigest,
    store::{Store, StoreError, StorePlace},
};

/// How a referee is served.
#[derive(Debug)]
pub struct Settings {
    /// Where it listens; port 0 lets the system choose.
    pub address: SocketAddr,
    /// Its store.
    pub store: StorePlace,
    /// Where other servers of the same store send those who ask for a match of this one; where it listens if nothing is said.
    pub public_url: Option<String>,
    /// What signs its records.
    pub key: SealKey,
    /// What the operator shows.
    pub operator_token: String,
    /// What it takes.
    pub limits: Limits,
}

/// Why a server cannot be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// It cannot listen, or gets no threads.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The runtime of the matches. It may end anywhere: whatever still runs on it is stored, or was never told to anybody.
struct Background(Option<Runtime>);

impl Background {
    fn start() -> io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        builder
            .worker_threads(WORKERS)
            .thread_name("match")
            .enable_all()
            .build()
            .map(|runtime| Self(Some(runtime)))
    }

    fn handle(&self) -> &Handle {
        self.0.as_ref().expect("a runtime until it is dropped").handle()
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// A referee that listens.
pub struct Application {
    server: Server,
    referee: Arc<Referee>,
    runtime: Background,
    address: SocketAddr,
    resumed: usize,
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
        let Settings { address, store, public_url, key, operator_token, limits } = settings;
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let background = Background::start()?;
        let runtime = background.handle().clone();
        let replica = hex::encode(entropy::bytes::<16>()?);
        let url = public_url.unwrap_or_else(|| format!("http://{address}"));
        let opened = runtime.spawn(async move { Store::open(&store, replica, &url).await }).await;
        let store = opened.unwrap_or(Err(StoreError::Closed))?;
        let referee = Referee::new(store, runtime.clone(), key, &limits);
        let going_on = Arc::clone(&referee);
        let resumed = runtime.spawn(async move { going_on.take_over().await }).await;
        let resumed = resumed.unwrap_or(Err(StoreError::Closed))?;
        runtime.spawn(Arc::clone(&referee).keep_lease());
        runtime.spawn(Arc::clone(&referee).keep_tournaments());
        let operator = TokenDigest::of(&operator_token);
        let context = Data::new(Context { referee: Arc::clone(&referee), operator });
        let json = JsonConfig::default().limit(BODY_BYTES_MAX).error_handler(|error, _| {
            Problem::unfit("bad-json", format!("the body is not what this takes: {error}")).into()
        });
        let server = HttpServer::new(move || {
            App::new()
                .into_utoipa_app()
                .openapi(document())
                .app_data(context.clone())
                .app_data(json.clone())
                .app_data(PayloadConfig::new(BODY_BYTES_MAX))
                .service(scope("/v1").configure(routes))
                .openapi_service(|api| SwaggerUi::new("/docs/{_:.*}").url("/v1/openapi.json", api))
                .into_app()
                .default_service(otherwise())
        })
        .workers(WORKERS)
        .client_request_timeout(HEAD_MAX)
        .shutdown_timeout(SHUTDOWN_S)
        .disable_signals()
        .listen(listener)?
        .run();
        Ok(Self { server, referee, runtime: background, address, resumed })
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
    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Serves until it is stopped by its handle; matches that run are left as they are stored, and go on when it starts again.
    ///
    /// # Errors
    /// If the system takes the listener away.
    pub async fn run_until_stopped(self) -> io::Result<()> {
        let result = self.server.await;
        let referee = self.referee;
        let _ = self.runtime.handle().spawn(async move { referee.leave().await }).await;
        result
    }
}
