//! Sessions from outside: who may do what, what a link opens, and that no byte tells anybody what is in the hands of others.

use std::{
    collections::{BTreeMap, BTreeSet},
    thread,
    time::Duration,
};

use aho_corasick::AhoCorasick;
use croupier_referee::Seed;
use serde_json::{Value, json};

use crate::{
    house::{House, OPERATOR, as_it_is},
    log,
    vault::{CARDS, OPEN, rules},
    wire::{Answer, Asked, PATIENCE, ask},
};

const PAUSE: Duration = Duration::from_millis(10);

/// A session, and the keys of everybody.
struct Table<'h> {
    house: &'h House,
    id: String,
    host: String,
    watch: String,
    /// By seat.
    invitations: BTreeMap<u32, String>,
    /// By seat, of those who have accepted.
    guests: BTreeMap<u32, String>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

impl<'h> Table<'h> {
    fn open(house: &'h House, asked: &Value) -> Self {
        let body = asked.to_string();
        let asked = Asked { method: "POST", path: "/v1/sessions", token: Some(OPERATOR), body: &body };
        let opened = ask(house.address, asked);
        assert_eq!(opened.status, 201, "{}", opened.text());
        let opened = opened.json();
        let invitations = opened["invitations"].as_object().unwrap().iter();
        Self {
            house,
            id: text(&opened["id"]),
            host: text(&opened["host"]),
            watch: text(&opened["watch"]),
            invitations: invitations.map(|(place, token)| (place.parse().unwrap(), text(token))).collect(),
            guests: BTreeMap::new(),
        }
    }

    /// A table of two guests.
    fn of_two(house: &'h House, asked: &Value) -> Self {
        let mut table = Self::open(house, asked);
        for place in [1, 2] {
            let accepted = table.accept(&table.invitations[&place], &format!("guest {place}"), None);
            assert_eq!(accepted.status, 200, "{}", accepted.text());
            table.guests.insert(place, text(&accepted.json()["token"]));
        }
        table
    }

    fn accept(&self, token: &str, name: &str, key: Option<&str>) -> Answer {
        let (path, body) = (format!("/v1/invitations/{token}"), json!({ "name": name }).to_string());
        let asked = Asked { method: "POST", path: &path, token: None, body: &body };
        match key {
            None => ask(self.house.address, asked),
            Some(key) => {
                crate::wire::ask_with(self.house.address, asked, &format!("Idempotency-Key: {key}\r\n"))
            }
        }
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/sessions/{}{rest}", self.id)
    }

    fn get(&self, rest: &str, token: Option<&str>) -> Answer {
        ask(self.house.address, Asked::get(&self.path(rest), token))
    }

    fn command(&self, token: Option<&str>, command: &Value) -> Answer {
        let (path, body) = (self.path(""), command.to_string());
        ask(self.house.address, Asked { method: "POST", path: &path, token, body: &body })
    }

    fn play(&self, place: u32, own: &Value) -> Answer {
        let (path, body) = (self.path(&format!("/seats/{place}")), own.to_string());
        ask(
            self.house.address,
            Asked { method: "POST", path: &path, token: Some(&self.guests[&place]), body: &body },
        )
    }

    /// What a guest is told once it has to move in a turn of a match.
    fn asked_to_move(&self, place: u32, hand: u64, turn: u64) -> Answer {
        for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
            let answer = self.get(&format!("/seats/{place}"), Some(&self.guests[&place]));
            let told = answer.json();
            if told["hand"] == hand && told["to_move"]["turn"] == turn {
                return answer;
            }
            thread::sleep(PAUSE);
        }
        panic!("seat {place} is not asked in match {hand}, turn {turn}")
    }

    /// The table as watchers see it, once this holds.
    fn once(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
            let view = self.get("", Some(&self.watch)).json();
            if holds(&view) {
                return view;
            }
            thread::sleep(PAUSE);
        }
        panic!("{what}: {}", self.get("", Some(&self.watch)).text())
    }
}

fn code(answer: &Answer) -> String {
    answer.json()["code"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_link_that_is_fetched_seats_nobody_and_one_that_was_used_opens_nothing() {
    let _guard = as_it_is();
    let house = House::new("tables-links");
    let table = Table::open(&house, &json!({ "rules": OPEN }));
    let (first, second) = (&table.invitations[&1], &table.invitations[&2]);
    for _ in 0..3 {
        let path = format!("/v1/invitations/{first}");
        let shown = ask(house.address, Asked::get(&path, None));
        assert_eq!((shown.status, &shown.json()["place"]), (200, &json!(1)), "{}", shown.text());
    }
    let free = |view: &Value| view["seats"].as_array().unwrap().iter().all(|seat| seat["occupant"] == "free");
    assert!(free(&table.get("", Some(&table.watch)).json()));
    // A name is any text that can be seen, and not a book.
    let long = "x".repeat(64 << 10);
    for name in ["", " \u{200b} ", &long] {
        let refused = table.accept(first, name, None);
        assert_eq!((refused.status, code(&refused).as_str()), (422, "bad-name"), "{}", refused.text());
    }
    let weak = table.accept(first, "Ann", Some("1"));
    assert_eq!(code(&weak), "bad-key", "whoever guesses the key of a form would have the seat");
    let form = "4f1c7be09a5d4e1b8c2f7d6a3b0e9c85";
    let markup = "<b>Ann</b>\u{202e}";
    let accepted = table.accept(first, markup, Some(form));
    let again = table.accept(first, markup, Some(form));
    assert_eq!((accepted.status, accepted.json()), (200, again.json()), "{}", accepted.text());
    let stolen = table.accept(first, "Eve", None);
    assert_eq!((stolen.status, code(&stolen).as_str()), (409, "link-used"));
    let stolen = table.accept(first, "Eve", Some("another form that nobody can guess at all"));
    assert_eq!(code(&stolen), "link-used");
    let view = table.get("", Some(&table.watch)).json();
    assert_eq!(view["seats"][0]["name"], "<b>Ann</b>", "text, without what turns the direction of others");
    // On another device the key of the seat is exchanged for itself.
    let key = text(&accepted.json()["token"]);
    assert_eq!(table.accept(&key, "", None).json()["token"], json!(key));
    // What was taken back or replaced opens nothing.
    assert_eq!(table.command(Some(&table.host), &json!({ "do": "revoke", "place": 2 })).status, 200);
    assert_eq!(code(&table.accept(second, "Ben", None)), "link-used");
    let invited = table.command(Some(&table.host), &json!({ "do": "invite", "place": 2 }));
    let fresh = text(&invited.json()["token"]);
    assert_ne!(&fresh, second);
    assert_eq!(table.accept(&fresh, "Ben", None).status, 200);
    let none = table.accept(&"0".repeat(64), "Eve", None);
    assert_eq!(none.status, 404, "{}", none.text());
}

#[test]
fn every_command_is_for_whoever_has_the_right_key_and_nobody_else() {
    let _guard = as_it_is();
    let house = House::new("tables-rights");
    let table = Table::of_two(&house, &json!({ "rules": OPEN, "chat": true }));
    let actors = [
        ("nobody", None),
        ("operator", Some(OPERATOR)),
        ("host", Some(table.host.as_str())),
        ("watcher", Some(table.watch.as_str())),
        ("guest 1", Some(table.guests[&1].as_str())),
        ("guest 2", Some(table.guests[&2].as_str())),
        ("invited", Some(table.invitations[&1].as_str())),
    ];
    // Each of them is refused by the session itself, or changes nothing that the others need.
    let of_host = [
        json!({ "do": "resume" }),
        json!({ "do": "rematch" }),
        json!({ "do": "seat_agent", "place": 1, "agent": "random" }),
        json!({ "do": "kick", "place": 9 }),
        json!({ "do": "invite", "place": 9 }),
        json!({ "do": "revoke", "place": 1 }),
        json!({ "do": "renew", "place": 9 }),
        json!({ "do": "hand_on", "place": 9 }),
        json!({ "do": "say", "place": null, "text": "welcome" }),
    ];
    let of_first = [
        json!({ "do": "come_back", "place": 1 }),
        json!({ "do": "rebuy", "place": 1 }),
        json!({ "do": "say", "place": 1, "text": "hello" }),
    ];
    let commands = of_host.iter().map(|it| (it, "host")).chain(of_first.iter().map(|it| (it, "guest 1")));
    for (command, right) in commands {
        for (name, token) in actors {
            let answer = table.command(token, command);
            let is_refused = [401, 403].contains(&answer.status);
            assert_eq!(
                !is_refused,
                name == right,
                "{command} by {name}: {} {}",
                answer.status,
                answer.text()
            );
            assert!(answer.status < 500, "{}", answer.text());
        }
    }
    // A seat is read with its own key alone; links are the host's.
    for (name, token) in actors {
        let seat = table.get("/seats/1/hands/1", token).status;
        assert_eq!(![401, 403].contains(&seat), name == "guest 1", "{name}: {seat}");
        let links = table.get("/links", token).status;
        assert_eq!(links == 200, name == "host", "{name}: {links}");
        let shown = table.get("", token).status;
        let may_look = ["host", "watcher", "guest 1", "guest 2"].contains(&name);
        assert_eq!(shown == 200, may_look, "{name}: {shown}");
    }
    // The host's role is handed on, and then the link of the host opens nothing.
    assert_eq!(table.command(Some(&table.host), &json!({ "do": "hand_on", "place": 2 })).status, 200);
    assert_eq!(table.command(Some(&table.host), &json!({ "do": "start" })).status, 403);
    assert_eq!(table.command(Some(&table.guests[&2]), &json!({ "do": "start" })).status, 200);
}

#[test]
fn a_move_counts_once_and_a_command_that_comes_again_does_nothing_new() {
    let _guard = as_it_is();
    let house = House::new("tables-twice");
    let asked = json!({ "rules": OPEN, "until": "matches = 1", "break_ms": 0, "play_clock_ms": 60_000 });
    let table = Table::of_two(&house, &asked);
    let start = json!({ "do": "start" }).to_string();
    for _ in 0..3 {
        let path = table.path("");
        let asked = Asked { method: "POST", path: &path, token: Some(&table.host), body: &start };
        let answer = crate::wire::ask_with(house.address, asked, "Idempotency-Key: once\r\n");
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    assert_eq!(code(&table.command(Some(&table.host), &json!({ "do": "start" }))), "not-now");
    let other = json!({ "do": "pause" }).to_string();
    let path = table.path("");
    let asked = Asked { method: "POST", path: &path, token: Some(&table.host), body: &other };
    let answer = crate::wire::ask_with(house.address, asked, "Idempotency-Key: once\r\n");
    assert_eq!(code(&answer), "other-request");
    table.asked_to_move(1, 1, 0);
    let own = |turn: u64, text: &str| json!({ "hand": 1, "turn": turn, "move": text });
    assert_eq!(code(&table.play(1, &own(0, "scissors"))), "bad-frame", "an illegal move is not played");
    assert_eq!(code(&table.play(1, &own(1, "stone"))), "early");
    // Two windows of one seat.
    let (seat, first) = (&table, &own);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let tries = ["stone", "paper"].map(|text| scope.spawn(move || seat.play(1, &first(0, text)).status));
        tries.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(BTreeSet::from_iter(&statuses), BTreeSet::from([&204, &409]), "{statuses:?}");
    let played = if statuses[0] == 204 { "stone" } else { "paper" };
    assert_eq!(table.play(1, &own(0, played)).status, 204, "the same again");
    table.asked_to_move(2, 1, 0);
    assert_eq!(table.play(2, &own(0, "stone")).status, 204);
    let told = table.asked_to_move(1, 1, 1);
    assert!(told.text().contains(&format!("\"last_move\":\"{played}\"")), "{}", told.text());
    let other = if played == "stone" { "paper" } else { "stone" };
    assert_eq!(code(&table.play(1, &own(0, other))), "late", "the turn is over");
    assert_eq!(table.play(1, &own(0, played)).status, 204, "what was kept is kept");
    assert_eq!(table.play(1, &own(1, "stone")).status, 204);
    table.asked_to_move(2, 1, 1);
    assert_eq!(table.play(2, &own(1, "stone")).status, 204);
    let view = table.once("the session is over", |view| view["status"] == "over");
    assert_eq!(view["hands_played"], 1);
}

#[test]
fn who_does_not_answer_twice_is_away_and_comes_back() {
    let _guard = as_it_is();
    let house = House::new("tables-away");
    let asked = json!({
        "rules": OPEN, "break_ms": 0, "play_clock_ms": 200, "bank_ms": 0, "agents": ["random"], "away": "random",
        "until": "matches = 400",
    });
    let mut table = Table::open(&house, &asked);
    let accepted = table.accept(&table.invitations[&1], "Ann", None).json();
    table.guests.insert(1, text(&accepted["token"]));
    assert_eq!(table.command(Some(&table.host), &json!({ "do": "start" })).status, 200);
    let view = table.once("the guest is away", |view| view["seats"][0]["is_away"] == true);
    assert!(view["hands_played"].as_u64().unwrap() <= 2, "matches have two turns: {view}");
    let later = table.once("it is played for", |view| view["hands_played"].as_u64() > Some(10));
    assert_eq!(later["seats"][0]["is_away"], true);
    let back = json!({ "do": "come_back", "place": 1 });
    assert_eq!(table.command(Some(&table.guests[&1]), &back).status, 200);
    assert_eq!(table.command(Some(&table.host), &json!({ "do": "end" })).status, 200);
    table.once("the session is over", |view| view["status"] == "over");
}

#[test]
fn what_people_say_is_text_for_those_at_the_table_and_limited() {
    let _guard = as_it_is();
    let house = House::new("tables-chat");
    let quiet = Table::of_two(&house, &json!({ "rules": OPEN }));
    let hello = json!({ "do": "say", "place": 1, "text": "hello" });
    assert_eq!(code(&quiet.command(Some(&quiet.guests[&1]), &hello)), "not-now", "it is off by default");
    let table = Table::of_two(&house, &json!({ "rules": OPEN, "chat": true }));
    let say = |text: &str| {
        let said = json!({ "do": "say", "place": 1, "text": text });
        table.command(Some(&table.guests[&1]), &said)
    };
    assert_eq!(say("<script>alert(1)</script>").status, 200);
    assert_eq!(code(&say(&"x".repeat(64 << 10))), "bad-text");
    let statuses: Vec<u16> = (0..6).map(|_| say("again").status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 429, 429]);
}

/// Everything that somebody has read, without what follows from the rules alone.
#[derive(Default)]
struct Bytes(BTreeMap<String, Vec<u8>>);

impl Bytes {
    fn read(&mut self, reader: &str, answer: &Answer) {
        let mut body = answer.json();
        forget(&mut body);
        let text = if body.is_null() { answer.text() } else { body.to_string() };
        let bytes = self.0.entry(reader.to_owned()).or_default();
        bytes.extend(answer.head.bytes().chain(text.bytes()));
    }
}

/// Drops rules, and the moves that they allow, which are no secret.
fn forget(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("rules");
            fields.remove("legal");
            fields.remove("possible");
            fields.values_mut().for_each(forget);
        }
        Value::Array(values) => values.iter_mut().for_each(forget),
        _ => {}
    }
}

/// Looks at everything that anybody can look at, with every key.
fn crawl(table: &Table<'_>, hand: u64, bytes: &mut Bytes) {
    let keys = [
        ("nobody", None),
        ("operator", Some(OPERATOR)),
        ("host", Some(table.host.as_str())),
        ("watcher", Some(table.watch.as_str())),
        ("guest 1", Some(table.guests[&1].as_str())),
        ("guest 2", Some(table.guests[&2].as_str())),
    ];
    let mut paths: Vec<String> = ["", "/links"].iter().map(|rest| table.path(rest)).collect();
    paths.extend(["/v1/matches", "/v1/sessions", "/v1/players", "/v1/metrics"].map(str::to_owned));
    for index in 1..=hand {
        let id = format!("{}-{index}", table.id);
        for rest in
            ["", "/record", "/hand", "/seats/alice?after=0", "/seats/bob?after=0", "/seats/random?after=0"]
        {
            paths.push(format!("/v1/matches/{id}{rest}"));
        }
        for place in [1, 2] {
            paths.push(table.path(&format!("/seats/{place}/hands/{index}")));
        }
        paths.push(table.path(&format!("/hands/{index}")));
    }
    for place in [1, 2] {
        paths.push(table.path(&format!("/seats/{place}")));
    }
    for path in &paths {
        for (name, token) in keys {
            bytes.read(name, &ask(table.house.address, Asked::get(path, token)));
        }
    }
}

/// By match and seat, the cards that its guest was told, from the record.
fn told_cards(table: &Table<'_>, index: u64) -> [BTreeSet<String>; 2] {
    [1, 2].map(|place| {
        let answer = table.get(&format!("/seats/{place}/hands/{index}"), Some(&table.guests[&place]));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let mut body = answer.json();
        forget(&mut body);
        let text = body.to_string();
        CARDS.iter().filter(|card| text.contains(**card)).map(|card| (*card).to_owned()).collect()
    })
}

/// By guest, the cards that it was told in any match.
fn known_cards(table: &Table<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for hand in 1..=3 {
        for (place, cards) in [1, 2].into_iter().zip(told_cards(table, hand)) {
            known.entry(format!("guest {place}")).or_default().extend(cards);
        }
    }
    known
}

/// Looks for every secret in what everybody has read.
fn demand_no_leak(
    bytes: &Bytes,
    table: &Table<'_>,
    session: &Seed,
    known: &BTreeMap<String, BTreeSet<String>>,
) {
    let mut secrets: Vec<(String, String)> =
        CARDS.iter().map(|card| ((*card).to_owned(), (*card).to_owned())).collect();
    secrets.push(("the seed".to_owned(), session.reveal()));
    let of_match = |hand| (format!("the seed of match {hand}"), session.for_session_match(hand).reveal());
    secrets.extend((1..=3).map(of_match));
    let of_seat = |(place, token): (&u32, &String)| (format!("the key of seat {place}"), token.clone());
    secrets.extend(table.guests.iter().map(of_seat));
    secrets.push(("the key of the host".to_owned(), table.host.clone()));
    let patterns = AhoCorasick::new(secrets.iter().map(|(_, text)| text)).unwrap();
    let mut length = 0;
    for (reader, read) in &bytes.0 {
        length += read.len();
        let found: BTreeSet<&String> = patterns
            .find_overlapping_iter(read)
            .map(|found| &secrets[found.pattern().as_usize()].0)
            .collect();
        let known = known.get(reader).cloned().unwrap_or_default();
        let leaks: Vec<_> = found.into_iter().filter(|what| !known.contains(*what)).collect();
        assert!(leaks.is_empty(), "{reader} got {leaks:?}");
    }
    assert!(length > 50_000 && bytes.0.len() == 7, "{length} bytes of {:?}", bytes.0.keys());
}

#[test]
fn no_byte_of_a_session_tells_anybody_what_others_hold_before_it_is_over() {
    let _guard = as_it_is();
    let house = House::new("tables-canaries");
    let seed = "5eedca4b0000000000000000000000000000000000000000000000000badcafe";
    let asked = json!({
        "rules": rules("a session"), "seed": seed, "break_ms": 0, "play_clock_ms": 60_000, "chat": true,
        "until": "matches = 3",
    });
    let mut bytes = Bytes::default();
    let begun = log::place();
    let table = Table::of_two(&house, &asked);
    assert_eq!(table.command(Some(&table.host), &json!({ "do": "start" })).status, 200);
    let play = |place: u32, hand: u64, turn: u64| {
        let own = format!("(hide {})", CARDS[place as usize - 1]);
        let answer = table.play(place, &json!({ "hand": hand, "turn": turn, "move": own }));
        assert_eq!(answer.status, 204, "{}", answer.text());
        answer
    };
    // In turn 0 there is only one move, which is played for both.
    for (hand, turn) in (1..=3).flat_map(|hand| (1..=4).map(move |turn| (hand, turn))) {
        for place in [1, 2] {
            bytes.read(&format!("guest {place}"), &table.asked_to_move(place, hand, turn));
        }
        if turn == 3 {
            crawl(&table, hand, &mut bytes);
        }
        if (hand, turn) != (3, 4) {
            for place in [1, 2] {
                bytes.read(&format!("guest {place}"), &play(place, hand, turn));
            }
        }
    }
    bytes.0.insert("whoever reads the log".to_owned(), log::since(begun));
    for place in [1, 2] {
        play(place, 3, 4);
    }
    table.once("the session is over", |view| view["status"] == "over");
    let known = known_cards(&table);
    let session = Seed::from_text(seed).unwrap();
    demand_no_leak(&bytes, &table, &session, &known);
    // The test sees what there is to see: a guest has read its own cards.
    assert!(known.values().all(|cards| !cards.is_empty() && cards.len() < CARDS.len()), "{known:?}");
    // Now that it is over, the records are there, and follow from the seed that was committed to.
    let path = format!("/v1/matches/{}-1/record", table.id);
    let record = ask(house.address, Asked::get(&path, None));
    assert_eq!(record.status, 200, "{}", record.text());
    assert!(record.text().contains(&session.for_session_match(1).reveal()));
}
