//! What a benchmark ran on: processor, vectors, cores, commit.

use std::{fs, process::Command, thread::available_parallelism};

use serde::Serialize;

use super::limit::Limit;

/// What a benchmark ran on.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Machine {
    /// What the processor calls itself.
    pub(super) processor: String,
    /// Bits of its vectors.
    pub(super) vector_bits: usize,
    /// How many threads run at once.
    pub(super) threads: usize,
    /// Gates times lanes a second, at most.
    pub(super) gate_lanes_per_second_limit: f64,
    /// The commit of the folder that the command runs in, if it is one of git.
    pub(super) commit: Option<String>,
}

impl Machine {
    /// Looks around.
    pub(super) fn new(limit: &Limit) -> Self {
        Self {
            processor: processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            vector_bits: limit.vector_bits,
            threads: available_parallelism().map_or(1, usize::from),
            gate_lanes_per_second_limit: limit.gate_lanes.best,
            commit: commit(),
        }
    }
}

/// What Linux says of the first processor.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The commit, and whether files differ from it.
fn commit() -> Option<String> {
    let hash = git(&["rev-parse", "--short", "HEAD"])?;
    let is_changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Some(if is_changed { format!("{hash}, with changes") } else { hash })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
