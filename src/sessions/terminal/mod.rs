//! The terminal that people sit at: how wide it is, lines wrapped to that, and a line that is edited with a clock beside it.
//!
//! What is written to people goes through [`Wrapping`]; what they type comes from a [`Keyboard`]. Where standard input is no
//! terminal, or one that can do nothing (`TERM=dumb`), lines are read as they come, and nothing is drawn.

mod columns;
mod keyboard;
mod line;
mod wrapping;

use std::{
    env,
    io::{self, IsTerminal, Write},
};

pub(crate) use self::{
    columns::columns,
    keyboard::{Input, Keyboard, Keys, LEAVE, Pressed, Prompt, drawn, is_yes, pressed, stdin_line},
    line::EditedLine,
    wrapping::{Wrapping, wrapped},
};

use crate::sessions::signs::{Signed, Signs};

/// Columns of a terminal that does not say how many it has.
const COLUMNS: usize = 80;

/// Lines of a terminal that does not say how many it has.
const LINES: usize = 24;

/// Where people read what they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Output,
    /// Standard error, where standard output is for a program.
    Errors,
    /// Nobody reads.
    Nowhere,
}

impl Stream {
    /// Whether somebody reads at a terminal.
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Self::Output => io::stdout().is_terminal(),
            Self::Errors => io::stderr().is_terminal(),
            Self::Nowhere => false,
        }
    }

    /// Columns of the terminal; `None` if it is none, and lines may be as long as they are.
    pub(crate) fn width(self) -> Option<usize> {
        self.is_terminal().then(|| size().0)
    }

    /// Whether a line can be edited: keys come one by one, and the cursor can be moved.
    pub(crate) fn is_edited(self) -> bool {
        self.is_terminal() && io::stdin().is_terminal() && !is_dumb()
    }

    /// Lines of words, wrapped to the terminal. Colours are left out where they are not wanted.
    pub(crate) fn writer(self) -> Box<dyn Write + Send> {
        match self {
            Self::Output => {
                Box::new(Signed::new(Wrapping::new(anstream::stdout(), self), Signs::of_output()))
            }
            Self::Errors => {
                Box::new(Signed::new(Wrapping::new(anstream::stderr(), self), Signs::of_errors()))
            }
            Self::Nowhere => Box::new(io::sink()),
        }
    }

    /// The terminal itself, for what moves the cursor.
    pub(crate) fn raw(self) -> Box<dyn Write + Send> {
        match self {
            Self::Output => Box::new(io::stdout()),
            Self::Errors => Box::new(io::stderr()),
            Self::Nowhere => Box::new(io::sink()),
        }
    }

    /// Takes everything off the screen, and out of what can be scrolled back to. A terminal that can do nothing gets as many
    /// empty lines as it has.
    pub(crate) fn clear(self) -> io::Result<()> {
        let mut out = self.raw();
        match (self.is_terminal(), is_dumb()) {
            (false, _) => {}
            (true, true) => write!(out, "{}", "\n".repeat(size().1))?,
            (true, false) => write!(out, "\x1b[2J\x1b[3J\x1b[H")?,
        }
        out.flush()
    }
}

/// Whether the terminal is one that can do nothing.
fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Columns and lines of the terminal.
pub(crate) fn size() -> (usize, usize) {
    let variable = |name: &str| env::var(name).ok()?.parse().ok().filter(|&size: &usize| size > 0);
    let (columns, lines) = crossterm::terminal::size().unwrap_or_default();
    let or = |told: u16, name: &str, standard: usize| match told {
        0 => variable(name).unwrap_or(standard),
        told => told.into(),
    };
    (or(columns, "COLUMNS", COLUMNS), or(lines, "LINES", LINES))
}

/// Gives the terminal back as it was, if keys are read from it one by one; for a process that ends at once.
pub(crate) fn restore() {
    // Where there is no terminal there is nothing to give back.
    let _ = crossterm::terminal::disable_raw_mode();
}
