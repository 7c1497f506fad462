//! `croupier analyze`: what follows from the rules of a game, proved, refuted with a witness, or open.

mod real_time;
mod report;
mod text;
mod witness;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::Args;
use croupier_engine::Options;
use croupier_proofs::{Examination, GraphLimits, RuleQuestion, RuleVerdict, TimedQuestion, examine};

use self::{report::AnalyzeReport, text::Page, witness::Witnesses};
use crate::{
    arguments::{count::count, source::Source, threads::spinner},
    output::{answer::Answer, failure::Failure, schema::Output as _},
    sessions::{clock, interrupt::Interrupt},
};

/// Prove or refute what should hold of a game
///
/// Whether every match ends, everybody can always move, each player can win, and knows what it needs to know: the definitions of the
/// specification and questions of hidden information. An answer is proved, refuted with matches that show it, or open.
#[derive(Args)]
#[command(after_help = "\
Questions:
  terminates, playable, weakly-winnable, strongly-winnable, well-formed   the specification of 2006, definitions 21 to 24
  goals, monotonic, constant-sum, alternating, used                       of goals, turns, moves and fluents
  knows-moves, knows-choice, knows-end, knows-goal, latest-percepts       what each player knows of its own affairs
  always-knows, never-learns                                              what each player learns of the secrets of others
Questions about a real-time game:
  terminates, playable, weakly-winnable, well-formed, goals, constant-sum, used   the same
  non-zeno, expires-apart        whether infinitely much can happen in finite time, and what can expire together with a move
Exit status: 0; with --question 1 if an answer is refuted or open; 2 if there is nothing to read.

Examples:
  croupier analyze kuhn
  croupier analyze my-game.gdl --seconds 10
  croupier analyze nim --question strongly-winnable
  croupier analyze monty-hall --question never-learns --witnesses found    records for `croupier replay`
  croupier analyze pong --question terminates
  croupier analyze leduc --json")]
pub(crate) struct Arguments {
    /// The path of a rule file or of a folder with one, or a name from `croupier games`
    #[arg(value_name = "FILE|FOLDER|GAME")]
    game: String,
    /// Answer this question alone, and show the moves of what is found; may be repeated
    #[arg(long = "question", value_name = "NAME", value_parser = question)]
    questions: Vec<String>,
    /// Seconds after which what is not settled stays open
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = count::<u64>(1..=86_400))]
    seconds: u64,
    /// Write what shows each answer into this folder, as records that `croupier replay` shows and verifies
    #[arg(long, value_name = "FOLDER")]
    witnesses: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The name of a question about games of either kind.
fn question(name: &str) -> Result<String, String> {
    if RuleQuestion::find(name).is_some() || TimedQuestion::find(name).is_some() {
        return Ok(name.to_owned());
    }
    let mut names: Vec<&str> = RuleQuestion::ALL.iter().map(|question| question.name()).collect();
    let timed = TimedQuestion::ALL.iter().map(|question| question.name());
    names.extend(timed.filter(|name| RuleQuestion::find(name).is_none()));
    Err(format!("there is no such question; there are {}", names.join(", ")))
}

/// The questions that are asked about a game in turns.
fn asked(source: &Source, names: &[String]) -> Result<Vec<RuleQuestion>, Failure> {
    let find = |name: &String| {
        RuleQuestion::find(name).ok_or_else(|| {
            Failure::refuse("no-real-time", format!("`{name}` is about real time, and this game is in turns"))
                .at(&source.origin)
        })
    };
    names.iter().map(find).collect()
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    if source.is_real_time() {
        return real_time::run(&source, arguments, interrupt, out);
    }
    let asked = asked(&source, &arguments.questions)?;
    let game = source.compile(&Options::PLAY)?;
    interrupt.hold();
    let bar = spinner("looking at states");
    let (begun, all) = (clock::now(), Duration::from_secs(arguments.seconds));
    let has_passed = |share: f64| interrupt.is_raised() || begun.elapsed() >= all.mul_f64(share);
    let found = examine(&game, &GraphLimits::STANDARD, &has_passed);
    bar.finish_and_clear();
    let Some(mut found) = found else {
        return Err(Failure::refuse("no-network", "the rules are too large to be looked at state by state")
            .at(&source.origin)
            .help("`croupier show GAME --engine` says why; `croupier check` plays at random"));
    };
    if !asked.is_empty() {
        found.answers.retain(|answer| asked.contains(&answer.question));
    }
    // A seed is looked for only where somebody wants the record.
    let is_wanted = arguments.json || arguments.witnesses.is_some();
    let witnesses = is_wanted.then(|| Witnesses::of(&source, &game, &found)).transpose()?;
    let written = match (&arguments.witnesses, &witnesses) {
        (Some(folder), Some(witnesses)) => witnesses.write(folder)?,
        _ => Vec::new(),
    };
    if let Some(witnesses) = witnesses.filter(|_| arguments.json) {
        AnalyzeReport::of(&source, &game, &found, &witnesses).write_json(out)?;
    } else {
        let has_lines = !asked.is_empty();
        Page { source: &source, game: &game, found: &found, has_lines, written: &written }.write(out)?;
    }
    if interrupt.is_raised() {
        return Ok(Answer::Interrupted);
    }
    Ok(if !asked.is_empty() && !all_proved(&found) { Answer::No } else { Answer::Yes })
}

fn all_proved(found: &Examination) -> bool {
    found.answers.iter().all(|answer| answer.verdict == RuleVerdict::Proved)
}
