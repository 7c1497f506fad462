//! The settings of a server: each is an option, a key of the file and a variable of the environment.

use std::{net::IpAddr, path::PathBuf};

use clap::{Arg, ArgAction, Args};
use serde::Serialize;
use tracing::Level;

use crate::{
    arguments::count::{address, count},
    sessions::log::LogFormat,
};

/// What holds where neither the command line nor the environment nor the file says anything.
///
/// `threads` has no number: it is as many as the machine has. `tls_cert` and `tls_key` have none either.
pub(super) const DEFAULTS: &[(&str, &str)] = &[
    ("port", "8080"),
    ("address", "127.0.0.1"),
    ("store", "croupier.db"),
    ("key", "croupier.key"),
    ("token", "croupier.token"),
    ("matches", "10000"),
    ("allow_private", "false"),
    ("take_seeds", "false"),
    ("log", "info"),
    ("log_format", "text"),
    ("open_metrics", "false"),
    ("behind_proxy", "false"),
    ("open_seats", "20"),
    ("open_tables", "5"),
    ("connections", "20000"),
    ("body_seconds", "10"),
    ("address_rate", "500"),
    ("token_rate", "100"),
    ("refusal_rate", "100"),
    ("drain_seconds", "1"),
];

/// Settings that only few need, which `croupier help serve` shows.
const RARE: &[&str] = &[
    "public_url",
    "threads",
    "take_seeds",
    "open_metrics",
    "behind_proxy",
    "open_seats",
    "open_tables",
    "connections",
    "body_seconds",
    "address_rate",
    "token_rate",
    "refusal_rate",
    "drain_seconds",
    "log_format",
];

/// The settings as they are written: `None` where nothing is said.
#[derive(Clone, Debug, Default, Args, Serialize)]
#[command(mut_args = described)]
pub(super) struct Options {
    /// The port that it listens on; 0 lets the system choose one
    #[arg(long, value_name = "PORT", value_parser = count::<u16>(0..=65_535))]
    pub(super) port: Option<u16>,
    /// The address that it listens on: 0.0.0.0 for everyone who can reach this machine
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(super) address: Option<IpAddr>,
    /// The file of its store, made if it is not there; or the URL of a PostgreSQL database, which several servers may share
    #[arg(long, value_name = "FILE|URL")]
    pub(super) store: Option<String>,
    /// Where other servers of the same database send those who ask for a match of this one; without it the address that it
    /// listens on
    #[arg(long, value_name = "URL")]
    pub(super) public_url: Option<String>,
    /// The secret key that signs records and commitments, made if it is not there
    #[arg(long, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
    /// The operator's token, made if it is not there
    #[arg(long, value_name = "FILE")]
    pub(super) token: Option<PathBuf>,
    /// The certificates that it shows, in PEM, its own first: it then accepts TLS connections only. Read again when the file changes
    #[arg(long, value_name = "FILE")]
    pub(super) tls_cert: Option<PathBuf>,
    /// The private key of its certificate, in PEM. Read again when the file changes
    #[arg(long, value_name = "FILE")]
    pub(super) tls_key: Option<PathBuf>,
    /// Matches at once, at most
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=1_000_000))]
    pub(super) matches: Option<u32>,
    /// How many threads think; without it, as many as the machine has
    #[arg(long, value_name = "T", value_parser = count::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Call players at addresses of private networks, this machine included
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(super) allow_private: Option<bool>,
    /// Let the operator say where the chance of a match comes from: for tests and replays
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(super) take_seeds: Option<bool>,
    /// Show the metrics to everybody, and not to the operator alone
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(super) open_metrics: Option<bool>,
    /// Take the last address in X-Forwarded-For for that of the client: only behind a proxy that sets it
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(super) behind_proxy: Option<bool>,
    /// Open seats that one client may claim in matches that are not over: a registered player, or everybody at one address
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=1_000_000))]
    pub(super) open_seats: Option<u32>,
    /// Tables that everybody at one address may have open at once; with 0, only the operator and organisers open tables
    #[arg(long, value_name = "N", value_parser = count::<u32>(0..=1_000_000))]
    pub(super) open_tables: Option<u32>,
    /// Connections at once, at most; others wait until one is closed
    #[arg(long, value_name = "N", value_parser = count::<u32>(2..=1_000_000))]
    pub(super) connections: Option<u32>,
    /// Seconds in which the body of a request has to arrive
    #[arg(long, value_name = "SECONDS", value_parser = count::<u32>(1..=3_600))]
    pub(super) body_seconds: Option<u32>,
    /// Requests a second without a token from one address, and ten times as many in a burst; 0 for no limit
    #[arg(long, value_name = "N", value_parser = count::<u32>(0..=1_000_000))]
    pub(super) address_rate: Option<u32>,
    /// Requests a second with one token that is not the operator's, and ten times as many in a burst; 0 for no limit
    #[arg(long, value_name = "N", value_parser = count::<u32>(0..=1_000_000))]
    pub(super) token_rate: Option<u32>,
    /// Requests a second from one address with tokens that are refused, and ten times as many in a burst; 0 for no limit
    #[arg(long, value_name = "N", value_parser = count::<u32>(0..=1_000_000))]
    pub(super) refusal_rate: Option<u32>,
    /// Seconds between the signal to stop and the end of the listener: until then /v1/ready says 503
    #[arg(long, value_name = "SECONDS", value_parser = count::<u32>(0..=3_600))]
    pub(super) drain_seconds: Option<u32>,
    /// How much of the server is logged: error, warn, info, debug or trace; requests are logged at debug
    #[arg(long, value_name = "LEVEL")]
    #[serde(serialize_with = "level")]
    pub(super) log: Option<Level>,
    /// How the log is written
    #[arg(long, value_name = "FORMAT")]
    pub(super) log_format: Option<LogFormat>,
}

fn level<S: serde::Serializer>(level: &Option<Level>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = level.map(|level| level.to_string().to_lowercase());
    text.serialize(serializer)
}

/// The name of a setting as an option.
pub(super) fn option(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

/// The variable of the environment that gives a setting.
pub(super) fn variable(key: &str) -> String {
    format!("CROUPIER_{}", key.to_uppercase())
}

/// The keys of all settings, in the order of the help.
pub(super) fn keys() -> Vec<String> {
    let command = Options::augment_args(clap::Command::new("serve"));
    command.get_arguments().map(|argument| argument.get_id().to_string()).collect()
}

/// An option whose help also names its default, its key and its variable.
fn described(argument: Arg) -> Arg {
    let key = argument.get_id().to_string();
    let is_setting = argument.get_long().is_some_and(|long| long == &option(&key)[2..]);
    if !is_setting || matches!(argument.get_action(), ArgAction::Help | ArgAction::Version) {
        return argument;
    }
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    if argument.get_long_help().is_some() {
        return argument;
    }
    let default =
        DEFAULTS.iter().find(|(name, _)| *name == key).map(|(_, value)| format!("default: {value}"));
    let brief = default.as_ref().map_or_else(|| help.clone(), |default| format!("{help} [{default}]"));
    let default = default.map_or_else(String::new, |default| format!("{default}, "));
    let long = format!("{help} [{default}key: {key}, variable: {}]", variable(&key));
    argument.help(brief).long_help(long).hide_short_help(RARE.contains(&key.as_str()))
}
