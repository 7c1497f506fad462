//! Tables of real-time games: matches one after the other by the clock, over kills of the server, and what their record proves.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

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
    assert!(view["terms"]["speed_permille"] == 100 && view["terms"]["bank_ms"].is_null(), "{view}");
    assert!(view["terms"].get("play_clock_ms").is_none(), "nobody has a clock for a move: {view}");
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
fn what_only_games_in_turns_have_is_refused_by_name() {
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
    assert!(refused(&json!({ "game": "chicken", "away": "ismcts" })).contains("away"), "of games in turns");
    let programs = json!({ "game": "chicken", "agents": ["ismcts"] });
    assert!(refused(&programs).contains("bad-seat"), "an agent of games in turns");
}

/// A session of three matches of a second each, whose first guest is never there; what it shows once it `is_so`.
fn without_the_first(server: &Server, more: &Value, is_so: impl Fn(&Value) -> bool) -> (Table, Value) {
    let mut asked = json!({ "game": "chicken", "until": "matches = 3", "rotate": "never", "break_ms": 0 });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let table = Table::begin(server, &asked);
    let mut view = Value::Null;
    for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
        // The second guest looks at every match.
        let path = format!("{}/seats/2?hand=9", table.path);
        if !view["hand"].is_null() && view["hand"]["index"] != view["hands_played"] {
            server.ask("GET", &path, Some(&table.keys[&2]), None);
        }
        view = table.view(server);
        if is_so(&view) {
            return (table, view);
        }
        thread::sleep(PAUSE);
    }
    panic!("{view}")
}

#[test]
fn an_agent_plays_for_who_was_not_there_in_a_match_from_the_next_one_on() {
    let server = Server::new("timed-tables-away");
    let (table, view) =
        without_the_first(&server, &json!({ "away": "random" }), |view| view["status"] == "over");
    assert_eq!(
        (&view["seats"][0]["is_away"], &view["seats"][1]["is_away"]),
        (&json!(true), &json!(false)),
        "{view}"
    );
    let (status, record) = server.ask("GET", &format!("{}/record", table.path), Some(&table.watch), None);
    assert_eq!(status, 200, "{record}");
    // Nobody moves in the first match; in the others the agent does, sooner or later.
    assert_eq!(view["hands"][0]["changes"]["1"], 0.0, "{view}");
    let (is_proved, said) = verify(&server, &record);
    assert!(is_proved, "{said}");
}

#[test]
fn a_table_where_who_is_away_sits_out_waits_for_them() {
    let server = Server::new("timed-tables-sit-out");
    let (table, view) =
        without_the_first(&server, &json!({ "away": "sit out" }), |view| view["lacks_seats"] == true);
    assert_eq!((&view["hands_played"], &view["hand"]), (&json!(1), &Value::Null), "{view}");
    let back = json!({ "do": "come_back", "place": 1 });
    let (status, told) = server.ask("POST", &table.path, Some(&table.keys[&1]), Some(&back));
    assert_eq!(status, 200, "{told}");
    table.frames(&server, 1, 2, is_clock);
}

/// Opens a table of chicken with one guest and an agent; the link of the guest, and what starts it.
fn opened_with_agent(server: &Server, asked: &Value) -> (String, impl Fn(&Server) + use<>) {
    let (status, opened) = server.ask("POST", "/v1/sessions", Some(&server.operator()), Some(asked));
    assert_eq!(status, 201, "{opened}");
    let opened: Value = serde_json::from_str(&opened).unwrap();
    let link = server.url(&format!("/i/{}", text(&opened["invitations"]["1"])));
    let (path, host) = (format!("/v1/sessions/{}", text(&opened["id"])), text(&opened["host"]));
    let start = move |server: &Server| {
        for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
            if server.ask("POST", &path, Some(&host), Some(&json!({ "do": "start" }))).0 == 200 {
                return;
            }
            thread::sleep(PAUSE);
        }
        panic!("nobody came");
    };
    (link, start)
}

/// A session of two matches against an agent that swerves as soon as it can, or never; a match lasts a second.
fn of_two_matches() -> Value {
    json!({ "game": "chicken", "agents": ["random"], "until": "matches = 2", "total": "goal", "break_ms": 0 })
}

#[test]
fn a_program_joins_a_table_in_real_time_by_its_link_and_plays_its_matches_one_after_the_other() {
    let server = Server::new("timed-tables-program");
    let (link, start) = opened_with_agent(&server, &of_two_matches());
    let mut joining = Command::new(BINARY);
    joining.args(["join", &link, "--name", "Ann", "--player", "mc", "--seed", "1"]);
    let joined = thread::spawn(move || joining.output().unwrap());
    start(&server);
    let output = joined.join().unwrap();
    let (said, wrong) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{said}{wrong}");
    assert!(said.contains("The session is over") && said.contains("Ann (you)"), "{said}");
}

#[test]
fn a_person_joins_a_table_in_real_time_by_its_link_and_swerves_in_time() {
    let server = Server::new("timed-tables-person");
    let mut asked = of_two_matches();
    asked["break_ms"] = json!(300);
    let (link, start) = opened_with_agent(&server, &asked);
    let mut joining = Command::new(BINARY);
    joining.args(["join", &link, "--name", "Ann", "--player", "human"]);
    joining.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut joining = joining.spawn().unwrap();
    let mut typed = joining.stdin.take().unwrap();
    let shown = BufReader::new(joining.stdout.take().unwrap());
    start(&server);
    let mut said = String::new();
    for line in shown.lines() {
        let line = line.unwrap();
        // What can be played has just been shown, with the time that runs.
        if line.contains(" | ") && line.contains("1 swerve") {
            writeln!(typed, "swerve").unwrap();
        }
        said += &line;
        said += "\n";
    }
    let output = joining.wait_with_output().unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for (words, times) in [("Match 2 of the session", 1), ("the match is over", 2), ("Ann (you)", 1)] {
        assert_eq!(said.matches(words).count(), times, "{words}: {said}");
    }
    // Whoever swerves is alive: that gives 80, or 90 if both do, and never nothing.
    assert!(!said.contains("Ann (you): 0"), "{said}");
    assert_eq!(said.matches("plays swerve").count(), 2, "{said}");
}
