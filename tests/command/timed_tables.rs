//! Tables of real-time games: matches one after the other by the clock, over kills of the server, and what their record proves.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{collections::BTreeMap, fs, process::Command, thread, time::Duration};

use serde_json::{Value, json};

use crate::server::{BINARY, PATIENCE, Server};

const PAUSE: Duration = Duration::from_millis(20);

/// A table of two guests.
struct Table {
    path: String,
    watch: String,
    /// The keys of the seats, by place.
    keys: BTreeMap<u32, String>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

impl Table {
    /// Opens a table, seats two guests, and starts it.
    fn begin(server: &Server, asked: &Value) -> Self {
        let (status, opened) = server.ask("POST", "/v1/sessions", Some(&server.operator()), Some(asked));
        assert_eq!(status, 201, "{opened}");
        let opened: Value = serde_json::from_str(&opened).unwrap();
        let path = format!("/v1/sessions/{}", text(&opened["id"]));
        let mut keys = BTreeMap::new();
        for place in 1..=2 {
            let link = format!("/v1/invitations/{}", text(&opened["invitations"][place.to_string()]));
            let name = json!({ "name": format!("guest {place}") });
            let (status, accepted) = server.ask("POST", &link, None, Some(&name));
            assert_eq!(status, 200, "{accepted}");
            keys.insert(place, text(&serde_json::from_str::<Value>(&accepted).unwrap()["token"]));
        }
        let start = json!({ "do": "start" });
        let (status, told) = server.ask("POST", &path, Some(&text(&opened["host"])), Some(&start));
        assert_eq!(status, 200, "{told}");
        Self { path, watch: text(&opened["watch"]), keys }
    }

    /// The frames of a seat, once one in this match holds.
    fn frames(&self, server: &Server, place: u32, hand: u64, holds: impl Fn(&Value) -> bool) -> Vec<Value> {
        let path = format!("{}/seats/{place}", self.path);
        let mut told = Value::Null;
        for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
            let (status, body) = server.ask("GET", &path, Some(&self.keys[&place]), None);
            told = if status == 200 { serde_json::from_str(&body).unwrap() } else { Value::Null };
            let frames = told["frames"].as_array().cloned().unwrap_or_default();
            if told["hand"] == hand && frames.iter().any(&holds) {
                return frames;
            }
            thread::sleep(PAUSE);
        }
        panic!("seat {place} in match {hand}: {told}")
    }

    fn play(&self, server: &Server, place: u32, own: &Value) -> (u16, Value) {
        let path = format!("{}/seats/{place}", self.path);
        let (status, body) = server.ask("POST", &path, Some(&self.keys[&place]), Some(own));
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    fn view(&self, server: &Server) -> Value {
        let (status, body) = server.ask("GET", &self.path, Some(&self.watch), None);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}

/// Whether a frame says that game time runs.
fn is_clock(frame: &Value) -> bool {
    frame["type"] == "clock"
}

/// What verification says of a record.
fn verify(server: &Server, record: &str) -> (bool, String) {
    let file = server.folder.join("session.jsonl");
    fs::write(&file, record).unwrap();
    let output = Command::new(BINARY).arg("replay").arg(&file).arg("--verify").output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn a_table_in_real_time_survives_a_kill_in_the_middle_and_its_record_proves_every_match() {
    let server = Server::new("timed-tables");
    // A second of game time takes ten: nobody here is in a hurry.
    let asked = json!({ "game": "chicken", "speed_permille": 100, "until": "matches = 2", "total": "goal", "break_ms": 0 });
    let table = Table::begin(&server, &asked);
    let began = table.frames(&server, 1, 1, is_clock);
    assert_eq!(began[0]["time"], "real");
    let own = |text: &str, hand: u64| json!({ "hand": hand, "turn": 2, "move": text });
    let (status, told) = table.play(&server, 1, &own("jump", 1));
    assert_eq!((status, &told["code"]), (422, &json!("bad-frame")), "{told}");
    assert_eq!(table.play(&server, 1, &own("swerve", 1)).0, 204);
    assert_eq!(table.play(&server, 1, &own("swerve", 1)).0, 204, "the same move again");
    let is_event = |frame: &Value| frame["type"] == "event";
    let seen = table.frames(&server, 2, 1, is_event);
    let server = Server::again(server.kill());
    let after = table.frames(&server, 2, 1, is_event);
    assert_eq!(after[..seen.len()], seen, "whatever was told is told again in the same words");
    // The cars meet, and the next match begins with the roles exchanged.
    let next = table.frames(&server, 1, 2, is_clock);
    assert_ne!(next[0]["role"], began[0]["role"]);
    assert_eq!(table.play(&server, 1, &own("swerve", 1)).1["code"], "late", "of the match before");
    for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
        if table.view(&server)["status"] == "over" {
            break;
        }
        thread::sleep(PAUSE);
    }
    let view = table.view(&server);
    // One swerves in the first match, and nobody in the second.
    assert_eq!(
        (&view["hands"][0]["changes"], &view["hands"][1]["changes"]),
        (&json!({ "1": 80.0, "2": 100.0 }), &json!({ "1": 0.0, "2": 0.0 })),
        "{view}"
    );
    let (status, record) = server.ask("GET", &format!("{}/record", table.path), Some(&table.watch), None);
    assert_eq!(status, 200, "{record}");
    let (is_proved, said) = verify(&server, &record);
    assert!(is_proved, "{said}");
    let lines: Vec<&str> = record.lines().collect();
    let from = lines.iter().position(|line| line.contains("\"event\":\"genesis\"")).unwrap();
    let until = from + lines[from..].iter().position(|line| line.contains("\"event\":\"seal\"")).unwrap();
    let without = [&lines[..from], &lines[until + 1..]].concat().join("\n");
    let (is_proved, said) = verify(&server, &(without + "\n"));
    assert!(!is_proved && said.contains("match 1 has no record"), "{said}");
    // The matches of the session are shown as those of any real-time record.
    let output =
        Command::new(BINARY).arg("replay").arg(server.folder.join("session.jsonl")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_only_games_in_turns_have_is_refused_by_name_and_the_terminal_says_where_to_play() {
    let server = Server::new("timed-tables-refused");
    let refused = |asked: &Value| {
        let (status, told) = server.ask("POST", "/v1/sessions", Some(&server.operator()), Some(asked));
        assert_eq!(status, 422, "{told}");
        told
    };
    for key in ["play_clock_ms", "bank_ms", "agent_clock_ms"] {
        assert!(refused(&json!({ "game": "chicken", key: 5_000 })).contains(key));
    }
    assert!(refused(&json!({ "game": "chicken", "trainer": true })).contains("trainer"));
    assert!(refused(&json!({ "game": "kuhn", "speed_permille": 100 })).contains("speed_permille"));
    let programs = json!({ "game": "chicken", "agents": ["ismcts"] });
    assert!(refused(&programs).contains("bad-seat"), "an agent of games in turns");
    let asked = json!({ "game": "chicken", "agents": ["mc"], "speed_permille": 100, "break_ms": 0 });
    let (_, opened) = server.ask("POST", "/v1/sessions", Some(&server.operator()), Some(&asked));
    let opened: Value = serde_json::from_str(&opened).unwrap();
    let link = server.url(&format!("/i/{}", text(&opened["invitations"]["1"])));
    let mut joining = Command::new(BINARY);
    joining.args(["join", &link, "--name", "Ann", "--player", "random"]);
    let joined = thread::spawn(move || joining.output().unwrap());
    let path = format!("/v1/sessions/{}", text(&opened["id"]));
    for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
        let start = json!({ "do": "start" });
        if server.ask("POST", &path, Some(&text(&opened["host"])), Some(&start)).0 == 200 {
            break;
        }
        thread::sleep(PAUSE);
    }
    let output = joined.join().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("played in a browser"), "{said}");
}
