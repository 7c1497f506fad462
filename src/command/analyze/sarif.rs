//! Answers in SARIF: what is proved passes, what is refuted fails, and what is open says so.

use croupier_engine::{Game, Span, realtime::RealTimeGame};
use croupier_proofs::{Examination, Line, RuleVerdict, TimedExamination, TimedRun};
use serde_json::{Value, json};

use super::{
    real_time::{end_text, update},
    text::turn_text,
};
use crate::{
    arguments::source::Source,
    output::{
        lines::Lines,
        sarif::{artifact, location, log, uri},
    },
};

/// Questions whose refutation is a fault of the rules, and not a fact about the game.
const FAULTS: [&str; 7] =
    ["terminates", "playable", "well-formed", "goals", "knows-moves", "knows-end", "non-zeno"];

/// An answer, of games of either kind.
struct ShownAnswer<'a> {
    question: &'static str,
    meaning: &'static str,
    verdict: RuleVerdict,
    text: &'a str,
    /// The rules that it is about, if it is about some.
    places: &'a [Span],
    /// Matches that show it, step by step.
    matches: Vec<Vec<String>>,
}

/// A log of the answers about one game in turns.
pub(super) fn turns_log(source: &Source, game: &Game, found: &Examination) -> Value {
    let steps = |line: &Line| {
        let moves = line.moves.iter().map(|joint_move| turn_text(game, joint_move));
        let again = line.returns_to.map(|turn| format!("the state of turn {turn} again"));
        moves.chain(again).collect()
    };
    let answers = found.answers.iter().map(|answer| ShownAnswer {
        question: answer.question.name(),
        meaning: answer.question.meaning(),
        verdict: answer.verdict,
        text: &answer.text,
        places: &answer.places,
        matches: answer.lines.iter().map(steps).collect(),
    });
    answers_log(source, &answers.collect::<Vec<_>>())
}

/// A log of the answers about one real-time game.
pub(super) fn real_time_log(source: &Source, game: &RealTimeGame, found: &TimedExamination) -> Value {
    let steps = |run: &TimedRun| {
        let updates = run.events.iter().map(|event| update(game, event).trim().to_owned());
        updates.chain(end_text(run.end)).collect()
    };
    let answers = found.answers.iter().map(|answer| ShownAnswer {
        question: answer.question.name(),
        meaning: answer.question.meaning(),
        verdict: answer.verdict,
        text: &answer.text,
        places: &[],
        matches: answer.runs.iter().map(steps).collect(),
    });
    answers_log(source, &answers.collect::<Vec<_>>())
}

fn answers_log(source: &Source, answers: &[ShownAnswer<'_>]) -> Value {
    let mut asked: Vec<&str> = answers.iter().map(|answer| answer.question).collect();
    asked.dedup();
    let meaning =
        |name: &str| answers.iter().find(|answer| answer.question == name).map(|answer| answer.meaning);
    let rules = asked.iter().map(|name| {
        json!({
            "id": name,
            "shortDescription": { "text": format!("Proved if {}.", meaning(name).unwrap_or_default()) },
            "defaultConfiguration": { "level": level(name) },
        })
    });
    let (lines, uri) = (Lines::of(&source.rules), uri(&source.origin));
    let results = answers.iter().map(|answer| result(answer, &asked, &lines, &uri));
    log(rules.collect(), vec![artifact(&uri, "gdl")], results.collect())
}

fn level(question: &str) -> &'static str {
    if FAULTS.contains(&question) { "warning" } else { "note" }
}

fn result(answer: &ShownAnswer<'_>, asked: &[&str], lines: &Lines<'_>, uri: &str) -> Value {
    let (kind, level) = match answer.verdict {
        RuleVerdict::Proved => ("pass", "none"),
        RuleVerdict::Refuted => ("fail", level(answer.question)),
        RuleVerdict::Open => ("open", "none"),
    };
    // What is not about certain rules is about the whole file.
    let places = if answer.places.is_empty() { &[Span::new(0, 0)] } else { answer.places };
    let mut result = json!({
        "ruleId": answer.question,
        "ruleIndex": asked.iter().position(|question| *question == answer.question),
        "kind": kind,
        "level": level,
        "message": { "text": answer.text },
        "locations": places.iter().map(|&place| location(place, lines, uri)).collect::<Vec<_>>(),
    });
    let flow = |steps: &Vec<String>| {
        let step = |text: &str| json!({ "location": { "message": { "text": text } } });
        let steps = ["the first state"].into_iter().chain(steps.iter().map(String::as_str));
        json!({ "threadFlows": [{ "locations": steps.map(step).collect::<Vec<_>>() }] })
    };
    if !answer.matches.is_empty() {
        result["codeFlows"] = answer.matches.iter().map(flow).collect();
    }
    result
}
