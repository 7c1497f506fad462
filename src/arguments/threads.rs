//! The argument `--threads`, and the progress that many threads report together.

use std::{thread::available_parallelism, time::Duration};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{arguments::count::count, output::failure::Failure};

/// How many threads the machine has.
pub(crate) fn machine_threads() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// How many threads work.
#[derive(Args)]
pub(crate) struct Threads {
    /// How many threads [default: all]; results do not depend on it
    #[arg(long, value_name = "T", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// How many threads were asked for, or the machine has.
    pub(crate) fn count(&self) -> usize {
        self.threads.map_or_else(machine_threads, usize::from)
    }

    /// That many threads.
    ///
    /// # Errors
    /// If the operating system gives no more.
    pub(crate) fn pool(&self) -> Result<ThreadPool, Failure> {
        ThreadPoolBuilder::new().num_threads(self.count()).build().map_err(|error| {
            Failure::refuse("no-threads", format!("the threads cannot be started: {error}"))
                .help("ask for fewer with --threads")
        })
    }
}

/// A bar on standard error for work of `total` steps; invisible where that is no terminal.
pub(crate) fn progress(total: u64, what: &'static str) -> ProgressBar {
    let template =
        format!("{{elapsed_precise}} {{wide_bar}} {{human_pos}}/{{human_len}} {what}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("the template is sound");
    let bar = ProgressBar::new(total).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A sign of life on standard error for work of unknown length; invisible where that is no terminal.
pub(crate) fn spinner(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("the template is sound");
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(what);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}
