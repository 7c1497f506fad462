//! Answers for people: one line each, and with `--question` the matches that show them.

use std::{io::Write, path::PathBuf};

use croupier_engine::{Game, JointMove};
use croupier_games::{in_columns, printable};
use croupier_proofs::{Examination, Line, RuleVerdict};

use super::report::grounds;
use crate::{arguments::source::Source, output::failure::Failure};

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
        let mut rows = vec![["answer", "question", "", "by"].map(str::to_owned).to_vec()];
        for answer in &found.answers {
            let name = answer.question.name().to_owned();
            rows.push(vec![answer.verdict.name().to_owned(), name, answer.text.clone(), grounds(answer)]);
        }
        let lines = in_columns(&rows, |_| false);
        writeln!(out, "{}", lines[0])?;
        for (answer, line) in found.answers.iter().zip(&lines[1..]) {
            writeln!(out, "{line}")?;
            if self.has_lines {
                for line in &answer.lines {
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
                writeln!(out, "    {turn:>4}  {}", self.turn(joint_move))?;
            }
        }
        if let Some(turn) = line.returns_to {
            writeln!(out, "    and the state is that of turn {turn} again")?;
        }
        writeln!(out)?;
        Ok(())
    }

    /// The moves of a turn.
    fn turn(&self, joint_move: &JointMove) -> String {
        let roles = self.game.roles();
        let moves = joint_move.moves().iter();
        let told = moves.map(|(role, &id)| format!("{} {}", roles.name(role), self.game.move_text(id)));
        told.collect::<Vec<_>>().join(", ")
    }
}
