//! The status line of the screen in a real-time match: what can be played, with the time that runs, and the line that is typed below.

use std::{
    io::{self, Write},
    time::Duration,
};

use crate::sessions::{
    signs::Signs,
    terminal::{EditedLine, Input, Keys, LEAVE, Pressed, Stream, drawn, is_yes, pressed, size, wrapped},
};

/// What stands in front of what is typed.
const PROMPT: &str = "> ";

/// The last lines of the screen. They are taken away, and the terminal is given back, when this is dropped.
pub(crate) struct StatusLine {
    keys: Keys,
    line: EditedLine,
    history: Vec<String>,
    /// What is answered to the question whether to leave, and what leaving is.
    leaving: Option<(EditedLine, Input)>,
    status: String,
    /// Rows above the one that is typed in.
    rows: usize,
}

impl StatusLine {
    pub(super) fn new() -> io::Result<Self> {
        let keys = Keys::listen()?;
        Ok(Self {
            keys,
            line: EditedLine::default(),
            history: Vec::new(),
            leaving: None,
            status: String::new(),
            rows: 0,
        })
    }

    /// What takes the status line away; the cursor is in its last row.
    fn away(&mut self) -> String {
        match std::mem::take(&mut self.rows) {
            0 => "\r\x1b[J".to_owned(),
            rows => format!("\r\x1b[{rows}A\x1b[J"),
        }
    }

    /// Says a line above the status line.
    pub(super) fn say(&mut self, text: &str) -> io::Result<()> {
        let away = self.away();
        write!(Stream::Output.raw(), "{away}")?;
        // Colours are left out where they are not wanted; the cursor is moved in any case.
        let mut out = anstream::stdout();
        let text = Signs::of_output().written(text);
        for line in text.lines().flat_map(|line| wrapped(line, size().0)) {
            write!(out, "{line}\r\n")?;
        }
        out.flush()?;
        self.draw()
    }

    /// Shows this above what is typed.
    pub(super) fn show(&mut self, status: String) -> io::Result<()> {
        if status == self.status && self.rows > 0 {
            return Ok(());
        }
        self.status = status;
        self.draw()
    }

    fn draw(&mut self) -> io::Result<()> {
        let mut text = self.away();
        let (columns, lines) = size();
        if !self.status.is_empty() {
            let mut rows = wrapped(&self.status, columns);
            rows.truncate(lines.saturating_sub(2).max(1));
            self.rows = rows.len();
            for row in rows {
                text.push_str(&row);
                text.push_str("\r\n");
            }
        }
        text.push_str(&match &self.leaving {
            Some((reply, _)) => drawn(LEAVE, reply),
            None => drawn(PROMPT, &self.line),
        });
        let mut out = Stream::Output.raw();
        write!(out, "{text}")?;
        out.flush()
    }

    /// The line that was typed since it was last looked, or that the person leaves.
    pub(super) fn typed(&mut self) -> io::Result<Option<Input>> {
        let mut has_changed = false;
        while let Some(key) = self.keys.next(Duration::ZERO)? {
            has_changed = true;
            if let Some((mut reply, left)) = self.leaving.take() {
                match pressed(key, &mut reply, &[]) {
                    Pressed::Interrupt => return Ok(Some(Input::Interrupted)),
                    Pressed::End => return Ok(Some(left)),
                    Pressed::Enter if is_yes(&reply.text()) => return Ok(Some(left)),
                    Pressed::Enter => {}
                    Pressed::Edit | Pressed::Tab => self.leaving = Some((reply, left)),
                }
                continue;
            }
            match pressed(key, &mut self.line, &self.history) {
                Pressed::Edit | Pressed::Tab => {}
                Pressed::Interrupt => self.leaving = Some((EditedLine::default(), Input::Interrupted)),
                Pressed::End => self.leaving = Some((EditedLine::default(), Input::End)),
                Pressed::Enter => {
                    let line = std::mem::take(&mut self.line).text();
                    if !line.is_empty() {
                        self.history.push(line.clone());
                    }
                    self.draw()?;
                    return Ok(Some(Input::Line(line)));
                }
            }
        }
        if has_changed {
            self.draw()?;
        }
        Ok(None)
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        let away = self.away();
        let mut out = Stream::Output.raw();
        // Nobody is left to see it if that fails.
        let _ = write!(out, "{away}").and_then(|()| out.flush());
    }
}
