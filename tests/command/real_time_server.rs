//! Real-time matches between machines: joined, watched by those who may not know, interrupted, and gone on with.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{thread, time::Duration};

use croupier_games::find;
use croupier_referee::{
    realtime::{RealTimeLine, read_real_time_records},
    record::Entry,
};
use serde_json::{Value, json};

use crate::{
    program,
    server::{Server, Socket},
};

/// A fact that lasts a while, in a match of two who may press a button as often as they like; nobody sees the other do it.
const BUTTONS: &str = "(role ann) (role ben) (role random) (init 3 course) (init infinity deal)
    (suit spades) (suit hearts) (suit clubs) (suit diamonds) (player ann) (player ben)
    (<= (legal random (deal ?a ?b)) (true infinity deal) (suit ?a) (suit ?b))
    (<= (next infinity (holds ann ?a)) (does random (deal ?a ?b)))
    (<= (next infinity (holds ben ?b)) (does random (deal ?a ?b)))
    (<= (next infinity (holds ?r ?s)) (true infinity (holds ?r ?s)))
    (<= (sees ann (card ?a)) (does random (deal ?a ?b))) (<= (sees ben (card ?b)) (does random (deal ?a ?b)))
    (<= (legal ?r press) (player ?r) (true ?t course))
    (<= (next ?t course) (true ?t course)) (<= (next infinity (pressed ?r)) (does ?r press))
    (<= (next infinity (pressed ?r)) (true infinity (pressed ?r)))
    (<= terminal (expired course))
    (<= (goal ?r 100) (player ?r) (true infinity (pressed ?r)))
    (<= (goal ?r 0) (player ?r) (not (was_pressed ?r))) (<= (was_pressed ?r) (true infinity (pressed ?r)))";

const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// A match of two who connect; its id, and their tokens.
fn created(server: &Server, asked: &Value, roles: [&str; 2]) -> (String, [String; 2]) {
    let made = server.create(asked);
    let token = |role: &str| made["tokens"][role].as_str().unwrap().to_owned();
    (made["id"].as_str().unwrap().to_owned(), roles.map(token))
}

fn verified(test: &str, record: &str, key: &Value) {
    let checker = program(test);
    let file = checker.file("m.jsonl", record);
    let key = key["public_key"].as_str().unwrap();
    let said = checker.output(&["replay", &file, "--verify", "--signed-by", key]);
    assert!(said.starts_with("match 1: OK, ") && said.contains("signed by"), "{said}");
}

/// The frames of a seat behind the first few.
fn frames(server: &Server, seat: &str, token: &str, after: usize) -> Vec<Value> {
    let (status, body) = server.ask("GET", &format!("{seat}?after={after}"), Some(token), None);
    assert_eq!(status, 200, "{body}");
    serde_json::from_str::<Value>(&body).unwrap()["frames"].as_array().unwrap().clone()
}

/// A seat over a WebSocket, whose next frames are read as they come.
struct Sitter(Socket);

impl Sitter {
    fn new(server: &Server, id: &str, role: &str, token: &str) -> Self {
        Self(Socket::connect(server, &format!("/v1/matches/{id}/seats/{role}/ws"), token))
    }

    fn next(&mut self) -> Value {
        serde_json::from_str(&self.0.read().unwrap()).unwrap()
    }

    /// Waits for the next frame of a type, and gives it with those before it.
    fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut frames = Vec::new();
        loop {
            frames.push(self.next());
            if frames.last().unwrap()["type"] == kind {
                return frames;
            }
        }
    }
}

#[test]
fn two_machines_play_a_real_time_match_whose_record_the_key_signed() {
    let server = Server::new("real-time-joined");
    let pull = json!({ "kind": "pull" });
    let asked = json!({ "game": "chicken", "seats": { "white": pull, "black": pull } });
    for players in
        [["mc:iterations=60,particles=2", "random:every=0.3"], ["first-legal", "uct:iterations=60"]]
    {
        let (id, tokens) = created(&server, &asked, ["white", "black"]);
        assert_eq!(server.get(&format!("/v1/matches/{id}"))["status"], "waiting");
        let joined: Vec<_> = ["white", "black"]
            .iter()
            .zip(&tokens)
            .zip(players)
            .map(|((role, token), player)| server.join(&id, role, token, player))
            .collect();
        for player in joined {
            let ended = player.wait_with_output().unwrap();
            assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
            let shown: Value = serde_json::from_slice(&ended.stdout).unwrap();
            assert_eq!(shown["outcome"]["status"], "terminal", "{shown}");
        }
        let record = server.record(&id);
        assert!(record.contains("\"status\":\"legal\""), "somebody moved: {record}");
        verified("real-time-joined-replay", &record, &server.get("/v1/key"));
    }
}

#[test]
fn a_move_is_held_until_its_instant_and_counts_once_however_often_it_is_sent() {
    let server = Server::new("real-time-held");
    let pull = json!({ "kind": "pull" });
    // Four seconds for the second of a match: enough for a move to arrive on a busy machine.
    let asked = json!({ "game": "chicken", "seats": { "white": pull, "black": pull }, "tick_us": 1, "speed_permille": 250 });
    let (id, tokens) = created(&server, &asked, ["white", "black"]);
    let mut white = Sitter::new(&server, &id, "white", &tokens[0]);
    let mut black = Sitter::new(&server, &id, "black", &tokens[1]);
    let start = white.until("start").pop().unwrap();
    let expected =
        json!({ "type": "start", "time": "real", "match": id, "role": "white", "tick_us": 1, "now_us": 0 });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&start[field], value, "{start}");
    }
    let ready = json!({ "type": "ready" });
    white.0.say(&ready);
    black.0.say(&ready);
    assert_eq!(white.next(), json!({ "type": "clock", "now_us": 0 }));
    let swerve = json!({ "type": "move", "id": 7, "move": "swerve", "not_before_us": 600_000 });
    white.0.say(&swerve);
    white.0.say(&swerve);
    white.0.say(&json!({ "type": "move", "turn": 0, "move": "swerve" }));
    let problem = white.next();
    assert!(problem["detail"].as_str().unwrap().contains("\"id\":N"), "{problem}");
    let told = white.until("stop");
    let received = &told[0];
    assert_eq!((&received["id"], &received["accepted"]), (&json!(7), &json!(true)), "{received}");
    // It counts at its instant, or when it arrives if that is later.
    let [arrived_us, at_us] = ["arrived_us", "at_us"].map(|field| received[field].as_u64().unwrap());
    assert!(at_us == 600_000 || (at_us > 600_000 && arrived_us > 600_000), "{received}");
    assert_eq!(told[1], json!({ "type": "event", "at_us": at_us, "moves": { "white": "swerve" } }));
    let stop = json!({ "type": "stop", "at_us": 1_000_000, "goals": { "white": 80, "black": 100 } });
    assert_eq!(told[2..], [stop]);
    assert_eq!(black.until("stop").len(), 4, "start, clock, event and stop");
    let ended = server.ended(&id);
    assert_eq!(
        (&ended["outcome"]["at_us"], &ended["outcome"]["goals"]["white"]),
        (&json!(1_000_000), &json!(80))
    );
    // After the end the frames are made again from the record, the same to the letter.
    let seat = format!("/v1/matches/{id}/seats/white");
    let again = frames(&server, &seat, &tokens[0], 0);
    assert_eq!((again.len(), &again[0]), (5, &start));
    assert_eq!(again[2..], told);
    // No update takes less than a microsecond, so game time stood still for each.
    assert!(server.record(&id).contains("\"event\":\"pause\""));
    verified("real-time-held-replay", &server.record(&id), &server.get("/v1/key"));
}

#[test]
fn a_seat_is_told_no_seed_no_state_and_nothing_of_others_before_the_end() {
    let server = Server::new("real-time-secrets");
    let pull = json!({ "kind": "pull" });
    let asked = json!({ "rules": BUTTONS, "seats": { "ann": pull, "ben": pull }, "seed": SEED, "speed_permille": 1500 });
    let (id, tokens) = created(&server, &asked, ["ann", "ben"]);
    let mut ann = Sitter::new(&server, &id, "ann", &tokens[0]);
    let mut ben = Sitter::new(&server, &id, "ben", &tokens[1]);
    let mut seen = String::new();
    for sitter in [&mut ann, &mut ben] {
        let start = sitter.until("start").pop().unwrap();
        assert_eq!((&start["tick_us"], &start["speed_permille"]), (&json!(50_000), &json!(1500)));
        seen.push_str(&start.to_string());
        sitter.0.say(&json!({ "type": "ready" }));
    }
    let card = |sitter: &mut Sitter| {
        sitter.until("event").pop().unwrap()["percepts"][0].as_str().unwrap().to_owned()
    };
    let cards = [card(&mut ann), card(&mut ben)];
    assert!(cards.iter().all(|card| card.starts_with("(card ")), "{cards:?}");
    // Ben presses, and ann is told nothing of it: the next that she hears is of her own.
    ben.0.say(&json!({ "type": "move", "id": 0, "move": "press" }));
    let told_ben = ben.until("event");
    ann.0.say(&json!({ "type": "move", "id": 3, "move": "press" }));
    let told_ann = ann.until("event");
    assert_eq!((told_ann.len(), &told_ann[0]["id"]), (2, &json!(3)), "{told_ann:?}");
    assert!(told_ben[1]["at_us"].as_u64() < told_ann[1]["at_us"].as_u64(), "{told_ben:?} {told_ann:?}");
    assert_eq!(told_ann[1]["percepts"], json!([]));
    // Everybody else, and each of them at every other place.
    let operator = server.operator();
    for token in [None, Some(operator.as_str()), Some(&*tokens[0]), Some(&*tokens[1]), Some("nonsense")] {
        for path in ["", "/record", "/hand", "/seats/ann?after=0", "/seats/ben?after=0"] {
            let (status, body) = server.ask("GET", &format!("/v1/matches/{id}{path}"), token, None);
            let is_own = token.is_some_and(|token| {
                tokens.iter().zip(["ann", "ben"]).any(|(own, role)| own == token && path.contains(role))
            });
            if is_own {
                let other = if path.contains("ann") { "ben" } else { "ann" };
                assert!(!body.contains(&format!("pressed {other}")) || body.contains("\"rules\""), "{body}");
            } else {
                assert!(
                    path.is_empty() || [401, 403, 409, 422].contains(&status),
                    "{path} {token:?}: {status} {body}"
                );
                seen.push_str(&body);
            }
        }
    }
    assert_eq!(
        server.get(&format!("/v1/matches/{id}"))["turns"],
        0,
        "how many updates there were tells who moved"
    );
    for secret in [SEED, "\"state\"", &cards[0], &cards[1]] {
        assert!(!seen.contains(secret), "{secret}: {seen}");
    }
    assert_eq!(ann.until("stop").len(), 1, "nothing but the end");
    ben.until("stop");
    server.ended(&id);
    let log = server.log();
    assert!(!log.contains(SEED) && !log.contains("(deal ") && !log.contains("press"), "{log}");
    let record = server.record(&id);
    assert!(record.contains(SEED), "afterwards everything is there");
    verified("real-time-secrets-replay", &record, &server.get("/v1/key"));
}

#[test]
fn what_others_do_unseen_changes_nothing_that_a_seat_is_told() {
    let server = Server::new("real-time-interference");
    let pull = json!({ "kind": "pull" });
    let asked = json!({ "rules": BUTTONS, "seats": { "ann": pull, "ben": pull }, "seed": SEED, "speed_permille": 4000 });
    let mut told = Vec::new();
    for instants in [vec![], vec![400_000, 2_000_000], vec![2_000_000, 2_350_000]] {
        let (id, tokens) = created(&server, &asked, ["ann", "ben"]);
        let [mut ann, mut ben] =
            [("ann", 0), ("ben", 1)].map(|(role, place)| Sitter::new(&server, &id, role, &tokens[place]));
        for sitter in [&mut ann, &mut ben] {
            sitter.until("start");
            sitter.0.say(&json!({ "type": "ready" }));
        }
        // What comes before game time runs is passed over.
        for sitter in [&mut ann, &mut ben] {
            sitter.until("clock");
        }
        let press = |id: usize, at_us: u64| json!({ "type": "move", "id": id, "move": "press", "not_before_us": at_us });
        instants.iter().enumerate().for_each(|(id, &at_us)| ben.0.say(&press(id, at_us)));
        ann.0.say(&press(0, 2_000_000));
        let mut heard = ann.until("stop");
        // Whether ben pressed is in the goals of the end, and nowhere before.
        let goals = heard.pop().unwrap()["goals"].clone();
        assert_eq!((&goals["ann"], goals["ben"] == 100), (&json!(100), !instants.is_empty()), "{goals}");
        for frame in &mut heard {
            // When the move of ann arrived is the only thing that the network decides.
            frame.as_object_mut().unwrap().remove("arrived_us");
        }
        told.push(heard);
    }
    assert_eq!(told[0].len(), 3, "{told:?}");
    assert!(told.iter().all(|heard| *heard == told[0]), "{told:?}");
}

#[test]
fn a_match_goes_on_when_the_server_was_killed_and_no_seat_is_told_two_things() {
    let mut server = Server::new("real-time-killed");
    let pull = json!({ "kind": "pull" });
    // It lasts as long as a busy machine takes to start a server again, and ends when ann has pressed.
    let rules = BUTTONS
        .replace("(init 3 course)", "(init 3600 course)")
        .replace("(<= terminal (expired course))", "(<= terminal (true infinity (pressed ann)))");
    let asked = json!({ "rules": rules, "seats": { "ann": pull, "ben": pull }, "seed": SEED });
    let (id, tokens) = created(&server, &asked, ["ann", "ben"]);
    let mut before = Vec::new();
    {
        let mut sitters =
            [("ann", 0), ("ben", 1)].map(|(role, place)| Sitter::new(&server, &id, role, &tokens[place]));
        sitters.iter_mut().for_each(|sitter| {
            before.push(sitter.until("start"));
            sitter.0.say(&json!({ "type": "ready" }));
        });
        for (sitter, told) in sitters.iter_mut().zip(&mut before) {
            told.extend(sitter.until("event"));
        }
        // Before game time runs, which it does once both are ready, a move is refused as early.
        sitters[1].0.say(&json!({ "type": "move", "id": 0, "move": "press" }));
        before[1].extend(sitters[1].until("event"));
        // What is held and not judged is in no record: its player sends it again.
        sitters[0]
            .0
            .say(&json!({ "type": "move", "id": 5, "move": "press", "not_before_us": 3_000_000_000_u64 }));
        thread::sleep(Duration::from_millis(100));
    }
    server = Server::again(server.kill());
    assert_eq!(server.resumed, 1);
    let mut ann = Sitter::new(&server, &id, "ann", &tokens[0]);
    for id in [5, 5] {
        ann.0.say(&json!({ "type": "move", "id": id, "move": "press", "not_before_us": 1_500_000 }));
    }
    let told = ann.until("stop");
    assert_eq!(told[..before[0].len()], before[0], "the same again from the beginning");
    let rest: Vec<&Value> = told[before[0].len()..].iter().map(|frame| &frame["at_us"]).collect();
    assert!(rest[0].as_u64() >= Some(1_500_000), "held, or as late as it came: {told:?}");
    assert_eq!(rest, [rest[0]; 3], "received, event and stop: {told:?}");
    let seat = format!("/v1/matches/{id}/seats/ben");
    let ended = server.ended(&id);
    assert_eq!(
        (&ended["outcome"]["goals"]["ann"], &ended["outcome"]["goals"]["ben"]),
        (&json!(100), &json!(100))
    );
    assert_eq!(frames(&server, &seat, &tokens[1], 0)[..before[1].len()], before[1]);
    let record = server.record(&id);
    verified("real-time-killed-replay", &record, &server.get("/v1/key"));
    assert_eq!(read_real_time_records(record.as_bytes()).unwrap().len(), 1);
}

#[test]
fn agents_of_the_server_play_each_other_in_real_time() {
    let server = Server::new("real-time-agents");
    let agent = |agent: &str| json!({ "kind": "agent", "agent": agent });
    let seats =
        json!({ "white": agent("first-legal:every=0.3"), "black": agent("mc:iterations=30,particles=2") });
    let made = server.create(&json!({ "game": "chicken", "seats": seats }));
    assert_eq!(made["tokens"], json!({}), "nobody connects");
    let id = made["id"].as_str().unwrap();
    let ended = server.ended(id);
    // Whoever swerves has 80 or 90, and white does.
    let white = ended["outcome"]["goals"]["white"].as_i64().unwrap();
    assert!([80, 90].contains(&white), "{ended}");
    let record = server.record(id);
    assert!(record.contains("\"white\":\"first-legal:every=0.3\""), "{record}");
    let records = read_real_time_records(record.as_bytes()).unwrap();
    let moves_of_white = records[0]
        .lines()
        .iter()
        .filter(|line| matches!(&line.entry, Entry::Own(RealTimeLine::Move { role, .. }) if role == "white"));
    assert_eq!(moves_of_white.count(), 1, "once it has swerved it has no other move: {record}");
    verified("real-time-agents-replay", &record, &server.get("/v1/key"));
}

#[test]
fn an_agent_goes_on_in_a_real_time_match_when_the_server_was_killed() {
    let mut server = Server::new("real-time-agent-killed");
    let rules = BUTTONS
        .replace("(init 3 course)", "(init 3600 course)")
        .replace("(<= terminal (expired course))", "(<= terminal (true infinity (pressed ann)))");
    let seats =
        json!({ "ann": { "kind": "pull" }, "ben": { "kind": "agent", "agent": "first-legal:every=0.1" } });
    let made = server.create(&json!({ "rules": rules, "seats": seats, "seed": SEED }));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["ann"].as_str().unwrap());
    let mut ann = Sitter::new(&server, id, "ann", token);
    ann.until("start");
    ann.0.say(&json!({ "type": "ready" }));
    let card = ann.until("event");
    thread::sleep(Duration::from_millis(600));
    drop(ann);
    server = Server::again(server.kill());
    let mut ann = Sitter::new(&server, id, "ann", token);
    assert_eq!(ann.until("event").last(), card.last());
    thread::sleep(Duration::from_millis(600));
    ann.0.say(&json!({ "type": "move", "id": 0, "move": "press" }));
    ann.until("stop");
    assert_eq!(server.ended(id)["outcome"]["goals"], json!({ "ann": 100, "ben": 100 }));
    let record = server.record(id);
    verified("real-time-agent-killed-replay", &record, &server.get("/v1/key"));
    let records = read_real_time_records(record.as_bytes()).unwrap();
    let moves = records[0].lines().iter().filter_map(|line| match &line.entry {
        Entry::Own(RealTimeLine::Move { role, id, at_us, .. }) if role == "ben" => Some((*id, *at_us)),
        _ => None,
    });
    let moves: Vec<(u64, u64)> = moves.collect();
    let ids: Vec<u64> = moves.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, (0..moves.len() as u64).collect::<Vec<_>>(), "each move has its own number");
    assert!(moves.len() >= 6, "it pressed before and after: {moves:?}");
    assert!(moves.is_sorted_by(|one, other| one.1 < other.1), "{moves:?}");
}

#[test]
fn a_match_that_is_ended_keeps_its_record_and_one_that_nobody_joins_has_one_that_says_so() {
    let server = Server::new("real-time-ended");
    let pull = json!({ "kind": "pull" });
    let asked = json!({ "game": "chicken", "seats": { "white": pull, "black": pull }, "speed_permille": 1 });
    let (id, tokens) = created(&server, &asked, ["white", "black"]);
    let mut sitters =
        [("white", 0), ("black", 1)].map(|(role, place)| Sitter::new(&server, &id, role, &tokens[place]));
    for sitter in &mut sitters {
        sitter.until("start");
        sitter.0.say(&json!({ "type": "ready" }));
    }
    sitters[0].until("clock");
    sitters[0].0.say(&json!({ "type": "move", "id": 0, "move": "swerve" }));
    sitters[0].until("event");
    assert_eq!(server.ask("DELETE", &format!("/v1/matches/{id}"), Some(&server.operator()), None).0, 202);
    let last = sitters[1].until("stop").pop().unwrap();
    assert!(last["goals"].is_null(), "{last}");
    assert_eq!(server.ended(&id)["outcome"]["status"], "aborted");
    verified("real-time-ended-replay", &server.record(&id), &server.get("/v1/key"));
    let mut alone = asked.clone();
    alone["join_s"] = json!(0);
    let (id, _) = created(&server, &alone, ["white", "black"]);
    assert_eq!(server.ended(&id)["outcome"]["status"], "aborted");
    verified("real-time-unbegun-replay", &server.record(&id), &server.get("/v1/key"));
}

#[test]
fn what_belongs_to_the_other_kind_of_game_is_refused() {
    let server = Server::new("real-time-refused");
    let (pull, agent) = (json!({ "kind": "pull" }), json!({ "kind": "agent", "agent": "random" }));
    let called = json!({ "kind": "push", "address": "http://127.0.0.1:9" });
    let ismcts = json!({ "kind": "agent", "agent": "ismcts" });
    let real = json!({ "white": pull, "black": pull });
    let turns = json!({ "alice": agent, "bob": agent });
    for (asked, said) in [
        (json!({ "game": "kuhn", "seats": turns, "tick_us": 5 }), "for real-time games"),
        (json!({ "game": "chicken", "seats": { "white": called, "black": pull } }), "players connect"),
        (json!({ "game": "chicken", "seats": { "white": ismcts, "black": pull } }), "unknown player"),
        (json!({ "game": "chicken", "seats": { "white": pull } }), "white"),
        (json!({ "game": "chicken", "seats": real, "cadence": "prompt" }), "turn-based games"),
        (json!({ "game": "chicken", "seats": real, "tick_us": 0 }), "`tick_us`"),
        (json!({ "game": "chicken", "seats": real, "speed_permille": 0 }), "speed_permille"),
    ] {
        let (status, body) = server.ask("POST", "/v1/matches", Some(&server.operator()), Some(&asked));
        assert!(status == 422 && body.contains(said), "{asked}: {status} {body}");
    }
    let games = server.get("/v1/games")["games"].to_string();
    assert!(find("pong").is_some() && games.contains("\"pong\""), "{games}");
}
