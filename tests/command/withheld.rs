//! Nonces that are withheld where it costs something: in a rated match, and in a fixture of a tournament.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use croupier_referee::Nonce;
use serde_json::{Value, json};

use crate::{
    program,
    server::Server,
    sitter::{Sitter, connect},
    tournaments::{ended, make, register, results, seats},
};

/// How long a nonce is waited for; it must suffice for commitments on a busy machine.
const START_CLOCK_MS: u64 = 2_500;

/// What both players commit to.
const NONCES: [Nonce; 2] = [Nonce([0xa1; 32]), Nonce([0xb0; 32])];

/// Lets both commit, and only the first disclose its nonce, until the match is over.
fn withhold(server: &Server, id: &str, sitters: &[Sitter<'_>; 2]) -> Value {
    connect(sitters);
    for (sitter, nonce) in sitters.iter().zip(NONCES) {
        assert_eq!(sitter.commit(nonce).0, 204);
    }
    assert_eq!(sitters[0].frame(1)["type"], "reveal");
    assert_eq!(sitters[0].reveal(NONCES[0]).0, 204);
    server.ended(id)
}

/// Demands that a published record says that nothing was dealt because a role withheld its nonce, and that it verifies.
fn demand_withheld(server: &Server, id: &str, role: &str) {
    let record = server.record(id);
    let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |event: &str| lines.iter().filter(|line| line["event"] == event).collect::<Vec<_>>();
    let nonce = of("nonce").into_iter().find(|line| line["role"] == role).unwrap();
    assert_eq!((&nonce["status"], &nonce["nonce"]), (&json!("timeout"), &Value::Null));
    let [end] = of("end")[..] else { panic!("{record}") };
    assert_eq!(json!([end["status"], end["role"], end["turns"]]), json!(["withheld", role, 0]));
    assert!(of("turn").is_empty(), "something was dealt: {record}");
    let reader = program(&format!("withheld-{id}"));
    let file = reader.file("m.jsonl", &record);
    let key = server.get("/v1/key")["public_key"].as_str().unwrap().to_owned();
    assert!(reader.output(&["replay", &file, "--verify", "--signed-by", &key]).contains("OK"));
    let story = reader.output(&["replay", &file]).to_lowercase();
    assert!(story.contains(&format!("void: nothing was dealt, for {role} withheld a nonce")), "{story}");
}

/// How often each player was rated in kuhn, and the mean of its rating.
fn rating(server: &Server, player: &str) -> (u64, f64) {
    let page = server.get(&format!("/v1/players/{player}"));
    let rating = &page["ratings"][0];
    assert_eq!(rating["game"], "kuhn", "{page}");
    (rating["matches"].as_u64().unwrap(), rating["weng_lin"]["mu"].as_f64().unwrap())
}

#[test]
fn a_rated_match_in_which_a_nonce_is_withheld_is_void_and_lost_in_the_ratings_of_who_withheld_it() {
    let server = Server::on("withheld-rated", "croupier.db");
    let tokens = ["ann", "ben"].map(|name| register(&server, name));
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": { "alice": { "kind": "player", "player": "ann" }, "bob": { "kind": "player", "player": "ben" } },
        "start_clock_ms": START_CLOCK_MS,
    }));
    let id = made["id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/v1/matches/{id}"))["rated"], true);
    let sitters = [("alice", &tokens[0]), ("bob", &tokens[1])]
        .map(|(role, token)| Sitter::new(&server, id, role, token));
    let outcome = withhold(&server, id, &sitters)["outcome"].clone();
    assert_eq!(
        json!([outcome["status"], outcome["turns"], outcome["goals"]]),
        json!(["withheld", 0, { "alice": 100, "bob": 0 }])
    );
    demand_withheld(&server, id, "bob");
    let ((ann_matches, ann), (ben_matches, ben)) = (rating(&server, "ann"), rating(&server, "ben"));
    assert_eq!((ann_matches, ben_matches), (1, 1));
    assert!(ann > 25.0 && ben < 25.0, "as after any other loss: {ann} {ben}");
}

#[test]
fn a_fixture_in_which_a_nonce_is_withheld_is_void_and_lost_in_the_standings_and_the_tournament_goes_on() {
    let server = Server::on("withheld-tournament", "croupier.db");
    let tokens = ["ann", "ben"].map(|name| register(&server, name));
    let id = make(
        &server,
        &json!({
            "name": "spring", "game": "kuhn", "matches": 2, "matches_at_once": 1,
            "start_clock_ms": START_CLOCK_MS,
            "entrants": [{ "kind": "player", "player": "ann" }, { "kind": "player", "player": "ben" }],
        }),
    );
    // In the first match ben withholds its nonce, whichever seat it has; the second is played by both.
    let mut spoilt = None;
    let tournament = ended(&server, &id, |_| {
        let waiting = ["ann", "ben"].map(|name| {
            let token = &tokens[usize::from(name == "ben")];
            seats(&server, name, token, "")["seats"][0].clone()
        });
        if waiting.iter().any(Value::is_null) || waiting[0]["match"] != waiting[1]["match"] {
            return;
        }
        let match_id = waiting[0]["match"].as_str().unwrap().to_owned();
        let roles = [0, 1].map(|player: usize| waiting[player]["role"].as_str().unwrap().to_owned());
        if spoilt.is_none() {
            let sitters =
                [0, 1].map(|player: usize| Sitter::new(&server, &match_id, &roles[player], &tokens[player]));
            withhold(&server, &match_id, &sitters);
            spoilt = Some((match_id, roles));
            return;
        }
        let joined = [0, 1].map(|player| server.join(&match_id, &roles[player], &tokens[player], "random"));
        for join in joined {
            let output = join.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    });
    let (match_id, roles) = spoilt.unwrap();
    demand_withheld(&server, &match_id, &roles[1]);
    let fixture = &tournament["fixtures"][0];
    let goals = json!({ roles[0].as_str(): 100, roles[1].as_str(): 0 });
    assert_eq!(
        json!([fixture["match"], fixture["status"], fixture["goals"]]),
        json!([match_id, "withheld", goals])
    );
    assert_eq!(
        json!([tournament["status"], tournament["matches_counted"], tournament["unfinished"]]),
        json!(["over", 2, {}])
    );
    // Both the standings and the ratings count it like any other loss.
    let known = results(&server, &id).1;
    let statuses: Vec<&str> = known.results.iter().map(|result| result.status.as_str()).collect();
    assert_eq!(statuses, ["withheld", "terminal"]);
    let of_ben: i32 = known
        .results
        .iter()
        .map(|result| {
            let seat = result.seats.iter().position(|entrant| *entrant == 1).unwrap();
            result.goals.as_ref().unwrap()[seat]
        })
        .sum();
    let rows = tournament["standings"].as_array().unwrap();
    let ben = rows.iter().find(|row| row["entrant"] == "ben").unwrap();
    assert_eq!(json!([ben["seats"], ben["mean"]]), json!([2, f64::from(of_ben) / 2.0]), "{ben}");
    assert!(ben["lost"].as_u64().unwrap() >= 1, "{ben}");
    assert_eq!([rating(&server, "ann").0, rating(&server, "ben").0], [2, 2]);
}
