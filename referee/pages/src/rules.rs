//! Rules with what was found in them, shown in their text.

use askama::Template;

use crate::opening::TableForm;

/// Something found in rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesNote {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Which check it is of.
    pub code: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
}

/// A line of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesLine<'r> {
    /// From 1.
    pub number: usize,
    /// As it is written.
    pub text: &'r str,
    /// What was found in it.
    pub notes: Vec<&'r RulesNote>,
}

/// The lines of rules, each with what was found there. What is of no line of the text stands at its last line.
#[must_use]
pub fn rules_lines<'r>(rules: &'r str, notes: &'r [RulesNote]) -> Vec<RulesLine<'r>> {
    let texts: Vec<&str> = if rules.is_empty() { vec![""] } else { rules.lines().collect() };
    let last = texts.len();
    let line = |(index, text): (usize, &'r str)| RulesLine {
        number: index + 1,
        text,
        notes: notes.iter().filter(|note| note.line.clamp(1, last) == index + 1).collect(),
    };
    texts.into_iter().enumerate().map(line).collect()
}

/// Rules that somebody wrote: what was found in them, and the form that plays them.
#[derive(Clone, Debug, Template)]
#[template(path = "rules.html")]
pub struct RulesPage<'r> {
    /// The rules, to be corrected.
    pub rules: &'r str,
    /// Their `game.toml`, which may be empty.
    pub words: &'r str,
    /// Whether they can be played.
    pub is_playable: bool,
    /// What else is wrong: with the words, or with the table that was asked for last.
    pub trouble: Option<String>,
    /// The form that opens a table with them, if the reader may.
    pub form: Option<TableForm>,
    /// All lines.
    pub lines: Vec<RulesLine<'r>>,
    /// How many things were found.
    pub notes: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_note_stands_at_its_line_and_none_is_lost() {
        let note = |line| RulesNote { severity: "error", code: "x".into(), message: "m".into(), line };
        let notes = [note(1), note(2), note(2), note(9), note(0)];
        let lines = rules_lines("(role a)\n(role", &notes);
        assert_eq!(lines.iter().map(|line| line.notes.len()).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(rules_lines("", &notes)[0].notes.len(), 5);
    }
}
