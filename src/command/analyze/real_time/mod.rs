//! `croupier analyze` of a real-time game.

mod report;
mod text;
mod witness;

use std::{io::Write, time::Duration};

use croupier_engine::Options;
use croupier_proofs::{
    RuleQuestion, RuleVerdict, TimedExamination, TimedLimits, TimedQuestion, examine_real_time,
};

use self::{report::AnalyzeRealTimeReport, text::TimedPage};
pub(super) use self::{report::update, text::end_text};
use super::{Arguments, sarif, witness::Witnesses};
use crate::{
    arguments::{report_format::ReportFormat, source::Source, threads::spinner},
    output::{answer::Answer, failure::Failure, schema::Output as _},
    sessions::interrupt::Interrupt,
};

/// Questions that mean nothing where nobody takes turns.
const OF_TURNS: [RuleQuestion; 2] = [RuleQuestion::Alternating, RuleQuestion::LatestPercepts];

pub(super) fn run(
    source: &Source,
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let asked = asked(source, &arguments.questions)?;
    let game = source.compile_real_time(&Options::PLAY)?;
    interrupt.hold();
    let bar = spinner("looking at states");
    let has_passed = interrupt.budget(Duration::from_secs(arguments.seconds));
    let found = examine_real_time(&game, &TimedLimits::STANDARD, &has_passed);
    bar.finish_and_clear();
    let Some(mut found) = found else {
        return Err(Failure::refuse("no-network", "the first state takes too much to be looked at")
            .at(&source.origin)
            .help("`croupier check` plays at random"));
    };
    if !asked.is_empty() {
        found.answers.retain(|answer| asked.contains(&answer.question));
    }
    // A seed is looked for only where somebody wants the record.
    let format = arguments.format.or_json(arguments.json);
    let is_wanted = format == ReportFormat::Json || arguments.witnesses.is_some();
    let witnesses = is_wanted.then(|| witness::witnesses(source, &game, &found)).transpose()?;
    let written = match (&arguments.witnesses, &witnesses) {
        (Some(folder), Some(witnesses)) => witnesses.write(folder)?,
        _ => Vec::new(),
    };
    match (format, &witnesses) {
        (ReportFormat::Json, Some(witnesses)) => {
            AnalyzeRealTimeReport::of(source, &game, &found, witnesses).write_json(out)?;
        }
        (ReportFormat::Sarif, _) => writeln!(out, "{}", sarif::real_time_log(source, &game, &found))?,
        _ => {
            let has_runs = !asked.is_empty();
            TimedPage { source, game: &game, found: &found, has_runs, written: &written }.write(out)?;
        }
    }
    if interrupt.is_raised() {
        return Ok(Answer::Interrupted);
    }
    Ok(if !asked.is_empty() && !all_proved(&found) { Answer::No } else { Answer::Yes })
}

/// The questions that are asked, if each has a meaning in real time.
fn asked(source: &Source, names: &[String]) -> Result<Vec<TimedQuestion>, Failure> {
    let find = |name: &String| {
        TimedQuestion::find(name).ok_or_else(|| {
            let why = match OF_TURNS.iter().any(|question| question.name() == name) {
                true => "has no meaning where nobody takes turns",
                false => "is answered of games in turns only",
            };
            let names: Vec<&str> = TimedQuestion::ALL.iter().map(|question| question.name()).collect();
            Failure::refuse("no-turns", format!("`{name}` {why}"))
                .at(&source.origin)
                .help(format!("questions about a real-time game are {}", names.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// The questions about games in turns that are not asked of others, those first that mean nothing there.
fn not_asked() -> [Vec<&'static str>; 2] {
    let others = RuleQuestion::ALL.iter().filter(|question| TimedQuestion::find(question.name()).is_none());
    let (without, with): (Vec<&RuleQuestion>, Vec<&RuleQuestion>) =
        others.partition(|question| OF_TURNS.contains(question));
    [without, with].map(|questions| questions.iter().map(|question| question.name()).collect())
}

fn all_proved(found: &TimedExamination) -> bool {
    found.answers.iter().all(|answer| answer.verdict == RuleVerdict::Proved)
}
