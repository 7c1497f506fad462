//! How long the lifted reasoner takes for a state: a table in Markdown, with a line for each file of rules.
//! Seconds are those of the processor where the system tells them, so that other work on the machine does not count.
//!
//! `cargo run --release -p croupier-tests --bin lifted-report -- [--seconds S] FILE|FOLDER...`
#![forbid(unsafe_code)]

use std::{
    env, fs,
    io::{self, Write},
    path::Path,
    process::ExitCode,
    time::Instant,
};

use croupier_engine::{
    CompileError, Game, GameError, Options, Severity, State, game::Backend, stages::syntax,
};
use croupier_tests::{
    corpus::{name_of, rule_files},
    grounding::processor_time,
};
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
    match run(&arguments, seconds, &mut io::stdout().lock()) {
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

fn run(arguments: &[String], seconds: f64, out: &mut dyn Write) -> io::Result<()> {
    if !arguments.is_empty() {
        writeln!(
            out,
            "| game | check | build s | states | ms a state | rows a state | playouts that fail |"
        )?;
        writeln!(out, "|---|---|--:|--:|--:|--:|---|")?;
    }
    for argument in arguments {
        for file in rule_files(Path::new(argument))? {
            let text = syntax::decode(&fs::read(&file)?).text.into_owned();
            writeln!(out, "| {} | {} |", name_of(&file), row(&text, seconds))?;
            out.flush()?;
        }
    }
    Ok(())
}

/// What has passed for this process.
#[expect(clippy::disallowed_methods, reason = "the figure is about time")]
fn now(begun: Instant) -> f64 {
    processor_time().unwrap_or_else(|| Instant::now() - begun).as_secs_f64()
}

#[expect(clippy::disallowed_methods, reason = "the figure is about time")]
fn row(text: &str, seconds: f64) -> String {
    let clock = Instant::now();
    let begun = now(clock);
    let compiled = Game::compile(text, &Options { backend: Backend::Datalog, ..Options::PLAY });
    let build = now(clock) - begun;
    let (game, warnings) = match compiled {
        Ok(compiled) => (compiled.game, compiled.warnings.len()),
        Err(CompileError::Rules(found)) => {
            let error = found.iter().find(|found| found.severity == Severity::Error);
            return format!("refused: {} | {build:.2} | | | |", error.map_or("", |error| error.code));
        }
        Err(error) => return format!("{error} | {build:.2} | | | |"),
    };
    let mut played = Played::default();
    let begun = now(clock);
    while now(clock) < begun + seconds {
        played.playout(&game, || now(clock) >= begun + seconds);
    }
    let seconds = now(clock) - begun;
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
    fn playout(&mut self, game: &Game, is_over: impl Fn() -> bool) {
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
            // Asking for the time takes as long as a small state.
            if self.states.is_multiple_of(16) && is_over() {
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
