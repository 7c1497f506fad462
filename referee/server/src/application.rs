//! The server as a whole: bound when it is built, so that its port is known before it runs.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use actix_web::{
    App, HttpServer, ResponseError as _,
    dev::{HttpServiceFactory, Server, ServerHandle},
    middleware::from_fn,
    web::{self, Data, PayloadConfig},
};
use croupier_referee::{Agents, SealKey};
use socket2::{Domain, Protocol, Socket, Type};
use thiserror::Error;
use tokio::runtime::{Builder, Handle, Runtime};
use utoipa::openapi::OpenApi;
use utoipa_actix_web::{AppExt as _, scope};

use crate::{
    api::{Context, completed, document, otherwise, routes},
    connections::Connections,
    drain::Drain,
    edge::pass,
    entropy,
    limits::Limits,
    metrics::metrics,
    pages::{self, Posters},
    problem::{Problem, ProblemCode, Result},
    rates::Rates,
    referee::Referee,
    rights::TokenDigest,
    store::{Store, StoreError, StorePlace},
    tls::{Certificate, TlsError, TlsFiles},
};

/// How a referee is served.
#[derive(Debug)]
pub struct Settings {
    /// The address to listen on; port 0 lets the system choose.
    pub address: SocketAddr,
    /// Its store.
    pub store: StorePlace,
    /// The URL to which other servers of the same store redirect requests for a match of this one; by default the address it listens on.
    pub public_url: Option<String>,
    /// What signs its records.
    pub key: SealKey,
    /// The operator's token.
    pub operator_token: String,
    /// Its limits.
    pub limits: Limits,
    /// The agents that it can seat.
    pub agents: Arc<dyn Agents>,
    /// The certificate that it shows; without one it does not encrypt.
    pub tls: Option<TlsFiles>,
    /// Whether everyone can read its metrics.
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
    /// Stops the server: it accepts no new matches, notifies spectators and connected players, and waits for the configured time;
    /// then it closes its listener and finishes open responses, for at most two seconds.
    pub async fn stop(self) {
        tracing::info!("the server is shutting down; matches resume when it restarts");
        self.drain.begin();
        actix_rt::time::sleep(self.pause).await;
        self.server.stop(true).await;
    }
}

/// The number of threads that serve requests, and of threads on which matches run.
const WORKERS: usize = 2;

/// Longest time for the head of a request to arrive.
const HEAD_MAX: Duration = Duration::from_secs(5);

/// How long requests may take that are being served when the server stops.
const SHUTDOWN_S: u64 = 2;

/// Length of the accept queue: the maximum on Linux, so that thousands of clients may connect at once.
const BACKLOG: i32 = 4_096;

/// How long a connection is kept whose client reads nothing: slow spectators, and clients that are gone.
#[cfg(target_os = "linux")]
const UNREAD_MAX: Duration = Duration::from_secs(30);

/// Maximum body size: rules of the maximum size, in JSON.
pub(crate) const BODY_BYTES_MAX: usize = 3 << 20;

/// How long the server waits before it tries again to open a store whose disk is full.
const STORE_PAUSE: Duration = Duration::from_secs(1);

/// What it takes to open a store.
struct StoreOpening {
    runtime: Handle,
    place: StorePlace,
    url: String,
    key: SealKey,
    limits: Limits,
    agents: Arc<dyn Agents>,
}

impl StoreOpening {
    /// The referee of the store, and the number of matches that it resumed.
    async fn open(&self) -> Result<(Arc<Referee>, usize), BuildError> {
        let replica = hex::encode(entropy::bytes::<16>()?);
        let (place, url) = (self.place.clone(), self.url.clone());
        let opened = self.runtime.spawn(async move { Store::open(&place, replica, &url).await }).await;
        let store = opened.unwrap_or(Err(StoreError::Closed))?;
        let referee = Referee::new(
            store,
            self.runtime.clone(),
            self.key.clone(),
            &self.limits,
            Arc::clone(&self.agents),
        );
        let going_on = Arc::clone(&referee);
        let resumed = self.runtime.spawn(async move { going_on.take_over().await }).await;
        let resumed = resumed.unwrap_or(Err(StoreError::Closed))?;
        metrics().resumed.inc_by(resumed as u64);
        self.runtime.spawn(Arc::clone(&referee).keep_lease());
        self.runtime.spawn(Arc::clone(&referee).keep_tournaments());
        Ok((referee, resumed))
    }

    /// The same, as soon as the store takes something; until then everybody is told to come later.
    async fn open_in_time(
        &self,
        listener: &TcpListener,
        certificate: Option<&Arc<Certificate>>,
    ) -> Result<(Arc<Referee>, usize), BuildError> {
        let mut room: Option<ServerHandle> = None;
        loop {
            match self.open().await {
                Err(BuildError::Store(error)) if error.may_pass() => {
                    tracing::error!(%error, "the store takes nothing: the disk may be full; requests get 503 until it does");
                    if room.is_none() {
                        room = Some(waiting_room(listener.try_clone()?, certificate)?);
                    }
                    actix_rt::time::sleep(STORE_PAUSE).await;
                }
                opened => {
                    if let Some(room) = room {
                        room.stop(true).await;
                    }
                    return opened;
                }
            }
        }
    }
}

/// Serves nothing: every request is told to come later.
fn waiting_room(
    listener: TcpListener,
    certificate: Option<&Arc<Certificate>>,
) -> Result<ServerHandle, BuildError> {
    let server = HttpServer::new(|| {
        App::new().default_service(web::to(|| async { Problem::from(ProblemCode::Store).error_response() }))
    });
    let server =
        server.workers(1).client_request_timeout(HEAD_MAX).shutdown_timeout(SHUTDOWN_S).disable_signals();
    let server = match certificate {
        None => server.listen(listener)?,
        Some(certificate) => server.listen_rustls_0_23(listener, certificate.server_config()?)?,
    };
    let server = server.run();
    let handle = server.handle();
    actix_rt::spawn(server);
    Ok(handle)
}

impl Application {
    /// Opens the store, resumes every match that is not over, and listens.
    ///
    /// It must be called in a runtime of `actix-rt`.
    ///
    /// # Errors
    /// [`BuildError`].
    pub async fn build(settings: Settings) -> Result<Self, BuildError> {
        // What can be wrong with settings is wrong before anything is touched.
        let certificate = settings.tls.map(Certificate::read).transpose()?;
        let listener = listen(settings.address)?;
        let address = listener.local_addr()?;
        let background = Background::start()?;
        let runtime = background.handle().clone();
        let url = settings.public_url.unwrap_or_else(|| format!("http://{address}"));
        let Settings { store: place, key, agents, limits, .. } = settings;
        let opening =
            StoreOpening { runtime: runtime.clone(), place, url, key, limits: limits.clone(), agents };
        let (referee, resumed) = opening.open_in_time(&listener, certificate.as_ref()).await?;
        let drain = Drain::new();
        let operator = TokenDigest::of(&settings.operator_token);
        let rates = Arc::new(Rates::new(limits.rates));
        let connections = Connections::new((!limits.rates.is_behind_proxy).then(|| Arc::clone(&rates)));
        let context = Data::new(Context {
            referee: Arc::clone(&referee),
            operator,
            drain: drain.clone(),
            rates,
            is_behind_proxy: limits.rates.is_behind_proxy,
            body: limits.body,
            open_seats: limits.open_seats,
            open_tables: limits.open_tables,
            is_encrypted: certificate.is_some(),
            has_open_metrics: settings.open_metrics,
            posters: Posters::default(),
            screens: Arc::default(),
            advice: Arc::default(),
        });
        let watched = connections.clone();
        runtime.spawn(connections.tend());
        let server = HttpServer::new(move || {
            App::new()
                .into_utoipa_app()
                .openapi(document())
                .app_data(context.clone())
                .app_data(PayloadConfig::new(BODY_BYTES_MAX))
                .service(scope("/v1").configure(routes))
                .openapi_service(description)
                .into_app()
                .configure(pages::routes)
                .default_service(otherwise())
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
        Ok(Self {
            server: server.run(),
            referee,
            runtime: background,
            address,
            resumed,
            drain,
            pause: settings.drain,
        })
    }

    /// The address on which it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of matches that it resumed.
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
        let _ = self.runtime.handle().spawn(async move { referee.leave().await }).await;
        result
    }
}

/// The OpenAPI document, and a page on which requests are tried out.
#[cfg(feature = "cluster")]
fn description(api: OpenApi) -> impl HttpServiceFactory {
    utoipa_swagger_ui::SwaggerUi::new("/docs/{_:.*}").url("/openapi.json", completed(api))
}

/// The OpenAPI document; this build has no page for it.
#[cfg(not(feature = "cluster"))]
fn description(api: OpenApi) -> impl HttpServiceFactory {
    let document = Data::new(completed(api));
    web::resource("/openapi.json")
        .app_data(document)
        .route(web::get().to(async |document: Data<OpenApi>| web::Json(document.get_ref().clone())))
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
