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
    kept::check_all,
    players::Players,
    seats::{Kind, Seats},
    server::{Home, Server, asked},
};

/// Guesses of each player in each match.
const GUESSES: u32 = 24;

/// The matches that were made: of players that are called, by id, with their seeds; and of players that connect, of both kinds.
struct Matches {
    players: Players,
    called: BTreeMap<String, u64>,
    seats: Seats,
    connected: usize,
    next: u64,
}

impl Matches {
    fn new(thinks: Duration) -> Self {
        let players = Players::start(2, thinks);
        Self { players, called: BTreeMap::new(), seats: Seats::new(), connected: 0, next: 0 }
    }

    /// Makes as many as there should be more.
    fn fill(&mut self, server: &Server, running_max: u64) {
        let Some((_, text)) = server.ask("GET", "/v1/matches?count=200", None) else { return };
        let running = text.matches("\"status\":\"running\"").count() as u64;
        for _ in running.min(running_max)..running_max {
            self.next += 1;
            let seed = self.next;
            let kind = match seed % 3 {
                0 => Kind::Turns,
                1 => Kind::RealTime,
                _ => {
                    let Some(id) = server.create(&asked(&self.players, GUESSES, seed)) else { return };
                    self.called.insert(id, seed);
                    continue;
                }
            };
            let Some(_) = self.seats.play(server, kind, GUESSES, seed) else { return };
            self.connected += 1;
        }
    }

    /// Waits for all of them, checks each, and says what there was.
    fn check(&self, name: &str, server: &Server) -> usize {
        let mut resumed = 0;
        for (id, seed) in &self.called {
            let record = server.record(id).expect("a server that lives");
            check(&record, *seed, &self.players.told(id));
            resumed += interruptions(&record);
        }
        let kept = check_all(&self.seats, server, self.connected);
        let (called, connected) = (self.called.len(), self.connected);
        println!(
            "{name}: {called} matches of players that are called, {resumed} interruptions; {connected} of players that connect, {kept} acknowledged moves, none lost"
        );
        assert!(kept > 0, "somebody moved");
        resumed
    }
}

fn is_killed_under_load(name: &str, store: &str) {
    let (kills, running_max, life_ms) = size((8, 18, 300), (1_000, 200, 500));
    let home = Home::new(&format!("kills-{name}"), store);
    let (mut matches, mut dice) = (Matches::new(Duration::from_millis(10)), Dice::new(7));
    let mut longest = Duration::ZERO;
    for _ in 0..kills {
        let begun = Instant::now();
        let server = home.serve().expect("a server that nothing stops");
        longest = longest.max(begun.elapsed());
        matches.seats.find(&[&server]);
        matches.fill(&server, running_max);
        thread::sleep(Duration::from_millis(dice.below(life_ms)));
        drop(server);
    }
    let server = home.serve().expect("a server that nothing stops");
    matches.seats.find(&[&server]);
    let resumed = matches.check(name, &server);
    println!("{name}: {kills} kills, ready again after {longest:?} at most");
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
    let homes = ["one", "other"].map(|name| Home::new(&format!("replicas-{name}"), &database));
    homes[0].share_with(&homes[1]);
    let mut servers = homes.each_ref().map(Home::serve);
    let mut matches = Matches::new(Duration::from_millis(100));
    let mut kills = 0;
    for second in 0..seconds {
        let living: Vec<&Server> = servers.iter().flatten().collect();
        matches.seats.find(&living);
        for server in living {
            matches.fill(server, running_max);
        }
        thread::sleep(Duration::from_secs(1));
        if second % 5 == 4 {
            let place = kills % 2;
            drop(servers[place].take());
            servers[place] = homes[place].serve();
            kills += 1;
        }
    }
    let living: Vec<&Server> = servers.iter().flatten().collect();
    matches.seats.find(&living);
    let resumed = matches.check("replicas", living[0]);
    println!("replicas: {kills} kills");
    assert!(resumed > 0, "some match was in the middle when its server died");
}
