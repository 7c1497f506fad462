//! Where a person sits: the screen, the keyboard and who else is at them.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::{
    interrupt::Interrupt,
    terminal::{Answer, Keyboard, Question, Stream},
};

/// A place at the terminal.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) stream: Stream,
    keyboard: Arc<Mutex<Keyboard>>,
    pub(crate) interrupt: Interrupt,
    /// People at this terminal.
    pub(crate) people: usize,
    /// What shows the rules of the game, as the argument of `croupier show`.
    pub(crate) game: Option<String>,
}

impl Place {
    /// The places of so many people.
    pub(crate) fn new(stream: Stream, people: usize, interrupt: Interrupt, game: Option<String>) -> Self {
        let keyboard = Arc::new(Mutex::new(Keyboard::new(stream)));
        Self { stream, keyboard, interrupt, people, game }
    }

    /// What somebody is told is written here.
    pub(crate) fn writer(&self) -> Box<dyn Write + Send> {
        self.stream.writer()
    }

    fn keyboard(&self) -> MutexGuard<'_, Keyboard> {
        self.keyboard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether others read what is written while the keyboard is not in these hands.
    pub(crate) fn is_seen_by_others(&self, name: &str) -> bool {
        self.people > 1 && !self.keyboard().is_held_by(name)
    }

    /// Gives the keyboard to somebody; where the game has secrets, nobody else sees what was on the screen or will be.
    pub(crate) fn hand_over(
        &self,
        name: &str,
        has_secrets: bool,
        is_over: &dyn Fn() -> bool,
    ) -> io::Result<Answer> {
        let mut keyboard = self.keyboard();
        keyboard.give_to(name);
        if has_secrets { keyboard.hand_over(name, is_over) } else { Ok(Answer::Line(String::new())) }
    }

    /// Asks for a line.
    pub(crate) fn ask(
        &self,
        prompt: &str,
        deadline: Option<Instant>,
        completions: &[String],
        is_over: &dyn Fn() -> bool,
    ) -> io::Result<Answer> {
        self.keyboard().ask(&Question { prompt, deadline, completions, is_over })
    }
}
