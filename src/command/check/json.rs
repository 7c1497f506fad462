//! Findings about rules as data.

use croupier_engine::{
    Diagnostic, Severity,
    analysis::{Analysis, Finding},
};
use croupier_proofs::RuleAnswer;
use serde::Serialize;

use super::{Verdict, proofs::Proofs};
use crate::{
    arguments::source::Source,
    output::{
        lines::{Lines, Place},
        render::level,
        schema::output,
    },
};

/// Findings about rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CheckReport<'c> {
    /// The rules.
    file: &'c str,
    /// The game.toml beside them.
    facts_file: Option<&'c str>,
    playable: bool,
    errors: usize,
    warnings: usize,
    notes: usize,
    /// Why a match cannot begin.
    failure: Option<&'c str>,
    interrupted: bool,
    diagnostics: Vec<DiagnosticReport<'c>>,
    /// What random playouts showed.
    analysis: Option<AnalysisReport<'c>>,
    /// What was proved or refuted of every match in a second, or is open after it; null if it was not tried.
    proofs: Option<Vec<ProofReport<'c>>>,
}
output!(Check: CheckReport<'_>);

/// A finding in one of the files.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DiagnosticReport<'c> {
    file: &'c str,
    /// As `croupier explain` takes it.
    code: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::SEVERITIES)))]
    severity: &'static str,
    message: &'c str,
    place: Place,
    notes: Vec<NoteReport<'c>>,
    help: Option<&'c str>,
}

/// What is said of a place besides.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NoteReport<'c> {
    place: Place,
    message: &'c str,
}

/// An answer to a question of `croupier analyze`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProofReport<'c> {
    question: &'static str,
    role: Option<&'c str>,
    #[cfg_attr(test, schemars(extend("enum" = ["proved", "refuted", "open"])))]
    verdict: &'static str,
    text: &'c str,
}

/// What random playouts showed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AnalysisReport<'c> {
    playouts: usize,
    /// Playouts without a result.
    failed: usize,
    first_failure: Option<&'c str>,
    /// Playouts of a real-time game that were not seen to end, although nothing keeps a match from going on.
    unended: usize,
    turns: usize,
    cut_short: bool,
    findings: Vec<FindingReport<'c>>,
}

/// What happened in playouts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FindingReport<'c> {
    code: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::SEVERITIES)))]
    severity: &'static str,
    role: Option<&'c str>,
    message: &'c str,
    /// The moves that lead there.
    witnesses: &'c [Vec<String>],
}

impl<'c> CheckReport<'c> {
    pub(super) fn of(source: &'c Source, verdict: &'c Verdict, playable: bool) -> Self {
        let count = |weight| verdict.all().filter(|diagnostic| diagnostic.severity == weight).count();
        let mut diagnostics = DiagnosticReport::all(&verdict.found, &source.rules, &source.origin);
        if let Some(file) = &source.facts_file {
            diagnostics.extend(DiagnosticReport::all(&verdict.of_facts, &file.text, &file.path));
        }
        Self {
            file: &source.origin,
            facts_file: source.facts_file.as_ref().map(|file| &*file.path),
            playable,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            failure: verdict.failure.as_deref(),
            interrupted: verdict.is_interrupted,
            diagnostics,
            analysis: verdict.analysis.as_ref().map(AnalysisReport::of),
            proofs: verdict.proofs.as_ref().map(ProofReport::all),
        }
    }
}

impl<'c> ProofReport<'c> {
    fn all(proofs: &'c Proofs) -> Vec<Self> {
        let report = |answer: &'c RuleAnswer| Self {
            question: answer.question.name(),
            role: answer.role.map(|role| proofs.game.roles().name(role)),
            verdict: answer.verdict.name(),
            text: &answer.text,
        };
        proofs.named().map(report).collect()
    }
}

impl<'c> DiagnosticReport<'c> {
    /// All findings in a file.
    fn all(found: &'c [Diagnostic], text: &str, file: &'c str) -> Vec<Self> {
        let lines = Lines::of(text);
        let note = |(span, message): &'c (_, String)| NoteReport { place: lines.place(*span), message };
        let report = |found: &'c Diagnostic| Self {
            file,
            code: found.code,
            severity: level(found.severity),
            message: &found.message,
            place: lines.place(found.span),
            notes: found.notes.iter().map(note).collect(),
            help: found.help.as_deref(),
        };
        found.iter().map(report).collect()
    }
}

impl<'c> AnalysisReport<'c> {
    fn of(analysis: &'c Analysis) -> Self {
        let report = |found: &'c Finding| FindingReport {
            code: found.code,
            severity: level(found.severity),
            role: found.role.as_deref(),
            message: &found.message,
            witnesses: &found.witnesses,
        };
        Self {
            playouts: analysis.playouts,
            failed: analysis.failed,
            first_failure: analysis.failure.as_deref(),
            unended: analysis.unended,
            turns: analysis.turns,
            cut_short: analysis.is_cut_short,
            findings: analysis.findings.iter().map(report).collect(),
        }
    }
}
