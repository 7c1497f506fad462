//! Everything that can be asked of the server, asked by everybody: what the OpenAPI document says of rights is what holds.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{fs, process::Child};

use serde_json::{Value, json};

use crate::server::Server;

/// Whoever asks, and the token that is shown.
struct Actor {
    name: &'static str,
    token: Option<String>,
}

/// A server with an organiser's match between two registered players, which waits for the second of them.
struct House {
    server: Server,
    actors: Vec<Actor>,
    running: String,
    over: String,
    session: Session,
    _first: Child,
}

/// A session that is in no list, with a guest in its first seat.
struct Session {
    id: String,
    /// An invitation to its second seat.
    invitation: String,
}

impl House {
    fn new() -> Self {
        let server = Server::on("routes", "croupier.db");
        let operator = server.operator();
        let token = |method: &str, path: &str, body: Option<&Value>| {
            let (status, text) = server.ask(method, path, Some(&operator), body);
            assert_eq!(status, 201, "{path}: {text}");
            serde_json::from_str::<Value>(&text).unwrap()["token"].as_str().unwrap().to_owned()
        };
        let creator = token("PUT", "/v1/organisers/creator", None);
        let other = token("PUT", "/v1/organisers/other", None);
        let alice = token("POST", "/v1/players", Some(&json!({ "name": "alice" })));
        let bob = token("POST", "/v1/players", Some(&json!({ "name": "bob" })));
        let agent = json!({ "kind": "agent", "agent": "random" });
        let make = |seats: Value| {
            let asked = json!({ "game": "kuhn", "seats": seats });
            let (status, text) = server.ask("POST", "/v1/matches", Some(&creator), Some(&asked));
            assert_eq!(status, 201, "{text}");
            serde_json::from_str::<Value>(&text).unwrap()["id"].as_str().unwrap().to_owned()
        };
        let over = make(json!({ "alice": agent, "bob": agent }));
        server.ended(&over);
        let seated = |name: &str| json!({ "kind": "player", "player": name });
        let running = make(json!({ "alice": seated("alice"), "bob": seated("bob") }));
        let first = server.join(&running, "bob", &bob, "random");
        let (session, [host, watcher, guest]) = session(&server, &operator);
        let actors = [
            ("nobody", None),
            ("host", Some(host)),
            ("watcher", Some(watcher)),
            ("guest", Some(guest)),
            ("nonsense", Some("nonsense".to_owned())),
            ("operator", Some(operator)),
            ("creator", Some(creator)),
            ("other", Some(other)),
            ("alice", Some(alice)),
            ("bob", Some(bob)),
        ];
        let actors = actors.into_iter().map(|(name, token)| Actor { name, token }).collect();
        Self { server, actors, running, over, session, _first: first }
    }

    /// A player, and a match or a tournament, that may be removed, made by the organiser `creator`.
    fn spare(&self, path: &str) -> (String, String) {
        let creator = self.actors.iter().find(|actor| actor.name == "creator").unwrap();
        let create = |path: &str, body: &Value| {
            let (status, text) = self.server.ask("POST", path, creator.token.as_deref(), Some(body));
            assert!([201, 409].contains(&status), "{text}");
            serde_json::from_str::<Value>(&text).unwrap()
        };
        create("/v1/players", &json!({ "name": "spare" }));
        let made = if path.starts_with("/v1/tournaments") {
            let entrants = ["alice", "bob"].map(|name| json!({ "kind": "player", "player": name }));
            create(
                "/v1/tournaments",
                &json!({ "name": "spare", "game": "kuhn", "matches": 2, "entrants": entrants }),
            )
        } else {
            let seats = json!({ "alice": { "kind": "open" }, "bob": { "kind": "open" } });
            create("/v1/matches", &json!({ "game": "kuhn", "seats": seats }))
        };
        ("spare".to_owned(), made["id"].as_str().unwrap().to_owned())
    }
}

/// Opens a session, and seats somebody; the tokens of its host, of those who watch, and of its guest.
fn session(server: &Server, operator: &str) -> (Session, [String; 3]) {
    let asked = json!({ "game": "kuhn" });
    let (status, text) = server.ask("POST", "/v1/sessions", Some(operator), Some(&asked));
    assert_eq!(status, 201, "{text}");
    let opened: Value = serde_json::from_str(&text).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let first = format!("/v1/invitations/{}", text(&opened["invitations"]["1"]));
    let (status, told) = server.ask("POST", &first, None, Some(&json!({ "name": "Ann" })));
    assert_eq!(status, 200, "{told}");
    let accepted: Value = serde_json::from_str(&told).unwrap();
    let session = Session { id: text(&opened["id"]), invitation: text(&opened["invitations"]["2"]) };
    (session, [text(&opened["host"]), text(&opened["watch"]), text(&accepted["token"])])
}

/// Whether an actor may do what needs this right.
fn may(right: &str, path: &str, actor: &str) -> bool {
    match right {
        "anybody" | "over" => true,
        "organise" => ["operator", "creator", "other"].contains(&actor),
        "undo" => ["operator", "creator"].contains(&actor),
        "appoint" | "operate" => actor == "operator",
        // The seat and the player that are asked for are those of alice.
        "sit" if path.starts_with("/v1/sessions/") => actor == "guest",
        "sit" | "be" => actor == "alice",
        // Not even the operator sees a session that is not listed; to whoever has opened it, it gave its keys.
        "look" => ["host", "watcher", "guest"].contains(&actor),
        "host" => actor == "host",
        // This server lets anybody open some.
        "table" => true,
        _ => panic!("the right '{right}' is not known here: say who has it"),
    }
}

#[test]
fn every_route_answers_those_who_have_the_right_that_it_declares_and_nobody_else() {
    let house = House::new();
    let document = house.server.get("/openapi.json");
    let mut asked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, route) in methods.as_object().unwrap() {
            let right =
                route["x-right"].as_str().unwrap_or_else(|| panic!("{method} {path} declares no right"));
            assert!(route["summary"].as_str().is_some_and(|text| !text.is_empty()), "{method} {path}");
            for actor in &house.actors {
                let is_removal = method == "delete";
                let (player, id) =
                    if is_removal { house.spare(path) } else { ("alice".to_owned(), house.running.clone()) };
                let id = if path.starts_with("/v1/sessions/") { house.session.id.clone() } else { id };
                let place = path.replace("{id}", &id).replace("{role}", "alice").replace("{name}", &player);
                let place = place.replace("{place}", "1").replace("{hand}", "1");
                let place = place.replace("{token}", &house.session.invitation);
                let has_query = !path.ends_with("/ws") && !path.ends_with("/{hand}");
                let is_poll = right == "sit" && method == "get" && has_query;
                let place = if is_poll { format!("{place}?after=0") } else { place };
                let is_holder = right == "sit" && may(right, path, actor.name);
                if place.contains("/events") || (is_holder && method == "get") {
                    // An answer that goes on until the match ends.
                    continue;
                }
                let body = ["post", "put"].contains(&method.as_str()).then(|| json!({}));
                let (status, text) =
                    house.server.ask(&method.to_uppercase(), &place, actor.token.as_deref(), body.as_ref());
                asked += 1;
                let said = format!("{method} {place} by {}: {status} {text}", actor.name);
                assert!(status < 500, "{said}");
                let is_refused = [401, 403].contains(&status);
                assert_eq!(!is_refused, may(right, path, actor.name), "{said}");
                assert_eq!(status == 401, is_refused && actor.token.is_none(), "{said}");
                if right == "over" {
                    assert_eq!(status, 409, "{said}");
                    let place = place.replace(&id, &house.over);
                    let (status, text) = house.server.ask("GET", &place, actor.token.as_deref(), None);
                    assert!(status != 409 || !text.contains("running"), "{place} by {}: {text}", actor.name);
                }
                if status >= 400 {
                    let problem: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{said}"));
                    assert!(problem["code"].is_string() && problem["status"] == status, "{said}");
                }
            }
        }
    }
    assert!(asked > 100, "{asked} questions");
}

#[test]
fn the_page_of_the_interface_is_served_without_files_from_elsewhere() {
    let server = Server::on("routes-page", "croupier.db");
    let (status, page) = server.ask("GET", "/docs/", None, None);
    assert_eq!(status, 200);
    assert!(page.contains("swagger-ui") && !page.contains("https://"), "{page}");
    assert!(!fs::read_to_string(server.folder.join("log")).unwrap().contains("ERROR"));
}
