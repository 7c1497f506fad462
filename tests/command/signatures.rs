//! What `croupier join` does where a server has not signed what it says: behind a proxy that changes a signature on the way.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Command, Output},
    sync::{Arc, Mutex},
    thread,
};

use croupier_referee::{Digest, SealKey};
use serde_json::{Value, json};

use crate::server::{BINARY, Server};

/// What a proxy changes in a frame of the server.
type Change = fn(&mut Value);

/// A proxy to a server, which changes frames, and notes what the player says.
struct Proxy {
    address: SocketAddr,
    said: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    fn new(server: &Server, change: Change) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let said = Arc::new(Mutex::new(Vec::new()));
        let (agent, far, noted) = (server.agent.clone(), server.url(""), Arc::clone(&said));
        thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let (agent, far, noted) = (agent.clone(), far.clone(), Arc::clone(&noted));
                thread::spawn(move || hand_on(near, &agent, &far, &noted, change));
            }
        });
        Self { address, said }
    }

    /// The types of the frames that the player has sent.
    fn said(&self) -> Vec<String> {
        self.said.lock().unwrap().clone()
    }
}

/// Hands on one request, and its answer with changed frames.
fn hand_on(near: TcpStream, agent: &ureq::Agent, far: &str, said: &Mutex<Vec<String>>, change: Change) {
    let mut reader = BufReader::new(near);
    let (mut first, mut token, mut length) = (String::new(), String::new(), 0);
    reader.read_line(&mut first).unwrap();
    for line in reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(": ").unwrap();
        match name.to_ascii_lowercase().as_str() {
            "authorization" => value.clone_into(&mut token),
            "content-length" => length = value.parse().unwrap(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    if let Ok(frame) = serde_json::from_slice::<Value>(&body) {
        said.lock().unwrap().push(frame["type"].as_str().unwrap().to_owned());
    }
    let [method, path] = first.split(' ').take(2).collect::<Vec<_>>()[..] else { panic!("{first}") };
    let request = ureq::http::Request::builder().method(method).uri(format!("{far}{path}"));
    let request = request.header("Authorization", token).header("Content-Type", "application/json");
    // A server that has ended with the test leaves nobody to be answered.
    let Ok(mut response) = agent.run(request.body(body).unwrap()) else { return };
    let mut text = response.body_mut().read_to_string().unwrap();
    if let Ok(mut answer) = serde_json::from_str::<Value>(&text) {
        if let Some(frames) = answer["frames"].as_array_mut() {
            frames.iter_mut().for_each(change);
        }
        text = answer.to_string();
    }
    let (status, length) = (response.status().as_u16(), text.len());
    let head =
        format!("HTTP/1.1 {status} As It Was\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = reader.get_mut().write_all(format!("{head}{text}").as_bytes());
}

/// Another digit in place of the first of a text.
fn damage(text: &mut Value) {
    let whole = text.as_str().unwrap();
    let first = if whole.starts_with('0') { '1' } else { '0' };
    *text = json!(format!("{first}{}", &whole[1..]));
}

fn unchanged(_: &mut Value) {}

fn damaged_start(frame: &mut Value) {
    if frame["type"] == "start" {
        damage(&mut frame["signature"]);
    }
}

fn other_commitment(frame: &mut Value) {
    if frame["type"] == "start" {
        damage(&mut frame["commitment"]);
    }
}

/// Everything as it should be, but with a key that is not the server's.
fn other_key(frame: &mut Value) {
    if frame["type"] == "start" {
        let key = SealKey::from_bytes(&[7; 32]);
        let commitment = Digest::from_hex(frame["commitment"].as_str().unwrap()).unwrap();
        frame["signature"] = json!(hex::encode(key.sign_commitment(commitment)));
        frame["public_key"] = json!(hex::encode(key.public_key()));
    }
}

fn damaged_reveal(frame: &mut Value) {
    if frame["type"] == "reveal" {
        damage(&mut frame["signature"]);
    }
}

/// Joins a new match of a game through a proxy; with what the player has said.
fn joined(
    server: &Server,
    change: Change,
    asked: &Value,
    role: &str,
    more: &[&str],
) -> (Output, Vec<String>) {
    let proxy = Proxy::new(server, change);
    let made = server.create(asked);
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"][role].as_str().unwrap());
    let seat = format!("http://{}/v1/matches/{id}/seats/{role}", proxy.address);
    let mut join = Command::new(BINARY);
    join.args(["join", &seat, "--token", token, "--json"]).args(more);
    (join.output().unwrap(), proxy.said())
}

/// Demands that a player refuses to play, says why, and has said no more than it may have.
fn demand_refused((output, said): (Output, Vec<String>), why: &str, may_have_said: &[&str]) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    let refusal: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(refusal["code"], "unproven", "{told}");
    assert!(refusal["message"].as_str().unwrap().contains(why), "{told}");
    assert_eq!(said, may_have_said);
}

const NOT_BY_ITS_KEY: &str = "the signature of its commitment is not by its key";

#[test]
fn a_player_takes_no_seat_of_a_server_whose_commitment_its_key_has_not_signed() {
    let server = Server::new("signatures");
    let kuhn = json!({ "game": "kuhn", "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "agent", "agent": "random" } } });
    let join = |change: Change, more: &[&str]| {
        joined(&server, change, &kuhn, "alice", &[&["--player", "random"], more].concat())
    };
    let (output, said) = join(unchanged, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said[..3], ["ready", "reveal", "move"]);
    demand_refused(join(damaged_start, &[]), NOT_BY_ITS_KEY, &[]);
    demand_refused(join(other_commitment, &[]), NOT_BY_ITS_KEY, &[]);
    demand_refused(join(other_key, &[]), "which is not the server's", &[]);
    // Nobody gets a nonce who has not signed what the others committed to.
    demand_refused(
        join(damaged_reveal, &[]),
        "the signature of the players' commitments to nonces",
        &["ready"],
    );
    // Whoever knows the key from elsewhere need not ask the server.
    let key = server.get("/v1/key")["public_key"].as_str().unwrap().to_owned();
    assert!(join(unchanged, &["--signed-by", &key]).0.status.success());
    let other = hex::encode(SealKey::from_bytes(&[7; 32]).public_key());
    demand_refused(join(unchanged, &["--signed-by", &other]), "which is not the server's", &[]);
}

#[test]
fn a_real_time_player_takes_no_seat_of_a_server_whose_commitment_its_key_has_not_signed() {
    let server = Server::new("signatures-real-time");
    let rules = "(role ann) (init 1 course) (<= (legal ann press) (true ?t course)) (<= (next ?t course) (true ?t course))
        (<= terminal (expired course)) (goal ann 100)";
    let asked = json!({ "rules": rules, "seats": { "ann": { "kind": "pull" } } });
    let join = |change: Change| {
        joined(&server, change, &asked, "ann", &["--player", "mc:iterations=10,particles=2"])
    };
    let (output, said) = join(unchanged);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said[..2], ["ready", "reveal"]);
    demand_refused(join(damaged_start), NOT_BY_ITS_KEY, &[]);
    demand_refused(join(other_key), "which is not the server's", &[]);
    demand_refused(join(damaged_reveal), "the signature of the players' commitments to nonces", &["ready"]);
}
