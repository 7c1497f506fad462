//! The server as a whole: bound when it is built, so that its port is known before it runs.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    time::Duration,
};

use actix_web::{
    App, HttpServer,
    dev::{Server, ServerHandle},
    web::{self, Data},
};
use croupier_players::PlayerKind;
use croupier_referee::Seed;

use crate::{
    connections::Connections,
    handler::{Context, answer},
    library::Library,
    table::SeatTable,
    thinker::Thinkers,
};

/// How an agent is served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on; port 0 lets the system choose.
    pub address: SocketAddr,
    /// Its name in answers to INFO: one word.
    pub name: String,
    /// What plays.
    pub kind: PlayerKind,
    /// Where its draws come from; those of a match depend on this, its id, its game, its role and its turns.
    pub seed: Seed,
    /// Maximum number of matches. A match that is not computing takes no thread and a few kilobytes.
    pub matches_max: usize,
    /// The number of threads that compute moves, and of threads that compile rules, with the same number of spare ones for when these cannot stop; moves
    /// that are requested at the same time share their time.
    pub threads: usize,
    /// Players that stay in memory between the turns of their matches; others are recreated from their transcripts,
    /// and choose the same moves.
    pub sessions_max: usize,
}

/// An agent that listens.
pub struct Application {
    server: Server,
    context: Data<Context>,
    address: SocketAddr,
}

/// Threads for network I/O; computation uses others.
const WORKERS: usize = 2;

/// Connections at once, for each of the threads.
const CONNECTIONS_MAX: usize = 512;

/// Longest time for the head of a request to arrive.
const HEAD_MAX: Duration = Duration::from_secs(5);

/// How long replies may take that are on their way when the server stops.
const SHUTDOWN_S: u64 = 2;

impl Application {
    /// Listens; from now on connections are accepted, and served as soon as it runs.
    ///
    /// It must be called in a runtime of `actix-rt`.
    ///
    /// # Errors
    /// If the address is taken or not allowed, or the system gives no threads.
    pub fn build(settings: Settings) -> io::Result<Self> {
        let listener = TcpListener::bind(settings.address)?;
        let address = listener.local_addr()?;
        let Settings { name, kind, seed, matches_max, threads, sessions_max, .. } = settings;
        let context = Data::new(Context {
            name,
            seed,
            table: SeatTable::new(matches_max),
            library: Library::new(threads)?,
            thinkers: Thinkers::new(kind, threads, sessions_max)?,
        });
        let shared = context.clone();
        let connections = Connections::default();
        let server =
            HttpServer::new(move || App::new().app_data(shared.clone()).default_service(web::to(answer)))
                .workers(WORKERS)
                .max_connections(CONNECTIONS_MAX)
                .on_connect(move |connection, extensions| connections.watch(connection, extensions))
                .client_request_timeout(HEAD_MAX)
                .shutdown_timeout(SHUTDOWN_S)
                .listen(listener)?
                .run();
        Ok(Self { server, context, address })
    }

    /// The address on which it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What stops it from elsewhere.
    #[must_use]
    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Serves until it is stopped by its handle or a signal; then all matches are freed.
    ///
    /// # Errors
    /// If the system takes the listener away.
    pub async fn run_until_stopped(self) -> io::Result<()> {
        let result = self.server.await;
        self.context.table.end_all();
        self.context.library.close();
        self.context.thinkers.close();
        result
    }
}
