//! Several servers on one database of PostgreSQL: who asks the wrong one, and what becomes of the matches of one that dies.

use std::{thread, time::Duration};

use croupier_tests::{
    postgres::{empty_database, execute},
    size,
};
use serde_json::{Value, json};

use crate::{program, server::Server};

/// A match in which every turn takes most of a second.
fn slow(seed: u64) -> Value {
    json!({
        "game": "leduc",
        "seats": { "alice": { "kind": "agent", "agent": "ismcts:iterations=100000000" }, "bob": { "kind": "agent", "agent": "random" } },
        "play_clock_ms": 700,
        "seed": seed.to_string(),
    })
}

#[test]
fn a_match_of_a_server_that_died_goes_on_at_another_and_has_the_right_record() {
    let Some(database) = empty_database() else { return };
    let mut servers = [0, 1].map(|place| Some(Server::on(&format!("replicas-{place}"), &database)));
    let ids: Vec<String> = (0..4)
        .map(|seed| {
            let server = servers[usize::try_from(seed % 2).unwrap()].as_ref().unwrap();
            server.create(&slow(seed))["id"].as_str().unwrap().to_owned()
        })
        .collect();
    for place in size(&[0, 1][..], &[0, 1, 0][..]).iter().copied() {
        thread::sleep(Duration::from_millis(1_200));
        let left = servers[place].take().unwrap().kill();
        servers[place] = Some(Server::again(left));
    }
    let checker = program("replicas-replay");
    let mut resumed = 0;
    for id in &ids {
        let [first, second] = [0, 1].map(|place| servers[place].as_ref().unwrap());
        assert_eq!(first.ended(id)["outcome"]["status"], "terminal");
        let record = first.record(id);
        assert_eq!(record, second.record(id), "both tell the same");
        resumed += record.lines().filter(|line| line.contains("\"event\":\"resume\"")).count();
        assert!(checker.output(&["replay", &checker.file("m.jsonl", &record), "--verify"]).contains("OK"));
    }
    assert!(resumed > 0, "some match was in the middle when its server died");
}

#[test]
fn a_match_of_which_its_own_server_has_begun_another_epoch_goes_on() {
    let Some(database) = empty_database() else { return };
    let server = Server::on("replicas-epoch", &database);
    let id = server.create(&slow(1))["id"].as_str().unwrap().to_owned();
    thread::sleep(Duration::from_millis(1_200));
    // As when a write was done and only its answer was lost.
    execute(&database, "UPDATE ownership SET epoch = epoch + 1");
    assert_eq!(server.ended(&id)["outcome"]["status"], "terminal");
    assert!(server.record(&id).contains("\"epoch\":3"));
}

#[test]
fn whoever_asks_the_wrong_server_is_sent_on_and_plays_there() {
    let Some(database) = empty_database() else { return };
    let [here, there] = ["here", "there"].map(|name| Server::on(&format!("replicas-{name}"), &database));
    let made = here.create(&json!({
        "game": "kuhn",
        "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "agent", "agent": "random" } },
    }));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    let (status, body) = there.ask("GET", &format!("/v1/matches/{id}/seats/alice"), Some(token), None);
    assert_eq!(status, 307, "{body}");
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["code"], "elsewhere");
    let joined = there.join(id, "alice", token, "random").wait_with_output().unwrap();
    assert!(joined.status.success(), "{}", String::from_utf8_lossy(&joined.stderr));
    assert_eq!(there.ended(id)["outcome"]["status"], "terminal");
}

#[test]
fn a_second_server_on_the_file_of_another_is_refused() {
    let server = Server::on("replicas-file", "croupier.db");
    let file = server.folder.join("croupier.db").display().to_string();
    let other = program("replicas-file-second");
    let error = other.refusal(&["serve", "--port", "0", "--store", &file]);
    assert!(error.contains("another server uses this store"), "{error}");
}
