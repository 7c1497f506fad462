//! `croupier check`: everything there is to say about a rule file.

use std::io::Write;

use clap::Args;
use croupier_engine::{
    CompileError, Compiled, Diagnostic, Game, Options, Severity, Strictness, diagnostic::has_errors,
};
use serde_json::{Value, json};

use crate::{Answer, failure::Failure, render, source::Source};

/// Check rules: errors and warnings with their places
#[derive(Args)]
#[command(after_help = "\
Exit status: 0 if the rules can be played, 1 if they have errors, 2 if there is nothing to read.

Examples:
  croupier check my-game.gdl
  croupier check my-game.gdl --strict      only what the specification of GDL-II allows
  croupier check my-game.gdl --json")]
pub(crate) struct Arguments {
    /// The path of a rule file, or a name from `croupier games`
    #[arg(value_name = "FILE")]
    game: String,
    /// Refuse every departure from the specification
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    let strictness = if arguments.strict { Strictness::Strict } else { Strictness::Compatible };
    let (found, failure) = match Game::compile(&source.rules, &Options { strictness, ..Options::PLAY }) {
        Ok(Compiled { game, warnings }) => {
            let status = game.status(game.initial_state(), &mut game.scratch());
            (warnings, status.err().map(|error| error.to_string()))
        }
        Err(CompileError::Rules(found)) => (found, None),
        Err(CompileError::Evaluation(error)) => (Vec::new(), Some(error.to_string())),
    };
    let is_playable = failure.is_none() && !has_errors(&found);
    if arguments.json {
        writeln!(out, "{}", as_json(&source, &found, failure.as_deref(), is_playable))?;
    } else {
        write!(out, "{}", render::diagnostics(&found, &source.rules, &source.origin))?;
        let origin = croupier_games::printable(&source.origin);
        match failure {
            Some(failure) => writeln!(out, "{origin}: cannot be played; a match cannot begin: {failure}")?,
            None if is_playable => writeln!(out, "{origin}: can be played; {}", render::count(&found))?,
            None => writeln!(out, "{origin}: cannot be played; {}", render::count(&found))?,
        }
    }
    Ok(if is_playable { Answer::Yes } else { Answer::No })
}

fn as_json(source: &Source, found: &[Diagnostic], failure: Option<&str>, is_playable: bool) -> Value {
    let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let lines = Lines::of(&source.rules);
    let diagnostics: Vec<Value> = found.iter().map(|diagnostic| lines.as_json(diagnostic)).collect();
    json!({
        "file": source.origin,
        "playable": is_playable,
        "errors": errors,
        "warnings": found.len() - errors,
        "failure": failure,
        "diagnostics": diagnostics,
    })
}

/// Where the lines of a text start, so that a thousand places are found in one pass.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let starts = [0].into_iter().chain(text.match_indices('\n').map(|(newline, _)| newline + 1));
        Self { text, starts: starts.collect() }
    }

    fn line_column(&self, position: usize) -> (usize, usize) {
        let position = self.text.floor_char_boundary(position.min(self.text.len()));
        let line = self.starts.partition_point(|&start| start <= position);
        let start = self.starts[line - 1];
        (line, self.text[start..position].chars().count() + 1)
    }

    fn place(&self, span: croupier_engine::Span) -> Value {
        let (line, column) = self.line_column(span.start as usize);
        json!({ "start": span.start, "end": span.end, "line": line, "column": column })
    }

    fn as_json(&self, diagnostic: &Diagnostic) -> Value {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let notes: Vec<Value> = diagnostic
            .notes
            .iter()
            .map(|(span, note)| json!({ "place": self.place(*span), "message": note }))
            .collect();
        json!({
            "code": diagnostic.code,
            "severity": severity,
            "message": diagnostic.message,
            "place": self.place(diagnostic.span),
            "notes": notes,
            "help": diagnostic.help,
        })
    }
}
