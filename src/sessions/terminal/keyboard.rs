//! What people type: a line that is edited on a terminal, with a clock beside it, or a line of any other input.

use std::{
    io::{self, BufRead, IsTerminal, Read, Write},
    sync::{
        Mutex, OnceLock, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use crossterm::{
    event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
    terminal,
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use textwrap::core::display_width;

use super::{EditedLine, Stream, columns, size};
use crate::sessions::clock;

/// Longest line that is read, in bytes.
const LINE_BYTES_MAX: u64 = 4096;

/// How often it is looked whether anybody still waits for what a person types.
const SLICE: Duration = Duration::from_millis(50);

/// Lines that the arrow keys bring back.
const HISTORY_MAX: usize = 200;

/// Completions that are shown at once.
const COMPLETIONS_MAX: usize = 40;

/// What control-C asks.
pub(crate) const LEAVE: &str = "leave the match? [y/N] ";

/// What a person is asked to type.
pub(crate) struct Prompt<'q> {
    pub(crate) text: &'q str,
    /// When it is too late for an answer.
    pub(crate) deadline: Option<Instant>,
    /// What Tab completes a line to.
    pub(crate) completions: &'q [String],
    /// Whether nobody wants an answer any more.
    pub(crate) is_over: &'q dyn Fn() -> bool,
}

/// What a person typed, or why nothing is typed any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Line(String),
    /// The input has ended, or the person leaves.
    End,
    /// The person leaves by control-C.
    Interrupted,
    /// The clock has run out.
    TimeUp,
    /// Nobody wants an answer any more.
    Over,
}

/// The keyboard of a terminal, which all people at it share.
#[derive(Debug)]
pub(crate) struct Keyboard {
    stream: Stream,
    /// What was typed, the last line last.
    pub(crate) history: Vec<String>,
    /// Whose turn at the keyboard it is, where several people share it.
    holder: Option<String>,
    /// Whether what is typed now was meant for a question that is over.
    is_stale: bool,
}

/// The keys of the terminal, one by one, until this is dropped.
pub(crate) struct Keys;

impl Keys {
    pub(crate) fn listen() -> io::Result<Self> {
        terminal::enable_raw_mode().map(|()| Self)
    }

    /// The next key within this time. A change of the terminal's size is none, and ends the wait.
    pub(crate) fn next(&self, patience: Duration) -> io::Result<Option<KeyEvent>> {
        let found = match read_event()? {
            None if wait_for_input(patience)? => read_event()?,
            found => found,
        };
        match found {
            Some(Event::Key(key)) if key.kind != KeyEventKind::Release => Ok(Some(key)),
            _ => Ok(None),
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        super::restore();
    }
}

/// What reads keys for whoever asks, on a thread of its own.
struct Reader {
    asks: SyncSender<()>,
    found: Receiver<io::Result<Option<Event>>>,
}

/// What was typed or happened, if it is there already.
///
/// The thread that reads never returns from a terminal that is closed meanwhile: then it is left behind.
///
/// # Errors
/// If the terminal is gone.
fn read_event() -> io::Result<Option<Event>> {
    static READER: OnceLock<Mutex<Reader>> = OnceLock::new();
    wait_for_input(Duration::ZERO)?;
    let reader = READER.get_or_init(|| {
        let (asks, asked) = mpsc::sync_channel(1);
        let (give, found) = mpsc::channel();
        thread::spawn(move || {
            for () in asked {
                let is_there = event::poll(Duration::ZERO);
                let event = is_there.and_then(|is_there| is_there.then(event::read).transpose());
                if give.send(event).is_err() {
                    return;
                }
            }
        });
        Mutex::new(Reader { asks, found })
    });
    let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
    reader.asks.try_send(()).map_err(|_| io::ErrorKind::UnexpectedEof)?;
    loop {
        match reader.found.recv_timeout(SLICE) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Timeout) => drop(wait_for_input(Duration::ZERO)?),
            Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// Waits for input of the terminal; whether some is there.
///
/// # Errors
/// If it is gone.
fn wait_for_input(patience: Duration) -> io::Result<bool> {
    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
    match poll(&mut terminal, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let found = terminal[0].revents();
    if found.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(found.contains(PollFlags::IN))
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// It changed the line, or nothing.
    Edit,
    Enter,
    Tab,
    /// Control-C.
    Interrupt,
    /// Control-D on an empty line.
    End,
}

/// Lets a key change a line.
pub(crate) fn pressed(key: KeyEvent, line: &mut EditedLine, history: &[String]) -> Pressed {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Enter => return Pressed::Enter,
        // What was typed before keys were read one by one has the newline itself.
        KeyCode::Char('j' | 'm') if is_control => return Pressed::Enter,
        KeyCode::Tab => return Pressed::Tab,
        KeyCode::Char('c') if is_control => return Pressed::Interrupt,
        KeyCode::Char('d') if is_control && line.is_empty() => return Pressed::End,
        KeyCode::Char('d') if is_control => line.delete(),
        KeyCode::Char('a') if is_control => line.home(),
        KeyCode::Char('e') if is_control => line.end(),
        KeyCode::Char('b') if is_control => line.left(),
        KeyCode::Char('f') if is_control => line.right(),
        KeyCode::Char('h') if is_control => line.backspace(),
        KeyCode::Char('k') if is_control => line.cut_behind(),
        KeyCode::Char('u') if is_control => line.cut_before(),
        KeyCode::Char('w') if is_control => line.cut_word(),
        KeyCode::Char('p') if is_control => line.older(history),
        KeyCode::Char('n') if is_control => line.newer(history),
        KeyCode::Char(char) if !is_control => line.insert(char),
        KeyCode::Backspace => line.backspace(),
        KeyCode::Delete => line.delete(),
        KeyCode::Left => line.left(),
        KeyCode::Right => line.right(),
        KeyCode::Home => line.home(),
        KeyCode::End => line.end(),
        KeyCode::Up => line.older(history),
        KeyCode::Down => line.newer(history),
        _ => {}
    }
    Pressed::Edit
}

/// What draws a prompt and a line in the row that the cursor is in, no longer than the terminal is wide.
pub(crate) fn drawn(prompt: &str, line: &EditedLine) -> String {
    let columns = size().0.saturating_sub(1);
    let prompt: String = prompt.chars().take(columns.saturating_sub(8)).collect();
    let (text, cursor) = line.view(columns.saturating_sub(display_width(&prompt)));
    let column = display_width(&prompt) + cursor;
    let forward = if column > 0 { format!("\x1b[{column}C") } else { String::new() };
    format!("\r\x1b[K{prompt}{text}\r{forward}")
}

impl Keyboard {
    /// The keyboard of somebody who reads there.
    pub(crate) fn new(stream: Stream) -> Self {
        Self { stream, history: Vec::new(), holder: None, is_stale: false }
    }

    /// Keeps a line for the arrow keys.
    pub(crate) fn remember(&mut self, line: &str) {
        if line.trim().is_empty() || self.history.last().is_some_and(|last| last == line) {
            return;
        }
        if self.history.len() == HISTORY_MAX {
            self.history.remove(0);
        }
        self.history.push(line.to_owned());
    }

    /// Whether the keyboard is in these hands.
    pub(crate) fn is_held_by(&self, name: &str) -> bool {
        self.holder.as_deref() == Some(name)
    }

    /// Puts the keyboard into these hands.
    pub(crate) fn give_to(&mut self, name: &str) {
        self.holder = Some(name.to_owned());
    }

    /// Keeps what was on the screen, and what will be, from everybody else: a terminal is cleared, and stays empty until
    /// somebody of this name is there.
    pub(crate) fn hand_over(&mut self, name: &str, is_over: &dyn Fn() -> bool) -> io::Result<Input> {
        let mut out = self.stream.writer();
        if !self.stream.is_terminal() {
            writeln!(out, "\n---- {name} ----")?;
            return Ok(Input::Line(String::new()));
        }
        self.stream.clear()?;
        if !io::stdin().is_terminal() {
            return Ok(Input::Line(String::new()));
        }
        writeln!(out, "Hand the keyboard to {name}.")?;
        let asked = Prompt { text: "then press Enter> ", deadline: None, completions: &[], is_over };
        let answer = self.ask(&asked)?;
        self.stream.clear()?;
        Ok(answer)
    }

    /// Asks for a line.
    pub(crate) fn ask(&mut self, asked: &Prompt<'_>) -> io::Result<Input> {
        let answer =
            if self.stream.is_edited() { self.ask_for_keys(asked)? } else { self.ask_for_line(asked)? };
        match &answer {
            Input::Line(line) => self.remember(line),
            Input::TimeUp => self.is_stale = true,
            Input::End | Input::Interrupted | Input::Over => {}
        }
        Ok(answer)
    }

    fn ask_for_line(&mut self, asked: &Prompt<'_>) -> io::Result<Input> {
        if std::mem::take(&mut self.is_stale) && io::stdin().is_terminal() {
            while let Ok(Some(_)) = stdin_line(SLICE) {}
        }
        let mut out = self.stream.writer();
        write!(out, "{}", prompt(asked.text, seconds_left(asked.deadline)))?;
        out.flush()?;
        loop {
            if is_late(asked.deadline) {
                writeln!(out)?;
                return Ok(Input::TimeUp);
            }
            match stdin_line(SLICE) {
                Ok(Some(line)) => return line.map(|line| line.map_or(Input::End, Input::Line)),
                Err(Ended) => return Ok(Input::End),
                Ok(None) if (asked.is_over)() => return Ok(Input::Over),
                Ok(None) => {}
            }
        }
    }

    fn ask_for_keys(&mut self, asked: &Prompt<'_>) -> io::Result<Input> {
        let mut out = self.stream.raw();
        let keys = Keys::listen()?;
        if std::mem::take(&mut self.is_stale) {
            while keys.next(Duration::ZERO)?.is_some() {}
        }
        let answer = self.edit(asked, &keys, &mut *out)?;
        drop(keys);
        writeln!(out)?;
        out.flush()?;
        Ok(answer)
    }

    fn edit(&self, asked: &Prompt<'_>, keys: &Keys, out: &mut dyn Write) -> io::Result<Input> {
        let mut line = EditedLine::default();
        // What is answered to the question whether to leave, and what leaving is.
        let mut leaving: Option<(EditedLine, Input)> = None;
        let mut shown = String::new();
        loop {
            if (asked.is_over)() {
                return Ok(Input::Over);
            }
            if is_late(asked.deadline) {
                return Ok(Input::TimeUp);
            }
            let row = match &leaving {
                Some((reply, _)) => drawn(LEAVE, reply),
                None => drawn(&prompt(asked.text, seconds_left(asked.deadline)), &line),
            };
            if row != shown {
                write!(out, "{row}")?;
                out.flush()?;
                shown = row;
            }
            let Some(key) = keys.next(SLICE)? else { continue };
            if let Some((mut reply, left)) = leaving.take() {
                match pressed(key, &mut reply, &[]) {
                    Pressed::Interrupt => return Ok(Input::Interrupted),
                    Pressed::End => return Ok(left),
                    Pressed::Enter if is_yes(&reply.text()) => return Ok(left),
                    Pressed::Enter => {}
                    Pressed::Edit | Pressed::Tab if key.code == KeyCode::Esc => {}
                    Pressed::Edit | Pressed::Tab => leaving = Some((reply, left)),
                }
                continue;
            }
            match pressed(key, &mut line, &self.history) {
                Pressed::Edit => {}
                Pressed::Enter => return Ok(Input::Line(line.text())),
                Pressed::Tab => {
                    write_completions(out, &line.complete(asked.completions))?;
                    shown.clear();
                }
                Pressed::Interrupt => leaving = Some((EditedLine::default(), Input::Interrupted)),
                Pressed::End => leaving = Some((EditedLine::default(), Input::End)),
            }
        }
    }
}

/// Shows what a line may go on to, above it.
fn write_completions(out: &mut dyn Write, fitting: &[String]) -> io::Result<()> {
    if fitting.is_empty() {
        return Ok(());
    }
    let shown = &fitting[..fitting.len().min(COMPLETIONS_MAX)];
    write!(out, "\r\x1b[K")?;
    for row in columns(shown, size().0) {
        write!(out, "{row}\r\n")?;
    }
    if shown.len() < fitting.len() {
        write!(out, "... and {} more\r\n", fitting.len() - shown.len())?;
    }
    Ok(())
}

/// Whether that means yes.
pub(crate) fn is_yes(reply: &str) -> bool {
    ["y", "yes"].contains(&reply.trim().to_lowercase().as_str())
}

fn is_late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| deadline <= clock::now())
}

/// Whole seconds until then, the one that has begun included.
fn seconds_left(deadline: Option<Instant>) -> Option<u128> {
    deadline.map(|deadline| deadline.saturating_duration_since(clock::now()).as_millis().div_ceil(1000))
}

fn prompt(text: &str, seconds: Option<u128>) -> String {
    seconds.map_or_else(|| text.to_owned(), |seconds| format!("[{seconds} s] {text}"))
}

/// That there are no more lines.
pub(crate) struct Ended;

/// A line, or `None` at the end of the input.
type ReadLine = io::Result<Option<String>>;

/// The next line of standard input, if one comes within this time.
///
/// One thread of the process reads: no read ends before a line does, and a line that comes too late for one question is there for the next.
///
/// # Errors
/// [`Ended`] if the end of the input was read before.
pub(crate) fn stdin_line(patience: Duration) -> Result<Option<ReadLine>, Ended> {
    static LINES: OnceLock<Mutex<Receiver<ReadLine>>> = OnceLock::new();
    let lines = LINES.get_or_init(|| {
        let (line, lines) = mpsc::sync_channel(0);
        thread::spawn(move || read_lines(&line));
        Mutex::new(lines)
    });
    let received = lines.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience);
    match received {
        Ok(line) => Ok(Some(line)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(Ended),
    }
}

fn read_lines(lines: &SyncSender<ReadLine>) {
    loop {
        let line = read_line(&mut io::stdin().lock());
        let is_last = !matches!(line, Ok(Some(_)));
        if lines.send(line).is_err() || is_last {
            return;
        }
    }
}

/// A line without its newline; `None` at the end of the input. What is too long is cut.
fn read_line(input: &mut impl BufRead) -> ReadLine {
    let mut bytes = Vec::new();
    let count = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes)?;
    if count as u64 == LINE_BYTES_MAX && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok((count > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::{EditedLine, Keyboard, Pressed, is_yes, pressed, prompt, read_line};
    use crate::sessions::terminal::Stream;

    #[test]
    fn a_line_without_end_is_cut_and_the_next_one_is_whole() {
        let mut input = [b"x".repeat(100_000), b"\n2\n".to_vec()].concat();
        let mut input = std::io::Cursor::new(&mut input);
        assert_eq!(read_line(&mut input).expect("memory").map(|line| line.len()), Some(4096));
        assert_eq!(read_line(&mut input).expect("memory").as_deref(), Some("2\n"));
        assert_eq!(read_line(&mut input).expect("memory"), None);
    }

    #[test]
    fn keys_edit_the_line_or_end_it() {
        let mut line = EditedLine::default();
        let mut press = |code, modifiers| pressed(KeyEvent::new(code, modifiers), &mut line, &["old".into()]);
        let control = KeyModifiers::CONTROL;
        assert_eq!(press(KeyCode::Char('d'), control), Pressed::End);
        for char in "bet!".chars() {
            assert_eq!(press(KeyCode::Char(char), KeyModifiers::NONE), Pressed::Edit);
        }
        assert_eq!(press(KeyCode::Backspace, KeyModifiers::NONE), Pressed::Edit);
        // Not the end: it takes away the character at the cursor, where there is none.
        assert_eq!(press(KeyCode::Char('d'), control), Pressed::Edit);
        assert_eq!(press(KeyCode::Char('c'), control), Pressed::Interrupt);
        assert_eq!(press(KeyCode::Char('j'), control), Pressed::Enter);
        assert_eq!(press(KeyCode::Tab, KeyModifiers::NONE), Pressed::Tab);
        assert_eq!(line.text(), "bet");
        assert_eq!(
            pressed(KeyEvent::new(KeyCode::Up, KeyModifiers::NONE), &mut line, &["old".into()]),
            Pressed::Edit
        );
        assert_eq!(line.text(), "old");
    }

    #[test]
    fn the_history_has_no_repetitions_and_the_prompt_the_seconds() {
        let mut keyboard = Keyboard::new(Stream::Nowhere);
        for line in ["bet", "bet", " ", "call", "bet"] {
            keyboard.remember(line);
        }
        assert_eq!(keyboard.history, ["bet", "call", "bet"]);
        assert_eq!((prompt("> ", None), prompt("> ", Some(7))), ("> ".to_owned(), "[7 s] > ".to_owned()));
        assert!(is_yes(" Y ") && !is_yes("") && !is_yes("n"));
    }
}
