//! How many iterations a command makes, and how far it is.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::arguments::threads::progress;

/// So many iterations, or as many as fit into a time, with a bar of the ones or the seconds.
#[derive(Debug)]
pub(crate) struct Effort {
    iterations: u64,
    time: Option<Duration>,
    begun: Instant,
    pub(crate) bar: ProgressBar,
}

impl Effort {
    /// What `--iterations` and `--minutes` ask for: `standard` iterations if neither is given. The time counts from `begun`.
    pub(crate) fn new(
        iterations: Option<u64>,
        time: Option<Duration>,
        standard: u64,
        begun: Instant,
    ) -> Self {
        let iterations = iterations.unwrap_or(if time.is_some() { u64::MAX } else { standard });
        let bar = match time {
            Some(time) => progress(time.as_secs().max(1), "seconds"),
            None => progress(iterations, "iterations"),
        };
        Self { iterations, time, begun, bar }
    }

    /// Whether no more than the iterations made so far are wanted.
    pub(crate) fn is_over(&self, made: u64) -> bool {
        made >= self.iterations || self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    /// Whether this is the last of so many iterations.
    pub(crate) fn is_last(&self, made: u64) -> bool {
        made == self.iterations
    }

    /// Shows how far the work is.
    pub(crate) fn show(&self, made: u64) {
        self.bar.set_position(self.time.map_or(made, |_| self.begun.elapsed().as_secs()));
    }
}

impl Drop for Effort {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
