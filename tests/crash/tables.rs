//! Sessions whose server dies: at every effect, at random under load, as one of two. Nobody is told two different things, no match is
//! dropped, doubled or altered, and what was won is what was lost.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use croupier_referee::{Digest, Outcome, Seed, read_records, replay};
use croupier_tests::{postgres::empty_database, size};
use serde_json::{Value, json};
use ureq::Agent;

use crate::{
    dice::Dice,
    server::{Home, Server},
};

/// How long a session may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// Between two attempts to reach a server.
const PAUSE: Duration = Duration::from_millis(20);

/// Where servers are reached now; one is asked after the other.
#[derive(Clone, Default)]
struct Places(Arc<Mutex<Vec<String>>>);

impl Places {
    fn set(&self, servers: &[&Server]) {
        *self.0.lock().unwrap() = servers.iter().map(|server| server.address().to_owned()).collect();
    }

    /// What is answered to a request, whichever server is asked and however often it dies before: the first answer that is no failure
    /// of a server. One that stood still while it was read answers 408.
    fn insist(&self, asked: &Asked<'_>) -> (u16, Value) {
        let config = Agent::config_builder().timeout_global(Some(Duration::from_secs(40)));
        let agent: Agent = config
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build()
            .into();
        let begun = Instant::now();
        for turn in 0.. {
            assert!(begun.elapsed() < PATIENCE, "no answer to {} {}", asked.method, asked.path);
            let place = {
                let places = self.0.lock().unwrap();
                (!places.is_empty()).then(|| places[turn % places.len()].clone())
            };
            if let Some((status, body)) = place.and_then(|place| asked.of(&agent, &place))
                && status < 500
                && ![307, 408].contains(&status)
            {
                return (status, serde_json::from_str(&body).unwrap_or(Value::Null));
            }
            thread::sleep(PAUSE);
        }
        unreachable!("numbers do not end")
    }
}

/// A request.
struct Asked<'a> {
    method: &'a str,
    path: String,
    token: Option<&'a str>,
    body: Option<Value>,
    key: Option<&'a str>,
}

impl<'a> Asked<'a> {
    fn get(path: String, token: &'a str) -> Self {
        Self { method: "GET", path, token: Some(token), body: None, key: None }
    }

    fn of(&self, agent: &Agent, place: &str) -> Option<(u16, String)> {
        let mut request =
            ureq::http::Request::builder().method(self.method).uri(format!("http://{place}{}", self.path));
        if let Some(token) = self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(key) = self.key {
            request = request.header("Idempotency-Key", key);
        }
        let body = self.body.as_ref().map_or_else(String::new, Value::to_string);
        let request = request.header("Content-Type", "application/json").body(body).unwrap();
        let mut response = agent.run(request).ok()?;
        Some((response.status().as_u16(), response.body_mut().read_to_string().ok()?))
    }
}

/// What a guest has heard and said when its session is over.
#[derive(Debug, Default)]
struct Guest {
    place: u32,
    token: String,
    /// By match, every frame as it was first told.
    frames: BTreeMap<u64, Vec<Value>>,
    /// The moves that were acknowledged, by match and turn.
    kept: BTreeMap<(u64, u64), String>,
}

impl Guest {
    /// Plays until the session is over.
    fn play(mut self, places: &Places, session: &str, mut dice: Dice) -> Self {
        let seat = format!("/v1/sessions/{session}/seats/{}", self.place);
        let (mut hand, mut moving) = (0, None);
        loop {
            let after = self.frames.get(&hand).map_or(0, Vec::len);
            let moved = moving.map_or_else(String::new, |turn: u64| format!("&moving={turn}"));
            let path = format!("{seat}?hand={hand}&after={after}{moved}");
            let (status, told) = places.insist(&Asked::get(path, &self.token));
            match status {
                200 => {}
                204 => continue,
                409 if told["code"] == "over" => return self,
                _ => panic!("{status} {told}"),
            }
            let now = told["hand"].as_u64().unwrap();
            let skipped = if now == hand { after } else { 0 };
            hand = now;
            self.hear(hand, skipped, told["frames"].as_array().unwrap());
            moving = self.answer(places, &seat, hand, &told["to_move"], &mut dice);
        }
    }

    /// Takes in frames; whatever was told before is told again in the same words.
    fn hear(&mut self, hand: u64, skipped: usize, frames: &[Value]) {
        let known = self.frames.entry(hand).or_default();
        for (place, frame) in (skipped..).zip(frames) {
            match known.get(place) {
                Some(told) => assert_eq!(told, frame, "match {hand}: told two different things"),
                None => known.push(frame.clone()),
            }
        }
    }

    /// Moves, if that is asked; the turn for which it has moved.
    fn answer(
        &mut self,
        places: &Places,
        seat: &str,
        hand: u64,
        asked: &Value,
        dice: &mut Dice,
    ) -> Option<u64> {
        let turn = asked["turn"].as_u64()?;
        let legal = asked["legal"].as_array().unwrap_or_else(|| panic!("no moves: {asked}"));
        let own_move = legal[usize::try_from(dice.below(legal.len() as u64)).unwrap()].as_str().unwrap();
        // What was acknowledged is never said again in other words.
        let own_move = self.kept.get(&(hand, turn)).map_or(own_move, String::as_str).to_owned();
        let (status, told) = places.insist(&Asked {
            method: "POST",
            path: seat.to_owned(),
            token: Some(&self.token),
            body: Some(json!({ "hand": hand, "turn": turn, "move": own_move })),
            key: None,
        });
        match status {
            204 => drop(self.kept.insert((hand, turn), own_move)),
            // An earlier attempt may have arrived whose answer was lost.
            409 if ["late", "no-hand", "over"].map(Value::from).contains(&told["code"]) => {}
            _ => panic!("{status} {told}"),
        }
        Some(turn)
    }
}

/// A session that is being played.
struct Table {
    id: String,
    watch: String,
    guests: Vec<JoinHandle<Guest>>,
}

impl Table {
    /// Opens a session of so many matches, seats two guests, and starts it: as often as it takes.
    fn begin(places: &Places, operator: &str, number: u64, matches: u64) -> Self {
        let key = format!("table {number}");
        let opened = places.insist(&Asked {
            method: "POST",
            path: "/v1/sessions".to_owned(),
            token: Some(operator),
            body: Some(json!({
                "game": "kuhn",
                "until": format!("matches = {matches}"),
                "seed": number.to_string(),
                "break_ms": 0,
                "play_clock_ms": 60_000,
            })),
            key: Some(&key),
        });
        let (201, opened) = opened else { panic!("{opened:?}") };
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (id, host, watch) = (text(&opened["id"]), text(&opened["host"]), text(&opened["watch"]));
        let mut guests = Vec::new();
        for place in 1..=2 {
            let invitation = &opened["invitations"][place.to_string()];
            let form = format!("a form that nobody can guess: {number} {place}");
            let accepted = places.insist(&Asked {
                method: "POST",
                path: format!("/v1/invitations/{}", invitation.as_str().unwrap()),
                token: None,
                body: Some(json!({ "name": format!("guest {place}") })),
                key: Some(&form),
            });
            let (200, accepted) = accepted else { panic!("{accepted:?}") };
            guests.push(Guest { place, token: text(&accepted["token"]), ..Guest::default() });
        }
        let start = json!({ "do": "start" });
        let path = format!("/v1/sessions/{id}");
        let started = places.insist(&Asked {
            method: "POST",
            path,
            token: Some(&host),
            body: Some(start),
            key: Some("start"),
        });
        assert_eq!(started.0, 200, "{started:?}");
        let play = |guest: Guest| {
            let (places, id) = (places.clone(), id.clone());
            let dice = Dice::new(number * 2 + u64::from(guest.place));
            thread::spawn(move || guest.play(&places, &id, dice))
        };
        let guests = guests.into_iter().map(play).collect();
        Self { id, watch, guests }
    }

    /// Whether the session is over, as far as somebody says so.
    fn is_over(&self, server: &Server) -> bool {
        let path = format!("/v1/sessions/{}", self.id);
        let told = server.ask_as(&self.watch, "GET", &path, None);
        told.is_some_and(|(_, body)| body.contains("\"status\":\"over\""))
    }

    /// Waits for the end, and checks everything; how many moves were acknowledged.
    fn check(self, places: &Places, matches: u64) -> usize {
        let guests: Vec<Guest> = self.guests.into_iter().map(|guest| guest.join().unwrap()).collect();
        let (_, view) = places.insist(&Asked::get(format!("/v1/sessions/{}", self.id), &self.watch));
        assert_eq!((&view["status"], &view["hands_played"]), (&json!("over"), &json!(matches)), "{view}");
        let seed = Seed::from_text(view["seed"].as_str().unwrap()).unwrap();
        let totals = view["seats"].as_array().unwrap().iter().map(|seat| seat["total"].as_f64().unwrap());
        assert!(totals.sum::<f64>().abs() < 1e-9, "what is won is what is lost: {view}");
        let mut before: Option<Digest> = None;
        for (place, hand) in view["hands"].as_array().unwrap().iter().enumerate() {
            let index = place as u64 + 1;
            assert_eq!(hand["index"], json!(index), "each match once, in order");
            let id = hand["match"].as_str().unwrap();
            let path = format!("/v1/matches/{id}/record");
            let text = record(places, path);
            let records = read_records(text.as_bytes()).unwrap();
            let replayed = replay(&records[0]).unwrap();
            assert!(matches!(replayed.outcome(), Some(Outcome::Terminal { .. })), "{text}");
            assert_eq!(
                replayed.seed(),
                Some(&seed.for_session_match(index)),
                "the deal follows from the session"
            );
            let own = replayed.header().setup().session.clone().unwrap();
            assert_eq!((own.id.as_str(), own.index), (self.id.as_str(), index));
            if let Some(before) = before {
                assert_eq!(own.before, before, "match {index} follows another record");
            }
            before = Some(Digest::of(text.as_bytes()));
            assert!(!text.contains("timeout"), "nobody is late: {text}");
            let payoffs: f64 =
                hand["changes"].as_object().unwrap().values().map(|it| it.as_f64().unwrap()).sum();
            assert!(payoffs.abs() < 1e-9, "{hand}");
            for guest in &guests {
                guest.check(places, &self.id, index, &text);
            }
        }
        guests.iter().map(|guest| guest.kept.len()).sum()
    }
}

/// The text of a record of a match that is over.
fn record(places: &Places, path: String) -> String {
    let place = places.0.lock().unwrap()[0].clone();
    let config = Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
    let agent: Agent = config.build().into();
    let asked = Asked { method: "GET", path, token: None, body: None, key: None };
    let (status, text) = asked.of(&agent, &place).unwrap();
    assert_eq!(status, 200, "{text}");
    text
}

impl Guest {
    /// Checks what a guest was told and promised in a match against its record.
    fn check(&self, places: &Places, session: &str, index: u64, record: &str) {
        let path = format!("/v1/sessions/{session}/seats/{}/hands/{index}", self.place);
        let (status, told) = places.insist(&Asked::get(path, &self.token));
        assert_eq!(status, 200, "{told}");
        // The next match may begin before the last frame was asked for.
        let heard = self.frames.get(&index).map_or(&[][..], Vec::as_slice);
        let all = told["frames"].as_array().unwrap();
        assert!(all.starts_with(heard), "match {index}: {heard:?} and later {all:?}");
        let role = told["role"].as_str().unwrap();
        let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for ((_, turn), own_move) in self.kept.range((index, 0)..(index + 1, 0)) {
            let is_kept = |line: &Value| {
                line["event"] == "reply"
                    && line["role"] == role
                    && line["turn"] == *turn
                    && line["move"] == *own_move
            };
            assert!(lines.iter().any(is_kept), "{own_move} of {role} in turn {turn} was lost\n{record}");
        }
    }
}

#[test]
fn a_session_survives_a_server_that_dies_at_any_effect() {
    let (stride, matches) = size((29, 2), (3, 3));
    let (mut deaths, mut kept) = (0, 0);
    for place in (1..).step_by(stride) {
        let home = Home::new("tables-effects", "croupier.db");
        let places = Places::default();
        let mut first = home.serve_until(place);
        places.set(&first.iter().collect::<Vec<_>>());
        let operator = std::fs::read_to_string(home.folder.join("croupier.token")).unwrap_or_default();
        let operator = operator.trim().to_owned();
        let asks = places.clone();
        let table = (!operator.is_empty())
            .then(|| thread::spawn(move || Table::begin(&asks, &operator, place, matches)));
        let begun = Instant::now();
        let has_died = loop {
            assert!(begun.elapsed() < PATIENCE, "a session stands still");
            let Some(server) = &mut first else { break true };
            if server.has_ended().is_some() {
                break true;
            }
            if table.as_ref().is_some_and(JoinHandle::is_finished) {
                break false;
            }
            thread::sleep(Duration::from_millis(5));
        };
        let Some(table) = table else {
            deaths += 1;
            continue;
        };
        // It may die while the guests play.
        let mut has_died = has_died;
        if !has_died {
            let table = table.join().unwrap();
            let server = first.as_mut().unwrap();
            while !table.is_over(server) && server.has_ended().is_none() {
                assert!(begun.elapsed() < PATIENCE, "a session stands still");
                thread::sleep(Duration::from_millis(5));
            }
            has_died = server.has_ended().is_some();
            drop(first.take());
            let server = home.serve().expect("a server that nothing stops");
            places.set(&[&server]);
            kept += table.check(&places, matches);
        } else {
            drop(first.take());
            let server = home.serve().expect("a server that nothing stops");
            places.set(&[&server]);
            kept += table.join().unwrap().check(&places, matches);
        }
        if !has_died {
            break;
        }
        deaths += 1;
    }
    println!("sessions: {deaths} deaths, {kept} acknowledged moves, none lost");
    assert!(deaths > 3 && kept > 0, "{deaths} deaths");
}

fn are_killed_under_load(name: &str, store: &str) {
    let (kills, count, matches, life_ms) = size((8, 4, 12, 900), (100, 40, 48, 1_500));
    let home = Home::new(&format!("tables-{name}"), store);
    let (places, mut dice) = (Places::default(), Dice::new(11));
    let server = home.serve().expect("a server that nothing stops");
    places.set(&[&server]);
    let operator = std::fs::read_to_string(home.folder.join("croupier.token")).unwrap().trim().to_owned();
    let begin = |number: u64| {
        let (places, operator) = (places.clone(), operator.clone());
        thread::spawn(move || Table::begin(&places, &operator, number, matches))
    };
    let tables: Vec<_> = (1..=count).map(begin).collect();
    let mut server = Some(server);
    for _ in 0..kills {
        thread::sleep(Duration::from_millis(200 + dice.below(life_ms)));
        drop(server.take());
        server = home.serve();
        places.set(&server.iter().collect::<Vec<_>>());
    }
    let kept: usize = tables.into_iter().map(|table| table.join().unwrap().check(&places, matches)).sum();
    println!(
        "{name}: {count} sessions of {matches} matches, {kills} kills, {kept} acknowledged moves, none lost"
    );
    assert!(kept > 0, "somebody moved");
}

#[test]
fn sessions_of_a_server_that_is_killed_at_random_lose_and_double_nothing() {
    are_killed_under_load("sqlite", "croupier.db");
}

#[test]
fn sessions_on_postgresql_of_a_server_that_is_killed_at_random_lose_and_double_nothing() {
    let Some(database) = empty_database() else { return };
    are_killed_under_load("postgres", &database);
}

/// Plays sessions on two replicas while something happens to these; how many acknowledged moves were kept.
fn play_on_replicas(
    name: &str,
    database: &str,
    (count, matches): (u64, u64),
    happen: impl FnOnce(&[Home; 2], &mut [Option<Server>; 2], &Places),
) -> usize {
    let homes = ["one", "other"].map(|replica| Home::new(&format!("tables-{name}-{replica}"), database));
    homes[0].share_with(&homes[1]);
    let mut servers = homes.each_ref().map(Home::serve);
    let places = Places::default();
    places.set(&servers.iter().flatten().collect::<Vec<_>>());
    let operator = std::fs::read_to_string(homes[0].folder.join("croupier.token")).unwrap().trim().to_owned();
    let begin = |number: u64| {
        let (places, operator) = (places.clone(), operator.clone());
        thread::spawn(move || Table::begin(&places, &operator, number, matches))
    };
    let tables: Vec<_> = (1..=count).map(begin).collect();
    happen(&homes, &mut servers, &places);
    tables.into_iter().map(|table| table.join().unwrap().check(&places, matches)).sum()
}

#[test]
fn of_two_replicas_one_is_killed_every_few_seconds_and_every_session_ends_as_it_should() {
    let Some(database) = empty_database() else { return };
    let (kills, count, matches) = size((2, 3, 10), (30, 20, 48));
    let kept = play_on_replicas("replicas", &database, (count, matches), |homes, servers, places| {
        for kill in 0..kills {
            thread::sleep(Duration::from_secs(4));
            let place = kill % 2;
            drop(servers[place].take());
            servers[place] = homes[place].serve();
            places.set(&servers.iter().flatten().collect::<Vec<_>>());
        }
    });
    println!(
        "replicas: {count} sessions of {matches} matches, {kills} kills, {kept} acknowledged moves, none lost"
    );
    assert!(kept > 0, "somebody moved");
}

#[test]
fn of_two_replicas_one_is_paused_past_its_lease_again_and_again_and_every_session_ends_as_it_should() {
    let Some(database) = empty_database() else { return };
    let (pauses, count, matches) = size((3, 3, 10), (24, 20, 48));
    let mut dice = Dice::new(5);
    let kept = play_on_replicas("paused", &database, (count, matches), |_, servers, _| {
        for pause in 0..pauses {
            thread::sleep(Duration::from_millis(500));
            let paused = servers[pause % 2].as_ref().expect("a server that nothing stops");
            paused.signal("STOP");
            // Longer than a lease, or not.
            thread::sleep(Duration::from_millis(1_500 + dice.below(size(3_000, 9_000))));
            paused.signal("CONT");
        }
    });
    println!(
        "paused: {count} sessions of {matches} matches, {pauses} pauses, {kept} acknowledged moves, none lost"
    );
    assert!(kept > 0, "somebody moved");
}
