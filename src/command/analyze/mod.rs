//! `croupier analyze`: what follows from the rules of a game, proved, refuted with a witness, or open.

mod report;
mod sarif;
mod text;
mod witness;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use croupier_engine::Options;
use croupier_proofs::{Examination, GraphLimits, RuleQuestion, RuleVerdict, examine};

use self::{report::AnalyzeReport, text::Page, witness::Witnesses};
use crate::{
    arguments::{count::count, report_format::ReportFormat, source::Source, threads::spinner},
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
  goals, monotonic, constant-sum, alternating                             of goals and turns
  knows-moves, knows-choice, knows-end, knows-goal, latest-percepts       what each player knows of its own affairs
  always-knows, never-learns, signals                                     what each learns of the secrets of others, and can tell them
  matters, undominated, symmetric, used                                   of what is superfluous, and who can be exchanged
  deals, length, branching, size                                          how large the game is
Exit status: 0; with --question 1 if an answer is refuted or open; 2 if there is nothing to read.

Examples:
  croupier analyze kuhn
  croupier analyze my-game.gdl --seconds 10
  croupier analyze nim --question strongly-winnable
  croupier analyze monty-hall --question never-learns --witnesses found    records for `croupier replay`
  croupier analyze leduc --format sarif                                    for editors and code hosts")]
pub(crate) struct Arguments {
    /// The path of a rule file or of a folder with one, or a name from `croupier games`
    #[arg(value_name = "FILE|FOLDER|GAME")]
    game: String,
    /// Answer this question alone, and show the moves of what is found; may be repeated
    #[arg(long = "question", value_name = "NAME", value_parser = question_names(), hide_possible_values = true)]
    questions: Vec<RuleQuestion>,
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

/// The names of questions, each with what is proved, so that shells complete them.
fn question_names() -> impl TypedValueParser<Value = RuleQuestion> {
    let names =
        RuleQuestion::ALL.map(|question| PossibleValue::new(question.name()).help(question.meaning()));
    let known = |name: String| RuleQuestion::find(&name).ok_or("there is no such question");
    PossibleValuesParser::new(names).try_map(known)
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    if source.is_real_time() {
        return Err(Failure::refuse(
            "no-turns",
            "the questions are about turns, and nobody takes turns in this game",
        )
        .at(&source.origin)
        .help("`croupier check` plays real-time games at random and says what it finds"));
    }
    let game = source.compile(&Options::PLAY)?;
    interrupt.hold();
    let bar = spinner("looking at states");
    let (begun, all) = (clock::now(), Duration::from_secs(arguments.seconds));
    let has_passed = |share: f64| interrupt.is_raised() || begun.elapsed() >= all.mul_f64(share);
    let wanted = if arguments.questions.is_empty() { &RuleQuestion::ALL[..] } else { &arguments.questions };
    let found = examine(&game, wanted, &GraphLimits::STANDARD, &has_passed);
    bar.finish_and_clear();
    let Some(found) = found else {
        return Err(Failure::refuse("no-network", "the rules are too large to be looked at state by state")
            .at(&source.origin)
            .help("`croupier show GAME --engine` says why; `croupier check` plays at random"));
    };
    // A seed is looked for only where somebody wants the record.
    let format = if arguments.json { ReportFormat::Json } else { arguments.format };
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
        (ReportFormat::Sarif, _) => writeln!(out, "{}", sarif::answers_log(&source, &game, &found))?,
        _ => {
            let has_lines = !arguments.questions.is_empty();
            Page { source: &source, game: &game, found: &found, has_lines, written: &written }.write(out)?;
        }
    }
    if interrupt.is_raised() {
        return Ok(Answer::Interrupted);
    }
    let is_asked = !arguments.questions.is_empty();
    Ok(if is_asked && !all_proved(&found) { Answer::No } else { Answer::Yes })
}

fn all_proved(found: &Examination) -> bool {
    found.answers.iter().all(|answer| answer.verdict == RuleVerdict::Proved)
}
