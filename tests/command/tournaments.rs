//! Tournaments of the server: round robin and Swiss, on one server and on several, with ratings and hands.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
    thread,
    time::Duration,
};

use croupier_results::{Deals, RatingSystem, RoundRobin};
use croupier_results::{MatchResult, ResultsFile, Schedule, Standings, Swiss, SwissFormat};
use croupier_tests::{postgres::empty_database, size};
use serde_json::{Value, json};

use crate::{browser::Browser, program, server::Server};

/// How long a tournament may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(480);

fn agents(names: &[&str]) -> Value {
    names.iter().map(|name| json!({ "kind": "agent", "agent": name })).collect()
}

pub(crate) fn make(server: &Server, asked: &Value) -> String {
    let (status, body) = server.ask("POST", "/v1/tournaments", Some(&server.operator()), Some(asked));
    assert_eq!(status, 201, "{body}");
    serde_json::from_str::<Value>(&body).unwrap()["id"].as_str().unwrap().to_owned()
}

fn shown(server: &Server, id: &str) -> Value {
    server.get(&format!("/v1/tournaments/{id}"))
}

/// The tournament when it is over; `watch` sees every state before.
pub(crate) fn ended(server: &Server, id: &str, mut watch: impl FnMut(&Value)) -> Value {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut tournament = Value::Null;
    for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
        tournament = shown(server, id);
        if tournament["status"] != "running" && tournament["matches_running"] == 0 {
            return tournament;
        }
        watch(&tournament);
        thread::sleep(PAUSE);
    }
    panic!("the tournament is not over: {tournament}")
}

pub(crate) fn results(server: &Server, id: &str) -> (String, ResultsFile) {
    let (status, text) = server.ask("GET", &format!("/v1/tournaments/{id}/results"), None, None);
    assert_eq!(status, 200, "{text}");
    let known = ResultsFile::read(text.as_bytes()).unwrap().unwrap();
    (text, known)
}

fn match_ids(tournament: &Value) -> Vec<String> {
    let fixtures = tournament["fixtures"].as_array().unwrap();
    fixtures.iter().map(|fixture| fixture["match"].as_str().unwrap().to_owned()).collect()
}

/// The seed that a record reveals, and the goals that replaying it gives, in the order of the roles.
fn replayed(record: &str) -> (String, Option<Vec<i32>>) {
    let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |event: &str| lines.iter().find(|line| line["event"] == event).unwrap();
    let goals = of("end")["goals"]
        .as_object()
        .map(|goals| goals.values().map(|goal| i32::try_from(goal.as_i64().unwrap()).unwrap()).collect());
    (of("reveal")["seed"].as_str().unwrap().to_owned(), goals)
}

/// The same standings from the records alone: nothing that the server counted is used.
fn recomputed(server: &Server, tournament: &Value, mut schedule: Schedule) -> Standings {
    let mut recounted: Vec<MatchResult> = Vec::new();
    for (index, id) in (0..).zip(match_ids(tournament)) {
        let (_, goals) = replayed(&server.record(&id));
        let fixture = schedule.fixture(index).unwrap();
        let result = MatchResult {
            index,
            match_id: id,
            seats: fixture.seats.clone(),
            status: "terminal".to_owned(),
            turns: 0,
            goals,
            no_moves: vec![0; fixture.seats.len()],
            reasons: None,
            looked_up: None,
            record_end: None,
        };
        schedule.take(&result);
        recounted.push(result);
    }
    let entrants = tournament["entrants"].as_array().unwrap().len();
    Standings::new(&schedule, entrants, &recounted, RatingSystem::WengLin)
}

fn demand_same_standings(tournament: &Value, expected: &Standings) {
    let rows = tournament["standings"].as_array().unwrap();
    assert_eq!(rows.len(), expected.rows.len());
    for (row, expected) in rows.iter().zip(&expected.rows) {
        let mean = expected.mean.unwrap();
        assert_eq!(row["entrant"], tournament["entrants"][expected.entrant]);
        assert_eq!(row["mean"].as_f64(), Some(mean.mean));
        // The test reads decimals to the last digit but one.
        let interval = mean.interval().unwrap();
        assert!(
            (0..2).all(|end| (row["interval"][end].as_f64().unwrap() - interval[end]).abs() < 1e-9),
            "{row}"
        );
        assert_eq!(json!([row["won"], row["drawn"], row["lost"]]), json!(expected.won_drawn_lost));
        assert_eq!(row["points"].as_f64(), expected.swiss.map(|place| place.points));
    }
}

#[test]
fn a_round_robin_of_agents_is_played_to_the_end_and_its_results_are_read_by_the_command_line() {
    let server = Server::on("tournaments-round-robin", "croupier.db");
    let asked = json!({
        "name": "spring",
        "game": "kuhn",
        "duplicate": true,
        "matches": 6,
        "entrants": agents(&["random", "first-legal", "belief:iterations=20,particles=20"]),
        "matches_at_once": 3,
        "play_clock_ms": 20_000,
    });
    let id = make(&server, &asked);
    let mut most = 0;
    let tournament = ended(&server, &id, |tournament| {
        most = most.max(tournament["matches_running"].as_u64().unwrap());
        let seed = results(&server, &id).1.heading.seed;
        // It may have ended between the two questions.
        let ran = shown(&server, &id)["status"] == "running";
        assert!(!ran || seed == "secret until the end", "{seed}");
    });
    assert!((1..=3).contains(&most), "{most}");
    assert_eq!((&tournament["status"], &tournament["matches_counted"]), (&json!("over"), &json!(18)));
    let schedule = || Schedule::RoundRobin(RoundRobin::new(3, 2, 6, Deals::Duplicate).unwrap());
    demand_same_standings(&tournament, &recomputed(&server, &tournament, schedule()));
    // Each deal in every rotation has one seed, and no other deal has it.
    let mut seeds: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for (index, match_id) in (0..).zip(match_ids(&tournament)) {
        let deal = schedule().fixture(index).unwrap().deal;
        seeds.entry(deal).or_default().insert(replayed(&server.record(&match_id)).0);
    }
    let different: BTreeSet<&String> = seeds.values().flatten().collect();
    assert_eq!((seeds.len(), different.len()), (3, 3), "{seeds:?}");
    assert!(seeds.values().all(|seeds| seeds.len() == 1));
    // `croupier tournament` takes the file for its own, and comes to the same table.
    let (text, known) = results(&server, &id);
    assert!(different.contains(&known.heading.seed), "the first deal has the seed of the tournament");
    let checker = program("tournaments-round-robin-read");
    let file = checker.file("t.jsonl", &text);
    let players = "random,first-legal,belief:iterations=20,particles=20";
    let table = checker.output(&[
        "tournament",
        "kuhn",
        "--players",
        players,
        "--matches",
        "6",
        "--duplicate",
        "--play-clock",
        "20",
        "--results",
        &file,
        "--json",
    ]);
    let table: Value = serde_json::from_str(&table).unwrap();
    assert_eq!(table["matches"], 18, "{table}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing was left to be played");
    // Everybody is rated, and the ratings are those of the matches one after the other, deal by deal.
    let ratings = server.get("/v1/ratings?game=kuhn");
    let ratings = ratings["ratings"].as_array().unwrap();
    assert_eq!(ratings.len(), 3);
    assert!(ratings.iter().all(|rating| rating["matches"] == 12), "{ratings:?}");
    let listed = server.get("/v1/tournaments");
    assert_eq!(listed["tournaments"][0]["id"], json!(id));
}

#[test]
fn a_swiss_tournament_pairs_each_round_from_the_results_of_those_before() {
    let server = Server::on("tournaments-swiss", "croupier.db");
    let names = [
        "random",
        "first-legal",
        "belief:iterations=5,particles=5",
        "belief:iterations=6,particles=5",
        "ismcts:iterations=5",
    ];
    let asked = json!({
        "name": "autumn", "game": "kuhn", "format": "swiss", "rounds": 3, "duplicate": true, "matches": 2,
        "entrants": agents(&names), "play_clock_ms": 20_000,
    });
    let id = make(&server, &asked);
    let tournament = ended(&server, &id, |_| {});
    assert_eq!((&tournament["rounds_played"], &tournament["matches_counted"]), (&json!(3), &json!(12)));
    let format = SwissFormat { entrants: 5, seats: 2, rounds: 3, matches: 2, deals: Deals::Duplicate };
    let expected = recomputed(&server, &tournament, Schedule::Swiss(Swiss::new(format).unwrap()));
    demand_same_standings(&tournament, &expected);
    let mut schedule = Schedule::Swiss(Swiss::new(format).unwrap());
    for (index, result) in (0..).zip(results(&server, &id).1.results) {
        assert!(result.is_of(index, &schedule.fixture(index).unwrap().seats), "{result:?}");
        schedule.take(&result);
    }
    assert!(tournament["standings"].as_array().unwrap().iter().any(|row| row["byes"] == 1));
}

#[test]
fn a_tournament_goes_on_at_another_server_when_one_dies_and_every_match_counts_once() {
    let Some(database) = empty_database() else { return };
    let mut servers =
        [0, 1].map(|place| Some(Server::on(&format!("tournaments-replica-{place}"), &database)));
    let asked = json!({
        "name": "winter",
        "game": "leduc",
        "duplicate": true,
        "matches": 4,
        "entrants": agents(&["random", "first-legal", "ismcts:iterations=100000000"]),
        "matches_at_once": 4,
        "play_clock_ms": 300,
    });
    let id = make(servers[0].as_ref().unwrap(), &asked);
    let mut played = BTreeSet::new();
    for place in size(&[0, 1][..], &[0, 1, 0, 1][..]).iter().copied() {
        thread::sleep(Duration::from_millis(1_100));
        played.extend(shown(servers[1 - place].as_ref().unwrap(), &id)["matches_counted"].as_u64());
        let left = servers[place].take().unwrap().kill();
        servers[place] = Some(Server::again(left));
    }
    let [first, second] = servers.map(Option::unwrap);
    let tournament = ended(&first, &id, |_| {});
    assert_eq!(tournament["matches_counted"], 12);
    let (text, known) = results(&first, &id);
    assert_eq!(text, results(&second, &id).0, "both tell the same");
    assert!(known.results.iter().all(|result| result.status == "terminal"), "{text}");
    let ids: BTreeSet<String> = match_ids(&tournament).into_iter().collect();
    assert_eq!(ids.len(), 12, "every fixture has a match of its own");
    let listed = first.get("/v1/matches?count=200");
    assert_eq!(listed["matches"].as_array().unwrap().len(), 12, "and there is no other");
    let schedule = Schedule::RoundRobin(RoundRobin::new(3, 2, 4, Deals::Duplicate).unwrap());
    demand_same_standings(&tournament, &recomputed(&second, &tournament, schedule));
    let ratings = first.get("/v1/ratings?game=leduc&system=glicko2");
    let ratings = ratings["ratings"].as_array().unwrap();
    assert!(ratings.len() == 3 && ratings.iter().all(|rating| rating["matches"] == 8), "{ratings:?}");
    let checker = program("tournaments-replica-replay");
    for id in ids {
        let file = checker.file("m.jsonl", first.record(&id));
        assert!(checker.output(&["replay", &file, "--verify"]).contains("OK"), "{id}");
    }
}

#[test]
fn a_server_that_is_killed_in_a_tournament_goes_on_with_it_and_plays_every_fixture_once() {
    let mut server = Server::on("tournaments-killed", "croupier.db");
    let asked = json!({
        "name": "winter", "game": "kuhn", "matches": 40, "matches_at_once": 2, "play_clock_ms": 20_000,
        "entrants": agents(&["random", "first-legal"]),
    });
    // The same request again, as from somebody who had no answer.
    let body = asked.to_string();
    let ask = |server: &Server| {
        let token = format!("Authorization: Bearer {}", server.operator());
        let mut curl = Command::new("curl");
        curl.args(["-s", "-H", &token, "-H", "Idempotency-Key: one", "-d", &body]);
        serde_json::from_slice::<Value>(&curl.arg(server.url("/v1/tournaments")).output().unwrap().stdout)
            .unwrap()
    };
    let id = ask(&server)["id"].as_str().unwrap().to_owned();
    for pause in [0, 15, 40, 80, 120] {
        thread::sleep(Duration::from_millis(pause));
        server = Server::again(server.kill());
        assert_eq!(ask(&server)["id"], json!(id));
    }
    let tournament = ended(&server, &id, |_| {});
    assert_eq!(tournament["matches_counted"], 40);
    let ids: BTreeSet<String> = match_ids(&tournament).into_iter().collect();
    assert_eq!(ids.len(), 40);
    assert_eq!(server.get("/v1/matches?count=200")["matches"].as_array().unwrap().len(), 40);
    // The seed of the first match was that of the tournament, and its record waited for the end.
    let seed = results(&server, &id).1.heading.seed;
    assert!(server.record(&match_ids(&tournament)[0]).contains(&seed));
    let schedule = Schedule::RoundRobin(RoundRobin::new(2, 2, 40, Deals::Single).unwrap());
    demand_same_standings(&tournament, &recomputed(&server, &tournament, schedule));
    let ratings = server.get("/v1/ratings?game=kuhn");
    assert!(ratings["ratings"].as_array().unwrap().iter().all(|rating| rating["matches"] == 40), "{ratings}");
}

/// A registered player, with its token.
pub(crate) fn register(server: &Server, name: &str) -> String {
    let asked = json!({ "name": name });
    let (status, body) = server.ask("POST", "/v1/players", Some(&server.operator()), Some(&asked));
    assert_eq!(status, 201, "{body}");
    serde_json::from_str::<Value>(&body).unwrap()["token"].as_str().unwrap().to_owned()
}

/// The seats that wait for a player.
pub(crate) fn seats(server: &Server, name: &str, token: &str, tag: &str) -> Value {
    let path = format!("/v1/players/{name}/seats?tag={tag}");
    let (status, body) = server.ask("GET", &path, Some(token), None);
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

#[test]
fn nothing_of_a_shared_deal_leaves_the_server_before_all_its_matches_are_over() {
    let server = Server::on("tournaments-secrets", "croupier.db");
    let tokens = ["ann", "ben"].map(|name| (name, register(&server, name)));
    let seed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let asked = json!({
        "name": "summer", "game": "kuhn", "duplicate": true, "matches": 4, "seed": seed,
        "entrants": [{ "kind": "player", "player": "ann" }, { "kind": "player", "player": "ben" }],
        "matches_at_once": 2,
    });
    let id = make(&server, &asked);
    let mut seen = String::new();
    // The two matches of the first deal, one after the other; then those of the second.
    for deal in 0..2 {
        let mut told = seats(&server, "ann", &tokens[0].1, "");
        while told["seats"].as_array().unwrap().len() < 2 {
            told = seats(&server, "ann", &tokens[0].1, told["tag"].as_str().unwrap());
        }
        let waiting = told["seats"].as_array().unwrap().clone();
        for (turn, seat) in waiting.iter().enumerate() {
            let match_id = seat["match"].as_str().unwrap();
            let told = watched(&server, match_id, &tokens);
            assert!(told.contains("\"end\"") && !told.contains("goals") && !told.contains("seed"), "{told}");
            // The first deal has the seed of the tournament, from which the second follows.
            let is_held = turn == 0 || deal == 0;
            for path in ["/v1/matches/MATCH/record", "/v1/matches/MATCH/hand", "/m/MATCH"] {
                let path = path.replace("MATCH", match_id);
                let (status, body) = server.ask("GET", &path, Some(&server.operator()), None);
                assert_eq!(status == 409, is_held, "deal {deal}, match {turn}: {status} {body}");
                assert!(!is_held || body.contains("\"held\""), "{body}");
            }
            let shown = server.get(&format!("/v1/matches/{match_id}"));
            assert_eq!(shown["outcome"]["goals"].is_null(), turn == 0, "{shown}");
            if deal == 0 {
                let ann = Browser::new(&server).go("/p/ann").html;
                assert_eq!(ann.contains("goals"), turn == 1, "{ann}");
                seen += &ann;
                seen += &shown.to_string();
                seen += &shown_everywhere(&server, &id, match_id);
            }
        }
    }
    assert!(!seen.contains(seed), "the seed is in what others see");
    let tournament = ended(&server, &id, |_| {});
    let records: Vec<String> = match_ids(&tournament).iter().map(|id| server.record(id)).collect();
    assert!(records[0].contains(seed) && records[1].contains(seed));
    let seeds: Vec<String> = records.iter().map(|record| replayed(record).0).collect();
    assert!(seeds[2] == seeds[3] && seeds[1] != seeds[2]);
    // A nonce would have changed the cards of one match and not of the other.
    let ready =
        records.iter().flat_map(|record| record.lines()).filter(|line| line.contains("\"event\":\"ready\""));
    assert!(ready.clone().all(|line| !line.contains("commitment")), "{:?}", ready.collect::<Vec<_>>());
    assert!(!records.iter().any(|record| record.contains("\"event\":\"nonce\"")));
    // So the operator chose the deals, and says so everywhere.
    assert!(records.iter().all(|record| record.contains("\"nonces\":\"declined\"")));
    assert_eq!(tournament["deals"], "operator");
    let dealt = |record: &str| {
        let turns = crate::serve::turns(record);
        turns.iter().map(|(moves, _)| moves["random"].clone()).collect::<Vec<_>>()
    };
    for pair in records.chunks(2) {
        let (one, other) = (dealt(&pair[0]), dealt(&pair[1]));
        assert_eq!(one[..2], other[..2], "the same cards");
    }
    assert!(!tournament["rated"].as_bool().unwrap(), "its seed was given");
    let log = fs::read_to_string(server.folder.join("log")).unwrap();
    assert!(!log.contains(seed));
}

/// What spectators see of a match of two players that join it now, from its beginning to its end.
fn watched(server: &Server, match_id: &str, tokens: &[(&str, String)]) -> String {
    let mut curl = Command::new("curl");
    curl.args(["-sN", "-H", "Accept: application/x-ndjson"]);
    curl.arg(server.url(&format!("/v1/matches/{match_id}/events")));
    let watcher = curl.stdout(std::process::Stdio::piped()).spawn().unwrap();
    // Somebody watches before anything happens.
    thread::sleep(Duration::from_millis(200));
    let join = |(name, token): &(&str, String)| {
        let own = seats(server, name, token, "");
        let own = own["seats"].as_array().unwrap().clone();
        let own = own.iter().find(|own| own["match"] == match_id).unwrap().clone();
        server.join(match_id, own["role"].as_str().unwrap(), token, "random")
    };
    let joined: Vec<_> = tokens.iter().map(join).collect();
    for join in joined {
        let output = join.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    server.ended(match_id);
    thread::sleep(Duration::from_millis(200));
    String::from_utf8(watcher.wait_with_output().unwrap().stdout).unwrap()
}

/// Everything else that anybody can ask of a match and its tournament.
fn shown_everywhere(server: &Server, tournament: &str, id: &str) -> String {
    let operator = server.operator();
    let paths = [
        format!("/v1/tournaments/{tournament}"),
        format!("/v1/tournaments/{tournament}/results"),
        "/v1/tournaments".to_owned(),
        "/v1/matches".to_owned(),
        format!("/v1/matches/{id}/events"),
        format!("/v1/matches/{id}/record"),
        format!("/t/{tournament}"),
        format!("/m/{id}"),
    ];
    paths.iter().map(|path| server.ask("GET", path, Some(&operator), None).1).collect()
}

#[test]
fn a_player_learns_which_seats_wait_for_it_and_nobody_else_does() {
    let server = Server::on("tournaments-seats", "croupier.db");
    let (ann, ben) = (register(&server, "ann"), register(&server, "ben"));
    let path = "/v1/players/ann/seats";
    for (token, status) in
        [(None, 401), (Some(&*ben), 403), (Some(&*server.operator()), 403), (Some(&*ann), 200)]
    {
        assert_eq!(server.ask("GET", path, token, None).0, status);
    }
    let empty = seats(&server, "ann", &ann, "");
    assert_eq!(empty["seats"], json!([]));
    let tag = empty["tag"].as_str().unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| seats(&server, "ann", &ann, tag));
        thread::sleep(Duration::from_millis(200));
        let made = server.create(&json!({ "game": "kuhn", "seats": {
            "alice": { "kind": "player", "player": "ann" }, "bob": { "kind": "agent", "agent": "random" },
        } }));
        let told = waiting.join().unwrap();
        assert_eq!(told["seats"][0]["match"], made["id"], "{told}");
        assert_eq!(told["seats"][0]["role"], "alice");
    });
    let (status, body) =
        server.ask("POST", "/v1/players", Some(&server.operator()), Some(&json!({ "name": "random" })));
    assert!(status == 422 && body.contains("bad-name"), "the name of an agent: {body}");
    // A match with an open seat that she takes is rated under her name; then her page has her ratings.
    let made = server.create(&json!({ "game": "kuhn", "seats": {
        "alice": { "kind": "open" }, "bob": { "kind": "agent", "agent": "random" },
    } }));
    let id = made["id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/v1/matches/{id}"))["rated"], true);
    let claim = format!("/v1/matches/{id}/seats/alice/claim");
    let (_, body) = server.ask("POST", &claim, Some(&ann), None);
    let token = serde_json::from_str::<Value>(&body).unwrap()["token"].as_str().unwrap().to_owned();
    assert!(server.join(id, "alice", &token, "random").wait().unwrap().success());
    server.ended(id);
    let page = server.get("/v1/players/ann");
    assert_eq!((&page["ratings"][0]["game"], &page["ratings"][0]["matches"]), (&json!("kuhn"), &json!(1)));
}

#[test]
fn what_is_no_tournament_is_refused_and_one_that_runs_can_be_ended() {
    let server = Server::on("tournaments-refusals", "croupier.db");
    let operator = server.operator();
    let base = json!({ "name": "t", "game": "kuhn", "entrants": agents(&["random", "first-legal"]) });
    let with = |field: &str, value: Value| {
        let mut asked = base.clone();
        asked[field] = value;
        asked
    };
    for (asked, code) in [
        (with("name", json!("a b")), "bad-name"),
        (with("game", json!("no-such-game")), "unknown-game"),
        (with("entrants", agents(&["random"])), "bad-entrants"),
        (with("entrants", agents(&["random", "random"])), "bad-tournament"),
        (with("entrants", agents(&["random", "nobody"])), "bad-seat"),
        (with("entrants", json!([{ "kind": "pull" }, { "kind": "open" }])), "bad-tournament"),
        (
            with(
                "entrants",
                json!([{ "kind": "player", "player": "nobody" }, { "kind": "agent", "agent": "random" }]),
            ),
            "bad-seat",
        ),
        (with("format", json!("swiss")), "bad-tournament"),
        (with("rounds", json!(3)), "bad-tournament"),
        (with("matches", json!(1_000_000)), "bad-tournament"),
        (with("matches_at_once", json!(0)), "bad-tournament"),
        (with("play_clock_ms", json!(u64::MAX)), "bad-tournament"),
        (with("surprise", json!(1)), "bad-json"),
    ] {
        let (status, body) = server.ask("POST", "/v1/tournaments", Some(&operator), Some(&asked));
        assert_eq!(status, 422, "{asked}: {body}");
        assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["code"], code, "{asked}: {body}");
    }
    for (token, status) in [(None, 401), (Some("nonsense"), 403)] {
        assert_eq!(server.ask("POST", "/v1/tournaments", token, Some(&base)).0, status);
    }
    assert_eq!(server.ask("GET", "/v1/tournaments/nothing", None, None).0, 404);
    assert_eq!(server.ask("GET", "/v1/ratings?game=kuhn&after=nonsense", None, None).0, 422);
    let rated = json!({ "game": "kuhn", "rated": true, "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "pull" } } });
    let (status, body) = server.ask("POST", "/v1/matches", Some(&operator), Some(&rated));
    assert!(status == 422 && body.contains("unratable"), "{body}");
    // Nobody comes: it is ended, with its matches.
    let _ = register(&server, "ann");
    let absent = with(
        "entrants",
        json!([{ "kind": "player", "player": "ann" }, { "kind": "agent", "agent": "random" }]),
    );
    let id = make(&server, &absent);
    let path = format!("/v1/tournaments/{id}");
    assert_eq!(server.ask("DELETE", &path, None, None).0, 401);
    assert_eq!(server.ask("DELETE", &path, Some(&operator), None).0, 202);
    assert_eq!(server.ask("DELETE", &path, Some(&operator), None).0, 409);
    let tournament = ended(&server, &id, |_| {});
    assert_eq!(tournament["status"], "aborted");
    assert!(tournament["fixtures"].as_array().unwrap().iter().all(|fixture| fixture["status"] == "aborted"));
    assert_eq!(server.get("/v1/ratings?game=kuhn")["ratings"], json!([]));
}

#[test]
fn players_that_do_not_come_or_are_gone_cost_their_matches_and_the_tournament_goes_on() {
    let server = Server::on("tournaments-absent", "croupier.db");
    let operator = server.operator();
    let _ = register(&server, "ann");
    let asked = json!({
        "name": "t", "game": "kuhn", "join_s": 1, "matches": 2, "matches_at_once": 1,
        "entrants": [{ "kind": "player", "player": "ann" }, { "kind": "agent", "agent": "random" },
                     { "kind": "agent", "agent": "first-legal" }],
    });
    let id = make(&server, &asked);
    let mut is_gone = false;
    let tournament = ended(&server, &id, |tournament| {
        if !is_gone && tournament["fixtures"][0]["status"] == "aborted" {
            is_gone = server.ask("DELETE", "/v1/players/ann", Some(&operator), None).0 == 204;
        }
    });
    assert_eq!((&tournament["status"], &tournament["matches_counted"]), (&json!("over"), &json!(6)));
    let known = results(&server, &id).1;
    let statuses: Vec<&str> = known.results.iter().map(|result| result.status.as_str()).collect();
    assert_eq!(statuses[0], "aborted", "she did not come");
    assert_eq!(statuses.iter().filter(|status| **status == "terminal").count(), 2, "{statuses:?}");
    assert!(is_gone && statuses.contains(&"void"), "{statuses:?}");
}

#[test]
fn the_curl_lines_of_the_page_about_tournaments_do_what_it_says() {
    const PAGE: &str = include_str!("../../docs/server.md");
    let server = Server::on("tournaments-page", "croupier.db");
    let sections = ["## Tournaments", "## Ratings", "## Hands"];
    let blocks = sections.iter().flat_map(|section| {
        let text = PAGE.split(section).nth(1).unwrap().split("\n## ").next().unwrap();
        text.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap())
    });
    let mut script = String::from("set -eu\ncurl() { command curl --fail-with-body \"$@\"; }\n");
    script += &format!("croupier() {{ '{}' \"$@\"; }}\n", env!("CARGO_BIN_EXE_croupier"));
    for block in blocks {
        script += &block.replace("http://127.0.0.1:8080", &server.url("")).replace("sleep 60", "sleep 1");
    }
    let output = Command::new("bash").arg("-c").arg(&script).current_dir(&server.folder).output().unwrap();
    let told = format!(
        "{script}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{told}");
    for expected in ["\"standings\"", "\"tournament\":1", "\"weng_lin\"", "variant = \"FT\""] {
        assert!(told.contains(expected), "{expected} is missing: {told}");
    }
}

#[test]
fn a_hand_is_given_as_phh_once_the_match_is_over() {
    let server = Server::on("tournaments-hand", "croupier.db");
    let agent = json!({ "kind": "agent", "agent": "random" });
    let hand = |game: &str, seats: Value| {
        let made = server.create(&json!({ "game": game, "seats": seats, "seed": "4" }));
        let id = made["id"].as_str().unwrap().to_owned();
        server.ended(&id);
        let answer = server.ask("GET", &format!("/v1/matches/{id}/hand"), None, None);
        (answer, server.record(&id))
    };
    let ((status, text), record) = hand("holdem", json!({ "alice": agent, "bob": agent }));
    assert_eq!(status, 200, "{text}");
    let checker = program("tournaments-hand-replay");
    let shown = checker.output(&["replay", &checker.file("m.jsonl", &record), "--format", "phh"]);
    assert_eq!(text.trim(), shown.trim());
    let ((status, problem), _) = hand("tic-tac-toe", json!({ "x": agent, "o": agent }));
    assert!(status == 422 && problem.contains("no-poker"), "{problem}");
}
