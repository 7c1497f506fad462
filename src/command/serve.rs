//! `croupier serve`: a referee that players connect to, and that calls others.

use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use clap::Args;
use croupier_server::{Application, BuildError, Limits, Settings, StorePlace};
use serde_json::json;
use tracing::Level;

use crate::{
    answer::Answer, entropy, failure::Failure, interrupt::Interrupt, key_file, log, threads::Threads,
    token_file,
};

/// Serve matches over HTTP: a referee that outlives its process
///
/// Every line of every record is stored before anything that depends on it is sent. A server that is stopped, or killed,
/// goes on with all its matches where they stood when it starts again.
#[derive(Args)]
#[command(after_help = "\
Players connect with the token of their seat (`croupier join`), are called at an address (push mode of the GGP protocol), or are \
agents of this server. GET /v1 lists what can be asked. Matches are made and ended with the operator's token, which is in the file \
of --token; the record of a match is there for everybody after its end, and for nobody before.

SIGINT (control-C) and SIGTERM stop it; matches go on when it starts again. Exit status 130.

Examples (docs/server.md shows how a match is made with curl):
  croupier serve
  croupier serve --address 0.0.0.0 --store matches.db
  croupier serve --store postgres://croupier@db.example/croupier --public-url http://10.0.0.7:8080
  croupier join http://127.0.0.1:8080/v1/matches/ID/seats/alice --token TOKEN --player human")]
pub(crate) struct Arguments {
    /// The port that it listens on; 0 lets the system choose one
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    port: u16,
    /// The address that it listens on: 0.0.0.0 for everyone who can reach this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// The file of its store, made if it is not there; or the URL of a PostgreSQL database, which several servers may share
    #[arg(long, value_name = "FILE|URL", default_value = "croupier.db")]
    store: StorePlace,
    /// Where other servers of the same database send those who ask for a match of this one; without it the address that it
    /// listens on
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// The secret key that signs records and commitments, made if it is not there
    #[arg(long, value_name = "FILE", default_value = "croupier.key")]
    key: PathBuf,
    /// The operator's token, made if it is not there
    #[arg(long, value_name = "FILE", default_value = "croupier.token")]
    token: PathBuf,
    /// Matches at once, at most
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    matches: u32,
    #[command(flatten)]
    threads: Threads,
    /// Call players at addresses of private networks, this machine included
    #[arg(long)]
    allow_private: bool,
    /// Let the operator say where the chance of a match comes from: for tests and replays
    #[arg(long)]
    take_seeds: bool,
    /// How much is logged: error, warn, info or debug
    #[arg(long, value_name = "LEVEL", default_value_t = Level::INFO)]
    log: Level,
    /// Print where it listens as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if !arguments.key.exists() {
        key_file::write_secret(&arguments.key, &entropy::random_bytes()?)?;
    }
    if !arguments.token.exists() {
        token_file::write(&arguments.token, &entropy::random_bytes()?)?;
    }
    let settings = Settings {
        address: SocketAddr::new(arguments.address, arguments.port),
        store: arguments.store.clone(),
        public_url: arguments.public_url.clone(),
        key: key_file::secret(&arguments.key)?,
        operator_token: token_file::read(&arguments.token)?,
        limits: Limits {
            matches_max: arguments.matches as usize,
            threads: arguments.threads.count(),
            allow_private: arguments.allow_private,
            takes_seeds: arguments.take_seeds,
        },
    };
    log::begin(arguments.log);
    raise_open_files(arguments);
    interrupt.hold();
    actix_rt::System::new().block_on(serve(arguments, settings, interrupt, out))
}

/// Lets the server have as many open files as the system allows: a connection is one, and called players think on theirs.
fn raise_open_files(arguments: &Arguments) {
    // A system that knows no such limit sets none.
    let allowed = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX);
    let wanted = 2 * u64::from(arguments.matches);
    if allowed < wanted {
        tracing::warn!(
            allowed,
            "the limit of open files is low for {} matches, whose players may need {wanted} connections; raise the hard limit \
             (ulimit -Hn, LimitNOFILE=) or take fewer --matches",
            arguments.matches
        );
    }
}

async fn serve(
    arguments: &Arguments,
    settings: Settings,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let application = Application::build(settings).await.map_err(|error| unserved(arguments, &error))?;
    let (address, resumed) = (application.address(), application.resumed());
    if arguments.json {
        writeln!(out, "{}", json!({ "address": address.to_string(), "resumed": resumed }))?;
    } else {
        writeln!(out, "the referee listens on http://{address}/v1")?;
        writeln!(out, "store {}, operator's token in {}", arguments.store, arguments.token.display())?;
        if resumed > 0 {
            writeln!(out, "{resumed} matches go on")?;
        }
    }
    out.flush()?;
    let handle = application.handle();
    let stopping = interrupt.clone();
    actix_rt::spawn(async move {
        while !stopping.is_raised() {
            actix_rt::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        handle.stop(true).await;
    });
    let stopped = application.run_until_stopped().await;
    stopped.map_err(|error| unserved(arguments, &BuildError::Io(error)))?;
    Ok(if interrupt.is_raised() { Answer::Interrupted } else { Answer::Yes })
}

fn unserved(arguments: &Arguments, error: &BuildError) -> Failure {
    match error {
        BuildError::Io(error) => {
            let place = SocketAddr::new(arguments.address, arguments.port).to_string();
            let failure = Failure::refuse("unserved", format!("the referee cannot listen there: {error}"));
            failure.at(&place).help("another port: --port 0 lets the system choose one")
        }
        BuildError::Store(error) => {
            let failure = Failure::refuse("bad-store", error.to_string());
            failure
                .at(&arguments.store.to_string())
                .help("--store names another file, or a database as postgres://USER@HOST/NAME")
        }
    }
}
