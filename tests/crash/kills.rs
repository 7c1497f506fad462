//! Servers that are killed at random times while many matches run.

use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

use croupier_tests::{postgres::empty_database, size};

use crate::{
    dice::Dice,
    expected::{check, interruptions},
    players::Players,
    server::{Home, Server, asked},
};

/// Turns of each match.
const TURNS: u32 = 24;

/// The matches that were made, by id, with their seeds, and those that are known to be over.
#[derive(Default)]
struct Matches {
    seeds: BTreeMap<String, u64>,
    next: u64,
}

impl Matches {
    /// Makes as many as there should be more.
    fn fill(&mut self, server: &Server, players: &Players, running_max: u64) {
        let Some((_, text)) = server.ask("GET", "/v1/matches?count=200", None) else { return };
        let running = text.matches("\"status\":\"running\"").count() as u64;
        for _ in running.min(running_max)..running_max {
            self.next += 1;
            let Some(id) = server.create(&asked(players, TURNS, self.next)) else { return };
            self.seeds.insert(id, self.next);
        }
    }

    /// Waits for all of them, and checks each; how many there were, and how many interruptions.
    fn check(&self, server: &Server, players: &Players) -> (usize, usize) {
        let mut resumed = 0;
        for (id, seed) in &self.seeds {
            let record = server.record(id).expect("a server that lives");
            check(&record, *seed, &players.told(id));
            resumed += interruptions(&record);
        }
        (self.seeds.len(), resumed)
    }
}

fn is_killed_under_load(name: &str, store: &str) {
    let (kills, running_max, life_ms) = size((10, 20, 250), (1_000, 200, 500));
    let players = Players::start(2, Duration::from_millis(10));
    let home = Home::new(&format!("kills-{name}"), store);
    let (mut matches, mut dice) = (Matches::default(), Dice::new(7));
    let mut longest = Duration::ZERO;
    for _ in 0..kills {
        let begun = Instant::now();
        let server = home.serve().expect("a server that nothing stops");
        longest = longest.max(begun.elapsed());
        matches.fill(&server, &players, running_max);
        thread::sleep(Duration::from_millis(dice.below(life_ms)));
        drop(server);
    }
    let server = home.serve().expect("a server that nothing stops");
    let (count, resumed) = matches.check(&server, &players);
    println!(
        "{name}: {kills} kills, {count} matches of {TURNS} turns, {resumed} interruptions, ready again after {longest:?} at most"
    );
    assert!(resumed >= kills / 2, "{resumed} interruptions");
}

#[test]
fn a_server_that_is_killed_at_random_under_load_loses_and_alters_nothing() {
    is_killed_under_load("sqlite", "croupier.db");
}

#[test]
fn a_server_on_postgresql_that_is_killed_at_random_under_load_loses_and_alters_nothing() {
    let Some(database) = empty_database() else { return };
    is_killed_under_load("postgres", &database);
}

#[test]
fn of_two_replicas_one_is_killed_every_few_seconds_and_every_match_ends_with_the_right_record() {
    let Some(database) = empty_database() else { return };
    let (seconds, running_max) = size((10, 20), (120, 200));
    let players = Players::start(2, Duration::from_millis(100));
    let homes = ["one", "other"].map(|name| Home::new(&format!("replicas-{name}"), &database));
    let mut servers = homes.each_ref().map(Home::serve);
    let mut matches = Matches::default();
    let mut kills = 0;
    for second in 0..seconds {
        for server in servers.iter().flatten() {
            matches.fill(server, &players, running_max);
        }
        thread::sleep(Duration::from_secs(1));
        if second % 5 == 4 {
            let place = kills % 2;
            drop(servers[place].take());
            servers[place] = homes[place].serve();
            kills += 1;
        }
    }
    let server = servers[0].take().expect("a server that nothing stops");
    let (count, resumed) = matches.check(&server, &players);
    println!("replicas: {kills} kills, {count} matches of {TURNS} turns, {resumed} interruptions");
    assert!(resumed > 0, "some match was in the middle when its server died");
}
