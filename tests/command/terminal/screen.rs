//! A terminal with somebody at it: the binary on a pty, and the screen that it draws.

use std::{
    io::{Read, Write as _},
    process::Child,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use pty_process::{
    Size,
    blocking::{Command, Pty, open},
};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Rows of the terminal: so many that nothing scrolls away.
const ROWS: u16 = 2000;

/// What a terminal shows, and what was wrong with it at any time.
struct Shown {
    parser: vt100::Parser,
    /// Every screen that was cleared, as it was.
    cleared: Vec<String>,
    /// Rows that the terminal itself had to go on in the next.
    overflows: Vec<String>,
    has_ended: bool,
}

/// Somebody at a terminal.
pub(super) struct Session {
    pty: Arc<Pty>,
    child: Child,
    shown: Arc<Mutex<Shown>>,
}

impl Session {
    /// The binary in a folder and in a terminal of so many columns.
    pub(super) fn new(folder: &str, columns: u16, arguments: &[&str]) -> Self {
        Self::with_term(folder, columns, arguments, "xterm-256color")
    }

    /// The same in a terminal of this kind.
    pub(super) fn with_term(folder: &str, columns: u16, arguments: &[&str], term: &str) -> Self {
        let (pty, pts) = open().expect("a system with terminals");
        pty.resize(Size::new(ROWS, columns)).expect("a terminal that has a size");
        let command = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(arguments)
            .env("TERM", term)
            .env("LC_ALL", "C.UTF-8");
        let child = command
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .current_dir(folder)
            .spawn(pts)
            .expect("a binary that can be run");
        let (rows, columns) = (ROWS.try_into().expect("rows"), columns.try_into().expect("columns"));
        let shown = Arc::new(Mutex::new(Shown {
            parser: vt100::Parser::new(rows, columns, 0),
            cleared: Vec::new(),
            overflows: Vec::new(),
            has_ended: false,
        }));
        let pty = Arc::new(pty);
        let (reads, shows) = (Arc::clone(&pty), Arc::clone(&shown));
        thread::spawn(move || {
            let mut bytes = [0; 65536];
            // The end of a terminal that nobody writes to any more is an error on some systems.
            while let Ok(count @ 1..) = (&*reads).read(&mut bytes) {
                shows.lock().expect("no test has failed").take(&bytes[..count]);
            }
            shows.lock().expect("no test has failed").has_ended = true;
        });
        Self { pty, child, shown }
    }

    /// All rows that have been shown, those of cleared screens included.
    pub(super) fn text(&self) -> String {
        let shown = self.shown.lock().expect("a reader that goes on");
        [shown.cleared.concat(), shown.parser.screen().contents()].concat()
    }

    /// What can be seen now.
    pub(super) fn screen(&self) -> String {
        self.shown.lock().expect("a reader that goes on").parser.screen().contents()
    }

    /// The row that the cursor is in, and its number.
    pub(super) fn row(&self) -> (u16, String) {
        let shown = self.shown.lock().expect("a reader that goes on");
        let screen = shown.parser.screen();
        let (row, _) = screen.cursor_position();
        let (_, columns) = screen.size();
        (row, screen.rows(0, columns.get()).nth(usize::from(row)).unwrap_or_default())
    }

    fn has_ended(&self) -> bool {
        self.shown.lock().expect("a reader that goes on").has_ended
    }

    /// Waits until this holds.
    #[expect(clippy::disallowed_methods, reason = "a person waits in real time")]
    pub(super) fn wait(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < PATIENCE, "{what} never came; the screen:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the screen says this.
    pub(super) fn wait_for(&self, text: &str) {
        self.wait(text, |session| session.screen().contains(text));
    }

    /// Waits for an empty line behind a prompt; whether there is one, or the binary has ended.
    pub(super) fn is_asked(&self, prompt: &str) -> bool {
        self.wait(prompt, |session| {
            session.has_ended() || session.row().1.trim_end().ends_with(prompt.trim_end())
        });
        !self.has_ended()
    }

    /// Presses keys.
    pub(super) fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("a terminal that can be typed into");
    }

    /// Types a line, and waits until it is seen before and gone after Enter.
    pub(super) fn enter(&self, line: &str) {
        self.press(line);
        self.wait(line, |session| session.row().1.trim_end().ends_with(line.trim_end()));
        let (row, _) = self.row();
        self.press("\r");
        self.wait("what follows a line", |session| session.has_ended() || session.row().0 != row);
    }

    /// Whether the terminal itself shows what is typed.
    pub(super) fn echoes(&self) -> bool {
        let modes = rustix::termios::tcgetattr(&*self.pty).expect("a terminal has modes").local_modes;
        modes.contains(rustix::termios::LocalModes::ECHO)
    }

    /// Sends it a signal, such as `TERM`.
    pub(super) fn signal(&self, name: &str) {
        let mut kill = std::process::Command::new("kill");
        let ended = kill.args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(ended.expect("a system with signals").success());
    }

    /// The exit status, when everything has been read.
    pub(super) fn end(&mut self) -> i32 {
        self.wait("the end", Self::has_ended);
        self.child.wait().expect("a child of this process").code().unwrap_or(-1)
    }

    /// That no line was ever longer than the terminal is wide.
    pub(super) fn assert_fits(&self) {
        let shown = self.shown.lock().expect("a reader that goes on");
        assert!(shown.overflows.is_empty(), "the terminal had to wrap {:#?}", shown.overflows);
    }
}

impl Shown {
    fn take(&mut self, bytes: &[u8]) {
        // A screen is kept before it is cleared.
        let mut rest = bytes;
        while let Some(place) = find(rest, b"\x1b[2J") {
            self.parser.process(&rest[..place]);
            self.look();
            self.cleared.push(self.parser.screen().contents());
            self.parser.process(&rest[place..place + 4]);
            rest = &rest[place + 4..];
        }
        self.parser.process(rest);
        self.look();
    }

    fn look(&mut self) {
        let screen = self.parser.screen();
        let (_, columns) = screen.size();
        for row in (0..ROWS).filter(|row| screen.row_wrapped(*row)) {
            let text = screen.rows(0, columns.get()).nth(usize::from(row)).unwrap_or_default();
            if !self.overflows.contains(&text) {
                self.overflows.push(text);
            }
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
