//! A referee server in this process.

use std::{
    fs,
    net::SocketAddr,
    path::Path,
    sync::{Arc, RwLock, RwLockReadGuard, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use croupier_games::blueprints;
use croupier_players::Solutions;
use croupier_referee::SealKey;
use croupier_seat::SeatedPlayers;
use croupier_server::{Application, CHECK, Limits, RateLimits, Settings, StorePlace};

use crate::log;

/// Held for reading by whoever wants the server as it is, and for writing by whoever changes what it does.
pub(crate) static AS_IT_IS: RwLock<()> = RwLock::new(());

/// The server as it is, for as long as this is held.
pub(crate) fn as_it_is() -> RwLockReadGuard<'static, ()> {
    AS_IT_IS.read().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A server on a port of its own, until it is dropped.
pub(crate) struct House {
    pub(crate) address: SocketAddr,
    pub(crate) operator: String,
    server: Option<JoinHandle<()>>,
    handle: Box<dyn FnOnce() + Send + Sync>,
}

/// The operator's token: a secret like all others.
pub(crate) const OPERATOR: &str = "canary-operator-8d1f60b2c7a94e35";

impl House {
    /// A server whose store is a file of this name.
    pub(crate) fn new(name: &str) -> Self {
        Self::with_check(name, CHECK)
    }

    /// The same, with so much processor time for a check of rules.
    pub(crate) fn with_check(name: &str, check: Duration) -> Self {
        log::begin();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("server-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let settings = Settings {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            store: StorePlace::Sqlite(folder.join("croupier.db")),
            public_url: None,
            key: SealKey::from_bytes(&[7; 32]),
            operator_token: OPERATOR.to_owned(),
            limits: Limits {
                matches_max: 1_000,
                threads: 2,
                allow_private: true,
                takes_seeds: true,
                connections_max: 1_000,
                open_seats: 1_000,
                open_tables: 1_000,
                body: Duration::from_secs(10),
                check,
                rates: RateLimits { address: 0, token: 0, refusal: 0, is_behind_proxy: false },
            },
            agents: Arc::new(SeatedPlayers::new(Solutions::with_blueprints(blueprints()))),
            tls: None,
            open_metrics: true,
            drain: Duration::ZERO,
        };
        let (built, told) = mpsc::channel();
        let server = thread::spawn(move || {
            actix_rt::System::new().block_on(async {
                let application = Application::build(settings).await.unwrap();
                built.send((application.address(), application.stopper())).unwrap();
                application.run_until_stopped().await.unwrap();
            });
        });
        let (address, handle) = told.recv().unwrap();
        let handle = Box::new(move || actix_rt::System::new().block_on(handle.stop()));
        Self { address, operator: OPERATOR.to_owned(), server: Some(server), handle }
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let stop = std::mem::replace(&mut self.handle, Box::new(|| ()));
        stop();
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}
