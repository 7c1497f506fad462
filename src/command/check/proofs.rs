//! What is proved or refuted of every match in a second: it takes the place of what a few random playouts have shown of it.

use std::{sync::Arc, time::Duration};

use croupier_engine::{
    Game, Options, RoleId,
    analysis::{Finding, turns_told},
};
use croupier_proofs::{Examination, GraphLimits, Line, RuleAnswer, RuleQuestion, RuleVerdict, examine};

use crate::{arguments::source::Source, sessions::interrupt::Interrupt};

/// How long proofs may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// The questions whose answers `croupier check` names; `croupier analyze` answers more.
pub(super) const NAMED: [RuleQuestion; 7] = [
    RuleQuestion::Terminates,
    RuleQuestion::Playable,
    RuleQuestion::WeaklyWinnable,
    RuleQuestion::WellFormed,
    RuleQuestion::Goals,
    RuleQuestion::KnowsMoves,
    RuleQuestion::KnowsEnd,
];

/// Answers about a game.
pub(super) struct Proofs {
    pub(super) game: Arc<Game>,
    pub(super) found: Examination,
}

impl Proofs {
    /// What a second settles; `None` of rules that are too large for it.
    pub(super) fn of(source: &Source, options: &Options, interrupt: &Interrupt) -> Option<Self> {
        let game = source.compile(options).ok()?;
        let found = examine(&game, &NAMED, &GraphLimits::STANDARD, &interrupt.budget(PATIENCE))?;
        Some(Self { game, found })
    }

    /// The answers to the questions that are named, one for each reading of *maximal*: the best goal that the rules name.
    pub(super) fn named(&self) -> impl Iterator<Item = &RuleAnswer> {
        let best = |answer: &&RuleAnswer| {
            let mut alike = self.found.answers.iter();
            let first = alike.find(|other| other.question == answer.question && other.role == answer.role);
            NAMED.contains(&answer.question) && first == Some(*answer)
        };
        self.found.answers.iter().filter(best)
    }

    /// Puts what is settled in the place of what playouts have shown of it.
    pub(super) fn replace(&self, findings: &mut Vec<Finding>) {
        for answer in self.named().filter(|answer| answer.verdict != RuleVerdict::Open) {
            let Some(codes) = codes(answer.question) else { continue };
            let role = answer.role.map(|role| self.game.roles().name(role));
            let is_settled = |found: &Finding| codes.contains(&found.code) && is_about(found, role);
            if answer.verdict == RuleVerdict::Proved {
                findings.retain(|found| !is_settled(found));
            } else if !findings.iter().any(is_settled) {
                findings.push(self.finding(answer, codes));
            }
        }
        findings.sort();
    }

    fn finding(&self, answer: &RuleAnswer, codes: &[&'static str]) -> Finding {
        let game = &self.game;
        let name = |role: RoleId| game.roles().name(role);
        let code = match &answer.lines[..] {
            [line] if answer.question == RuleQuestion::Goals => self.fault(line),
            _ => codes[0],
        };
        let mut found = Finding::new(game, code, answer.role.map(name), answer.text.clone());
        found.witnesses = answer.lines.iter().map(|line| turns_told(game, &line.moves)).collect();
        found
    }

    /// What is wrong with the goals at the end of a line.
    fn fault(&self, line: &Line) -> &'static str {
        let (game, mut scratch) = (&self.game, self.game.scratch());
        let mut state = game.initial_state().clone();
        for joint_move in &line.moves {
            match game.successor(&state, joint_move, &mut scratch) {
                Ok(next) => state = next,
                Err(_) => return "no-goal",
            }
        }
        let counts = game.roles().players().map(|role| {
            let mut values = game.goal_values(&state, role, &mut game.scratch()).unwrap_or_default();
            values.dedup();
            values.len()
        });
        match counts.collect::<Vec<_>>() {
            counts if counts.contains(&0) => "no-goal",
            counts if counts.iter().any(|&count| count > 1) => "several-goals",
            _ => "goal-out-of-range",
        }
    }
}

/// What playouts find of a question; the first is what a refutation is called.
fn codes(question: RuleQuestion) -> Option<&'static [&'static str]> {
    match question {
        RuleQuestion::Terminates => Some(&["repeated-state", "endless-playout"]),
        RuleQuestion::Playable => Some(&["no-legal-move"]),
        RuleQuestion::Goals => Some(&["no-goal", "several-goals", "goal-out-of-range"]),
        RuleQuestion::WeaklyWinnable => Some(&["never-wins"]),
        RuleQuestion::KnowsMoves => Some(&["unknown-moves"]),
        RuleQuestion::KnowsEnd => Some(&["unknown-end"]),
        _ => None,
    }
}

/// Whether a finding is about a role, where the answer is.
fn is_about(found: &Finding, role: Option<&str>) -> bool {
    role.is_none() || found.role.as_deref() == role
}
