//! Findings for people: what keeps the game from being played first, what follows from that not at all, the verdict last.

use std::{cmp::Reverse, io::Write};

use croupier_engine::{Diagnostic, Severity, analysis::Analysis, stages::check::obstacle};
use croupier_games::printable;
use croupier_proofs::{RuleQuestion, RuleVerdict};

use super::{Verdict, proofs::NAMED};
use crate::{
    arguments::source::Source,
    output::{failure::Failure, render},
};

/// What is found in half-written rules because something else is missing.
const FOLLOW_UPS: [&str; 11] = [
    "goal-decreases",
    "impossible-rule",
    "never-wins",
    "never-fired",
    "nothing-seen",
    "random-without-sees",
    "repeated-state",
    "role-without-percepts",
    "unreachable-relation",
    "unused-fluent",
    "unused-relation",
];

/// Warnings that are shown below errors: whoever has errors to fix reads no further.
const WARNINGS_MAX: usize = 5;

/// What `croupier check` prints.
pub(super) struct Page<'p> {
    pub(super) source: &'p Source,
    pub(super) verdict: &'p Verdict,
    pub(super) is_playable: bool,
    /// Whether every finding is shown.
    pub(super) has_all: bool,
}

impl Page<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { source, verdict, .. } = self;
        let (of_rules, of_facts) = self.shown();
        write!(out, "{}", render::diagnostics(&of_rules, &source.rules, &source.origin))?;
        if let Some(file) = &source.facts_file {
            write!(out, "{}", render::diagnostics(&of_facts, &file.text, &file.path))?;
        }
        let origin = printable(&source.origin);
        let answer = if self.is_playable { "can be played" } else { "cannot be played" };
        let (stops, count) = (self.stops(), render::count(verdict.all()));
        let hidden = match verdict.all().count() - of_rules.len() - of_facts.len() {
            0 => String::new(),
            hidden => format!(" ({hidden} hidden; --all shows them)"),
        };
        let stops = match &verdict.failure {
            Some(failure) => {
                // What the rules lack may be why.
                let lack = self.lack().map_or_else(String::new, |lack| format!("{}; ", lack.message));
                format!("{lack}a match cannot begin: {failure}; ")
            }
            None => stops,
        };
        writeln!(out, "{origin}: {answer}; {stops}{count}{hidden}")?;
        if let Some(proved) = self.proved() {
            writeln!(out, "{proved}")?;
        }
        if let Some(analysis) = verdict.analysis.as_ref().filter(|_| verdict.is_interrupted) {
            writeln!(out, "interrupted: {} playouts were looked at", analysis.playouts)?;
        }
        if let Some(code) = of_rules.first().or(of_facts.first()).map(|found| found.code) {
            writeln!(out, "`croupier explain {code}` says more")?;
        }
        Ok(())
    }

    /// What is proved of every match.
    fn proved(&self) -> Option<String> {
        let proofs = self.verdict.proofs.as_ref().filter(|_| self.is_playable)?;
        let holds = |question: &RuleQuestion| {
            let mut answers = proofs.named().filter(|answer| answer.question == *question).peekable();
            answers.peek().is_some() && answers.all(|answer| answer.verdict == RuleVerdict::Proved)
        };
        let names: Vec<&str> =
            NAMED.iter().filter(|question| holds(question)).map(|question| question.name()).collect();
        let size = proofs.found.size;
        let by = if size.is_whole { format!(" by all {} states", size.states) } else { String::new() };
        (!names.is_empty()).then(|| format!("proved{by}: {}; `croupier analyze` says more", names.join(", ")))
    }

    /// The findings that are shown, the worst first: of the rules, and of the `game.toml`.
    fn shown(&self) -> (Vec<&Diagnostic>, Vec<&Diagnostic>) {
        fn ordered(found: &[Diagnostic]) -> Vec<&Diagnostic> {
            let mut ordered: Vec<&Diagnostic> = found.iter().collect();
            ordered.sort_by_key(|found| Reverse(found.severity));
            ordered
        }
        let Verdict { found, of_facts, .. } = self.verdict;
        let (mut of_rules, of_facts) = (ordered(found), ordered(of_facts));
        if !self.is_playable && !self.has_all {
            let is_rest =
                |found: &&Diagnostic| found.severity == Severity::Error || !FOLLOW_UPS.contains(&found.code);
            // Where nothing but follow-ups is left, they say what is wrong.
            if of_rules.iter().any(is_rest) {
                of_rules.retain(is_rest);
            }
            let errors = of_rules.iter().filter(|found| found.severity == Severity::Error).count();
            of_rules.truncate(errors + WARNINGS_MAX);
        }
        (of_rules, of_facts)
    }

    /// What to say of playouts that stop where a match does, or of what keeps rules without errors from being played; empty
    /// where there is nothing.
    fn stops(&self) -> String {
        match &self.verdict.analysis {
            Some(Analysis { playouts, failed, failure: Some(reason), .. }) => {
                format!("{failed} of {playouts} playouts stop without a result: {reason}; ")
            }
            Some(Analysis { playouts, unended: unended @ 1.., .. }) => format!(
                "{unended} of {playouts} playouts were not seen to end, and `croupier play` stops after a day of game time \
                 unless --time-max says otherwise; "
            ),
            _ => self.lack().map_or_else(String::new, |lack| format!("{}; ", lack.message)),
        }
    }

    /// What keeps rules without errors from being played.
    fn lack(&self) -> Option<&Diagnostic> {
        obstacle(&self.verdict.found).filter(|found| found.severity != Severity::Error)
    }
}
