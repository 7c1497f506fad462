//! The log of commands that serve, on standard error.

use std::io::{IsTerminal as _, stderr};

use clap::ValueEnum;
use serde::Serialize;
use tracing::{Level, level_filters::LevelFilter};
use tracing_subscriber::{filter::Targets, layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// How a log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// A line for people
    #[default]
    Text,
    /// A JSON object a line, for programs
    Json,
}

/// Writes to standard error from now on what this program says at this level or above it.
///
/// Libraries say warnings and errors, whatever the level: what they say below is of sockets and statements, and could quote
/// what is secret.
pub(crate) fn begin(level: Level, format: LogFormat) {
    let own = LevelFilter::from_level(level);
    let others = own.min(LevelFilter::WARN);
    let filter = Targets::new().with_default(others).with_target("croupier", own);
    let registry = tracing_subscriber::registry().with(filter);
    let lines = tracing_subscriber::fmt::layer().with_writer(stderr).with_target(false);
    match format {
        LogFormat::Text => registry.with(lines.with_ansi(stderr().is_terminal())).init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true).with_ansi(false)).init(),
    }
}
