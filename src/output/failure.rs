//! Why a command ends without an answer: a code, a place, and advice.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use annotate_snippets::{Group, Level, Origin, Renderer};
use clap::error::ErrorKind;
use croupier_games::printable;
use serde::Serialize;

use crate::output::schema::{Output, output};

/// Exit status for bad usage or input.
const BAD_INPUT: u8 = 2;

/// Exit status of a command that was interrupted: what shells give for SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command ends without an answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Its output cannot be written.
    Output(io::Error),
    /// It was asked for something that cannot be done.
    Refused(Box<Refusal>),
    /// A signal ended it.
    Interrupted,
}

/// What was refused, for people.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: &'static str,
    message: String,
    place: Option<String>,
    help: Option<String>,
    /// Diagnostics to be shown before it, already rendered.
    diagnostics: String,
}

/// What any command prints to standard error if it fails.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ErrorReport<'f> {
    /// Stable: what `error[...]` shows.
    #[cfg_attr(test, schemars(extend("pattern" = "^[a-z][a-z-]*$")))]
    code: &'static str,
    message: &'f str,
    /// The file, the file and line, or the argument.
    place: Option<&'f str>,
    /// What to do.
    help: Option<&'f str>,
    /// Findings about rules as text; empty if there are none.
    diagnostics: String,
}
output!(Error: ErrorReport<'_>);

impl Failure {
    /// A refusal with its stable code and one line that says what is wrong.
    pub(crate) fn refuse(code: &'static str, message: impl Into<String>) -> Self {
        let message = printable(&message.into());
        Self::Refused(Box::new(Refusal {
            code,
            message,
            place: None,
            help: None,
            diagnostics: String::new(),
        }))
    }

    /// A file that cannot be opened, read or written.
    pub(crate) fn file(code: &'static str, path: &Path, error: &io::Error) -> Self {
        let place = path.display().to_string();
        Self::refuse(code, without_number(error)).at(&place)
    }

    /// The same, at a place: a file, or a file and a line.
    pub(crate) fn at(mut self, place: &str) -> Self {
        if let Self::Refused(refusal) = &mut self {
            refusal.place = Some(printable(place));
        }
        self
    }

    /// The same, at an argument.
    pub(crate) fn at_argument(self, option: &str, value: &str) -> Self {
        self.at(&format!("{option} {value}"))
    }

    /// The same with advice.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        if let Self::Refused(refusal) = &mut self {
            refusal.help = Some(printable(&help.into()));
        }
        self
    }

    /// The same after these rendered diagnostics.
    pub(crate) fn after(mut self, diagnostics: String) -> Self {
        if let Self::Refused(refusal) = &mut self {
            refusal.diagnostics = diagnostics;
        }
        self
    }

    /// Writes it to standard error: as JSON if that is what the command was to print.
    pub(crate) fn report_as(self, is_json: bool) -> ExitCode {
        match self {
            Self::Refused(refusal) if is_json => refusal.report_json(),
            other => other.report(),
        }
    }

    /// In one line, for somebody whose match goes on.
    pub(crate) fn in_a_line(&self) -> String {
        match self {
            Self::Output(error) => without_number(error),
            Self::Interrupted => "interrupted".to_owned(),
            Self::Refused(refusal) => match &refusal.help {
                Some(help) => format!("{}; {help}", refusal.message),
                None => refusal.message.clone(),
            },
        }
    }

    /// Writes it to standard error.
    pub(crate) fn report(self) -> ExitCode {
        let refusal = match self {
            Self::Refused(refusal) => refusal,
            Self::Interrupted => return ExitCode::from(INTERRUPTED),
            Self::Output(error) => {
                let message = format!("the output cannot be written: {}", without_number(&error));
                let failure = Self::refuse("output", message);
                return failure.report();
            }
        };
        let mut report = vec![title(&refusal)];
        if let Some(help) = &refusal.help {
            report.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
        }
        let rendered = Renderer::styled().render(&report);
        let mut err = anstream::stderr().lock();
        // Nobody is left to be told if standard error is closed too.
        let _ = writeln!(err, "{}{rendered}", refusal.diagnostics);
        ExitCode::from(BAD_INPUT)
    }
}

impl Refusal {
    /// Writes it to standard error as one object in one line.
    fn report_json(&self) -> ExitCode {
        let error = ErrorReport {
            code: self.code,
            message: &self.message,
            place: self.place.as_deref(),
            help: self.help.as_deref(),
            diagnostics: anstream::adapter::strip_str(&self.diagnostics).to_string(),
        };
        error.report()
    }
}

impl ErrorReport<'_> {
    fn report(&self) -> ExitCode {
        // Nobody is left to be told if standard error is closed.
        let _ = self.write_json(&mut anstream::stderr().lock());
        ExitCode::from(BAD_INPUT)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

fn title(refusal: &Refusal) -> Group<'_> {
    let title = Level::ERROR.primary_title(refusal.message.as_str()).id(refusal.code);
    match &refusal.place {
        Some(place) => title.element(Origin::path(place.as_str())),
        None => Group::with_title(title),
    }
}

/// `No such file or directory`, without `(os error 2)`.
fn without_number(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// Prints help or the version if that was asked for, else what is wrong with the arguments: as JSON if that is what the
/// command was to print.
pub(crate) fn report_usage(error: &clap::Error, is_json: bool) -> ExitCode {
    let rendered = error.render();
    if error.use_stderr() && is_json {
        let text = rendered.to_string();
        let (message, help) = text.split_once("\n\n").unwrap_or((&text, ""));
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let (message, help) = (&printable_lines(message), Some(&*printable_lines(help.trim())));
        let (code, diagnostics) = (usage_code(error.kind()), String::new());
        return ErrorReport { code, message, place: None, help, diagnostics }.report();
    }
    let result = if error.use_stderr() {
        let coded = format!("error[{}]:", usage_code(error.kind()));
        let text = rendered.to_string().replacen("error:", &coded, 1);
        // Arguments are repeated in it, with whatever they contain.
        writeln!(anstream::stderr().lock(), "{}", printable_lines(&text))
    } else {
        let mut out = anstream::stdout().lock();
        write!(out, "{}", rendered.ansi()).and_then(|()| out.flush())
    };
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Failure::Output(error).report(),
        _ if error.use_stderr() => ExitCode::from(BAD_INPUT),
        _ => ExitCode::SUCCESS,
    }
}

fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<String>>().join("\n")
}

fn usage_code(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::InvalidUtf8 => "bad-value",
        ErrorKind::UnknownArgument => "unknown-argument",
        ErrorKind::InvalidSubcommand => "unknown-command",
        ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand => "missing-argument",
        ErrorKind::ArgumentConflict => "conflicting-arguments",
        _ => "bad-usage",
    }
}
