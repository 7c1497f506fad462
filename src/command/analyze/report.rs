//! Answers as data.

use croupier_engine::Game;
use croupier_proofs::{Examination, Grounds, Line, RuleAnswer};
use serde::Serialize;

use super::witness::Witnesses;
use crate::{
    arguments::source::Source,
    output::{
        lines::{Lines, Place},
        schema::output,
    },
};

/// What follows from the rules of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AnalyzeReport<'r> {
    /// The rules.
    file: &'r str,
    game: &'r str,
    size: SizeReport,
    answers: Vec<AnswerReport<'r>>,
}
output!(Analyze: AnalyzeReport<'_>);

/// How much of the game was looked at.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SizeReport {
    /// States, each counted once.
    states: usize,
    joint_moves: usize,
    /// Whether these are all.
    whole: bool,
}

/// An answer to a question.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AnswerReport<'r> {
    question: &'static str,
    role: Option<&'r str>,
    /// The goal, the fluents, the other role or the kind of thing that the question is about; null if it is about none.
    about: Option<&'r str>,
    #[cfg_attr(test, schemars(extend("enum" = ["proved", "refuted", "open"])))]
    verdict: &'static str,
    grounds: GroundsReport,
    text: &'r str,
    /// The rules that it is about, if it is about some.
    rules: Vec<Place>,
    /// Matches that show it.
    lines: Vec<LineReport>,
}

/// What an answer rests on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct GroundsReport {
    #[cfg_attr(
        test,
        schemars(extend("enum" = ["exhaustion", "information-sets", "bounds", "induction", "rules", "lines", "answers", "search"]))
    )]
    by: &'static str,
    /// How many states, information sets or turns; null where nothing was counted.
    count: Option<usize>,
    /// Random matches of a search; null without one.
    playouts: Option<usize>,
    /// Every line of fewer turns was looked at in a search; null without one.
    turns: Option<usize>,
}

/// A match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LineReport {
    /// By turn, the move of each role in the order of the rules.
    moves: Vec<Vec<String>>,
    /// The state after so many turns comes again after the last; null if none does.
    returns_to: Option<usize>,
    /// The record, as `croupier replay` reads it; null if no seed was found whose draws are those of the match.
    record: Option<String>,
}

impl<'r> AnalyzeReport<'r> {
    pub(super) fn of(
        source: &'r Source,
        game: &'r Game,
        found: &'r Examination,
        witnesses: &Witnesses,
    ) -> Self {
        let mut records = witnesses.0.iter().map(|witness| witness.record.as_deref());
        let mut record = || records.next().flatten().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let text = Lines::of(&source.rules);
        let answers = found.answers.iter().map(|answer| AnswerReport {
            question: answer.question.name(),
            role: answer.role.map(|role| game.roles().name(role)),
            about: answer.about.as_deref(),
            verdict: answer.verdict.name(),
            grounds: GroundsReport::of(answer.grounds),
            text: &answer.text,
            rules: answer.places.iter().map(|&place| text.place(place)).collect(),
            lines: answer.lines.iter().map(|line| LineReport::of(game, line, record())).collect(),
        });
        let size = found.size;
        let size = SizeReport { states: size.states, joint_moves: size.joint_moves, whole: size.is_whole };
        Self { file: &source.origin, game: &source.name, size, answers: answers.collect() }
    }
}

impl GroundsReport {
    fn of(grounds: Grounds) -> Self {
        let (by, count) = match grounds {
            Grounds::Exhaustion(states) => ("exhaustion", Some(states)),
            Grounds::InformationSets(sets) => ("information-sets", Some(sets)),
            Grounds::Bounds(turns) => ("bounds", Some(turns)),
            Grounds::Induction => ("induction", None),
            Grounds::Rules => ("rules", None),
            Grounds::Lines => ("lines", None),
            Grounds::Answers => ("answers", None),
            Grounds::Search(searched) => ("search", Some(searched.states)),
        };
        let (playouts, turns) = match grounds {
            Grounds::Search(searched) => (Some(searched.playouts), Some(searched.turns)),
            _ => (None, None),
        };
        Self { by, count, playouts, turns }
    }
}

impl LineReport {
    fn of(game: &Game, line: &Line, record: Option<String>) -> Self {
        let turn = |joint_move: &croupier_engine::JointMove| {
            joint_move.moves().iter().map(|(_, &id)| game.move_text(id).to_string()).collect()
        };
        Self { moves: line.moves.iter().map(turn).collect(), returns_to: line.returns_to, record }
    }
}

/// What an answer rests on, in words.
pub(super) fn grounds(answer: &RuleAnswer) -> String {
    match answer.grounds {
        Grounds::Exhaustion(1) => "the only state".to_owned(),
        Grounds::Exhaustion(states) => format!("all {states} states"),
        Grounds::InformationSets(1) => "the only information set".to_owned(),
        Grounds::InformationSets(sets) => format!("all {sets} information sets"),
        Grounds::Bounds(turns) => format!("bounds of {turns} turns"),
        Grounds::Induction => "induction".to_owned(),
        Grounds::Rules => "the rules".to_owned(),
        Grounds::Lines if answer.lines.len() == 1 => "a match".to_owned(),
        Grounds::Lines => format!("{} matches", answer.lines.len()),
        Grounds::Answers => "the answers above".to_owned(),
        Grounds::Search(searched) => {
            let playouts = match searched.playouts {
                0 => String::new(),
                playouts => format!(", {playouts} random matches"),
            };
            match searched.turns {
                0 => format!("{} states{playouts}", searched.states),
                turns => {
                    format!("{} states, all lines of fewer than {turns} turns{playouts}", searched.states)
                }
            }
        }
    }
}
