//! `croupier serve` as a process that may die at any time.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use croupier_tests::guessing::rules;
use serde_json::{Value, json};
use ureq::Agent;

use crate::players::Players;

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

/// How long anything here may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const PAUSE: Duration = Duration::from_millis(10);

/// Where a server keeps its key and its token, and where its store is.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    pub(crate) folder: PathBuf,
    pub(crate) store: String,
}

impl Home {
    /// An empty folder, and a store: a file in it, or a database.
    pub(crate) fn new(name: &str, store: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("crash-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self { folder, store: store.to_owned() }
    }

    /// Gives another server of the same store the same key and token.
    pub(crate) fn share_with(&self, other: &Self) {
        drop(self.serve());
        for name in ["croupier.key", "croupier.token"] {
            fs::copy(self.folder.join(name), other.folder.join(name)).unwrap();
        }
    }

    /// The server; `None` if it died before it was ready.
    pub(crate) fn serve(&self) -> Option<Server> {
        self.serve_with(&mut Command::new(BINARY))
    }

    /// The server that dies at the n-th place.
    pub(crate) fn serve_until(&self, place: u64) -> Option<Server> {
        self.serve_with(Command::new(BINARY).env("CROUPIER_CRASH_AT", place.to_string()))
    }

    /// The server under `strace` with these arguments.
    pub(crate) fn serve_traced(&self, arguments: &[&str]) -> Option<Server> {
        self.serve_with(Command::new("strace").args(arguments).arg(BINARY))
    }

    /// The same; `None` also if it waits this long for a disk that does not write.
    pub(crate) fn serve_traced_for(&self, arguments: &[&str], patience: Duration) -> Option<Server> {
        self.serve_in(Command::new("strace").args(arguments).arg(BINARY), patience)
    }

    fn serve_with(&self, command: &mut Command) -> Option<Server> {
        self.serve_in(command, PATIENCE)
    }

    fn serve_in(&self, command: &mut Command, patience: Duration) -> Option<Server> {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.join("log")).unwrap();
        let mut process = command
            .args(["serve", "--port", "0", "--json", "--take-seeds", "--allow-private", "--log", "warn"])
            .args(["--store", &self.store])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let stdout = process.stdout.take().unwrap();
        let (told, line) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            let _ = BufReader::new(stdout).read_line(&mut line);
            // Who has waited for long enough reads no more.
            let _ = told.send(line);
        });
        let line = line.recv_timeout(patience);
        if line.is_err() {
            kill_traced(&process, "KILL");
        }
        let Ok(told) = serde_json::from_str::<Value>(&line.unwrap_or_default()) else {
            process.wait().unwrap();
            return None;
        };
        let config = Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
        Some(Server {
            process,
            address: told["address"].as_str().unwrap().to_owned(),
            operator: fs::read_to_string(self.folder.join("croupier.token")).unwrap().trim().to_owned(),
            agent: config.max_redirects(0).max_redirects_will_error(false).build().into(),
        })
    }
}

/// A server that was ready; it is killed when this is dropped.
pub(crate) struct Server {
    process: Child,
    address: String,
    operator: String,
    agent: Agent,
}

/// A match of the guessing game as it is asked for.
pub(crate) fn asked(players: &Players, turns: u32, seed: u64) -> Value {
    json!({
        "rules": rules(2, turns),
        "seats": players.seats(),
        "start_clock_ms": 100_000,
        "play_clock_ms": 100_000,
        "seed": seed.to_string(),
    })
}

impl Server {
    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Sends a signal to it.
    pub(crate) fn signal(&self, name: &str) {
        Command::new("kill").args([&format!("-{name}"), &self.process.id().to_string()]).status().unwrap();
    }

    /// What it answers its operator; `None` if it died.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Option<(u16, String)> {
        self.ask_as(&self.operator, method, path, body)
    }

    /// What it answers somebody with a token; `None` if it died.
    pub(crate) fn ask_as(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Option<(u16, String)> {
        let request = ureq::http::Request::builder().method(method);
        let request = request
            .uri(format!("http://{}{path}", self.address))
            .header("Authorization", format!("Bearer {token}"))
            .header("Content-Type", "application/json")
            .body(body.map_or_else(String::new, Value::to_string))
            .unwrap();
        let mut response = self.agent.run(request).ok()?;
        Some((response.status().as_u16(), response.body_mut().read_to_string().ok()?))
    }

    /// Makes a match; its id, unless the server dies or cannot.
    pub(crate) fn create(&self, asked: &Value) -> Option<String> {
        let (status, body) = self.ask("POST", "/v1/matches", Some(asked))?;
        let made: Value = serde_json::from_str(&body).ok()?;
        assert!(status == 201 || status >= 500, "{status}: {body}");
        Some(made["id"].as_str()?.to_owned())
    }

    /// A match that the server may not have; `None` as well if the server dies.
    pub(crate) fn find(&self, id: &str) -> Option<Value> {
        let (status, body) = self.ask("GET", &format!("/v1/matches/{id}"), None)?;
        if status == 200 { serde_json::from_str(&body).ok() } else { None }
    }

    /// The record of a match that is over, once it is; `None` if the server dies before.
    pub(crate) fn record(&self, id: &str) -> Option<String> {
        let path = format!("/v1/matches/{id}/record");
        for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
            let (status, body) = self.ask("GET", &path, None)?;
            if status == 200 {
                return Some(body);
            }
            thread::sleep(PAUSE);
        }
        panic!("the match {id} is not over after a while: {:?}", self.find(id))
    }

    /// The ids of the matches that it knows, the youngest first.
    pub(crate) fn list(&self) -> Vec<String> {
        let Some((200, body)) = self.ask("GET", "/v1/matches", None) else { return Vec::new() };
        let listed: Value = serde_json::from_str(&body).unwrap();
        let matches = listed["matches"].as_array().unwrap().iter();
        matches.map(|shown| shown["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Whether the process has ended by itself.
    pub(crate) fn has_ended(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().unwrap()
    }
}

impl Server {
    /// Sends a signal to the server that `strace` runs: the child of the process that was started.
    pub(crate) fn signal_traced(&self, name: &str) {
        kill_traced(&self.process, name);
    }
}

/// Sends a signal to what `strace` runs.
fn kill_traced(process: &Child, name: &str) {
    let strace = process.id();
    let children = fs::read_to_string(format!("/proc/{strace}/task/{strace}/children")).unwrap();
    for child in children.split_whitespace() {
        Command::new("kill").args([&format!("-{name}"), child]).status().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
