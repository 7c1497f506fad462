//! `croupier join --ponder`: who computes while others choose is in time all the same.

use serde_json::json;

use crate::server::Server;

#[test]
fn who_ponders_makes_every_move_in_time() {
    let server = Server::new("pondering");
    let matches = [
        ("connect-four", ["red", "yellow"], "resolve:descents=200"),
        ("leduc", ["alice", "bob"], "resolve:histories=1,deals=1"),
    ];
    for (game, [first, second], player) in matches {
        let made = server.create(&json!({
            "game": game,
            "seats": { first: { "kind": "pull" }, second: { "kind": "pull" } },
            "play_clock_ms": 2000,
        }));
        let id = made["id"].as_str().unwrap();
        let token = |role: &str| made["tokens"][role].as_str().unwrap();
        let ponders = server.join_with(id, first, token(first), &["--player", player, "--ponder"]);
        let waits = server.join(id, second, token(second), "random");
        for joined in [ponders, waits] {
            let joined = joined.wait_with_output().unwrap();
            assert!(joined.status.success(), "{game}: {}", String::from_utf8_lossy(&joined.stderr));
        }
        let record = server.record(id);
        assert!(record.contains("\"status\":\"terminal\""), "{record}");
        assert!(!record.contains("timeout"), "{game}: somebody was late: {record}");
    }
}
