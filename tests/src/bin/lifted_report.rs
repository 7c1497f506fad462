//! How long the lifted reasoner takes for a state: a table in Markdown, with a line for each file of rules.
//!
//! `cargo run --release -p croupier-tests --bin lifted-report -- [--seconds S] FILE|FOLDER...`
#![forbid(unsafe_code)]

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use croupier_engine::{CompileError, Game, GameError, Options, Severity, State, game::Backend, syntax};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

const USAGE: &str =
    "usage: lifted-report [--seconds S] FILE|FOLDER...   each file of a folder is a game in GDL";

/// How long each game is played where nothing is said.
const SECONDS: f64 = 1.0;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let mut seconds = SECONDS;
    if arguments.first().is_some_and(|first| first == "--seconds") && arguments.len() > 1 {
        seconds = arguments[1].parse().unwrap_or(SECONDS);
        arguments.drain(..2);
    }
    match run(&arguments, Duration::from_secs_f64(seconds), &mut io::stdout().lock()) {
        Ok(()) if !arguments.is_empty() => ExitCode::SUCCESS,
        Ok(()) => {
            let _ = writeln!(io::stderr(), "{USAGE}");
            ExitCode::from(2)
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String], time: Duration, out: &mut dyn Write) -> io::Result<()> {
    if !arguments.is_empty() {
        writeln!(
            out,
            "| game | check | build s | states | ms a state | rows a state | playouts that fail |"
        )?;
        writeln!(out, "|---|---|--:|--:|--:|--:|---|")?;
    }
    for argument in arguments {
        for file in files(Path::new(argument))? {
            let text = syntax::decode(&fs::read(&file)?).text.into_owned();
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            writeln!(out, "| {name} | {} |", row(&text, time))?;
            out.flush()?;
        }
    }
    Ok(())
}

/// The rule files of a folder, in order, or the file itself.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?.path();
        let inside = entry.join("rules.gdl");
        files.push(if inside.is_file() { inside } else { entry });
    }
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}

#[expect(clippy::disallowed_methods, reason = "the figure is about time")]
fn row(text: &str, time: Duration) -> String {
    let begun = Instant::now();
    let compiled = Game::compile(text, &Options { backend: Backend::Datalog, ..Options::PLAY });
    let build = begun.elapsed().as_secs_f64();
    let (game, warnings) = match compiled {
        Ok(compiled) => (compiled.game, compiled.warnings.len()),
        Err(CompileError::Rules(found)) => {
            let error = found.iter().find(|found| found.severity == Severity::Error);
            return format!("refused: {} | {build:.2} | | | |", error.map_or("", |error| error.code));
        }
        Err(error) => return format!("{error} | {build:.2} | | | |"),
    };
    let mut played = Played::default();
    let begun = Instant::now();
    while begun.elapsed() < time {
        played.playout(&game, begun + time);
    }
    let seconds = begun.elapsed().as_secs_f64();
    let Played { states, rows, playouts, failures, .. } = played;
    let failures = match failures.first() {
        Some(first) => format!("{} of {playouts}, such as: {first}", failures.len()),
        None => String::new(),
    };
    let count = states.max(1) as f64;
    format!(
        "playable, {warnings} warnings | {build:.2} | {states} | {:.3} | {:.0} | {failures}",
        seconds * 1000.0 / count,
        rows as f64 / count
    )
}

/// Random playouts of one game, each with a generator of its own.
#[derive(Debug, Default)]
struct Played {
    states: u64,
    rows: u64,
    playouts: u64,
    failures: Vec<String>,
}

impl Played {
    /// A playout to its end, to an error, or until time is up.
    #[expect(clippy::disallowed_methods, reason = "the figure is about time")]
    fn playout(&mut self, game: &Game, end: Instant) {
        let mut rng = ChaCha8Rng::seed_from_u64(self.playouts);
        let mut scratch = game.scratch();
        let mut state = game.initial_state().clone();
        self.playouts += 1;
        for _ in 0..game.limits().turns {
            self.states += 1;
            match turn(game, &state, &mut rng, &mut scratch) {
                Ok(Some(next)) => state = next,
                Ok(None) => break,
                Err(error) => {
                    self.failures.push(error.to_string());
                    break;
                }
            }
            if Instant::now() >= end {
                break;
            }
        }
        self.rows += scratch.rows_looked_at();
    }
}

/// The state after random moves, or none where the match is over.
fn turn(
    game: &Game,
    state: &State,
    rng: &mut ChaCha8Rng,
    scratch: &mut croupier_engine::Scratch,
) -> Result<Option<State>, GameError> {
    match game.random_joint_move(state, rng, scratch)? {
        Some(joint_move) => Ok(Some(game.turn(state, &joint_move, scratch)?.successor)),
        None => game.status(state, scratch).map(|_| None),
    }
}
