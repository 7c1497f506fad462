//! `croupier host`: a table in the browser for the people on the same network, in one command.

mod links;
mod opening;

use std::{
    fs,
    io::Write,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use croupier_server::{Application, BuildError, CHECK, Limits, RateLimits, Settings, StorePlace};
use serde::Serialize;
use tracing::Level;

use self::{
    links::{TableLinks, open_browser},
    opening::{Opened, TableRequest, WatchPolicy, is_croupier, open_table},
};
use crate::{
    arguments::{
        count::{address, count, speed},
        seating::{STANDARD, STANDARD_IN_REAL_TIME},
        source::Source,
        table::TableOptions,
        threads::machine_threads,
    },
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::{
        interrupt::Interrupt,
        log::{self, LogFormat},
        server,
    },
};

/// Host a game in the browser: one link for everybody at the table
///
/// Starts a server on this machine if none runs there, opens your browser, and prints links for your friends on the same network, with
/// codes that a phone reads. Nobody needs an account or an installation. The table survives a restart: run the same command again.
#[derive(Args)]
#[command(after_help = "\
Everything is kept in the folder of --folder: the store with the tables, the key that signs records, the operator's token. SIGINT (control-C) stops the
server; its tables go on when it starts again: `croupier host` without a game only starts it. `croupier help agents` lists the agents.

Examples:
  croupier host holdem
  croupier host no-limit-holdem --seats 6 --agents 2 --raise-blinds 10m
  croupier host my-game.gdl --agents 1 --agent ismcts
  croupier host chess --port 9000 --no-browser")]
pub(crate) struct Arguments {
    /// A name from `croupier games`, the path of a rule file, or a folder with one; without it, the tables that there are go on
    game: Option<String>,
    #[command(flatten)]
    table: TableOptions,
    /// How many of the seats are taken by agents
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u32>(0..=64))]
    agents: u32,
    /// Which agent takes them [default: resolve; mc in a real-time game]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// How many times faster than the clock a real-time game runs, from 0.01 to 1000 [default: 1]
    #[arg(long, value_name = "TIMES", value_parser = speed)]
    speed: Option<f64>,
    /// Let everybody at the table see what they could believe
    #[arg(long)]
    trainer: bool,
    /// Let people write to each other
    #[arg(long)]
    chat: bool,
    /// What those who watch see, never more than what all players are told: `open` (at once), `delayed:TURNS`, `after` (the hand) or `sealed`
    /// [default: open; sealed for real-time games that hide something]
    #[arg(long, value_name = "POLICY")]
    watch: Option<WatchPolicy>,
    /// The port that the server listens on
    #[arg(long, value_name = "PORT", default_value_t = 8080, value_parser = count::<u16>(0..=65_535))]
    port: u16,
    /// The address that the server listens on: 127.0.0.1 for this machine alone
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED), value_parser = address)]
    address: IpAddr,
    /// Where the tables are kept [default: croupier in the folder for data of your system]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Open no browser
    #[arg(long)]
    no_browser: bool,
    /// Print the links as JSON
    #[arg(long)]
    json: bool,
}

/// A table that was opened.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HostReport<'r> {
    /// The session; absent where only the server was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'r str>,
    /// The lobby of the server.
    server: &'r str,
    /// Whether this process is the server.
    serves: bool,
    #[serde(flatten)]
    links: Option<&'r TableLinks>,
}
output!(Host: HostReport<'_>);

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let request = arguments.game.as_deref().map(|game| arguments.request(game)).transpose()?;
    if let (None, Some((option, value))) = (&request, arguments.table.given()) {
        let failure = Failure::refuse("bad-table", "without a game no table is opened");
        return Err(failure
            .at_argument(option, &value)
            .help("croupier host GAME; `croupier games` lists them"));
    }
    let house = HostFolder::of(arguments)?;
    if let Some(found) = house.running(arguments.port) {
        house.welcome(arguments, request.as_ref(), &ServerPlace { url: found, serves: false }, out)?;
        return Ok(Answer::Yes);
    }
    log::begin(Level::WARN, LogFormat::Text);
    let settings = house.settings(arguments)?;
    server::raise_open_files(MATCHES_MAX);
    interrupt.hold();
    actix_rt::System::new().block_on(house.serve(arguments, request, settings, interrupt, out))
}

/// Matches at once: far more than tables of people.
const MATCHES_MAX: u32 = 10_000;

/// Tables that one person on the network may have open.
const OPEN_TABLES_MAX: u32 = 20;

/// Connections at once.
const CONNECTIONS_MAX: usize = 20_000;

/// Requests a second from one address, or with one token: everybody at the table may come from one address.
const REQUESTS_MAX: u32 = 500;

/// The folder that everything is kept in.
struct HostFolder {
    folder: PathBuf,
}

/// Where a server is, and whether it is this process.
struct ServerPlace {
    url: String,
    serves: bool,
}

impl Arguments {
    /// What the server is asked for.
    fn request(&self, game: &str) -> Result<TableRequest, Failure> {
        let source = Source::find(game)?;
        let is_bundled = croupier_games::find(&source.name).is_some_and(|entry| entry.rules == source.rules);
        let is_real_time = source.is_real_time();
        if let Some(speed) = self.speed.filter(|_| !is_real_time) {
            let failure = Failure::refuse("bad-table", "only real-time games have a speed");
            return Err(failure.at_argument("--speed", &speed.to_string()).help("leave it out"));
        }
        let standard = if is_real_time { STANDARD_IN_REAL_TIME } else { STANDARD };
        let agent = self.agent.clone().unwrap_or_else(|| standard.to_owned());
        // What does not fit is refused before a server is asked.
        let rules = self.table.rules(&source.facts)?;
        let TableOptions { seats, stack, blinds, raise_blinds, rebuy, until } = self.table.clone();
        let levels = blinds.and(rules.family).map(|family| family.blinds);
        Ok(TableRequest {
            game: is_bundled.then(|| source.name.clone()),
            rules: (!is_bundled).then(|| source.rules.clone()),
            words: source.facts_file.as_ref().filter(|_| !is_bundled).map(|file| file.text.clone()),
            seats,
            agents: vec![agent; self.agents as usize],
            stack,
            blinds: levels,
            raise_blinds,
            rebuy,
            until,
            speed_permille: self.speed.map(permille),
            trainer: self.trainer,
            chat: self.chat,
            spectators: self.watch,
        })
    }
}

/// Milliseconds of game time per second.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number from 10 to a million")]
fn permille(speed: f64) -> u32 {
    (speed * 1000.0).round() as u32
}

impl HostFolder {
    fn of(arguments: &Arguments) -> Result<Self, Failure> {
        let folder = match &arguments.folder {
            Some(folder) => folder.clone(),
            None => data_folder().ok_or_else(|| {
                Failure::refuse("no-folder", "this system names no folder for data")
                    .help("--folder names one")
            })?,
        };
        fs::create_dir_all(&folder).map_err(|error| Failure::file("unwritable-file", &folder, &error))?;
        Ok(Self { folder })
    }

    /// The server of this folder, if it runs: its operator's token is what opens tables there.
    fn running(&self, port: u16) -> Option<String> {
        let url = format!("http://{}", SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
        (self.token_file().exists() && is_croupier(&url)).then_some(url)
    }

    fn token_file(&self) -> PathBuf {
        self.folder.join("croupier.token")
    }

    fn settings(&self, arguments: &Arguments) -> Result<Settings, Failure> {
        let (key, operator_token) = server::secrets(&self.folder.join("croupier.key"), &self.token_file())?;
        Ok(Settings {
            address: SocketAddr::new(arguments.address, arguments.port),
            store: StorePlace::Sqlite(self.folder.join("croupier.db")),
            public_url: None,
            key,
            operator_token,
            limits: Limits {
                matches_max: MATCHES_MAX as usize,
                threads: machine_threads(),
                allow_private: false,
                takes_seeds: false,
                open_seats: 20,
                open_tables: OPEN_TABLES_MAX,
                connections_max: CONNECTIONS_MAX,
                body: Duration::from_secs(10),
                check: CHECK,
                rates: RateLimits {
                    address: REQUESTS_MAX,
                    token: REQUESTS_MAX,
                    refusal: 100,
                    is_behind_proxy: false,
                },
            },
            agents: server::agents(),
            tls: None,
            open_metrics: false,
            drain: Duration::ZERO,
        })
    }

    async fn serve(
        &self,
        arguments: &Arguments,
        request: Option<TableRequest>,
        settings: Settings,
        interrupt: &Interrupt,
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let asked = settings.address;
        let application = tokio::select! {
            built = Application::build(settings) => built.map_err(|error| self.unserved(asked, &error))?,
            () = server::raised(interrupt.clone()) => return Ok(Answer::Interrupted),
        };
        let place = ServerPlace { url: links::local_url(application.address()), serves: true };
        let resumed = application.resumed();
        // The server answers while the table is asked for, so that is done on another thread.
        let (token, url) = (self.token_file(), place.url.clone());
        let opening = request.map(|request| std::thread::spawn(move || open_table(&url, &token, &request)));
        let serving = server::serve_until_raised(application, interrupt);
        let greeting = async {
            let opened = match opening {
                None => None,
                Some(thread) => Some(joined(thread).await?),
            };
            self.greet(arguments, opened.as_ref(), &place, out)?;
            if resumed > 0 && !arguments.json {
                writeln!(out, "{resumed} matches go on")?;
                out.flush()?;
            }
            Ok::<(), Failure>(())
        };
        tokio::pin!(serving);
        tokio::select! {
            stopped = &mut serving => return self.end(asked, stopped, interrupt),
            greeted = greeting => greeted?,
        }
        let stopped = serving.await;
        self.end(asked, stopped, interrupt)
    }

    fn end(
        &self,
        asked: SocketAddr,
        stopped: std::io::Result<()>,
        interrupt: &Interrupt,
    ) -> Result<Answer, Failure> {
        stopped.map_err(|error| self.unserved(asked, &BuildError::Io(error)))?;
        Ok(if interrupt.is_raised() { Answer::Interrupted } else { Answer::Yes })
    }

    /// Opens the table at a server that runs, and says where it is.
    fn welcome(
        &self,
        arguments: &Arguments,
        request: Option<&TableRequest>,
        place: &ServerPlace,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let opened =
            request.map(|request| open_table(&place.url, &self.token_file(), request)).transpose()?;
        self.greet(arguments, opened.as_ref(), place, out)
    }

    fn greet(
        &self,
        arguments: &Arguments,
        opened: Option<&Opened>,
        place: &ServerPlace,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let links = opened.map(|opened| TableLinks::of(opened, &place.url, arguments.address));
        if arguments.json {
            let session = opened.map(|opened| opened.id.as_str());
            let report =
                HostReport { session, server: &place.url, serves: place.serves, links: links.as_ref() };
            report.write_json(out)?;
        } else {
            match &links {
                Some(links) => links.write(out)?,
                None => writeln!(out, "the tables are at {}/", place.url)?,
            }
            if place.serves {
                writeln!(
                    out,
                    "\nkept in {}; control-C stops the server, and its tables go on when it starts again",
                    self.folder.display()
                )?;
            }
        }
        out.flush()?;
        if !arguments.no_browser && !arguments.json {
            let lobby = format!("{}/", place.url);
            open_browser(links.as_ref().map_or(&lobby, |links| &links.host));
        }
        Ok(())
    }

    fn unserved(&self, address: SocketAddr, error: &BuildError) -> Failure {
        match error {
            BuildError::Io(error) => {
                let failure = Failure::refuse("unserved", format!("the server cannot listen there: {error}"));
                failure
                    .at(&address.to_string())
                    .help("another port: --port 9000; 0 lets the system choose one")
            }
            BuildError::Tls(error) => Failure::refuse("bad-tls", error.to_string()),
            BuildError::Store(error) => Failure::refuse("bad-store", error.to_string())
                .at(&self.folder.display().to_string())
                .help("--folder names another folder; a server on another port may have this one"),
        }
    }
}

/// What a thread found, while others go on.
async fn joined(thread: std::thread::JoinHandle<Result<Opened, Failure>>) -> Result<Opened, Failure> {
    while !thread.is_finished() {
        actix_rt::time::sleep(Duration::from_millis(10)).await;
    }
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The folder for data of the person who runs this, as the system names it.
fn data_folder() -> Option<PathBuf> {
    let named =
        |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let below_home = |path: &str| named("HOME").map(|home| home.join(Path::new(path)));
    let data = if cfg!(windows) {
        named("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        below_home("Library/Application Support")
    } else {
        named("XDG_DATA_HOME").or_else(|| below_home(".local/share"))
    };
    data.map(|folder| folder.join("croupier"))
}
