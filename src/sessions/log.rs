//! The log of commands that serve, on standard error.

use std::{
    io::{IsTerminal as _, stderr},
    sync::Mutex,
    time::{Duration, Instant},
};

use clap::ValueEnum;
use serde::Serialize;
use tracing::{Level, level_filters::LevelFilter};
use tracing_subscriber::{
    filter::{Targets, dynamic_filter_fn},
    layer::{Layer as _, SubscriberExt as _},
    util::SubscriberInitExt as _,
};

use crate::sessions::clock::now;

/// Lines a second that others can make the HTTP library write: it has one for each request that is none.
const OTHERS_MAX: u32 = 10;

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
    let few = Mutex::new(Few { second: now(), lines: 0 });
    let is_kept = dynamic_filter_fn(move |line, _| {
        let is_of_others = line.target().starts_with("actix_http");
        !is_of_others || few.lock().is_ok_and(|mut few| few.takes(now()))
    });
    match format {
        LogFormat::Text => {
            registry.with(lines.with_ansi(stderr().is_terminal()).with_filter(is_kept)).init();
        }
        LogFormat::Json => {
            registry.with(lines.json().flatten_event(true).with_ansi(false).with_filter(is_kept)).init();
        }
    }
}

/// How many lines were written in this second.
struct Few {
    second: Instant,
    lines: u32,
}

impl Few {
    /// Whether one more may be.
    fn takes(&mut self, at: Instant) -> bool {
        if at.saturating_duration_since(self.second) >= Duration::from_secs(1) {
            *self = Self { second: at, lines: 0 };
        }
        self.lines += 1;
        self.lines <= OTHERS_MAX
    }
}
