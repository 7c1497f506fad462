//! `croupier serve`: a referee that players connect to, and that calls others.

mod layers;
mod options;

use std::{convert::Infallible, io::Write, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use croupier_games::blueprints;
use croupier_players::Solutions;
use croupier_seat::SeatedPlayers;
use croupier_server::{
    Application, BuildError, CHECK, Limits, PLAY_CLOCK_MS, RateLimits, START_CLOCK_MS, Settings, TlsFiles,
};
use serde::Serialize;
use tracing::Level;

use self::{
    layers::{settle, without_password},
    options::Options,
};
use crate::{
    arguments::{entropy, key_file, threads::machine_threads, token_file},
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::{interrupt::Interrupt, log},
};

/// Serve matches over HTTP: a referee that outlives its process
///
/// Every line of every record is stored before anything that depends on it is sent. A server that is stopped, or killed,
/// goes on with all its matches where they stood when it starts again.
#[derive(Args)]
#[command(after_help = "\
Players connect with the token of their seat (`croupier join`), are called at an address (push mode of the GGP protocol), or are \
agents of this server. /docs/ shows what can be asked. Matches are made and ended with the operator's token, which is in the file \
of --token; the record of a match is there for everybody after its end, and for nobody before.

A setting is taken from the command line, else from the environment, else from the file, else it is the default.

SIGINT (control-C), SIGTERM and SIGHUP stop it: it takes no new matches, players and spectators are told, and matches go on when it starts again.
Exit status 130.

Examples (docs/server.md shows how a match is made with curl, docs/operating.md how a server is run):
  croupier serve
  croupier serve --store postgres://croupier@db.example/croupier --public-url http://10.0.0.7:8080
  croupier serve --address 0.0.0.0 --tls-cert chain.pem --tls-key key.pem
  CROUPIER_PORT=9000 croupier serve --config prod.toml --print-config
  croupier join http://127.0.0.1:8080/v1/matches/ID/seats/alice --token TOKEN --player human")]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Read settings from a file in TOML: a line is `key = value` [default: croupier.toml, if it is there] [variable: CROUPIER_CONFIG]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the settings that hold and where each comes from, and serve nothing
    #[arg(long)]
    print_config: bool,
    /// Print where it listens as JSON
    #[arg(long)]
    json: bool,
}

/// The settings with nothing left to be said.
struct Serving {
    options: Options,
    json: bool,
}

/// Where a server listens.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ServeReport {
    /// HOST:PORT
    address: String,
    #[cfg_attr(test, schemars(extend("enum" = ["http", "https"])))]
    scheme: &'static str,
    /// Matches that go on.
    resumed: usize,
}
output!(Serve: ServeReport);

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let settled = settle(&arguments.options, arguments.config.as_deref())?;
    if arguments.print_config {
        settled.print(out)?;
        return Ok(Answer::Yes);
    }
    let serving = Serving { options: settled.options, json: arguments.json };
    let settings = serving.settings()?;
    log::begin(serving.options.log.unwrap_or(Level::INFO), serving.options.log_format.unwrap_or_default());
    raise_open_files(set(&serving.options.matches));
    interrupt.hold();
    actix_rt::System::new().block_on(serve(&serving, settings, interrupt, out))
}

/// Lets the server have as many open files as the system allows: a connection is one, and called players think on theirs.
fn raise_open_files(matches: u32) {
    // A system that knows no such limit sets none.
    let allowed = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX);
    let wanted = 2 * u64::from(matches);
    if allowed < wanted {
        tracing::warn!(
            allowed,
            "the limit of open files is low for {matches} matches, whose players may need {wanted} connections; raise the hard \
             limit (ulimit -Hn, LimitNOFILE=) or take fewer --matches"
        );
    }
}

/// What a setting with a default is.
fn set<T: Clone>(setting: &Option<T>) -> T {
    setting.clone().expect("a setting with a default")
}

impl Serving {
    fn address(&self) -> SocketAddr {
        SocketAddr::new(set(&self.options.address), set(&self.options.port))
    }

    /// What the server is built with; secrets that are not there are made.
    fn settings(&self) -> Result<Settings, Failure> {
        let options = &self.options;
        let (key, token) = (set(&options.key), set(&options.token));
        let tls = self.tls()?;
        if !key.exists() {
            key_file::write_secret(&key, &entropy::random_bytes()?)?;
        }
        if !token.exists() {
            token_file::write(&token, &entropy::random_bytes()?)?;
        }
        Ok(Settings {
            address: self.address(),
            store: set(&options.store).parse().unwrap_or_else(|never: Infallible| match never {}),
            public_url: options.public_url.clone(),
            key: key_file::secret(&key)?,
            operator_token: token_file::read(&token)?,
            limits: self.limits(),
            agents: Arc::new(SeatedPlayers::new(Solutions::with_blueprints(blueprints()))),
            tls,
            open_metrics: set(&options.open_metrics),
            drain: Duration::from_secs(set(&options.drain_seconds).into()),
        })
    }

    fn limits(&self) -> Limits {
        let options = &self.options;
        Limits {
            matches_max: set(&options.matches) as usize,
            threads: options.threads.map_or_else(machine_threads, usize::from),
            allow_private: set(&options.allow_private),
            takes_seeds: set(&options.take_seeds),
            open_seats: set(&options.open_seats),
            open_tables: set(&options.open_tables),
            connections_max: set(&options.connections) as usize,
            body: Duration::from_secs(set(&options.body_seconds).into()),
            check: CHECK,
            rates: RateLimits {
                address: set(&options.address_rate),
                token: set(&options.token_rate),
                refusal: set(&options.refusal_rate),
                is_behind_proxy: set(&options.behind_proxy),
            },
        }
    }

    fn tls(&self) -> Result<Option<TlsFiles>, Failure> {
        match (&self.options.tls_cert, &self.options.tls_key) {
            (None, None) => Ok(None),
            (Some(certificates), Some(key)) => {
                Ok(Some(TlsFiles { certificates: certificates.clone(), key: key.clone() }))
            }
            (Some(_), None) => Err(Failure::refuse("bad-tls", "a certificate is of no use without its key")
                .at("--tls-key")
                .help("--tls-key names the file of the private key")),
            (None, Some(_)) => Err(Failure::refuse("bad-tls", "a key is of no use without its certificate")
                .at("--tls-cert")
                .help("--tls-cert names the file of the certificates")),
        }
    }
}

/// Waits until the process is told to stop.
async fn raised(interrupt: Interrupt) {
    while !interrupt.is_raised() {
        actix_rt::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Says that everybody on the way can read tokens and cards, where that may be so.
fn warn_of_open_doors(serving: &Serving) {
    let address = serving.address();
    let is_encrypted = serving.options.tls_cert.is_some() || set(&serving.options.behind_proxy);
    if !address.ip().is_loopback() && !is_encrypted {
        tracing::warn!(
            %address,
            "others can reach this address, and nothing is encrypted: tokens and cards can be read on the way; \
             use --tls-cert and --tls-key, or a proxy that does (--behind-proxy)"
        );
    }
}

async fn serve(
    serving: &Serving,
    settings: Settings,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    warn_of_open_doors(serving);
    let application = tokio::select! {
        built = Application::build(settings) => built.map_err(|error| unserved(serving, &error))?,
        // Nothing was promised to anybody yet: what waits for the store ends with it.
        () = raised(interrupt.clone()) => return Ok(Answer::Interrupted),
    };
    let (address, resumed) = (application.address(), application.resumed());
    if serving.json {
        ServeReport { address: address.to_string(), scheme, resumed }.write_json(out)?;
    } else {
        writeln!(out, "the referee listens on {scheme}://{address}/v1")?;
        writeln!(
            out,
            "store {}, operator's token in {}",
            without_password(&set(&serving.options.store)),
            set(&serving.options.token).display()
        )?;
        let (start, play) = (START_CLOCK_MS / 1000, PLAY_CLOCK_MS / 1000);
        writeln!(out, "clocks of a match that sets none: {start} s to get ready, {play} s for a move")?;
        if resumed > 0 {
            writeln!(out, "{resumed} matches go on")?;
        }
    }
    out.flush()?;
    let stopper = application.stopper();
    let stopping = interrupt.clone();
    actix_rt::spawn(async move {
        raised(stopping).await;
        stopper.stop().await;
    });
    let stopped = application.run_until_stopped().await;
    stopped.map_err(|error| unserved(serving, &BuildError::Io(error)))?;
    Ok(if interrupt.is_raised() { Answer::Interrupted } else { Answer::Yes })
}

fn unserved(serving: &Serving, error: &BuildError) -> Failure {
    match error {
        BuildError::Io(error) => {
            let place = serving.address().to_string();
            let failure = Failure::refuse("unserved", format!("the referee cannot listen there: {error}"));
            failure.at(&place).help("another port: --port 0 lets the system choose one")
        }
        BuildError::Tls(error) => Failure::refuse("bad-tls", error.to_string()).help(
            "--tls-cert and --tls-key name files in PEM: the certificates, the server's first, and its key",
        ),
        BuildError::Store(error) => {
            let failure = Failure::refuse("bad-store", error.to_string());
            let store = without_password(&set(&serving.options.store));
            failure.at(&store).help("--store names another file, or a database as postgres://USER@HOST/NAME")
        }
    }
}
