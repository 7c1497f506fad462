//! The program of `docs/records-prove.md`, which has no code of ours in it, against our records.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use croupier_referee::Nonce;
use croupier_tests::skipped;
use serde_json::json;

use crate::{
    program,
    server::Server,
    sitter::{Sitter, connect},
};

/// The program as the page has it, in a folder of its own; nothing if there is no Python.
fn checker(name: &str) -> Option<PathBuf> {
    if Command::new("python3").arg("--version").output().is_err() {
        skipped("there is no python3");
        return None;
    }
    let page = fs::read_to_string(root().join("docs/records-prove.md")).unwrap();
    let start = page.find("```python\n").unwrap() + "```python\n".len();
    let end = start + page[start..].find("```").unwrap();
    let path = std::env::temp_dir().join(format!("croupier-verifier-{name}-{}.py", std::process::id()));
    fs::write(&path, &page[start..end]).unwrap();
    Some(path)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn check(checker: &Path, record: &str) -> Output {
    let file = checker.with_extension("jsonl");
    fs::write(&file, record).unwrap();
    Command::new("python3").arg(checker).arg(&file).output().unwrap()
}

fn confirmed(checker: &Path, record: &str) -> String {
    let output = check(checker, record);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_program_without_code_of_ours_confirms_the_records_of_every_format() {
    let Some(checker) = checker("formats") else { return };
    let older = ["tests/golden/format-1", "tests/golden/format-3"];
    for folder in ["tests/golden", "games-ii/kuhn", "games-ii/real-time/reaction"].into_iter().chain(older) {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                let record = fs::read_to_string(&path).unwrap();
                let matches = record.matches("\"event\":\"genesis\"").count();
                assert_eq!(confirmed(&checker, &record).lines().count(), matches, "{}", path.display());
            }
        }
    }
    // One digit of a drawn card, with everything else as it was, is noticed; so is one of the seed.
    let record = fs::read_to_string(root().join("tests/golden/kuhn.jsonl")).unwrap();
    let place = record.find("\"index\":").unwrap() + 8;
    let other = if &record[place..=place] == "0" { "1" } else { "0" };
    let changed = [&record[..place], other, &record[place + 1..]].concat();
    assert!(!check(&checker, &changed).status.success());
}

/// Moves to the end, each time with something illegal, so that moves are drawn for both.
fn play_on(sitters: &[Sitter<'_>; 2]) {
    for number in 2.. {
        let frames = [0, 1].map(|seat| sitters[seat].frame(number));
        let turn = &frames[0]["turn"];
        if frames[0]["type"] != "play" {
            return;
        }
        for sitter in sitters {
            sitter.say(&json!({ "type": "move", "turn": turn, "move": "nonsense" }));
        }
    }
}

/// The seats of a match of kuhn between two players that connect.
fn seated(server: &Server) -> (String, [Sitter<'_>; 2]) {
    let pull = json!({ "kind": "pull" });
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": { "alice": pull, "bob": pull },
        "start_clock_ms": 60_000,
        "play_clock_ms": 60_000,
    }));
    let id = made["id"].as_str().unwrap().to_owned();
    let token = |role: &str| made["tokens"][role].as_str().unwrap();
    let sitters = ["alice", "bob"].map(|role| Sitter::new(server, &id, role, token(role)));
    connect(&sitters);
    (id, sitters)
}

#[test]
fn an_operator_with_a_seat_learns_no_nonce_before_its_own_is_fixed_and_withholding_it_is_a_loss() {
    let server = Server::new("verifier-grinds");
    let (honest, own) = (Nonce([0xa1; 32]), Nonce([0xb0; 32]));
    for withholds in [false, true] {
        let (id, sitters) = seated(&server);
        let [alice, bob] = &sitters;
        let start = alice.frame(0);
        assert_eq!(start["public_key"], server.get("/v1/key")["public_key"]);
        // As it was, a nonce came with `ready`, for the operator to see before its own.
        let clear = json!({ "type": "ready", "nonce": hex::encode(honest.0) });
        let (status, body) = alice.say(&clear);
        assert_eq!(status, 422, "{body}");
        assert_eq!(alice.commit(honest).0, 204);
        // Nothing that the operator can ask has more of it than the digest; nobody is asked for a nonce yet.
        assert_eq!(bob.commit(own).0, 204);
        let told = alice.frame(1);
        assert_eq!(told["type"], "reveal");
        assert_eq!(told, bob.frame(1), "both hold the same proof");
        assert_eq!(told["commitments"]["alice"], honest.commitment(&id, "alice").to_string());
        assert_eq!(alice.reveal(honest).0, 204);
        // From here on the operator knows the deal; another nonce, or none, is a loss, and not another deal.
        bob.reveal(if withholds { Nonce([9; 32]) } else { own });
        play_on(&sitters);
        let ended = server.ended(&id);
        let record = server.record(&id);
        if withholds {
            assert_eq!(ended["outcome"]["status"], "withheld");
            assert_eq!(ended["outcome"]["goals"], json!({ "alice": 100, "bob": 0 }));
            assert!(record.contains("\"role\":\"bob\",\"status\":\"withheld\""), "{record}");
        } else {
            assert_eq!(ended["outcome"]["status"], "terminal");
        }
        let played = program(&format!("verifier-grinds-{withholds}"));
        let file = played.file("m.jsonl", &record);
        let key = start["public_key"].as_str().unwrap();
        assert!(played.output(&["replay", &file, "--verify", "--signed-by", key]).contains("OK"));
        let Some(checker) = checker("grinds") else { return };
        let shown = confirmed(&checker, &record);
        let by = if withholds { "dealt by the referee, alice;" } else { "dealt by the referee, alice, bob;" };
        assert!(shown.contains(by), "{shown}");
        let forged = record.replace(&hex::encode(honest.0), &hex::encode([0xa2; 32]));
        assert!(!check(&checker, &forged).status.success());
    }
}

#[test]
fn a_server_that_is_killed_between_commitment_and_nonce_asks_again_in_the_same_words() {
    let server = Server::new("verifier-killed");
    let nonces = [Nonce([1; 32]), Nonce([2; 32])];
    let (id, sitters) = seated(&server);
    for (sitter, nonce) in sitters.iter().zip(nonces) {
        assert_eq!(sitter.commit(nonce).0, 204);
    }
    let before = [0, 1].map(|number| sitters[0].frame(number));
    let places = sitters.map(|sitter| (sitter.path, sitter.token));
    let server = Server::again(server.kill());
    let sitters = places.map(|(path, token)| Sitter { server: &server, path, token });
    assert_eq!([0, 1].map(|number| sitters[0].frame(number)), before);
    for (sitter, nonce) in sitters.iter().zip(nonces) {
        sitter.reveal(nonce);
    }
    play_on(&sitters);
    assert_eq!(server.ended(&id)["outcome"]["status"], "terminal");
    let record = server.record(&id);
    assert!(record.contains("\"event\":\"resume\"") && record.matches("\"event\":\"nonce\"").count() == 2);
}
