//! Players that do as they are told by a test, and remember every byte they got.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// What a player does with a message.
#[derive(Clone, Debug)]
pub enum Act {
    /// Answers as it should.
    Say(&'static str),
    /// Writes these bytes and closes the connection.
    Write(Vec<u8>),
    /// Writes one byte after another with this pause between them.
    Drip(Vec<u8>, Duration),
    /// Writes this again and again, for as long as somebody reads.
    Flood(Vec<u8>),
    /// Keeps the connection and says nothing.
    Nothing,
}

/// A response as it should be.
#[must_use]
pub fn response(body: &str) -> Vec<u8> {
    format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

/// A player that listens until the process ends.
#[derive(Debug)]
pub struct Fake {
    /// Where.
    pub address: String,
    /// Every request, header and all, and the number of reads that it came in.
    requests: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Fake {
    /// A player that does what `act` makes of the body of a message.
    ///
    /// # Panics
    /// If there is no port for it.
    #[must_use]
    pub fn new(act: impl Fn(&str) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, act) = (Arc::clone(&requests), Arc::new(act));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (kept, act) = (Arc::clone(&kept), Arc::clone(&act));
                thread::spawn(move || serve(stream.expect("a connection"), &kept, &*act));
            }
        });
        Self { address, requests }
    }

    /// Every request so far, head and all.
    ///
    /// # Panics
    /// If a thread of the player panicked.
    #[must_use]
    pub fn requests(&self) -> Vec<Vec<u8>> {
        self.requests.lock().expect("a list of requests").clone()
    }
}

/// An address where nobody listens.
///
/// # Panics
/// If there is no free port.
#[must_use]
pub fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    format!("http://{}", listener.local_addr().expect("an address"))
}

fn serve(mut stream: TcpStream, kept: &Mutex<Vec<Vec<u8>>>, act: &dyn Fn(&str) -> Act) {
    let Some(request) = read_request(&mut stream) else { return };
    let text = String::from_utf8(request.clone()).expect("a message in UTF-8");
    kept.lock().expect("a list of requests").push(request);
    let body = text.split_once("\r\n\r\n").expect("a head").1;
    // Whoever is written to may have gone; that is what these players are for.
    let _ = match act(body) {
        Act::Say(text) => stream.write_all(&response(text)),
        Act::Write(bytes) => stream.write_all(&bytes),
        Act::Drip(bytes, pause) => bytes.iter().try_for_each(|byte| {
            thread::sleep(pause);
            stream.write_all(&[*byte])
        }),
        Act::Flood(bytes) => loop {
            if let Err(error) = stream.write_all(&bytes) {
                break Err(error);
            }
        },
        Act::Nothing => {
            let mut end = [0];
            stream.read(&mut end).map(|_| ())
        }
    };
}

/// A request as far as its header says that it goes.
fn read_request(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut request = Vec::new();
    let mut buffer = [0; 1 << 16];
    loop {
        let length = stream.read(&mut buffer).ok().filter(|&length| length > 0)?;
        request.extend_from_slice(&buffer[..length]);
        let text = String::from_utf8_lossy(&request).to_ascii_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let expected: usize = head.split("content-length:").nth(1)?.lines().next()?.trim().parse().ok()?;
        if body.len() >= expected {
            return Some(request);
        }
    }
}
