//! How large games are without variables, and what finding that out costs, each in a process of its own so
//! that memory can be told apart.

use std::{
    ffi::OsStr,
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use croupier_engine::{
    CompileError, Game, Limits, Options, Severity, Strictness, stages::check::check_text,
    stages::datalog::Reasoner, stages::ground::ground, stages::propnet::Network, stages::syntax,
};
use serde_json::{Value, json};

/// What became of a rules text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is no game: the first error.
    Refused(String),
    /// It is a game that is not grounded: where that stops, and at which limit.
    Stopped(String),
    /// It is grounded.
    Ground(Sizes),
    /// It can be played by the engine that [`Options::PLAY`] takes: the name of it.
    Played(String),
}

/// How large a game is without variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Ground atoms.
    pub atoms: u64,
    /// Ground rules.
    pub rules: u64,
    /// Gates of the network.
    pub gates: u64,
    /// Sets of atoms that depend on each other.
    pub cycles: u64,
}

/// A verdict and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The verdict.
    pub verdict: Verdict,
    /// Processor seconds of everything from the text on.
    pub seconds: f64,
    /// The most memory that the process had at once, in bytes; none where the system does not say.
    pub peak_bytes: Option<u64>,
}

/// What a process of its own is asked to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// How large the game is without variables, within the standard limits.
    Ground,
    /// Whether the game can be played.
    Play,
}

impl Question {
    /// The argument that asks it.
    #[must_use]
    pub fn argument(self) -> &'static str {
        match self {
            Self::Ground => "--ground-one",
            Self::Play => "--play-one",
        }
    }
}

/// Answers a question about a file in this process, as a line that [`measure`] reads.
///
/// # Errors
/// If the file cannot be read.
#[expect(clippy::disallowed_methods, reason = "the figure is about time")]
pub fn answer(question: Question, path: &Path) -> std::io::Result<String> {
    let bytes = fs::read(path)?;
    let begun = Instant::now();
    let text = syntax::decode(&bytes).text;
    let verdict = match question {
        Question::Ground => ground_text(&text),
        Question::Play => play_text(&text),
    };
    let seconds = processor_time().unwrap_or_else(|| begun.elapsed()).as_secs_f64();
    let mut line = json!({ "seconds": seconds, "peak_bytes": peak_bytes() });
    match verdict {
        Verdict::Refused(error) => line["refused"] = json!(error),
        Verdict::Stopped(error) => line["stopped"] = json!(error),
        Verdict::Played(engine) => line["played"] = json!(engine),
        Verdict::Ground(Sizes { atoms, rules, gates, cycles }) => {
            line["ground"] = json!([atoms, rules, gates, cycles]);
        }
    }
    Ok(line.to_string())
}

fn ground_text(text: &str) -> Verdict {
    let limits = Limits::STANDARD;
    let (rules, found) = check_text(text, Strictness::Compatible, &limits);
    let Some(rules) = rules else {
        let error = found.iter().find(|one| one.severity == Severity::Error);
        return Verdict::Refused(error.map_or_else(String::new, |error| error.code.to_string()));
    };
    let reasoner = match Reasoner::new(&rules, &limits) {
        Ok(reasoner) => reasoner,
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    match ground(&rules, reasoner.roles(), reasoner.vocabulary(), &limits) {
        Err(error) => Verdict::Stopped(error.to_string()),
        Ok(program) => {
            let network = Network::of(&program);
            Verdict::Ground(Sizes {
                atoms: program.atoms_count as u64,
                rules: program.rules_count() as u64,
                gates: network.gates.gates_count() as u64,
                cycles: network.gates.cycles().len() as u64,
            })
        }
    }
}

fn play_text(text: &str) -> Verdict {
    let game = match Game::compile(text, &Options::PLAY) {
        Ok(compiled) => compiled.game,
        Err(CompileError::Rules(found)) => {
            let error = found.iter().find(|one| one.severity == Severity::Error);
            return Verdict::Refused(error.map_or_else(String::new, |error| error.code.to_string()));
        }
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    match game.status(game.initial_state(), &mut game.scratch()) {
        Ok(_) => Verdict::Played(if game.network().is_some() { "propnet" } else { "datalog" }.to_owned()),
        Err(error) => Verdict::Stopped(error.to_string()),
    }
}

/// Answers a question about a file in a process of its own, which `binary` is: `ground-report`.
///
/// # Panics
/// If the process ends without an answer: it was killed, or the engine panicked.
#[must_use]
pub fn measure(binary: impl AsRef<OsStr>, question: Question, path: &Path) -> Measured {
    let run = Command::new(binary).arg(question.argument()).arg(path).output();
    let run = run.expect("a binary that can be run");
    let (said, error) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{}: {} {error}", path.display(), run.status);
    let line: Value = serde_json::from_str(&said).expect("a line of JSON");
    let text = |key: &str| line[key].as_str().map(ToOwned::to_owned);
    let size = |place: usize| line["ground"][place].as_u64().unwrap_or_default();
    let verdict = (text("refused").map(Verdict::Refused))
        .or_else(|| text("stopped").map(Verdict::Stopped))
        .or_else(|| text("played").map(Verdict::Played))
        .unwrap_or_else(|| {
            Verdict::Ground(Sizes { atoms: size(0), rules: size(1), gates: size(2), cycles: size(3) })
        });
    Measured {
        verdict,
        seconds: line["seconds"].as_f64().expect("seconds"),
        peak_bytes: line["peak_bytes"].as_u64(),
    }
}

/// What this process has used of the processor, where Linux says so.
#[must_use]
pub fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The most memory that this process had at once, where Linux says so.
fn peak_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
