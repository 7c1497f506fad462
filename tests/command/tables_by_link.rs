//! Tables of a server, joined by their links from the terminal, and what their records prove.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{fs, process::Command, thread, time::Duration};

use serde_json::{Value, json};

use crate::server::{BINARY, PATIENCE, Server};

const PAUSE: Duration = Duration::from_millis(20);

/// Opens a table, and starts it once everybody of these names has joined by a link; what each was told.
fn play(server: &Server, asked: &Value, names: &[&str]) -> (String, Vec<String>) {
    let (status, text) = server.ask("POST", "/v1/sessions", None, Some(asked));
    assert_eq!(status, 201, "{text}");
    let opened: Value = serde_json::from_str(&text).unwrap();
    let path = format!("/v1/sessions/{}", opened["id"].as_str().unwrap());
    let [host, watch] = ["host", "watch"].map(|key| opened[key].as_str().unwrap().to_owned());
    let join = |place: usize, name: &&str| {
        let link = server.url(&format!("/i/{}", opened["invitations"][place.to_string()].as_str().unwrap()));
        let mut command = Command::new(BINARY);
        command.args(["join", &link, "--name", name, "--player", "random", "--seed", "7"]);
        thread::spawn(move || command.output().unwrap())
    };
    let joined: Vec<_> = names.iter().enumerate().map(|(place, name)| join(place + 1, name)).collect();
    let is_there = |name: &&str| {
        let (_, text) = server.ask("GET", &path, Some(&watch), None);
        text.contains(&format!("\"name\":\"{name}\""))
    };
    for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
        if names.iter().all(is_there) {
            break;
        }
        thread::sleep(PAUSE);
    }
    let (status, text) = server.ask("POST", &path, Some(&host), Some(&json!({ "do": "start" })));
    assert_eq!(status, 200, "{text}");
    let told = joined.into_iter().map(|joined| {
        let output = joined.join().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    });
    let told = told.collect();
    let (status, record) = server.ask("GET", &format!("{path}/record"), Some(&watch), None);
    assert_eq!(status, 200, "{record}");
    (record, told)
}

/// Verifies a record of a session; what is said of it.
fn verify(server: &Server, record: &str) -> (bool, String) {
    let file = server.folder.join("session.jsonl");
    fs::write(&file, record).unwrap();
    let output = Command::new(BINARY).arg("replay").arg(&file).arg("--verify").output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

#[test]
fn a_table_is_joined_by_its_link_and_its_record_proves_every_match() {
    let server = Server::new("tables-by-link");
    let asked = json!({ "game": "kuhn", "until": "matches = 3", "break_ms": 0 });
    let (record, told) = play(&server, &asked, &["Ann", "Ben"]);
    for (text, name) in told.iter().zip(["Ann", "Ben"]) {
        assert!(
            text.contains("/i/") && text.contains("The session is over. All its matches were played."),
            "{text}"
        );
        assert!(text.contains(&format!("{name} (you): ")), "{text}");
    }
    let (is_proved, said) = verify(&server, &record);
    assert!(is_proved, "{said}");
    // A match that is left out is noticed.
    let lines: Vec<&str> = record.lines().collect();
    let second = |line: &&&str| line.contains("\"event\":\"genesis\"") && line.contains("\"index\":2");
    let from = lines.iter().position(|line| second(&line)).unwrap();
    let until = from + lines[from..].iter().position(|line| line.contains("\"event\":\"seal\"")).unwrap();
    let without = [&lines[..from], &lines[until + 1..]].concat().join("\n");
    let (is_proved, said) = verify(&server, &(without + "\n"));
    assert!(!is_proved, "{said}");
}

#[test]
fn a_tournament_of_no_limit_holdem_ends_with_all_chips_in_one_seat() {
    let server = Server::new("tables-of-chips");
    let asked = json!({
        "game": "no-limit-holdem", "seats": 3, "stack": 8, "raise_blinds": "2 matches", "until": "one left",
        "agents": ["random"], "agent_clock_ms": 500, "break_ms": 0,
    });
    let (record, told) = play(&server, &asked, &["Ann", "Ben"]);
    assert!(told.iter().all(|text| text.contains("One seat has everything.")), "{told:?}");
    let (is_proved, said) = verify(&server, &record);
    assert!(is_proved, "{said}");
}
