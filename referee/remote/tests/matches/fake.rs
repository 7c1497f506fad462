//! Players that do as they are told by a test, and remember every byte they got.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use croupier_engine::{ByPlayer, Strictness, game::PerceptReading};
use croupier_referee::{
    Clocks, Header, MatchSetup, Played, SealCheck, Secrets, Seed, Substitution, header::GRACE_MS,
    protocol::WireForm, read_records, replay,
};
use croupier_remote::{Absence, Manner, Observed, PlayerAddress, RemoteSeat, run_timed_match};

/// What a player does with a message.
#[derive(Clone, Debug)]
pub(crate) enum Act {
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
pub(crate) fn response(body: &str) -> Vec<u8> {
    format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

/// A player that listens.
pub(crate) struct Fake {
    pub(crate) address: PlayerAddress,
    /// Every request, header and all, and the number of reads that it came in.
    requests: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Fake {
    /// A player that does what `act` makes of the body of a message.
    pub(crate) fn new(act: impl Fn(&str) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, act) = (Arc::clone(&requests), Arc::new(act));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (kept, act) = (Arc::clone(&kept), Arc::clone(&act));
                thread::spawn(move || serve(stream.unwrap(), &kept, &*act));
            }
        });
        Self { address, requests }
    }

    pub(crate) fn requests(&self) -> Vec<Vec<u8>> {
        self.requests.lock().unwrap().clone()
    }
}

/// An address where nobody listens.
pub(crate) fn nobody() -> PlayerAddress {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap()).parse().unwrap()
}

fn serve(mut stream: TcpStream, kept: &Mutex<Vec<Vec<u8>>>, act: &dyn Fn(&str) -> Act) {
    let Some(request) = read_request(&mut stream) else { return };
    let text = String::from_utf8(request.clone()).unwrap();
    kept.lock().unwrap().push(request);
    let body = text.split_once("\r\n\r\n").unwrap().1;
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

/// Two players and three turns; `right` can do nothing but wait, whatever it says.
pub(crate) const STEPS: &str = "(role left) (role right) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (legal left (go far)) (legal left (go near)) (legal right wait)
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 4)))
    (<= (next (far)) (does left (go far))) (goal right 50)
    (<= (goal left 100) (true (far))) (<= (goal left 0) (not (true (far))))";

pub(crate) fn header(rules: &str, match_id: &str, roles: &[&str], clocks: Clocks) -> Arc<Header> {
    Arc::new(
        Header::compile(MatchSetup {
            match_id: match_id.to_owned(),
            rules: rules.to_owned(),
            game_name: None,
            players: roles.iter().map(|&role| (role.to_owned(), "remote".to_owned())).collect(),
            clocks,
            percepts: PerceptReading::OldState,
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: 20,
        })
        .unwrap(),
    )
}

/// Plays a match with everyone at an address who need not be there, and checks that its record replays to what happened.
pub(crate) fn play(header: &Arc<Header>, forms: &[(PlayerAddress, WireForm, &str)], seed: &str) -> Played {
    let manner = Manner { absence: Absence::Played, ..Manner::STANDARD };
    play_as(header, forms, seed, &manner, |_| {})
}

/// The same, driven in this manner.
pub(crate) fn play_as(
    header: &Arc<Header>,
    forms: &[(PlayerAddress, WireForm, &str)],
    seed: &str,
    manner: &Manner<'_>,
    observe: impl FnMut(Observed<'_>),
) -> Played {
    let mut seats = ByPlayer::from_fn(header.roles(), |role| {
        let (address, form, name) = forms[role.index()].clone();
        Box::new(RemoteSeat::new(header, address, form, name).unwrap())
    });
    let secrets = Secrets::from_seed(Seed::from_text(seed).unwrap());
    let played = run_timed_match(header, secrets, &mut seats, manner, observe);
    let records = read_records(&played.record).unwrap();
    let again = replay(&records[0]).unwrap();
    assert_eq!(again.outcome(), Some(&played.outcome));
    assert_eq!(again.conducts(), &played.conducts);
    assert_ne!(again.seal(), SealCheck::Missing);
    played
}

/// What the record says of the replies of a role: `(turn, status)`, and how long each took.
pub(crate) fn statuses(played: &Played, role: &str) -> Vec<(String, u64)> {
    let text = String::from_utf8(played.record.clone()).unwrap();
    let field = |line: &str, name: &str| -> Option<String> {
        let rest = line.split_once(&format!("\"{name}\":"))?.1;
        Some(rest.split([',', '}']).next()?.trim_matches('"').to_owned())
    };
    text.lines()
        .filter(|line| field(line, "event").as_deref() == Some("reply"))
        .filter(|line| field(line, "role").as_deref() == Some(role))
        .map(|line| (field(line, "status").unwrap(), field(line, "elapsed_ms").unwrap().parse().unwrap()))
        .collect()
}

/// The time after which a reply is late.
pub(crate) fn late_ms(clocks: Clocks) -> u64 {
    clocks.play_ms + GRACE_MS
}
