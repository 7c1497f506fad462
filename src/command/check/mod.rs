//! `croupier check`: everything there is to say about a rule file, and about the `game.toml` beside it.

mod json;
mod proofs;
mod real_time;
mod sarif;
mod text;

use std::{io::Write, sync::Arc};

use clap::Args;
use croupier_engine::{
    CompileError, Diagnostic, Game, GameError, Limits, Options, Strictness,
    analysis::{Analysis, Budget, analyse_until},
    game::Backend,
    has_errors,
    stages::check::{check_text, obstacle},
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use self::{proofs::Proofs, sarif::CheckedFile};
use crate::{
    arguments::{count::count, report_format::ReportFormat, source::Source},
    output::{answer::Answer, failure::Failure, schema::Output},
    sessions::interrupt::Interrupt,
};

/// Every check plays the same lines: what was found once is found again.
const SEED: u64 = 0;

/// Check rules and game.toml: errors and warnings with their places
///
/// The game.toml beside the rules is checked with them: whether it can be read, and whether its patterns fit something. After random
/// playouts a second is spent on proofs of what holds in every match; `croupier analyze` takes longer and shows them.
/// What follows from errors is hidden until they are fixed.
#[derive(Args)]
#[command(after_help = "\
Exit status: 0 if the game can be played, 1 if a file has errors or playouts have no result, 2 if there is nothing to read.
`croupier explain CODE` says what a code means, with an example and a cure.

Examples:
  croupier check my-game                       the rules and the game.toml of a folder
  croupier check .
  croupier check my-game.gdl --all             also what follows from errors
  croupier check my-game.gdl --strict          only what the specification of GDL-II allows
  croupier check my-game.gdl --playouts 0      the text alone, without playing
  croupier check my-game.gdl --format sarif    for editors and code hosts")]
pub(crate) struct Arguments {
    /// The path of a rule file or of a folder with one, or a name from `croupier games`
    #[arg(value_name = "FILE|FOLDER")]
    game: String,
    /// Refuse every departure from the specification
    #[arg(long)]
    strict: bool,
    /// Random playouts in which to look for what a game should not do; 0 leaves out proofs as well
    #[arg(long, value_name = "N", default_value_t = Budget::QUICK.playouts, value_parser = count::<usize>(0..=1_000_000_000_000))]
    playouts: usize,
    /// Show every finding, those that follow from errors included
    #[arg(long)]
    all: bool,
    /// How findings are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, conflicts_with = "json")]
    format: ReportFormat,
    /// Print JSON, as --format json does
    #[arg(long)]
    json: bool,
}

/// What there is to say about a game.
struct Verdict {
    /// About the rules.
    found: Vec<Diagnostic>,
    /// About the `game.toml`.
    of_facts: Vec<Diagnostic>,
    /// Why a match cannot begin, where no diagnostic says so.
    failure: Option<String>,
    analysis: Option<Analysis>,
    /// What was settled of every match.
    proofs: Option<Proofs>,
    /// Whether a signal came before all playouts were done.
    is_interrupted: bool,
}

impl Verdict {
    /// These findings, and nothing else yet.
    fn of(found: Vec<Diagnostic>) -> Self {
        Self {
            found,
            of_facts: Vec::new(),
            failure: None,
            analysis: None,
            proofs: None,
            is_interrupted: false,
        }
    }

    /// Every finding, of both files.
    fn all(&self) -> impl Iterator<Item = &Diagnostic> + Clone {
        self.found.iter().chain(&self.of_facts)
    }
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find_to_check(&arguments.game)?;
    let strictness = if arguments.strict { Strictness::Strict } else { Strictness::Compatible };
    let mut verdict = judge(&source, strictness, arguments.playouts, interrupt);
    let facts = source.facts_file.as_ref();
    verdict.of_facts = facts.map(|file| file.findings(source.checked())).unwrap_or_default();
    let comes_to_results = verdict.analysis.as_ref().is_none_or(|analysis| !has_no_result(analysis));
    let is_sound = obstacle(&verdict.found).is_none() && !has_errors(&verdict.of_facts);
    let is_playable = verdict.failure.is_none() && comes_to_results && is_sound;
    match arguments.format.or_json(arguments.json) {
        ReportFormat::Json => json::CheckReport::of(&source, &verdict, is_playable).write_json(out)?,
        ReportFormat::Sarif => {
            let (text, path) = (&source.rules, &source.origin);
            let rules = CheckedFile { found: &verdict.found, text, path, language: "gdl" };
            let facts = facts.map(|file| CheckedFile {
                found: &verdict.of_facts,
                text: &file.text,
                path: &file.path,
                language: "toml",
            });
            let files: Vec<CheckedFile<'_>> = [rules].into_iter().chain(facts).collect();
            writeln!(out, "{}", sarif::log(&files, arguments.strict))?;
        }
        ReportFormat::Text => {
            let page = text::Page { source: &source, verdict: &verdict, is_playable, has_all: arguments.all };
            page.write(out)?;
        }
    }
    if verdict.is_interrupted {
        return Ok(Answer::Interrupted);
    }
    Ok(if is_playable { Answer::Yes } else { Answer::No })
}

fn judge(source: &Source, strictness: Strictness, playouts: usize, interrupt: &Interrupt) -> Verdict {
    let (rules, found) = match strictness {
        Strictness::Compatible => source.checked().clone(),
        Strictness::Strict => check_text(&source.rules, strictness, &Limits::STANDARD),
    };
    let Some(rules) = rules else { return Verdict::of(source.with_encoding(found)) };
    if rules.is_real_time() {
        return real_time::judge(source, rules, found, playouts, interrupt);
    }
    // A few playouts are over sooner than the rules are grounded, and the budget counts rows.
    let options = Options { strictness, backend: Backend::Datalog, ..Options::PLAY };
    let game = match Game::of_rules(Arc::clone(&rules), &options) {
        Ok(game) => game,
        Err(error) => return refused(source, error),
    };
    let mut verdict = match game.status(game.initial_state(), &mut game.scratch()) {
        Ok(_) => Verdict::of(source.with_encoding(found)),
        Err(error) => cannot_begin(source, found, &error),
    };
    // What cannot be evaluated once cannot be played.
    if playouts > 0 && !has_errors(&verdict.found) {
        interrupt.hold();
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let is_over = || interrupt.is_raised();
        let mut analysis = analyse_until(&game, &budget(playouts), &mut rng, &is_over);
        verdict.is_interrupted = analysis.is_cut_short && is_over();
        verdict.proofs = Proofs::of(source, &Options { strictness, ..Options::PLAY }, interrupt);
        // Of rules that no playout comes through there is nothing to say that the playouts do not.
        if let Some(proofs) = verdict.proofs.as_ref().filter(|_| !has_no_result(&analysis)) {
            proofs.replace(&mut analysis.findings);
        }
        let written = &rules.written().description;
        verdict.found.extend(analysis.findings.iter().map(|found| found.to_diagnostic(written)));
        verdict.analysis = Some(analysis);
    }
    verdict
}

/// The verdict on rules that passed the checks and give no game.
fn refused(source: &Source, error: CompileError) -> Verdict {
    match error {
        CompileError::Evaluation(error) => cannot_begin(source, Vec::new(), &error),
        CompileError::Rules(found) => Verdict::of(source.with_encoding(found)),
        CompileError::RealTime | CompileError::TurnBased => Verdict::of(source.with_encoding(Vec::new())),
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
