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
    web::{Data, PayloadConfig},
};
use croupier_referee::SealKey;
use socket2::{Domain, Protocol, Socket, Type};
use thiserror::Error;
use tokio::runtime::{Builder, Handle, Runtime};
use utoipa_actix_web::{AppExt as _, scope};
use utoipa_swagger_ui::SwaggerUi;

use crate::{
    api::{Context, document, otherwise, routes},
    entropy,
    limits::Limits,
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

/// Connections that wait to be accepted: as many as Linux lets wait, so that thousands may come at once.
const BACKLOG: i32 = 4_096;

/// Connections of each thread at once; more wait to be accepted.
const CONNECTIONS_MAX: usize = 50_000;

/// How long a connection lasts whose other end takes nothing of what it is sent: slow spectators, and those that are gone.
#[cfg(target_os = "linux")]
const UNREAD_MAX: Duration = Duration::from_secs(30);

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
        let listener = listen(address)?;
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
        let operator = TokenDigest::of(&operator_token);
        let context = Data::new(Context { referee: Arc::clone(&referee), operator });
        let server = HttpServer::new(move || {
            App::new()
                .into_utoipa_app()
                .openapi(document())
                .app_data(context.clone())
                .app_data(PayloadConfig::new(BODY_BYTES_MAX))
                .service(scope("/v1").configure(routes))
                .openapi_service(|api| SwaggerUi::new("/docs/{_:.*}").url("/openapi.json", api))
                .into_app()
                .default_service(otherwise())
        })
        .workers(WORKERS)
        .max_connections(CONNECTIONS_MAX)
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

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A server that starts again takes its port back from connections that are still closing.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    // What connections inherit: who reads nothing for so long, with bytes on their way, is gone.
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNREAD_MAX))?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}
