//! Answers for people: one line each, and with `--question` the matches that show them.

use std::{io::Write, path::PathBuf};

use croupier_engine::{Game, JointMove};
use croupier_games::{in_columns, printable};
use croupier_proofs::{Examination, Grounds, Line, RuleAnswer, RuleVerdict};

use super::report::grounds;
use crate::{
    arguments::source::Source,
    output::{failure::Failure, lines::Lines},
};

/// Turns of a match that are shown at its beginning and at its end.
const TURNS_SHOWN: usize = 30;

/// What `croupier analyze` prints.
pub(super) struct Page<'p> {
    pub(super) source: &'p Source,
    pub(super) game: &'p Game,
    pub(super) found: &'p Examination,
    /// Whether matches are shown.
    pub(super) has_lines: bool,
    /// Records that were written.
    pub(super) written: &'p [PathBuf],
}

impl Page<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { source, found, written, .. } = self;
        let size = found.size;
        let whole = if size.is_whole { "states in all" } else { "states looked at, and there are more" };
        writeln!(
            out,
            "{}: {} {whole}, {} joint moves",
            printable(&source.origin),
            size.states,
            size.joint_moves
        )?;
        writeln!(out)?;
        let groups = self.groups();
        let mut rows = vec![["answer", "question", "", "by"].map(str::to_owned).to_vec()];
        for group in &groups {
            let answer = group[0];
            let name = answer.question.name().to_owned();
            rows.push(vec![answer.verdict.name().to_owned(), name, self.said(group), grounds_of(group)]);
        }
        let lines = in_columns(&rows, |_| false);
        writeln!(out, "{}", lines[0])?;
        for (group, line) in groups.iter().zip(&lines[1..]) {
            writeln!(out, "{line}")?;
            if self.has_lines {
                for line in &group[0].lines {
                    self.write_line(line, out)?;
                }
            }
        }
        let count = |wanted| found.answers.iter().filter(|answer| answer.verdict == wanted).count();
        let has_space = self.has_lines && found.answers.last().is_some_and(|answer| !answer.lines.is_empty());
        if !has_space {
            writeln!(out)?;
        }
        writeln!(
            out,
            "{} proved, {} refuted, {} open",
            count(RuleVerdict::Proved),
            count(RuleVerdict::Refuted),
            count(RuleVerdict::Open)
        )?;
        for path in *written {
            writeln!(out, "wrote {}", printable(&path.to_string_lossy()))?;
        }
        Ok(())
    }

    fn write_line(&self, line: &Line, out: &mut dyn Write) -> Result<(), Failure> {
        let count = line.moves.len();
        if count == 0 {
            writeln!(out, "    before the first move")?;
        }
        for (turn, joint_move) in line.moves.iter().enumerate() {
            if turn == TURNS_SHOWN && count > 2 * TURNS_SHOWN {
                writeln!(out, "    ... {} turns", count - 2 * TURNS_SHOWN)?;
            }
            if turn < TURNS_SHOWN || turn + TURNS_SHOWN >= count {
                writeln!(out, "    {turn:>4}  {}", turn_text(self.game, joint_move))?;
            }
        }
        if let Some(turn) = line.returns_to {
            writeln!(out, "    and the state is that of turn {turn} again")?;
        }
        writeln!(out)?;
        Ok(())
    }

    /// Answers that are the same for all players, together where matches are not shown.
    fn groups(&self) -> Vec<Vec<&RuleAnswer>> {
        let players = self.game.roles().players().count();
        let mut groups: Vec<Vec<&RuleAnswer>> = Vec::new();
        for answer in &self.found.answers {
            let is_same = |group: &&mut Vec<&RuleAnswer>| {
                let first = group[0];
                let is_new = group.iter().all(|other| other.role != answer.role);
                is_new
                    && (first.question, first.verdict) == (answer.question, answer.verdict)
                    && self.of_each(first) == self.of_each(answer)
            };
            match groups.iter_mut().find(is_same).filter(|_| !self.has_lines) {
                Some(group) => group.push(answer),
                None => groups.push(vec![answer]),
            }
        }
        // What holds of some players only is said of each of them.
        groups
            .into_iter()
            .flat_map(|group| {
                if group.len() == players {
                    vec![group]
                } else {
                    group.chunks(1).map(<[_]>::to_vec).collect()
                }
            })
            .collect()
    }

    /// The answer with another word for its role.
    fn of_each(&self, answer: &RuleAnswer) -> String {
        let Some(role) = answer.role else { return answer.text.clone() };
        let name = self.game.roles().name(role);
        // Further on it is in fluents and moves.
        match answer.text.strip_prefix(name) {
            Some(rest) => match rest.strip_prefix(" cannot") {
                Some(rest) => format!("no player can{rest}"),
                None => format!("each player{rest}"),
            },
            None => answer.text.clone(),
        }
    }

    /// What a group of answers says, and of which lines of the rules.
    fn said(&self, group: &[&RuleAnswer]) -> String {
        let answer = group[0];
        let text = if group.len() > 1 { self.of_each(answer) } else { answer.text.clone() };
        if answer.places.is_empty() {
            return text;
        }
        let lines = Lines::of(&self.source.rules);
        let numbers = answer.places.iter().map(|&place| lines.start(place).0.to_string());
        let numbers: Vec<String> = numbers.collect();
        let word = if numbers.len() == 1 { "line" } else { "lines" };
        match &numbers[..] {
            [first, second, third, _, ..] => format!("{text}: {word} {first}, {second}, {third} and more"),
            few => format!("{text}: {word} {}", few.join(", ")),
        }
    }
}

/// What a group of answers rests on.
fn grounds_of(group: &[&RuleAnswer]) -> String {
    let first = grounds(group[0]);
    match group[0].grounds {
        _ if group.iter().all(|answer| grounds(answer) == first) => first,
        Grounds::InformationSets(_) => "all information sets".to_owned(),
        _ => format!("{first}, and others"),
    }
}

/// The moves of a turn.
pub(super) fn turn_text(game: &Game, joint_move: &JointMove) -> String {
    let moves = joint_move.moves().iter();
    let told = moves.map(|(role, &id)| format!("{} {}", game.roles().name(role), game.move_text(id)));
    told.collect::<Vec<_>>().join(", ")
}
