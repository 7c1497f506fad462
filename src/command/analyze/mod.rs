//! `croupier analyze`: what follows from the rules of a game, proved, refuted with a witness, or open.

mod real_time;
mod report;
mod sarif;
mod text;
mod witness;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser},
};
use croupier_engine::Options;
use croupier_proofs::{Examination, GraphLimits, RuleQuestion, RuleVerdict, TimedQuestion, examine};

use self::{report::AnalyzeReport, text::Page, witness::Witnesses};
use crate::{
    arguments::{count::count, report_format::ReportFormat, source::Source, threads::spinner},
    output::{answer::Answer, failure::Failure, schema::Output as _},
    sessions::interrupt::Interrupt,
};

/// Prove or refute what should hold of a game
///
/// Whether every match ends, everybody can always move, each player can win, and knows what it needs to know: the definitions of the
/// specification and questions of hidden information. An answer is proved, refuted with matches that show it, or open.
#[derive(Args)]
#[command(after_help = "\
Questions:
  terminates, playable, weakly-winnable, strongly-winnable, well-formed   the specification of 2006, definitions 21 to 24
  goals, monotonic, constant-sum, alternating                             of goals and turns
  knows-moves, knows-choice, knows-end, knows-goal, latest-percepts       what each player knows of its own affairs
  always-knows, never-learns, signals                                     what each learns of the secrets of others, and can tell them
  matters, undominated, symmetric, used                                   of what is superfluous, and who can be exchanged
  deals, length, branching, size                                          how large the game is
Questions about a real-time game:
  terminates, playable, weakly-winnable, well-formed, goals, constant-sum, used   the same
  non-zeno, expires-apart        whether infinitely much can happen in finite time, and what can expire together with a move
Exit status: 0; with --question 1 if an answer is refuted or open; 2 if there is nothing to read.

Examples:
  croupier analyze kuhn
  croupier analyze my-game.gdl --seconds 10
  croupier analyze nim --question strongly-winnable
  croupier analyze monty-hall --question never-learns --witnesses found    records for `croupier replay`
  croupier analyze leduc --format sarif                                    for editors and code hosts
  croupier analyze pong --question terminates")]
pub(crate) struct Arguments {
    /// The path of a rule file or of a folder with one, or a name from `croupier games`
    #[arg(value_name = "FILE|FOLDER|GAME")]
    game: String,
    /// Answer this question alone, and show the moves of what is found; may be repeated
    #[arg(long = "question", value_name = "NAME", value_parser = question_names(), hide_possible_values = true)]
    questions: Vec<String>,
    /// Seconds after which what is not settled stays open
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = count::<u64>(1..=86_400))]
    seconds: u64,
    /// Write what shows each answer into this folder, as records that `croupier replay` shows and verifies
    #[arg(long, value_name = "FOLDER")]
    witnesses: Option<PathBuf>,
    /// How answers are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, conflicts_with = "json")]
    format: ReportFormat,
    /// Print JSON, as --format json does
    #[arg(long)]
    json: bool,
}

/// The names of questions about games of either kind, each with what is proved, so that shells complete them.
fn question_names() -> PossibleValuesParser {
    let of_turns = RuleQuestion::ALL.iter().map(|question| (question.name(), question.meaning()));
    let timed = TimedQuestion::ALL.iter().map(|question| (question.name(), question.meaning()));
    let timed = timed.filter(|(name, _)| RuleQuestion::find(name).is_none());
    let names = of_turns.chain(timed).map(|(name, meaning)| PossibleValue::new(name).help(meaning));
    PossibleValuesParser::new(names.collect::<Vec<_>>())
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
    let has_passed = interrupt.budget(Duration::from_secs(arguments.seconds));
    let wanted = if asked.is_empty() { &RuleQuestion::ALL[..] } else { &asked };
    let found = examine(&game, wanted, &GraphLimits::STANDARD, &has_passed);
    bar.finish_and_clear();
    let Some(found) = found else {
        return Err(Failure::refuse("no-network", "the rules are too large to be looked at state by state")
            .at(&source.origin)
            .help("`croupier show GAME --engine` says why; `croupier check` plays at random"));
    };
    // A seed is looked for only where somebody wants the record.
    let format = arguments.format.or_json(arguments.json);
    let is_wanted = format == ReportFormat::Json || arguments.witnesses.is_some();
    let witnesses = is_wanted.then(|| Witnesses::of(&source, &game, &found)).transpose()?;
    let written = match (&arguments.witnesses, &witnesses) {
        (Some(folder), Some(witnesses)) => witnesses.write(folder)?,
        _ => Vec::new(),
    };
    match (format, &witnesses) {
        (ReportFormat::Json, Some(witnesses)) => {
            AnalyzeReport::of(&source, &game, &found, witnesses).write_json(out)?;
        }
        (ReportFormat::Sarif, _) => writeln!(out, "{}", sarif::turns_log(&source, &game, &found))?,
        _ => {
            let has_lines = !asked.is_empty();
            Page { source: &source, game: &game, found: &found, has_lines, written: &written }.write(out)?;
        }
    }
    if interrupt.is_raised() {
        return Ok(Answer::Interrupted);
    }
    Ok(if !asked.is_empty() && !all_proved(&found) { Answer::No } else { Answer::Yes })
}

fn all_proved(found: &Examination) -> bool {
    found.answers.iter().all(|answer| answer.verdict == RuleVerdict::Proved)
}
