//! The line that somebody edits: its text, the cursor, what was typed before, and what it can be completed to.

use textwrap::core::display_width;

/// Longest line that can be typed, in characters.
const CHARS_MAX: usize = 4096;

/// A line that is being edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EditedLine {
    text: Vec<char>,
    /// In front of which character the cursor stands.
    cursor: usize,
    /// Which line of the history is shown, counted from the last, and what was typed before it was.
    past: Option<(usize, String)>,
}

impl EditedLine {
    /// What it says.
    pub(crate) fn text(&self) -> String {
        self.text.iter().collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn set(&mut self, text: &str) {
        self.text = text.chars().take(CHARS_MAX).collect();
        self.cursor = self.text.len();
    }

    /// Puts a character where the cursor is; one that cannot be shown is left out.
    pub(crate) fn insert(&mut self, char: char) {
        if !char.is_control() && self.text.len() < CHARS_MAX {
            self.text.insert(self.cursor, char);
            self.cursor += 1;
        }
    }

    pub(crate) fn left(&mut self) {
        self.cursor = self.cursor.saturating_sub(1);
    }

    pub(crate) fn right(&mut self) {
        self.cursor = self.text.len().min(self.cursor + 1);
    }

    pub(crate) fn home(&mut self) {
        self.cursor = 0;
    }

    pub(crate) fn end(&mut self) {
        self.cursor = self.text.len();
    }

    /// Takes away the character before the cursor.
    pub(crate) fn backspace(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.text.remove(self.cursor);
        }
    }

    /// Takes away the character at the cursor.
    pub(crate) fn delete(&mut self) {
        if self.cursor < self.text.len() {
            self.text.remove(self.cursor);
        }
    }

    /// Takes away all before the cursor.
    pub(crate) fn cut_before(&mut self) {
        self.text.drain(..self.cursor);
        self.cursor = 0;
    }

    /// Takes away all behind the cursor.
    pub(crate) fn cut_behind(&mut self) {
        self.text.truncate(self.cursor);
    }

    /// Takes away the word before the cursor.
    pub(crate) fn cut_word(&mut self) {
        let before = &self.text[..self.cursor];
        let end = before.iter().rposition(|char| *char != ' ').map_or(0, |last| last + 1);
        let start = before[..end].iter().rposition(|char| *char == ' ').map_or(0, |space| space + 1);
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    /// Shows the line that was typed before the one that is shown.
    pub(crate) fn older(&mut self, history: &[String]) {
        let (back, draft) = match self.past.take() {
            None => (0, self.text()),
            Some((back, draft)) => (back + 1, draft),
        };
        let back = back.min(history.len().saturating_sub(1));
        if let Some(line) = history.iter().rev().nth(back) {
            self.set(line);
            self.past = Some((back, draft));
        }
    }

    /// Shows the line that was typed after the one that is shown, and at last what was being typed.
    pub(crate) fn newer(&mut self, history: &[String]) {
        match self.past.take() {
            None => {}
            Some((0, draft)) => self.set(&draft),
            Some((back, draft)) => {
                if let Some(line) = history.iter().rev().nth(back - 1) {
                    self.set(line);
                }
                self.past = Some((back - 1, draft));
            }
        }
    }

    /// Adds what all texts that begin with the line have in common; these texts, if that adds nothing.
    pub(crate) fn complete(&mut self, texts: &[String]) -> Vec<String> {
        let typed = self.text().to_lowercase();
        let fitting: Vec<&String> =
            texts.iter().filter(|text| text.to_lowercase().starts_with(&typed)).collect();
        let Some((first, others)) = fitting.split_first() else { return Vec::new() };
        let common = others.iter().fold((*first).clone(), |common, text| {
            let same = common.chars().zip(text.chars()).take_while(|(one, other)| one == other);
            same.map(|(char, _)| char).collect()
        });
        if common.chars().count() > self.text.len() {
            self.set(&common);
            return Vec::new();
        }
        if others.is_empty() { Vec::new() } else { fitting.into_iter().cloned().collect() }
    }

    /// What can be seen of it in so many columns, and the column that the cursor is in.
    pub(crate) fn view(&self, columns: usize) -> (String, usize) {
        let width = |chars: &[char]| display_width(&chars.iter().collect::<String>());
        // The cursor needs a column of its own behind the text.
        let room = columns.saturating_sub(1);
        let mut first = 0;
        while width(&self.text[first..self.cursor]) > room {
            first += 1;
        }
        let mut last = self.text.len();
        while last > self.cursor && width(&self.text[first..last]) > room {
            last -= 1;
        }
        (self.text[first..last].iter().collect(), width(&self.text[first..self.cursor]))
    }
}

#[cfg(test)]
mod tests {
    use super::EditedLine;

    fn typed(text: &str) -> EditedLine {
        let mut line = EditedLine::default();
        text.chars().for_each(|char| line.insert(char));
        line
    }

    #[test]
    fn a_line_is_edited_where_the_cursor_is() {
        let mut line = typed("rase to 1\u{7}0");
        line.home();
        line.right();
        line.right();
        line.insert('i');
        assert_eq!(line.text(), "raise to 10");
        line.end();
        line.backspace();
        line.cut_word();
        assert_eq!(line.text(), "raise to ");
        line.cut_word();
        assert_eq!(line.text(), "raise ");
        line.left();
        line.left();
        line.delete();
        line.cut_behind();
        assert_eq!(line.text(), "rais");
        line.cut_before();
        assert!(line.is_empty());
        for edit in [EditedLine::left, EditedLine::backspace, EditedLine::delete, EditedLine::cut_word] {
            edit(&mut line);
        }
        assert_eq!(line, EditedLine::default());
    }

    #[test]
    fn what_was_typed_before_comes_back_and_the_draft_too() {
        let history = ["check", "bet"].map(str::to_owned);
        let mut line = typed("fo");
        for expected in ["bet", "check", "check"] {
            line.older(&history);
            assert_eq!(line.text(), expected);
        }
        for expected in ["bet", "fo", "fo"] {
            line.newer(&history);
            assert_eq!(line.text(), expected);
        }
        line.older(&[]);
        assert_eq!(line.text(), "fo");
    }

    #[test]
    fn a_line_is_completed_as_far_as_it_is_clear() {
        let texts = ["raise to 4", "raise to 10", "fold"].map(str::to_owned);
        let mut line = typed("R");
        assert!(line.complete(&texts).is_empty());
        assert_eq!(line.text(), "raise to ");
        assert_eq!(line.complete(&texts), ["raise to 4", "raise to 10"]);
        line.insert('1');
        assert!(line.complete(&texts).is_empty());
        assert_eq!(line.text(), "raise to 10");
        assert!(line.complete(&texts).is_empty());
        assert!(typed("x").complete(&texts).is_empty());
    }

    #[test]
    fn the_part_with_the_cursor_is_seen() {
        let mut line = typed("0123456789");
        assert_eq!(line.view(20), ("0123456789".to_owned(), 10));
        assert_eq!(line.view(5), ("6789".to_owned(), 4));
        line.home();
        assert_eq!(line.view(5), ("0123".to_owned(), 0));
        assert_eq!(line.view(0), (String::new(), 0));
    }
}
