//! Other people's programs for the same games, run by Python on one thread.

use std::{
    env,
    ffi::OsStr,
    fmt, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use clap::ValueEnum;
use serde::Deserialize;

use super::stopwatch::Rate;
use crate::failure::Failure;

/// The program that measures them.
const SCRIPT: &str = include_str!("peers.py");

/// A program by somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Peer {
    /// Hand-written C++.
    OpenSpiel,
    /// Hand-written for JAX.
    Pgx,
}

impl Peer {
    /// All of them.
    pub(super) const ALL: [Self; 2] = [Self::OpenSpiel, Self::Pgx];

    /// What the script and its folder are told.
    fn key(self) -> &'static str {
        match self {
            Self::OpenSpiel => "openspiel",
            Self::Pgx => "pgx",
        }
    }

    /// The packages that it needs, with their versions.
    fn requirements(self) -> &'static str {
        match self {
            Self::OpenSpiel => "open_spiel==2.0.2\n",
            Self::Pgx => "pgx==2.6.0\njax==0.10.2\njaxlib==0.10.2\nnumpy==2.4.6\nsetuptools==80.9.0\n",
        }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::OpenSpiel => "OpenSpiel",
            Self::Pgx => "Pgx",
        })
    }
}

/// What a peer does in a second.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PeerFigures {
    /// The version of its package.
    pub(super) version: String,
    /// Random playouts, if enough of them ended.
    pub(super) playouts: Option<Rate>,
    /// Moves and deals.
    pub(super) turns: Rate,
    /// What the first player won on average, from -1 to 1, if the rules are exactly ours.
    pub(super) mean: Option<f64>,
    /// In how many playouts.
    pub(super) count: Option<f64>,
}

/// A Python with the packages of a peer.
#[derive(Debug)]
pub(super) struct Environment {
    peer: Peer,
    python: PathBuf,
}

impl Environment {
    /// Makes it, or finds it as it was made before.
    ///
    /// # Errors
    /// If there is no Python, or its packages cannot be installed.
    pub(super) fn open(peer: Peer, peers_folder: &Path) -> Result<Self, Failure> {
        let folder = peers_folder.join(peer.key());
        let python = folder.join("bin").join("python");
        // Written last: it says that the installation went through, and of what.
        let receipt = folder.join("requirements.txt");
        if fs::read_to_string(&receipt).is_ok_and(|installed| installed == peer.requirements()) {
            return Ok(Self { peer, python });
        }
        let interpreter = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let venv = [OsStr::new("-m"), "venv".as_ref(), "--clear".as_ref(), folder.as_os_str()];
        run(Command::new(&interpreter).args(venv)).map_err(|why| {
            Failure::refuse("no-python", format!("no Python for {peer}: {why}"))
                .at(&folder.display().to_string())
                .help("install Python 3 with its module venv, or name another interpreter in PYTHON")
        })?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "30"];
        run(Command::new(&python).args(pip).args(peer.requirements().lines())).map_err(|why| {
            Failure::refuse("no-peer", format!("{peer} cannot be installed: {why}"))
                .at(&folder.display().to_string())
                .help("the packages come from PyPI: is there a network? Without --peers none is needed")
        })?;
        fs::write(&receipt, peer.requirements())
            .map_err(|error| Failure::file("unwritable-file", &receipt, &error))?;
        Ok(Self { peer, python })
    }

    /// Measures a game, about `seconds` for each rate; `None` if the peer does not have it.
    ///
    /// # Errors
    /// Why it could not be measured.
    pub(super) fn measure(&self, game: &str, seconds: f64) -> Result<Option<PeerFigures>, String> {
        let seconds = seconds.to_string();
        let printed = run(Command::new(&self.python).args(["-c", SCRIPT, self.peer.key(), &seconds, game]))?;
        if printed.trim().is_empty() {
            return Ok(None);
        }
        serde_json::from_str(&printed).map(Some).map_err(|error| format!("no figures were printed: {error}"))
    }
}

/// Where peers are kept if nothing else is said: in the user's cache.
pub(super) fn default_folder() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    cache.or_else(home).unwrap_or_else(env::temp_dir).join("croupier").join("peers")
}

/// What a program printed.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        format!("{program} cannot be started: {error}")
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Err(last.map_or_else(|| output.status.to_string(), str::to_owned))
}
