//! HTTP as bytes: one request a connection, and all that comes back.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::mpsc::{Receiver, channel},
    thread::{self, JoinHandle},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::Value;

/// How long anything here may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A response to the last byte.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) raw: Vec<u8>,
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn of(raw: Vec<u8>) -> Self {
        let end = raw.windows(4).position(|four| four == b"\r\n\r\n").map_or(raw.len(), |at| at + 4);
        let head = String::from_utf8_lossy(&raw[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        let rest = &raw[end..];
        let body = if head.contains("transfer-encoding: chunked") { unchunked(rest) } else { rest.to_vec() };
        Self { status, head, body, raw }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The lines of the head, sorted: the web server writes them in the order of a hash table that knows nothing but their
    /// names. The line that says when it was written is left out, and checked to say only that.
    ///
    /// # Errors
    /// If the date is not the time of this moment.
    pub(crate) fn dateless(&self) -> Result<Vec<&str>, String> {
        let is_date = |line: &&str| line.starts_with("date: ");
        if let Some(date) = self.head.lines().find(is_date) {
            check_date(&date["date: ".len()..])?;
        }
        let mut lines: Vec<&str> = self.head.lines().filter(|line| !is_date(line)).collect();
        lines.sort_unstable();
        Ok(lines)
    }
}

/// A date of HTTP is that of now: whole seconds, as all responses of this second have it.
fn check_date(date: &str) -> Result<(), String> {
    let wrong = || format!("the date {date} is not the time of the response");
    #[expect(clippy::disallowed_methods, reason = "compared with the clock of the server")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() % 86_400;
    let clock =
        date.split(' ').nth(4).filter(|_| date.len() == 29 && date.ends_with(" GMT")).ok_or_else(wrong)?;
    let parts: Option<Vec<u64>> = clock.split(':').map(|part| part.parse().ok()).collect();
    let &[hours, minutes, seconds] = parts.as_deref().unwrap_or_default() else { return Err(wrong()) };
    let shown = (hours * 60 + minutes) * 60 + seconds;
    let apart = (now + 86_400 - shown) % 86_400;
    // Written before it was read, and long responses are read later.
    if apart <= PATIENCE.as_secs() || apart >= 86_398 { Ok(()) } else { Err(wrong()) }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(at) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(&String::from_utf8_lossy(&bytes[..at]), 16).unwrap_or(0);
        let from = at + 2;
        let Some(chunk) = bytes.get(from..from + length).filter(|_| length > 0) else { break };
        body.extend_from_slice(chunk);
        bytes = bytes.get(from + length + 2..).unwrap_or_default();
    }
    body
}

/// What is asked of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) token: Option<&'a str>,
    pub(crate) body: &'a str,
}

impl<'a> Asked<'a> {
    pub(crate) fn get(path: &'a str, token: Option<&'a str>) -> Self {
        Self { method: "GET", path, token, body: "" }
    }

    fn bytes(self, address: SocketAddr, more: &str) -> Vec<u8> {
        let Self { method, path, token, body } = self;
        let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n{token}{more}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}

/// The response to a request.
pub(crate) fn ask(address: SocketAddr, asked: Asked<'_>) -> Answer {
    ask_with(address, asked, "")
}

/// The same with more lines in the head of the request.
pub(crate) fn ask_with(address: SocketAddr, asked: Asked<'_>, more: &str) -> Answer {
    let mut stream = connect(address);
    stream.write_all(&asked.bytes(address, more)).unwrap();
    let mut raw = Vec::new();
    let _ = stream.read_to_end(&mut raw);
    Answer::of(raw)
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// A response that comes piece by piece, read as it comes.
pub(crate) struct Stream {
    pieces: Receiver<Vec<u8>>,
    reader: JoinHandle<()>,
    raw: Vec<u8>,
}

impl Stream {
    /// Follows a path, and waits for the first event on it.
    pub(crate) fn follow(address: SocketAddr, path: &str, accept: &str) -> Self {
        let mut stream = connect(address);
        stream.write_all(&Asked::get(path, None).bytes(address, &format!("Accept: {accept}\r\n"))).unwrap();
        let (piece, pieces) = channel();
        let reader = thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length) = stream.read(&mut buffer) {
                if length == 0 || piece.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut following = Self { pieces, reader, raw: Vec::new() };
        while !following.text().contains("progress") {
            match following.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => following.raw.extend(piece),
                Err(_) => break,
            }
        }
        following
    }

    /// Everything that has come.
    pub(crate) fn text(&mut self) -> String {
        self.raw.extend(self.pieces.try_iter().flatten());
        Answer::of(self.raw.clone()).text()
    }

    /// Everything, once there is no more.
    pub(crate) fn end(mut self) -> Answer {
        let _ = self.reader.join();
        self.raw.extend(self.pieces.try_iter().flatten());
        Answer::of(self.raw)
    }
}
