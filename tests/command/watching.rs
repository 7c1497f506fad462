//! What the pages of those who watch a table have: the table as every player knows it, when the host's policy opens it, and not a byte that
//! depends on more.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{thread, time::Duration};

use serde_json::{Value, json};

use crate::server::{PATIENCE, Server};

/// A table of two people, of whom one bets and the other folds, so that no card is ever shown; and somebody who watches.
struct WatchedTable<'s> {
    server: &'s Server,
    id: String,
    cookie: String,
    seats: Vec<String>,
}

impl<'s> WatchedTable<'s> {
    fn open(server: &'s Server, seed: &str, policy: &Value) -> Self {
        let asked = json!({
            "game": "kuhn", "seed": seed, "spectators": policy, "break_ms": 600_000, "play_clock_ms": 600_000,
        });
        let (status, text) = server.ask("POST", "/v1/sessions", Some(&server.operator()), Some(&asked));
        assert_eq!(status, 201, "{text}");
        let opened: Value = serde_json::from_str(&text).unwrap();
        let id = opened["id"].as_str().unwrap().to_owned();
        let seats = ["1", "2"].map(|place| {
            let token = opened["invitations"][place].as_str().unwrap();
            let body = json!({ "name": if place == "1" { "Ann" } else { "Ben" } });
            let (status, text) = server.ask("POST", &format!("/v1/invitations/{token}"), None, Some(&body));
            assert_eq!(status, 200, "{text}");
            let guest: Value = serde_json::from_str(&text).unwrap();
            guest["token"].as_str().unwrap().to_owned()
        });
        let (status, text) = server.ask(
            "POST",
            &format!("/v1/sessions/{id}"),
            opened["host"].as_str(),
            Some(&json!({ "do": "start" })),
        );
        assert_eq!(status, 200, "{text}");
        let cookie = format!("croupier-{id}-watch={}", opened["watch"].as_str().unwrap());
        Self { server, id, cookie, seats: seats.to_vec() }
    }

    /// Waits until a seat has to choose, and plays one of these moves for it.
    fn play(&self, place: usize, wanted: &str) {
        let path = format!("/v1/sessions/{}/seats/{place}", self.id);
        let token = Some(&*self.seats[place - 1]);
        let asked = (0..PATIENCE.as_millis() / 50).find_map(|_| {
            let (_, text) = self.server.ask("GET", &format!("{path}?hand=1"), token, None);
            let told: Value = serde_json::from_str(&text).unwrap();
            thread::sleep(Duration::from_millis(50));
            told["to_move"]["turn"].as_u64()
        });
        let body = json!({ "hand": 1, "turn": asked.unwrap(), "move": wanted });
        let (status, text) = self.server.ask("POST", &path, token, Some(&body));
        assert_eq!(status, 204, "{text}");
    }

    /// A page as the watcher's browser gets it, without what is different in each table: ids and keys.
    fn page(&self, path: &str) -> (u16, String) {
        let request =
            ureq::http::Request::builder().uri(self.server.url(path)).header("Cookie", &self.cookie);
        let mut response = self.server.agent.run(request.body(String::new()).unwrap()).unwrap();
        let text = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), without_keys(&text))
    }

    /// The page of the table, once it has this.
    fn table_with(&self, text: &str) -> String {
        for _ in 0..PATIENCE.as_millis() / 50 {
            let (_, page) = self.page(&format!("/s/{}", self.id));
            if page.contains(text) {
                return page;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("the page of the table never has {text:?}: {}", self.page(&format!("/s/{}", self.id)).1);
    }

    /// The replay of the hand, or why there is none, once the session knows that the hand is over.
    fn replay(&self) -> String {
        let path = format!("/s/{}/hands/1", self.id);
        for _ in 0..PATIENCE.as_millis() / 50 {
            let (status, page) = self.page(&path);
            if status != 404 {
                return page;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("the hand is never over");
    }
}

/// A text without its long runs of letters and digits.
fn without_keys(text: &str) -> String {
    let mut kept = String::new();
    for part in text.split_inclusive(|character: char| {
        !character.is_ascii_alphanumeric() && character != '-' && character != '_'
    }) {
        match part.len() > 20 && part.bytes().any(|byte| byte.is_ascii_digit()) {
            true => kept.push('*'),
            false => kept.push_str(part),
        }
    }
    kept
}

#[test]
fn watchers_see_the_table_and_nothing_that_depends_on_a_card_that_nobody_shows() {
    let server = Server::new("watching");
    let tables = ["1", "2", "3", "4", "5"].map(|seed| WatchedTable::open(&server, seed, &json!("open")));
    let mut pages = Vec::new();
    for table in &tables {
        table.play(1, "bet");
        // It is said once it is proved, after everything else is worked out.
        let running = table.table_with("Waiting for Ben");
        assert!(running.contains("id=\"p-table\"") && running.contains("Ann bets"), "{running}");
        table.play(2, "pass");
        let replay = table.replay();
        let over = table.table_with("This hand is over");
        assert!(replay.contains("as those who watch saw it"), "{replay}");
        pages.push([running, over, replay]);
    }
    for other in &pages {
        assert_eq!(other, &pages[0]);
    }
    // The deals were not all the same.
    let own = |table: &WatchedTable<'_>| {
        let path = format!("/v1/sessions/{}/seats/1/hands/1", table.id);
        let (_, text) = server.ask("GET", &path, Some(&table.seats[0]), None);
        ["king", "queen", "jack"].map(|card| text.contains(&format!("(hole {card})")))
    };
    assert!(tables.iter().any(|table| own(table) != own(&tables[0])));
}

#[test]
fn hosts_open_a_hand_to_watchers_when_it_is_over_or_not_at_all() {
    let server = Server::new("watching-later");
    let after = WatchedTable::open(&server, "1", &json!("after_hand"));
    let sealed = WatchedTable::open(&server, "1", &json!("sealed"));
    let behind = WatchedTable::open(&server, "1", &json!({ "delayed": { "turns": 1, "seconds": 0 } }));
    for table in [&after, &sealed, &behind] {
        table.play(1, "bet");
    }
    let (_, running) = after.page(&format!("/s/{}", after.id));
    assert!(running.contains("A hand is being played") && !running.contains("Ann bets"), "{running}");
    let (_, running) = behind.page(&format!("/s/{}", behind.id));
    assert!(!running.contains("Ann bets"), "{running}");
    for table in [&after, &sealed, &behind] {
        table.play(2, "pass");
    }
    after.table_with("Ann bets");
    behind.table_with("Ann bets");
    assert!(
        sealed.replay().contains("the hands of a session are open to everybody when the session is over")
    );
    let (_, page) = sealed.page(&format!("/s/{}", sealed.id));
    assert!(!page.contains("Ann bets") && page.contains("Those who watch see results only."), "{page}");
}

/// The events of a stream: name, id and data of each.
fn events(stream: &str) -> Vec<(String, String, Value)> {
    let field = |event: &str, name: &str| {
        let line = event.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().to_owned()
    };
    let told = stream.split("\n\n").filter(|event| event.starts_with("event: "));
    let read = |event: &str| {
        (
            field(event, "event: "),
            field(event, "id: "),
            serde_json::from_str(&field(event, "data: ")).unwrap(),
        )
    };
    told.map(read).collect()
}

#[test]
fn programs_follow_matches_of_agents_alone_and_read_them_again_when_they_are_over() {
    let server = Server::on("watching-agents", "croupier.db");
    let open = |spectators: &Value| {
        let asked = json!({
            "game": "kuhn", "seed": "4", "agents": ["random", "random"], "until": "matches = 3", "break_ms": 0,
            "spectators": spectators,
        });
        let (status, text) = server.ask("POST", "/v1/sessions", Some(&server.operator()), Some(&asked));
        assert_eq!(status, 201, "{text}");
        serde_json::from_str::<Value>(&text).unwrap()
    };
    for policy in [json!("open"), json!({ "delayed": { "turns": 2, "seconds": 0 } }), json!("after_hand")] {
        let opened = open(&policy);
        let path = format!("/v1/sessions/{}", opened["id"].as_str().unwrap());
        let watcher = opened["watch"].as_str();
        let stream = thread::scope(|scope| {
            let follow = || server.ask("GET", &format!("{path}/hands/events"), watcher, None);
            let stream = scope.spawn(follow);
            thread::sleep(Duration::from_millis(300));
            let start = json!({ "do": "start" });
            let (status, text) = server.ask("POST", &path, opened["host"].as_str(), Some(&start));
            assert_eq!(status, 200, "{text}");
            // It ends with the session.
            let (status, text) = stream.join().unwrap();
            assert_eq!(status, 200, "{text}");
            text
        });
        let told = events(&stream);
        let hands: Vec<u64> = told
            .iter()
            .filter(|(name, ..)| name == "hand")
            .map(|(.., data)| data["hand"].as_u64().unwrap())
            .collect();
        assert!(!hands.is_empty() && hands.is_sorted(), "{policy}: {stream}");
        for hand in hands {
            let (status, text) = server.ask("GET", &format!("{path}/hands/{hand}"), watcher, None);
            assert_eq!(status, 200, "{text}");
            let again: Value = serde_json::from_str(&text).unwrap();
            // Computed from the record, of another player perhaps: the same, frame for frame.
            let frames: Vec<&Value> = told
                .iter()
                .filter(|(name, id, _)| name == "frame" && id.starts_with(&format!("{hand}-")))
                .map(|(.., frame)| frame)
                .collect();
            assert_eq!(frames, again["frames"].as_array().unwrap().iter().collect::<Vec<_>>(), "{policy}");
            assert!(frames.len() > 3 && frames.last().unwrap()["type"] == "stop", "{policy}: {frames:?}");
            assert_eq!(frames[0]["role"], again["role"]);
            let percepts: Vec<String> = frames.iter().map(|frame| frame["percepts"].to_string()).collect();
            let percepts = percepts.concat();
            assert!(percepts.contains("(did ") && !percepts.contains("(hole "), "{percepts}");
            assert!(told.iter().any(|(name, _, data)| name == "over" && data["hand"] == hand), "{stream}");
        }
    }
    // Where the policy shows results only there is neither, and without a key of the session there is nothing.
    let sealed = open(&json!("sealed"));
    let path = format!("/v1/sessions/{}/hands/events", sealed["id"].as_str().unwrap());
    assert_eq!(server.ask("GET", &path, sealed["watch"].as_str(), None).0, 409);
    assert_eq!(server.ask("GET", &path, None, None).0, 401);
}
