//! A writer that wraps lines by words to the width of a terminal.
//!
//! What a line goes on with stands below its text: behind the last gap of two spaces in the first half of the line (`turn  3  `),
//! or two columns further in than the line itself. Rows of a board are left as they are: in them no word has more than two
//! characters. So is a word that is longer than a line, a path for instance, which the terminal breaks so that it can be copied.

use std::io::{self, Write};

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, core::display_width};

use super::Stream;

/// Longest word of a row of a board, in columns.
const SQUARE_MAX: usize = 2;

/// Wraps every line that is written to it.
pub(crate) struct Wrapping<W> {
    out: W,
    stream: Stream,
    /// The line that is not written yet.
    line: Vec<u8>,
}

impl<W: Write> Wrapping<W> {
    /// A writer to this stream, which `out` is too.
    pub(crate) fn new(out: W, stream: Stream) -> Self {
        Self { out, stream, line: Vec::new() }
    }
}

impl<W: Write> Write for Wrapping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            match self.stream.width() {
                None => self.out.write_all(&line)?,
                Some(width) => {
                    let text = String::from_utf8_lossy(&line);
                    self.out.write_all(wrapped(&text, width).join("\n").as_bytes())?;
                }
            }
            self.out.write_all(b"\n")?;
        }
        Ok(bytes.len())
    }

    /// Writes what there is of a line, for a prompt.
    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.line))?;
        self.out.flush()
    }
}

/// The lines that a line has in so many columns.
pub(crate) fn wrapped(line: &str, width: usize) -> Vec<String> {
    let is_board = line.split_whitespace().all(|word| display_width(word) <= SQUARE_MAX);
    if is_board || display_width(line) <= width {
        return vec![line.to_owned()];
    }
    let indent = " ".repeat(hanging(line, width));
    let options = Options::new(width)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(line, options).into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// By how many columns all lines but the first are indented.
fn hanging(line: &str, width: usize) -> usize {
    // Colours take no columns.
    let line = anstream::adapter::strip_str(line).to_string();
    let text = line.trim_start();
    let leading = display_width(&line) - display_width(text);
    let mut column = leading;
    let mut found = None;
    let mut spaces = 0;
    for char in text.chars() {
        if char != ' ' && spaces >= 2 {
            found = Some(column);
        }
        spaces = if char == ' ' { spaces + 1 } else { 0 };
        column += 1;
        if column > width / 2 {
            break;
        }
    }
    found.unwrap_or(leading + 2).min(width / 2)
}

#[cfg(test)]
mod tests {
    use textwrap::core::display_width;

    use super::wrapped;

    #[test]
    fn lines_are_wrapped_by_words_below_their_text() {
        let line = "turn 12  Alice: raise to 10; Bob: call (the pot is 20)";
        assert_eq!(wrapped(line, 34), ["turn 12  Alice: raise to 10; Bob:", "         call (the pot is 20)"]);
        let line = "On the table: Alice holds the king; the pot is 2";
        assert_eq!(wrapped(line, 34), ["On the table: Alice holds the", "  king; the pot is 2"]);
        assert_eq!(wrapped("   short", 34), ["   short"]);
        assert_eq!(wrapped("", 34), [""]);
    }

    #[test]
    fn no_line_is_too_long_and_no_word_is_lost_at_any_width() {
        let line = "  the quick  brown fox♠ jumps over (a lazy dog) and runs, 10♥ in hand";
        for width in 12..80 {
            let lines = wrapped(line, width);
            assert!(lines.iter().all(|line| display_width(line) <= width), "{width}: {lines:?}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&lines.join(" ")), words(line), "{width}");
        }
    }

    #[test]
    fn boards_and_words_longer_than_a_line_are_left_whole() {
        let row = "10 · · · · · · · · · · · · · · · · · · ♔";
        assert_eq!(wrapped(row, 34), [row]);
        let path = "/a/path/that/is/longer/than/a/narrow/terminal.jsonl";
        assert_eq!(wrapped(&format!("record {path}"), 34), ["record", &format!("  {path}")]);
    }
}
