//! A server in a folder of its own, and what asks it.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use ureq::Agent;

use crate::{program, schemas::assert_valid};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

/// How long anything here may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// `croupier serve` in a folder of its own, until it is killed or dropped.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) folder: PathBuf,
    pub(crate) address: String,
    pub(crate) resumed: u64,
    pub(crate) agent: Agent,
    scheme: &'static str,
    more: Vec<String>,
}

/// What a server that was killed has left: its folder, and what it was told.
pub(crate) struct Left {
    folder: PathBuf,
    more: Vec<String>,
}

impl Server {
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, &["--log", "debug"])
    }

    /// A server on a store.
    pub(crate) fn on(name: &str, store: &str) -> Self {
        Self::with(name, &["--log", "debug", "--store", store])
    }

    /// A server that is told more.
    pub(crate) fn with(name: &str, more: &[&str]) -> Self {
        let folder = PathBuf::from(program(name).path("")).join("server");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self::again(Left { folder, more: more.iter().map(|&word| word.to_owned()).collect() })
    }

    /// A server on what another left.
    pub(crate) fn again(left: Left) -> Self {
        let Left { folder, more } = left;
        let log = fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
        let mut process = Command::new(BINARY)
            .args(["serve", "--port", "0", "--json", "--take-seeds", "--allow-private"])
            .args(&more)
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|_| {
            panic!("{line}{}", fs::read_to_string(folder.join("log")).unwrap_or_default())
        });
        assert_eq!(assert_valid(&told), "serve");
        let address = told["address"].as_str().unwrap().to_owned();
        let config = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build();
        Self {
            process,
            folder,
            address,
            resumed: told["resumed"].as_u64().unwrap(),
            agent: config.into(),
            scheme: "http",
            more,
        }
    }

    pub(crate) fn kill(mut self) -> Left {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.left()
    }

    /// What it leaves when it has stopped.
    pub(crate) fn left(&self) -> Left {
        Left { folder: self.folder.clone(), more: self.more.clone() }
    }

    pub(crate) fn operator(&self) -> String {
        fs::read_to_string(self.folder.join("croupier.token")).unwrap().trim().to_owned()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    /// The status and the body of a request.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> (u16, String) {
        let mut request = ureq::http::Request::builder().method(method).uri(self.url(path));
        if let Some(token) = token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let body = body.map_or_else(String::new, Value::to_string);
        let request = request.header("Content-Type", "application/json").body(body).unwrap();
        let mut response = self.agent.run(request).unwrap();
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    }

    /// The same with a text as the body, and the operator's token.
    pub(crate) fn ask_text(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let request = ureq::http::Request::builder().method(method).uri(self.url(path));
        let request = request.header("Authorization", format!("Bearer {}", self.operator()));
        let mut response = self.agent.run(request.body(body).unwrap()).unwrap();
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    }

    /// The status and the body of a post of a text by nobody in particular.
    pub(crate) fn ask_raw(&self, path: &str, body: &str) -> (u16, String) {
        let mut response = self.agent.post(self.url(path)).send(body).unwrap();
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, None, None);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    pub(crate) fn create(&self, asked: &Value) -> Value {
        let (status, body) = self.ask("POST", "/v1/matches", Some(&self.operator()), Some(asked));
        assert_eq!(status, 201, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// The match when it is over.
    pub(crate) fn ended(&self, id: &str) -> Value {
        const PAUSE: Duration = Duration::from_millis(20);
        let mut shown = Value::Null;
        for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
            shown = self.get(&format!("/v1/matches/{id}"));
            if !shown["outcome"].is_null() {
                return shown;
            }
            thread::sleep(PAUSE);
        }
        panic!("the match is not over after a minute: {shown}")
    }

    pub(crate) fn record(&self, id: &str) -> String {
        let (status, body) = self.ask("GET", &format!("/v1/matches/{id}/record"), None, None);
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Asks it by TLS from now on.
    pub(crate) fn secure(&mut self, agent: Agent) {
        (self.scheme, self.agent) = ("https", agent);
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// Asks it to stop.
    pub(crate) fn terminate(&self) {
        let stopped = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status().unwrap();
        assert!(stopped.success());
    }

    pub(crate) fn join(&self, id: &str, role: &str, token: &str, player: &str) -> Child {
        self.join_with(id, role, token, &["--player", player])
    }

    pub(crate) fn join_with(&self, id: &str, role: &str, token: &str, more: &[&str]) -> Child {
        let seat = self.url(&format!("/v1/matches/{id}/seats/{role}"));
        let mut join = Command::new(BINARY);
        join.args(["join", &seat, "--token", token, "--json", "--seed", "1"]).args(more);
        join.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A WebSocket as a client has it, with nothing but text frames.
pub(crate) struct Socket(pub(crate) std::net::TcpStream);

impl Socket {
    pub(crate) fn connect(server: &Server, path: &str, token: &str) -> Self {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let address = &server.address;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\
             Authorization: Bearer {token}\r\n\r\n"
        )
        .unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        Self(stream)
    }

    /// The code with which the server closes it, whatever it says before.
    pub(crate) fn closed(&mut self) -> Option<u16> {
        use std::io::Read as _;
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).ok()?;
            // What is longer comes only where a match goes on, and there it is not asked.
            let mut payload = vec![0; usize::from(head[1] & 0x7f)];
            self.0.read_exact(&mut payload).ok()?;
            if head[0] & 0x0f == 8 {
                return Some(u16::from_be_bytes([*payload.first()?, *payload.get(1)?]));
            }
        }
    }

    /// The next text, if it comes in time; signs of life before it are passed over, and a close ends it.
    #[expect(clippy::disallowed_methods, reason = "a server that stands still is given up on")]
    pub(crate) fn read(&mut self) -> Option<String> {
        use std::io::Read as _;
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).ok()?;
            let length = match head[1] & 0x7f {
                126 => {
                    let mut bytes = [0; 2];
                    self.0.read_exact(&mut bytes).ok()?;
                    usize::from(u16::from_be_bytes(bytes))
                }
                length => usize::from(length),
            };
            let mut payload = vec![0; length];
            self.0.read_exact(&mut payload).ok()?;
            match head[0] & 0x0f {
                1 => return String::from_utf8(payload).ok(),
                8 => return None,
                _ => {}
            }
        }
        None
    }

    pub(crate) fn say(&mut self, frame: &Value) {
        use std::io::Write as _;
        let text = frame.to_string();
        // The mask is all zeros: it is there to confuse proxies, not to hide anything.
        let mut bytes = vec![0x81, 0x80 | u8::try_from(text.len()).unwrap(), 0, 0, 0, 0];
        bytes.extend_from_slice(text.as_bytes());
        self.0.write_all(&bytes).unwrap();
    }
}
