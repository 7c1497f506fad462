//! A player of the GGP protocol that answers as a test wants, and remembers what it was told.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// What a player makes of the body of a message; nothing if it keeps the connection and is silent.
type Answer = dyn Fn(&str) -> Option<String> + Send + Sync;

/// A player that listens until the process ends.
#[derive(Clone, Debug)]
pub struct FakePlayer {
    address: String,
    messages: Arc<Mutex<Vec<String>>>,
}

impl FakePlayer {
    /// A player that answers each message with what `answer` makes of it; `None` keeps the connection and says nothing.
    ///
    /// # Panics
    /// If there is no port for it.
    #[must_use]
    pub fn new(answer: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let messages = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer): (_, Arc<Answer>) = (Arc::clone(&messages), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                thread::spawn(move || serve(stream, &kept, &*answer));
            }
        });
        Self { address, messages }
    }

    /// A player that is always ready, and answers every PLAY with these words.
    #[must_use]
    pub fn saying(words: &str) -> Self {
        let words = words.to_owned();
        Self::new(move |message| Some(if is(message, "PLAY") { words.clone() } else { polite(message) }))
    }

    /// A player as most are: it plays one match at a time, is `busy` for any other, and answers every PLAY with `words`.
    #[must_use]
    pub fn of_one_match(words: &str) -> Self {
        let (words, playing) = (words.to_owned(), Mutex::new(None::<String>));
        Self::new(move |message| {
            let mut playing = playing.lock().unwrap_or_else(PoisonError::into_inner);
            let id = message.split([' ', ')']).nth(1).unwrap_or_default().to_owned();
            let is_other = playing.as_ref().is_some_and(|other| *other != id);
            if is_other || playing.is_none() && !is(message, "START") {
                return Some("busy".to_owned());
            }
            *playing = (is(message, "START") || is(message, "PLAY")).then_some(id);
            Some(if is(message, "PLAY") { words.clone() } else { polite(message) })
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The bodies of all messages so far.
    #[must_use]
    pub fn messages(&self) -> Vec<String> {
        kept(&self.messages).clone()
    }
}

/// Whether a message is of this kind.
#[must_use]
pub fn is(message: &str, kind: &str) -> bool {
    message.strip_prefix('(').is_some_and(|rest| rest.starts_with(kind))
}

/// What is answered to messages that ask for no move.
fn polite(message: &str) -> String {
    if is(message, "START") { "READY".to_owned() } else { "DONE".to_owned() }
}

fn kept(messages: &Mutex<Vec<String>>) -> MutexGuard<'_, Vec<String>> {
    messages.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(mut stream: TcpStream, messages: &Mutex<Vec<String>>, answer: &Answer) {
    let Some(message) = read_message(&mut stream) else { return };
    kept(messages).push(message.clone());
    match answer(&message) {
        Some(body) => {
            let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            // Whoever asked may have gone.
            let _ = stream.write_all((head + &body).as_bytes());
        }
        None => drop(stream.read(&mut [0])),
    }
}

/// The body of a request, as long as its header says.
fn read_message(stream: &mut TcpStream) -> Option<String> {
    let (mut request, mut buffer) = (Vec::new(), [0; 1 << 14]);
    loop {
        let length = stream.read(&mut buffer).ok().filter(|&length| length > 0)?;
        request.extend_from_slice(&buffer[..length]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let expected: usize = head.split("content-length:").nth(1)?.lines().next()?.trim().parse().ok()?;
        if body.len() >= expected {
            return Some(body.to_owned());
        }
    }
}
