//! Other people's programs for the same games, run by Python on one thread.

use std::{
    env,
    ffi::OsStr,
    fmt, fs,
    io::{IsTerminal as _, Write as _, stderr, stdin},
    path::{Path, PathBuf},
    process::Command,
};

use clap::ValueEnum;
use croupier_games::printable;
use serde::Deserialize;

use super::{
    child::{Trouble, run},
    stopwatch::{Pace, Rate},
};
use crate::{failure::Failure, interrupt::Interrupt};

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
    /// One that was made before.
    pub(super) fn find(peer: Peer, peers_folder: &Path) -> Option<Self> {
        let folder = peers_folder.join(peer.key());
        let installed = fs::read_to_string(receipt(&folder)).ok()?;
        (installed == peer.requirements()).then(|| Self { peer, python: python(&folder) })
    }

    /// Makes it: downloads the packages of the peer, and tells `hear` how far that is.
    ///
    /// # Errors
    /// If there is no Python, or its packages cannot be installed, or a signal comes; what was begun is begun again the next
    /// time.
    pub(super) fn install(
        peer: Peer,
        peers_folder: &Path,
        interrupt: &Interrupt,
        hear: &dyn Fn(&str),
    ) -> Result<Self, Failure> {
        let folder = peers_folder.join(peer.key());
        let python = python(&folder);
        let interpreter = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let venv = [OsStr::new("-m"), "venv".as_ref(), "--clear".as_ref(), folder.as_os_str()];
        hear("a Python of its own");
        run(Command::new(&interpreter).args(venv), interrupt, &|_| {}).map_err(|trouble| {
            refused("no-python", trouble, |why| format!("no Python for {peer}: {why}"))
                .at(&folder.display().to_string())
                .help("install Python 3 with its module venv, or name another interpreter in PYTHON")
        })?;
        let pip = [
            "-m",
            "pip",
            "install",
            "--progress-bar",
            "off",
            "--disable-pip-version-check",
            "--timeout",
            "30",
        ];
        // pip says in a line what it downloads, and how large that is.
        let told = |line: &str| hear(line.trim());
        run(Command::new(&python).args(pip).args(peer.requirements().lines()), interrupt, &told).map_err(
            |trouble| {
                refused("no-peer", trouble, |why| format!("{peer} cannot be installed: {why}"))
                    .at(&folder.display().to_string())
                    .help("the packages come from PyPI: is there a network? Without --peers none is needed")
            },
        )?;
        // Written last: it says that the installation went through, and of what.
        let receipt = receipt(&folder);
        fs::write(&receipt, peer.requirements())
            .map_err(|error| Failure::file("unwritable-file", &receipt, &error))?;
        Ok(Self { peer, python })
    }

    /// Measures a game, about `pace.seconds` for each rate; `None` if the peer does not have it.
    ///
    /// # Errors
    /// Why it could not be measured, or that a signal came.
    pub(super) fn measure(&self, game: &str, pace: &Pace) -> Result<Option<PeerFigures>, Trouble> {
        let seconds = pace.seconds.to_string();
        let mut command = Command::new(&self.python);
        command.args(["-c", SCRIPT, self.peer.key(), &seconds, game]);
        let printed = run(&mut command, &pace.interrupt, &|_| {})?;
        if printed.trim().is_empty() {
            return Ok(None);
        }
        let figures = serde_json::from_str(&printed).map(Some);
        figures.map_err(|error| Trouble::Failed(format!("no figures were printed: {error}")))
    }
}

/// What installing the peers that are not there takes: asked before anything is downloaded, since it is half a gigabyte.
///
/// # Errors
/// If there is nobody to ask.
pub(super) fn may_install(peers_folder: &Path) -> Result<bool, Failure> {
    let missing: Vec<String> = Peer::ALL
        .into_iter()
        .filter(|peer| Environment::find(*peer, peers_folder).is_none())
        .map(|peer| peer.to_string())
        .collect();
    if missing.is_empty() {
        return Ok(true);
    }
    let (missing, folder) = (missing.join(" and "), peers_folder.display());
    let what = format!("{missing} would be downloaded from PyPI: about half a gigabyte, into {folder}");
    if !(stdin().is_terminal() && stderr().is_terminal()) {
        return Err(Failure::refuse("not-confirmed", what)
            .help("--yes downloads them; without --peers nothing is downloaded"));
    }
    let mut err = anstream::stderr();
    write!(err, "{}. Go on? [y/N] ", printable(&what))?;
    err.flush()?;
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn python(folder: &Path) -> PathBuf {
    folder.join("bin").join("python")
}

/// The file that says what is installed.
fn receipt(folder: &Path) -> PathBuf {
    folder.join("requirements.txt")
}

fn refused(code: &'static str, trouble: Trouble, message: impl Fn(String) -> String) -> Failure {
    match trouble {
        Trouble::Interrupted => Failure::Interrupted,
        Trouble::Failed(why) => Failure::refuse(code, message(why)),
    }
}

/// Where peers are kept if nothing else is said: in the user's cache.
pub(super) fn default_folder() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    cache.or_else(home).unwrap_or_else(env::temp_dir).join("croupier").join("peers")
}
