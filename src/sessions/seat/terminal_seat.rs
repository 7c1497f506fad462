//! Where a person sits: the screen, the keyboard and who else is at them.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::sessions::{
    interrupt::Interrupt,
    terminal::{Input, Keyboard, Prompt, Stream},
};

/// A place at the terminal.
#[derive(Clone, Debug)]
pub(crate) struct TerminalSeat {
    pub(crate) stream: Stream,
    keyboard: Arc<Mutex<Keyboard>>,
    pub(crate) interrupt: Interrupt,
    /// People at this terminal.
    pub(crate) people: usize,
    /// Whether one of them may know what another must not.
    has_secrets: bool,
    /// Which match of a session is played there; after the first nobody needs to be told what the game is.
    pub(crate) hand: Option<u64>,
    /// What shows the rules of the game, as the argument of `croupier show`.
    pub(crate) game: Option<String>,
}

impl TerminalSeat {
    /// A place for one person.
    pub(crate) fn new(stream: Stream, interrupt: Interrupt, game: Option<String>) -> Self {
        let keyboard = Arc::new(Mutex::new(Keyboard::new(stream)));
        Self { stream, keyboard, interrupt, people: 1, has_secrets: false, hand: None, game }
    }

    /// The same for so many people, one of whom may know what another must not if the game `has_secrets`.
    pub(crate) fn shared(self, people: usize, has_secrets: bool) -> Self {
        Self { people, has_secrets, ..self }
    }

    /// The same in this match of a session.
    pub(crate) fn in_hand(self, index: u64) -> Self {
        Self { hand: Some(index), ..self }
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
    pub(crate) fn hand_over(&self, name: &str, is_over: &dyn Fn() -> bool) -> io::Result<Input> {
        let mut keyboard = self.keyboard();
        keyboard.give_to(name);
        if self.has_secrets { keyboard.hand_over(name, is_over) } else { Ok(Input::Line(String::new())) }
    }

    /// Asks for a line.
    pub(crate) fn ask(
        &self,
        prompt: &str,
        deadline: Option<Instant>,
        completions: &[String],
        is_over: &dyn Fn() -> bool,
    ) -> io::Result<Input> {
        self.keyboard().ask(&Prompt { text: prompt, deadline, completions, is_over })
    }
}
