//! A player of a server behind a slow network: a proxy that hands on every byte later.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]
#![expect(clippy::disallowed_methods, reason = "it delays by the clock")]

use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::server::{BINARY, Server};

/// One way, each way.
const DELAY: Duration = Duration::from_millis(200);

/// A bell rings for a quarter of a second, two seconds in; ann wins by pressing once, while it rings.
const BELL: &str = "(role ann) (init 2 calm) (init 4 course)
    (<= (next ?t ?f) (true ?t ?f) (not (does ann press))) (<= (next ?t course) (true ?t course) (does ann press))
    (<= (next 0.25 ringing) (expired calm)) (<= (legal ann press) (true ?t course) (not pressed))
    (<= pressed (true ?t hit)) (<= pressed (true ?t miss))
    (<= (next infinity hit) (does ann press) (true ?t ringing))
    (<= (next infinity miss) (does ann press) (not ringing)) (<= ringing (true ?t ringing))
    (<= terminal (expired course)) (<= terminal pressed)
    (<= (goal ann 100) (true ?t hit)) (<= (goal ann 0) (not hit)) (<= hit (true ?t hit))";

/// Hands on what comes from one side, so much later. The one who reads and the one who writes are threads of their own, so that
/// what follows closely is not held up twice.
fn hand_on(mut from: TcpStream, mut to: TcpStream) {
    let (sender, pieces) = mpsc::channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        let mut buffer = [0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let _ = sender.send((Instant::now() + DELAY, buffer[..count].to_vec()));
        }
    });
    thread::spawn(move || {
        for (due, piece) in pieces {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&piece).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    });
}

/// A way to a server that takes longer; it is there until the test ends.
fn slow_way_to(address: &str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (place, address) = (listener.local_addr().unwrap(), address.to_owned());
    thread::spawn(move || {
        for near in listener.incoming().map_while(Result::ok) {
            let Ok(far) = TcpStream::connect(&address) else { return };
            for stream in [&near, &far] {
                stream.set_nodelay(true).unwrap();
            }
            hand_on(near.try_clone().unwrap(), far.try_clone().unwrap());
            hand_on(far, near);
        }
    });
    place
}

#[test]
fn a_player_behind_a_slow_network_hits_the_instant_that_it_means() {
    let server = Server::new("slow-network");
    let asked = json!({ "rules": BELL, "seats": { "ann": { "kind": "pull" } } });
    let made = server.create(&asked);
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["ann"].as_str().unwrap());
    let seat = format!("http://{}/v1/matches/{id}/seats/ann", slow_way_to(&server.address));
    let mut join = Command::new(BINARY);
    join.args([
        "join",
        &seat,
        "--token",
        token,
        "--player",
        "mc:iterations=300,particles=2",
        "--json",
        "--seed",
        "1",
    ]);
    let ended = join.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let shown: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(shown["outcome"]["goals"]["ann"], 100, "{shown}");
    let record = server.record(id);
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let moves: Vec<Value> = lines.filter(|line| line["event"] == "move").collect();
    let [pressed] = moves.as_slice() else { panic!("{moves:?}") };
    let at_us = pressed["at_us"].as_u64().unwrap();
    // The bell was heard by nobody: the player computed when it rings, and its move was there before.
    assert!((2_000_001..=2_250_000).contains(&at_us), "{pressed}");
    assert!(pressed["arrived_us"].as_u64().unwrap() < at_us, "{pressed}");
}
