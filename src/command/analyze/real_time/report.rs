//! Answers about a real-time game as data.

use croupier_engine::realtime::{RealTimeGame, seconds};
use croupier_proofs::{RunEnd, TimedAnswer, TimedEvent, TimedExamination, TimedGrounds, TimedRun};
use serde::Serialize;

use super::{Witnesses, not_asked};
use crate::{arguments::source::Source, output::schema::output};

/// What follows from the rules of a real-time game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AnalyzeRealTimeReport<'r> {
    /// The rules.
    file: &'r str,
    game: &'r str,
    #[cfg_attr(test, schemars(extend("const" = "real")))]
    time: &'static str,
    size: TimedSizeReport,
    answers: Vec<TimedAnswerReport<'r>>,
    /// Questions about games in turns that have no meaning in real time.
    without_meaning: Vec<&'static str>,
    /// Questions that are answered of games in turns only.
    not_asked: Vec<&'static str>,
}
output!(AnalyzeRealTime: AnalyzeRealTimeReport<'_>);

/// How much of the game was looked at.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TimedSizeReport {
    /// States, or classes of states, each counted once.
    states: usize,
    /// Whether these are classes of states that differ only in the time that is left.
    classes: bool,
    updates: usize,
    /// Whether these are all.
    whole: bool,
}

/// An answer to a question.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TimedAnswerReport<'r> {
    question: &'static str,
    role: Option<&'r str>,
    /// The goal, the group of fluents or the kind of updates that the question is about; null if it is about none.
    about: Option<&'r str>,
    #[cfg_attr(test, schemars(extend("enum" = ["proved", "refuted", "open"])))]
    verdict: &'static str,
    grounds: TimedGroundsReport,
    text: &'r str,
    /// In microseconds, a time within which every match ends; null in other answers.
    bound_us: Option<u64>,
    /// Matches that show it.
    runs: Vec<RunReport>,
}

/// What an answer rests on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TimedGroundsReport {
    #[cfg_attr(
        test,
        schemars(extend("enum" = ["classes", "regions", "states", "rules", "runs", "answers", "search"]))
    )]
    by: &'static str,
    /// How many states or classes of states; null where nothing was counted.
    count: Option<usize>,
}

/// A match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RunReport {
    /// The fluent that it is about; null if it is about none.
    about: Option<String>,
    updates: Vec<UpdateReport>,
    /// What the end shows: its last update, a state that comes again, fluents that hold again, that nothing need happen any more, or a
    /// lifetime that is none.
    #[cfg_attr(test, schemars(extend("enum" = ["update", "returns", "repeats", "waits", "fails"])))]
    end: &'static str,
    /// The state, or what holds, after so many updates comes again after the last; null if none does.
    returns_to: Option<usize>,
    /// The record, as `croupier replay` reads it; null if no seed was found whose draws are those of the match.
    record: Option<String>,
}

/// An update of a match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct UpdateReport {
    /// Its instant, in microseconds.
    at_us: u64,
    /// Who moves.
    moves: Vec<RoleMoveReport>,
    /// What expires.
    expired: Vec<String>,
}

/// A move of a role.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RoleMoveReport {
    role: String,
    #[serde(rename = "move")]
    text: String,
}

impl<'r> AnalyzeRealTimeReport<'r> {
    pub(super) fn of(
        source: &'r Source,
        game: &'r RealTimeGame,
        found: &'r TimedExamination,
        witnesses: &Witnesses,
    ) -> Self {
        let mut records = witnesses.0.iter().map(|witness| witness.record.as_deref());
        let mut record = || records.next().flatten().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let answers = found.answers.iter().map(|answer| TimedAnswerReport {
            question: answer.question.name(),
            role: answer.role.map(|role| game.roles().name(role)),
            about: answer.about.as_deref(),
            verdict: answer.verdict.name(),
            grounds: TimedGroundsReport::of(answer.grounds),
            text: &answer.text,
            bound_us: answer.bound_us,
            runs: answer.runs.iter().map(|run| RunReport::of(game, run, record())).collect(),
        });
        let size = found.size;
        let [without_meaning, not_asked] = not_asked();
        Self {
            file: &source.origin,
            game: &source.name,
            time: "real",
            size: TimedSizeReport {
                states: size.states,
                classes: size.are_classes,
                updates: size.updates,
                whole: size.is_whole,
            },
            answers: answers.collect(),
            without_meaning,
            not_asked,
        }
    }
}

impl TimedGroundsReport {
    fn of(grounds: TimedGrounds) -> Self {
        let (by, count) = match grounds {
            TimedGrounds::Classes(count) => ("classes", Some(count)),
            TimedGrounds::Regions(count) => ("regions", Some(count)),
            TimedGrounds::States(count) => ("states", Some(count)),
            TimedGrounds::Rules => ("rules", None),
            TimedGrounds::Runs => ("runs", None),
            TimedGrounds::Answers => ("answers", None),
            TimedGrounds::Search(count) => ("search", Some(count)),
        };
        Self { by, count }
    }
}

impl RunReport {
    fn of(game: &RealTimeGame, run: &TimedRun, record: Option<String>) -> Self {
        let (end, returns_to) = match run.end {
            RunEnd::Update => ("update", None),
            RunEnd::Returns(update) => ("returns", Some(update)),
            RunEnd::Repeats(update) => ("repeats", Some(update)),
            RunEnd::Waits => ("waits", None),
            RunEnd::Fails => ("fails", None),
        };
        Self {
            about: run.about.map(|fluent| game.fluent_text(fluent).to_string()),
            updates: run.events.iter().map(|event| UpdateReport::of(game, event)).collect(),
            end,
            returns_to,
            record,
        }
    }
}

impl UpdateReport {
    fn of(game: &RealTimeGame, event: &TimedEvent) -> Self {
        let moves = event.moves.iter().map(|&(role, played)| RoleMoveReport {
            role: game.roles().name(role).to_owned(),
            text: game.move_text(played).to_string(),
        });
        let expired = event.expired.iter().map(|&fluent| game.fluent_text(fluent).to_string());
        Self { at_us: event.at_us, moves: moves.collect(), expired: expired.collect() }
    }
}

/// An update in words.
pub(in super::super) fn update(game: &RealTimeGame, event: &TimedEvent) -> String {
    let UpdateReport { at_us, moves, expired } = UpdateReport::of(game, event);
    let moves = moves.into_iter().map(|RoleMoveReport { role, text }| format!("{role} {text}"));
    let expired = expired.into_iter().map(|fluent| format!("{fluent} expires"));
    let what: Vec<String> = moves.chain(expired).collect();
    format!("{:>12} s  {}", seconds(at_us), what.join(", "))
}

/// What an answer rests on, in words.
pub(super) fn grounds(answer: &TimedAnswer) -> String {
    match answer.grounds {
        TimedGrounds::Classes(1) => "the only class of states".to_owned(),
        TimedGrounds::Classes(classes) => format!("all {classes} classes of states"),
        TimedGrounds::Regions(classes) => format!("{classes} classes, with long lifetimes unknown"),
        TimedGrounds::States(1) => "the only state".to_owned(),
        TimedGrounds::States(states) => format!("all {states} states"),
        TimedGrounds::Rules => "the rules".to_owned(),
        TimedGrounds::Runs if answer.runs.len() == 1 => "a match".to_owned(),
        TimedGrounds::Runs => format!("{} matches", answer.runs.len()),
        TimedGrounds::Answers => "the answers above".to_owned(),
        TimedGrounds::Search(states) => format!("a search of {states}"),
    }
}
