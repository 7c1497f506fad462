//! `croupier agent`: a player that plays under any referee of the GGP protocol.

use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use clap::Args;
use croupier_agent_server::{Application, Settings};
use serde::Serialize;
use tracing::Level;

use crate::{
    arguments::{
        count::{address, count},
        entropy,
        seating::{STANDARD, SeatSpec, agents_line, modelling, spec},
        threads::Threads,
    },
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::{
        interrupt::Interrupt,
        log::{self, LogFormat},
    },
};

/// What the agent calls itself if nobody gives it a name.
const NAME: &str = "croupier";

/// Serve an agent as a player of the GGP protocol
///
/// Referees of general games (this one, ggp-base, the Dresden GameController) post their messages to it; it
/// answers in the dialect that it is asked in, GDL-I or GDL-II, prefix or infix, in many matches at once.
/// Moves that are asked for at the same time share the threads. A client that closes its connection ends the
/// thinking. It runs until it is stopped, and writes its log to standard error.
#[derive(Args)]
#[command(after_help = help())]
pub(crate) struct Arguments {
    /// Which agent plays
    #[arg(long, value_name = "AGENT", default_value = STANDARD)]
    player: String,
    /// How it takes a role to choose, as ROLE=MODEL, in games that have this role: uniform, quantal or an agent; may be repeated
    #[arg(long = "model", value_name = "ROLE=MODEL")]
    models: Vec<String>,
    /// The port that it listens on; 0 lets the system choose one
    #[arg(long, value_name = "PORT", default_value_t = 9147, value_parser = count::<u16>(0..=65_535))]
    port: u16,
    /// The address that it listens on: 0.0.0.0 for everyone who can reach this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address)]
    address: IpAddr,
    /// What it calls itself: one word of ASCII letters, digits, '_' and '-'
    #[arg(long, value_name = "NAME", default_value = NAME)]
    name: String,
    /// An integer or 64 hexadecimal digits; without it one from the operating system
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// Matches at once, at most; between its moves a match takes a few kilobytes and no thread. Where there is no room for
    /// another, the one ends whose referee has been silent for longer than its clocks
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = count::<u32>(1..=100_000))]
    matches: u32,
    /// Players that stay in memory between their moves; others are made anew from what they were told, and choose the same
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = count::<u32>(0..=100_000))]
    players_kept: u32,
    #[command(flatten)]
    threads: Threads,
    /// How much is logged: error, warn, info or debug
    #[arg(long, value_name = "LEVEL", default_value_t = Level::INFO)]
    log: Level,
    /// Print where it listens as JSON
    #[arg(long)]
    json: bool,
}

/// Where an agent listens.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AgentReport {
    /// HOST:PORT
    address: String,
    player: String,
}
output!(Agent: AgentReport);

fn help() -> String {
    format!(
        "\
{}
The log never has moves, percepts or rules in it. SIGINT (control-C), SIGTERM and SIGHUP stop the agent: matches are freed, and the exit \
status is 130.

Examples:
  croupier agent
  croupier agent --player belief:iterations=2000 --port 9148 --address 0.0.0.0
  croupier play kuhn --seat alice=http://127.0.0.1:9147 --start-clock 10 --play-clock 2",
        agents_line(&[])
    )
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let at = |failure: Failure| failure.at_argument("--player", &arguments.player);
    let SeatSpec::Player(kind) = spec(&arguments.player).map_err(at)? else {
        return Err(at(Failure::refuse("bad-agent", "only a program of this machine can be served")));
    };
    let kind = modelling(kind, &arguments.models)?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if arguments.name.is_empty() || !arguments.name.chars().all(is_word) {
        let message = "a name is one word of ASCII letters, digits, '_' and '-'";
        return Err(Failure::refuse("bad-name", message).at_argument("--name", &arguments.name));
    }
    let settings = Settings {
        address: SocketAddr::new(arguments.address, arguments.port),
        name: arguments.name.clone(),
        kind: kind.clone(),
        seed: entropy::seed(arguments.seed.as_deref())?,
        matches_max: arguments.matches as usize,
        threads: arguments.threads.count(),
        sessions_max: arguments.players_kept as usize,
    };
    log::begin(arguments.log, LogFormat::Text);

    let unserved = |error: std::io::Error| {
        let place = SocketAddr::new(arguments.address, arguments.port).to_string();
        let failure =
            Failure::refuse("unserved", format!("the agent cannot listen there: {error}")).at(&place);
        failure.help("another port: --port 0 lets the system choose one")
    };
    actix_rt::System::new().block_on(async {
        let application = Application::build(settings).map_err(unserved)?;
        let address = application.address();
        if arguments.json {
            AgentReport { address: address.to_string(), player: kind.to_string() }.write_json(out)?;
        } else {
            writeln!(out, "{kind} listens on http://{address}")?;
        }
        out.flush()?;
        // The server listens to signals too, and frees all matches when one comes.
        interrupt.hold();
        let (handle, stopping) = (application.handle(), interrupt.clone());
        actix_rt::spawn(async move {
            while !stopping.is_raised() {
                actix_rt::time::sleep(Duration::from_millis(50)).await;
            }
            handle.stop(true).await;
        });
        application.run_until_stopped().await.map_err(unserved)?;
        if interrupt.is_raised() {
            tracing::info!("the agent is stopped, and all its matches are freed");
            return Ok(Answer::Interrupted);
        }
        Ok(Answer::Yes)
    })
}
