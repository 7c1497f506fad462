//! Answers in SARIF: what is proved passes, what is refuted fails, and what is open says so.

use croupier_engine::{Game, Span};
use croupier_proofs::{Examination, Line, RuleAnswer, RuleQuestion, RuleVerdict};
use serde_json::{Value, json};

use super::text::turn_text;
use crate::{
    arguments::source::Source,
    output::{
        lines::Lines,
        sarif::{artifact, location, log, uri},
    },
};

/// Questions whose refutation is a fault of the rules, and not a fact about the game.
const FAULTS: [RuleQuestion; 6] = [
    RuleQuestion::Terminates,
    RuleQuestion::Playable,
    RuleQuestion::WellFormed,
    RuleQuestion::Goals,
    RuleQuestion::KnowsMoves,
    RuleQuestion::KnowsEnd,
];

/// A log of the answers about one game.
pub(super) fn answers_log(source: &Source, game: &Game, found: &Examination) -> Value {
    let mut asked: Vec<RuleQuestion> = found.answers.iter().map(|answer| answer.question).collect();
    asked.dedup();
    let rules = asked.iter().map(|question| {
        json!({
            "id": question.name(),
            "shortDescription": { "text": format!("Proved if {}.", question.meaning()) },
            "defaultConfiguration": { "level": level(*question) },
        })
    });
    let file =
        AnsweredFile { game, lines: Lines::of(&source.rules), uri: uri(&source.origin), asked: &asked };
    let results = found.answers.iter().map(|answer| file.result(answer));
    log(rules.collect(), vec![artifact(&file.uri, "gdl")], results.collect())
}

fn level(question: RuleQuestion) -> &'static str {
    if FAULTS.contains(&question) { "warning" } else { "note" }
}

/// The rules that were asked about.
struct AnsweredFile<'f> {
    game: &'f Game,
    lines: Lines<'f>,
    uri: String,
    asked: &'f [RuleQuestion],
}

impl AnsweredFile<'_> {
    fn result(&self, answer: &RuleAnswer) -> Value {
        let (kind, level) = match answer.verdict {
            RuleVerdict::Proved => ("pass", "none"),
            RuleVerdict::Refuted => ("fail", level(answer.question)),
            RuleVerdict::Open => ("open", "none"),
        };
        // What is not about certain rules is about the whole file.
        let places = if answer.places.is_empty() { &[Span::new(0, 0)][..] } else { &answer.places };
        let shown: Vec<Value> = answer.lines.iter().map(|line| self.flow(line)).collect();
        let mut result = json!({
            "ruleId": answer.question.name(),
            "ruleIndex": self.asked.iter().position(|question| *question == answer.question),
            "kind": kind,
            "level": level,
            "message": { "text": answer.text },
            "locations": places.iter().map(|&place| location(place, &self.lines, &self.uri)).collect::<Vec<_>>(),
        });
        if !shown.is_empty() {
            result["codeFlows"] = Value::from(shown);
        }
        result
    }

    /// The turns of a match, one step each.
    fn flow(&self, line: &Line) -> Value {
        let step = |text: String| json!({ "location": { "message": { "text": text } } });
        let mut steps = vec![step("the first state".to_owned())];
        steps.extend(line.moves.iter().map(|joint_move| step(turn_text(self.game, joint_move))));
        steps.extend(line.returns_to.map(|turn| step(format!("the state of turn {turn} again"))));
        json!({ "threadFlows": [{ "locations": steps }] })
    }
}
