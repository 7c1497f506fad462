//! Answers about a real-time game for people: one line each, and with `--question` the matches that show them.

use std::{io::Write, path::PathBuf};

use croupier_engine::realtime::RealTimeGame;
use croupier_games::{in_columns, printable};
use croupier_proofs::{RuleVerdict, RunEnd, TimedExamination, TimedRun};

use super::{
    not_asked,
    report::{grounds, update},
};
use crate::{arguments::source::Source, output::failure::Failure};

/// Updates of a match that are shown at its beginning and at its end.
const UPDATES_SHOWN: usize = 30;

/// What `croupier analyze` prints of a real-time game.
pub(super) struct TimedPage<'p> {
    pub(super) source: &'p Source,
    pub(super) game: &'p RealTimeGame,
    pub(super) found: &'p TimedExamination,
    /// Whether matches are shown.
    pub(super) has_runs: bool,
    /// Records that were written.
    pub(super) written: &'p [PathBuf],
}

impl TimedPage<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { source, found, written, .. } = self;
        let size = found.size;
        let what = if size.are_classes { "classes of states" } else { "states" };
        let whole = if size.is_whole { "in all" } else { "looked at, and there are more" };
        let (origin, states, updates) = (printable(&source.origin), size.states, size.updates);
        writeln!(out, "{origin}: {states} {what} {whole}, {updates} updates")?;
        writeln!(out)?;
        let mut rows = vec![["answer", "question", "", "by"].map(str::to_owned).to_vec()];
        for answer in &found.answers {
            let name = answer.question.name().to_owned();
            rows.push(vec![answer.verdict.name().to_owned(), name, answer.text.clone(), grounds(answer)]);
        }
        let lines = in_columns(&rows, |_| false);
        writeln!(out, "{}", lines[0])?;
        for (answer, line) in found.answers.iter().zip(&lines[1..]) {
            writeln!(out, "{line}")?;
            for run in answer.runs.iter().filter(|_| self.has_runs) {
                self.write_run(run, out)?;
            }
        }
        let has_space = self.has_runs && found.answers.last().is_some_and(|answer| !answer.runs.is_empty());
        if !has_space {
            writeln!(out)?;
        }
        let count = |wanted| found.answers.iter().filter(|answer| answer.verdict == wanted).count();
        let [proved, refuted, open] =
            [RuleVerdict::Proved, RuleVerdict::Refuted, RuleVerdict::Open].map(count);
        writeln!(out, "{proved} proved, {refuted} refuted, {open} open")?;
        if !self.has_runs {
            let [without, others] = not_asked();
            writeln!(out, "without a meaning in real time: {}", without.join(", "))?;
            writeln!(out, "answered of games in turns only: {}", others.join(", "))?;
        }
        for path in *written {
            writeln!(out, "wrote {}", printable(&path.to_string_lossy()))?;
        }
        Ok(())
    }

    fn write_run(&self, run: &TimedRun, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(fluent) = run.about {
            writeln!(out, "    {}:", self.game.fluent_text(fluent))?;
        }
        let count = run.events.len();
        if count == 0 {
            writeln!(out, "    at the start")?;
        }
        for (number, event) in run.events.iter().enumerate() {
            if number == UPDATES_SHOWN && count > 2 * UPDATES_SHOWN {
                writeln!(out, "    ... {} updates", count - 2 * UPDATES_SHOWN)?;
            }
            if number < UPDATES_SHOWN || number + UPDATES_SHOWN >= count {
                writeln!(out, "    {:>4} {}", number + 1, update(self.game, event))?;
            }
        }
        if let Some(end) = end_text(run.end) {
            writeln!(out, "    {end}")?;
        }
        writeln!(out)?;
        Ok(())
    }
}

/// What a run shows at its end, in words; nothing if it is its last update.
pub(in super::super) fn end_text(end: RunEnd) -> Option<String> {
    let after = |first: usize| match first {
        0 => "at the start".to_owned(),
        first => format!("after update {first}"),
    };
    match end {
        RunEnd::Update => None,
        RunEnd::Returns(first) => Some(format!("and the state is that {} again", after(first))),
        RunEnd::Repeats(first) => Some(format!("and what held {} holds again", after(first))),
        RunEnd::Waits => Some("and nothing need happen any more".to_owned()),
        RunEnd::Fails => Some("and a lifetime is none".to_owned()),
    }
}
