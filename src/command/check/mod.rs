//! `croupier check`: everything there is to say about a rule file.

mod real_time;

use std::io::Write;

use clap::{Args, ValueEnum};
use croupier_engine::{
    CompileError, Compiled, Diagnostic, Game, GameError, Limits, Options, Severity, Strictness,
    analysis::{Analysis, Budget, analyse_until},
    game::Backend,
    has_errors,
    stages::syntax::{Syntax, read},
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use serde_json::{Value, json};

use crate::{
    answer::Answer, failure::Failure, interrupt::Interrupt, lines::Lines, render, sarif, schema::Schema,
    source::Source,
};

/// Every check plays the same lines: what was found once is found again.
const SEED: u64 = 0;

/// Check rules: errors and warnings with their places
#[derive(Args)]
#[command(after_help = "\
Exit status: 0 if the rules can be played, 1 if they have errors or no playout has a result, 2 if there is nothing to read.
`croupier explain CODE` says what a code means, with an example and a cure.

Examples:
  croupier check my-game.gdl
  croupier check my-game.gdl --strict          only what the specification of GDL-II allows
  croupier check my-game.gdl --playouts 0      the text alone, without playing
  croupier check my-game.gdl --format sarif    for editors and code hosts")]
pub(crate) struct Arguments {
    /// The path of a rule file, or a name from `croupier games`
    #[arg(value_name = "FILE")]
    game: String,
    /// Refuse every departure from the specification
    #[arg(long)]
    strict: bool,
    /// Random playouts in which to look for what a game should not do
    #[arg(long, value_name = "N", default_value_t = Budget::QUICK.playouts)]
    playouts: usize,
    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Print JSON, as --format json does
    #[arg(long)]
    json: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The lines with what is wrong below them
    Text,
    /// One object with all findings
    Json,
    /// SARIF 2.1.0
    Sarif,
}

/// What there is to say about a rule file.
struct Verdict {
    found: Vec<Diagnostic>,
    /// Why a match cannot begin, where no diagnostic says so.
    failure: Option<String>,
    analysis: Option<Analysis>,
    /// Whether a signal came before all playouts were done.
    is_interrupted: bool,
}

impl Verdict {
    /// These findings, and nothing else yet.
    fn of(found: Vec<Diagnostic>) -> Self {
        Self { found, failure: None, analysis: None, is_interrupted: false }
    }
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    let strictness = if arguments.strict { Strictness::Strict } else { Strictness::Compatible };
    let verdict = judge(&source, strictness, arguments.playouts, interrupt);
    let comes_to_results = verdict.analysis.as_ref().is_none_or(|analysis| !has_no_result(analysis));
    let is_playable = verdict.failure.is_none() && comes_to_results && !has_errors(&verdict.found);
    let format = if arguments.json { Format::Json } else { arguments.format };
    match format {
        Format::Json => Schema::Check.write(out, as_json(&source, &verdict, is_playable))?,
        Format::Sarif => {
            let log = sarif::log(&verdict.found, &source.rules, &source.origin, arguments.strict);
            writeln!(out, "{log}")?;
        }
        Format::Text => write_text(&source, &verdict, is_playable, out)?,
    }
    if verdict.is_interrupted {
        return Ok(Answer::Interrupted);
    }
    Ok(if is_playable { Answer::Yes } else { Answer::No })
}

fn judge(source: &Source, strictness: Strictness, playouts: usize, interrupt: &Interrupt) -> Verdict {
    let text = &source.rules;
    // A few playouts are over sooner than the rules are grounded, and the budget counts rows.
    match Game::compile(text, &Options { strictness, backend: Backend::Datalog, ..Options::PLAY }) {
        Ok(Compiled { game, warnings }) => {
            let status = game.status(game.initial_state(), &mut game.scratch());
            let mut verdict = match status {
                Ok(_) => Verdict::of(source.with_encoding(warnings)),
                Err(error) => cannot_begin(source, warnings, &error),
            };
            // What cannot be evaluated once cannot be played.
            if playouts > 0 && !has_errors(&verdict.found) {
                interrupt.hold();
                let mut rng = ChaCha8Rng::seed_from_u64(SEED);
                let is_over = || interrupt.is_raised();
                let analysis = analyse_until(&game, text, &budget(playouts), &mut rng, &is_over);
                verdict.is_interrupted = analysis.is_cut_short && is_over();
                let description = read(text, Syntax::Auto, &Limits::STANDARD).description;
                verdict.found.extend(analysis.findings.iter().map(|found| found.to_diagnostic(&description)));
                verdict.analysis = Some(analysis);
            }
            verdict
        }
        Err(CompileError::RealTime | CompileError::TurnBased) => {
            real_time::judge(source, strictness, playouts, interrupt)
        }
        Err(CompileError::Rules(found)) => Verdict::of(source.with_encoding(found)),
        Err(CompileError::Evaluation(error)) => cannot_begin(source, Vec::new(), &error),
    }
}

/// The verdict on rules whose first state cannot be evaluated, or has nothing to play.
fn cannot_begin(source: &Source, mut found: Vec<Diagnostic>, error: &GameError) -> Verdict {
    found.extend(error.to_diagnostic());
    Verdict { failure: Some(error.to_string()), ..Verdict::of(source.with_encoding(found)) }
}

/// As much for each playout as the quick budget has.
fn budget(playouts: usize) -> Budget {
    let Budget { playouts: quick, turns, rows } = Budget::QUICK;
    let times = playouts.div_ceil(quick).max(1);
    Budget { playouts, turns: turns.saturating_mul(times), rows: rows.saturating_mul(times as u64) }
}

/// Whether no playout came to a result, so that no match will.
fn has_no_result(analysis: &Analysis) -> bool {
    analysis.playouts > 0 && analysis.failed >= analysis.playouts
}

/// What to say of playouts that stop where a match does; empty where there are none.
fn stops(verdict: &Verdict) -> String {
    match &verdict.analysis {
        Some(Analysis { playouts, failed, failure: Some(reason), .. }) => {
            format!("{failed} of {playouts} playouts stop without a result: {reason}; ")
        }
        _ => String::new(),
    }
}

fn write_text(
    source: &Source,
    verdict: &Verdict,
    is_playable: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write!(out, "{}", render::diagnostics(&verdict.found, &source.rules, &source.origin))?;
    let origin = croupier_games::printable(&source.origin);
    let (stops, count) = (stops(verdict), render::count(&verdict.found));
    match &verdict.failure {
        Some(failure) => writeln!(out, "{origin}: cannot be played; a match cannot begin: {failure}")?,
        None if is_playable => writeln!(out, "{origin}: can be played; {stops}{count}")?,
        None => writeln!(out, "{origin}: cannot be played; {stops}{count}")?,
    }
    if let Some(analysis) = verdict.analysis.as_ref().filter(|_| verdict.is_interrupted) {
        writeln!(out, "interrupted: {} playouts were looked at", analysis.playouts)?;
    }
    if let Some(code) = verdict.found.first().map(|found| found.code) {
        writeln!(out, "`croupier explain {code}` says more")?;
    }
    Ok(())
}

fn as_json(source: &Source, verdict: &Verdict, is_playable: bool) -> Value {
    let found = &verdict.found;
    let of = |weight| found.iter().filter(|diagnostic| diagnostic.severity == weight).count();
    let lines = Lines::of(&source.rules);
    let diagnostics: Vec<Value> = found.iter().map(|diagnostic| of_diagnostic(diagnostic, &lines)).collect();
    json!({
        "file": source.origin,
        "playable": is_playable,
        "errors": of(Severity::Error),
        "warnings": of(Severity::Warning),
        "notes": of(Severity::Note),
        "failure": verdict.failure,
        "interrupted": verdict.is_interrupted,
        "diagnostics": diagnostics,
        "analysis": verdict.analysis.as_ref().map(of_analysis),
    })
}

fn of_analysis(analysis: &Analysis) -> Value {
    let findings: Vec<Value> = analysis
        .findings
        .iter()
        .map(|found| {
            json!({
                "code": found.code,
                "severity": word(found.severity),
                "role": found.role,
                "message": found.message,
                "witnesses": found.witnesses,
            })
        })
        .collect();
    json!({
        "playouts": analysis.playouts,
        "failed": analysis.failed,
        "first_failure": analysis.failure,
        "turns": analysis.turns,
        "cut_short": analysis.is_cut_short,
        "findings": findings,
    })
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn place(span: croupier_engine::Span, lines: &Lines<'_>) -> Value {
    let (line, column) = lines.start(span);
    json!({ "start": span.start, "end": span.end, "line": line, "column": column })
}

fn of_diagnostic(diagnostic: &Diagnostic, lines: &Lines<'_>) -> Value {
    let note = |(span, note): &(croupier_engine::Span, String)| json!({ "place": place(*span, lines), "message": note });
    json!({
        "code": diagnostic.code,
        "severity": word(diagnostic.severity),
        "message": diagnostic.message,
        "place": place(diagnostic.span, lines),
        "notes": diagnostic.notes.iter().map(note).collect::<Vec<_>>(),
        "help": diagnostic.help,
    })
}
