//! The server that is measured: a process of its own, in a folder of its own.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::output::failure::Failure;

/// Lines of its log that are shown if it does not start.
const LOG_LINES: usize = 5;

/// Ticks of the clock that Linux counts processor time in, a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// A server that runs; it ends with this value.
#[derive(Debug)]
pub(super) struct Server {
    process: Child,
    folder: PathBuf,
    pub(super) address: SocketAddr,
    /// How many matches it went on with.
    pub(super) resumed: u32,
}

impl Server {
    /// Starts a server on the store in a folder, and waits until it listens.
    ///
    /// # Errors
    /// If it does not.
    pub(super) fn start(folder: &Path, matches: u32) -> Result<Self, Failure> {
        let unstarted =
            |what: String| Failure::refuse("unserved", format!("the server does not start: {what}"));
        let program = std::env::current_exe().map_err(|error| unstarted(error.to_string()))?;
        let log = folder.join("log");
        let errors = File::options().create(true).append(true).open(&log);
        let errors = errors.map_err(|error| Failure::file("unwritable-file", &log, &error))?;
        let mut process = Command::new(program)
            .args(["serve", "--port", "0", "--allow-private", "--json", "--log", "warn"])
            .args(["--matches", &matches.to_string()])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .map_err(|error| unstarted(error.to_string()))?;
        let mut line = String::new();
        if let Some(out) = process.stdout.take() {
            // What cannot be read is no JSON, which is said below.
            let _ = BufReader::new(out).read_line(&mut line);
        }
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let address = said["address"].as_str().and_then(|address| address.parse().ok());
        let Some(address) = address else {
            let _ = process.kill();
            let _ = process.wait();
            return Err(unstarted(last_lines(&log)));
        };
        let resumed = said["resumed"].as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
        Ok(Self { process, folder: folder.to_owned(), address, resumed })
    }

    /// The operator's token.
    ///
    /// # Errors
    /// If the server wrote none.
    pub(super) fn token(&self) -> Result<String, Failure> {
        let path = self.folder.join("croupier.token");
        let text =
            fs::read_to_string(&path).map_err(|error| Failure::file("unreadable-file", &path, &error))?;
        Ok(text.trim().to_owned())
    }

    /// Memory that it has, and had at most, in KiB, where the system says so.
    pub(super) fn memory_kib(&self) -> Option<(u64, u64)> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).and_then(kib);
        Some((field("VmRSS:")?, field("VmHWM:")?))
    }

    /// Seconds of processor time that it took, where the system says so.
    pub(super) fn processor_s(&self) -> Option<f64> {
        processor_s(&self.process.id().to_string())
    }

    /// Ends it as a loss of power to the process would: no signal that it could hear.
    pub(super) fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// The last lines of its log, if it wrote any.
    pub(super) fn complaints(&self) -> Option<String> {
        Some(last_lines(&self.folder.join("log"))).filter(|lines| !lines.is_empty())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Seconds of processor time that this process took, where the system says so.
pub(super) fn own_processor_s() -> Option<f64> {
    processor_s("self")
}

fn processor_s(process: &str) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may have blanks in it; time in user mode and in the system are fields 14 and 15.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

fn kib(field: &str) -> Option<u64> {
    field.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn last_lines(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
}
