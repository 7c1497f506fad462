//! Players that are called: one machine for all of them, which keeps every byte before anybody reads it.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use crate::wire::PATIENCE;

/// What a player answers.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// This, at once.
    Now(String),
    /// This, after a while.
    Later(Duration, String),
    /// This, once the host has been raised to a level.
    At(u32, String),
}

/// What the players of a host answer, by the name of the role and the number of the message, START being 0.
pub(crate) type Script = Arc<dyn Fn(&str, usize) -> Said + Send + Sync>;

/// One connection, from the first byte to the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Capture {
    pub(crate) role: String,
    /// How many bytes the first read gave.
    pub(crate) first: usize,
    pub(crate) bytes: Vec<u8>,
    /// Whether the server has closed the connection.
    pub(crate) is_closed: bool,
    /// Whether something came after the answer.
    pub(crate) is_used_again: bool,
}

struct State {
    captures: Vec<Capture>,
    script: Script,
    level: u32,
    /// Matches so far: connections of earlier ones are nobody's.
    matches: u32,
}

/// One listener for the players of all roles.
pub(crate) struct Host {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something; `None` if it does not come.
    fn wait<T>(&self, mut found: impl FnMut(&State) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(found) = found(&state) {
                return Some(found);
            }
            let (next, waited) =
                self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if waited.timed_out() {
                return None;
            }
        }
    }

    /// Keeps what comes on a connection, and answers the first message on it.
    fn serve(&self, mut stream: TcpStream, index: usize, matches: u32) {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut buffer = vec![0; 1 << 20];
        let mut is_answered = false;
        loop {
            let length = stream.read(&mut buffer).unwrap_or(0);
            let mut state = self.lock();
            if state.matches != matches {
                return;
            }
            let capture = &mut state.captures[index];
            capture.is_closed = length == 0;
            capture.is_used_again |= is_answered && length > 0;
            if capture.bytes.is_empty() {
                capture.first = length;
            }
            capture.bytes.extend_from_slice(&buffer[..length]);
            let role = receiver(&capture.bytes);
            capture.role.clone_from(&role);
            let is_whole = is_whole(&capture.bytes);
            self.changed.notify_all();
            if length == 0 {
                return;
            }
            if !is_whole || is_answered {
                continue;
            }
            is_answered = true;
            let number = state.captures[..=index].iter().filter(|other| other.role == role).count() - 1;
            let script = Arc::clone(&state.script);
            drop(state);
            let text = self.answer(script(&role, number), matches);
            let _ = write!(
                stream,
                "HTTP/1.0 200 OK\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{text}",
                text.len()
            );
        }
    }

    fn answer(&self, said: Said, matches: u32) -> String {
        match said {
            Said::Now(text) => text,
            Said::Later(pause, text) => {
                thread::sleep(pause);
                text
            }
            Said::At(level, text) => {
                self.wait(|state| (state.level >= level || state.matches != matches).then_some(()));
                text
            }
        }
    }
}

impl Host {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let script: Script = Arc::new(|_, _| Said::Now("READY".to_owned()));
        let state = State { captures: Vec::new(), script, level: 0, matches: 0 };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let accepting = Arc::downgrade(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (Ok(stream), Some(shared)) = (stream, accepting.upgrade()) else { return };
                let (index, matches) = {
                    let mut state = shared.lock();
                    state.captures.push(Capture::default());
                    (state.captures.len() - 1, state.matches)
                };
                thread::spawn(move || shared.serve(stream, index, matches));
            }
        });
        Self { address, shared }
    }

    /// Begins another match.
    pub(crate) fn begin(&self, script: Script) {
        let mut state = self.shared.lock();
        state.matches += 1;
        state.captures.clear();
        state.script = script;
        state.level = 0;
        self.shared.changed.notify_all();
    }

    /// Lets everybody answer who waits for this level.
    pub(crate) fn raise(&self, level: u32) {
        self.shared.lock().level = level;
        self.shared.changed.notify_all();
    }

    /// Waits until each of these roles has got so many messages; they never will if two came on one connection.
    pub(crate) fn await_messages(&self, roles: &[&str], count: usize) -> bool {
        let has_got = |state: &State, role: &str| {
            state.captures.iter().filter(|capture| capture.role == role && is_whole(&capture.bytes)).count()
                >= count
        };
        let is_there = |state: &State| roles.iter().all(|role| has_got(state, role));
        let is_odd = |state: &State| state.captures.iter().any(|capture| capture.is_used_again);
        let found = self.shared.wait(|state| (is_odd(state) || is_there(state)).then(|| is_there(state)));
        found == Some(true)
    }

    /// Waits until each of these roles has got so many messages, or was told that the match is over.
    pub(crate) fn await_messages_or_end(&self, roles: &[&str], count: usize) -> bool {
        let is_there = |state: &State, role: &str| {
            let mut own =
                state.captures.iter().filter(|capture| capture.role == role && is_whole(&capture.bytes));
            own.clone().count() >= count || own.any(is_last)
        };
        self.shared.wait(|state| roles.iter().all(|role| is_there(state, role)).then_some(())).is_some()
    }

    /// Everything that came, once each role was told that the match is over and all connections are closed.
    pub(crate) fn captures(&self, roles: &[&str]) -> Option<Vec<Capture>> {
        self.shared.wait(|state| {
            let is_told = |role: &&str| state.captures.iter().any(|it| it.role == **role && is_last(it));
            let is_over = roles.iter().all(is_told) && state.captures.iter().all(|it| it.is_closed);
            is_over.then(|| state.captures.clone())
        })
    }
}

/// Whether a message says that the match is over.
fn is_last(capture: &Capture) -> bool {
    let text = String::from_utf8_lossy(&capture.bytes);
    ["(STOP ", "(ABORT "].iter().any(|word| text.contains(word))
}

/// The role that a message is for.
fn receiver(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().find_map(|line| line.strip_prefix("Receiver: "));
    line.unwrap_or_default().to_owned()
}

/// Whether a message has come to its last parenthesis, whatever comes behind it.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let body = &bytes[at + 4..];
    // Before its first word there may be anything, if the server is not as it should be.
    let begins = |two: &[u8]| two[0] == b'(' && two[1].is_ascii_uppercase();
    let Some(first) = body.windows(2).position(begins) else { return false };
    let mut depth = 0_u32;
    for byte in &body[first..] {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return true,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}
