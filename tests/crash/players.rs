//! Players that are called: they reply at once, and remember every byte that they were ever told.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use croupier_tests::guessing::guess;
use serde_json::{Value, json};

/// A match, a role, and what a message is about: `START`, `PLAY 3`, `STOP`.
pub(crate) type Place = (String, String, String);

/// What was told about each thing. A message that broke off before its end is not there.
pub(crate) type Told = BTreeMap<Place, BTreeSet<Vec<u8>>>;

/// One listener for each role of the guessing game, whose players think for a while.
pub(crate) struct Players {
    addresses: Vec<String>,
    told: Arc<Mutex<Told>>,
}

impl Players {
    pub(crate) fn start(count: usize, thinks: Duration) -> Self {
        let told = Arc::new(Mutex::new(Told::new()));
        let listen = |player| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            let told = Arc::clone(&told);
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let told = Arc::clone(&told);
                    // Whoever was killed in the middle of a message is not worth waiting for.
                    thread::spawn(move || reply(stream, player, thinks, &told));
                }
            });
            format!("http://{address}")
        };
        Self { addresses: (0..count).map(listen).collect(), told }
    }

    /// The seats of a match that is asked for.
    pub(crate) fn seats(&self) -> Value {
        let seat = |(player, address)| (format!("p{player}"), json!({ "kind": "push", "address": address }));
        Value::Object(self.addresses.iter().enumerate().map(seat).collect())
    }

    /// What the players of one match were told so far.
    pub(crate) fn told(&self, id: &str) -> Told {
        let told = self.told.lock().unwrap();
        let all = told.iter().filter(|((at, _, _), _)| at == id);
        all.map(|(place, bytes)| (place.clone(), bytes.clone())).collect()
    }
}

fn reply(mut stream: TcpStream, player: usize, thinks: Duration, told: &Mutex<Told>) -> Option<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    let body = loop {
        let length = stream.read(&mut buffer).ok()?;
        if length == 0 {
            return None;
        }
        request.extend_from_slice(&buffer[..length]);
        if let Some(body) = whole_body(&request) {
            break body;
        }
    };
    let mut words = body.trim_start_matches('(').split([' ', ')']);
    let (kind, id, third) = (words.next()?, words.next()?, words.next()?);
    let (about, said) = match kind {
        "START" => (kind.to_owned(), "READY".to_owned()),
        "PLAY" => (format!("PLAY {third}"), guess(player, third.parse().ok()?)),
        _ => ("STOP".to_owned(), "done".to_owned()),
    };
    let place = (id.to_owned(), format!("p{player}"), about);
    told.lock().unwrap().entry(place).or_default().insert(request);
    thread::sleep(thinks);
    let length = said.len();
    let response =
        format!("HTTP/1.0 200 OK\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{said}");
    stream.write_all(response.as_bytes()).ok()
}

/// The body of a request, if all of it has come.
fn whole_body(request: &[u8]) -> Option<String> {
    let text = str::from_utf8(request).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "))?;
    let length: usize = length.parse().ok()?;
    (body.len() == length).then(|| body.to_owned())
}
