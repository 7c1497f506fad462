//! An agent that listens on a port of its own, and a referee that writes to it by hand.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::mpsc,
    thread,
    time::Duration,
};

use croupier_agent_server::{Application, Settings};
use croupier_referee::Seed;

/// Longer than any reply takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent that serves until it is dropped.
pub(crate) struct Agent {
    pub(crate) address: SocketAddr,
    stop: Option<mpsc::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Agent {
    pub(crate) fn new(kind: &str) -> Self {
        Self::with_matches(kind, 16)
    }

    pub(crate) fn with_matches(kind: &str, matches_max: usize) -> Self {
        Self::with(kind, |settings| settings.matches_max = matches_max)
    }

    pub(crate) fn with(kind: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings {
            address: "127.0.0.1:0".parse().unwrap(),
            name: "tested".to_owned(),
            kind: kind.parse().unwrap(),
            seed: Seed::from_text("7").unwrap(),
            matches_max: 16,
            threads: 2,
            sessions_max: 16,
        };
        change(&mut settings);
        let (bound, address) = mpsc::channel();
        let (stop, stopped) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            let system = actix_rt::System::new();
            system.block_on(async {
                let application = Application::build(settings).unwrap();
                bound.send(application.address()).unwrap();
                let handle = application.handle();
                thread::spawn(move || {
                    // It ends when the test drops the agent.
                    let _ = stopped.recv();
                    drop(handle.stop(false));
                });
                application.run_until_stopped().await.unwrap();
            });
        });
        Self { address: address.recv().unwrap(), stop: Some(stop), thread: Some(thread) }
    }

    /// Posts a message; the status and the body of the answer.
    pub(crate) fn post(&self, message: impl AsRef<[u8]>) -> (u16, String) {
        let message = message.as_ref();
        self.send(&request(message))
    }

    /// The body of an answer that must be one.
    pub(crate) fn ask(&self, message: &str) -> String {
        let (status, body) = self.post(message);
        assert_eq!(status, 200, "{message}: {body}");
        body
    }

    /// Sends any bytes; the status and the body of the answer, or zero and nothing if there is none.
    pub(crate) fn send(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // A server that has read enough may close before everything is written.
        let _ = stream.write_all(bytes);
        read(&mut stream)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }
}

/// A message as a referee posts it.
pub(crate) fn request(message: &[u8]) -> Vec<u8> {
    let head =
        format!("POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n", message.len());
    [head.as_bytes(), message].concat()
}

/// The status and the body of what comes until the connection ends.
pub(crate) fn read(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(length) = stream.read(&mut buffer) {
        if length == 0 {
            break;
        }
        bytes.extend_from_slice(&buffer[..length]);
    }
    let text = String::from_utf8(bytes).unwrap();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return (0, text) };
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    (status, body.to_owned())
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.stop.take();
        let ended = self.thread.take().map(thread::JoinHandle::join);
        assert!(thread::panicking() || matches!(ended, Some(Ok(()))), "the agent ends cleanly");
    }
}
