//! What a server acknowledges is kept, whatever happens to it afterwards: kills, pauses, a disk that fails.

use std::{
    collections::BTreeSet,
    thread,
    time::{Duration, Instant},
};

use croupier_referee::{
    read_records,
    record::{Entry, Record, TurnLine},
    replay,
};
use croupier_tests::{postgres::empty_database, size};
use serde_json::json;

use crate::{
    dice::Dice,
    seats::{Heard, Seats},
    server::{Home, Server},
    trace,
};

/// How long a match may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// The moves of a role in a record, by turn, as the referee took them from replies.
fn replies(record: &Record, of: &str) -> Vec<(u64, String)> {
    let lines = record.lines().iter();
    let replies = lines.filter_map(|line| match &line.entry {
        Entry::Own(TurnLine::Reply { turn, role, own_move: Some(own_move), .. }) if role == of => {
            Some((u64::from(*turn), own_move.clone()))
        }
        _ => None,
    });
    replies.collect()
}

/// Checks what a player was told and promised against the record of its match; how many moves were acknowledged, or `None` if the server
/// dies before it is asked.
fn checked(heard: &Heard, server: &Server) -> Option<usize> {
    let Heard { id, role, frames, kept, wrong } = heard;
    // A match of which a player was told something wrong may never end, and the record would be waited for.
    assert!(wrong.is_empty(), "{id} {role}: {wrong:?}");
    let text = &server.record(id)?;
    let record = &read_records(text.as_bytes()).unwrap()[0];
    assert!(record.is_sealed(), "{text}");
    replay(record).unwrap_or_else(|error| panic!("{id}: {error}\n{text}"));
    assert_eq!(frames.last().unwrap()["type"], "stop", "{id} {role}: {frames:?}");
    let replies = replies(record, role);
    for (turn, own_move) in kept {
        assert!(replies.contains(&(*turn, own_move.clone())), "{id} {role}: turn {turn} was lost\n{text}");
    }
    assert!(!text.contains("timeout"), "{id}: nobody is late\n{text}");
    Some(kept.len())
}

/// Waits for the players of all these matches, and checks each; how many moves were acknowledged.
fn check_all(seats: &Seats, server: &Server, ids: &BTreeSet<String>) -> usize {
    let mut kept = 0;
    for _ in 0..ids.len() * 2 {
        let heard = seats.next(PATIENCE);
        kept += checked(&heard, server).expect("a server that lives");
    }
    kept
}

fn survives_every_effect(name: &str, store: impl Fn() -> Option<String>, stride: usize) {
    let (turns, mut deaths, mut kept) = (3, 0, 0);
    for place in (1..).step_by(stride) {
        let Some(store) = store() else { return };
        let home = Home::new(&format!("kept-{name}"), &store);
        let seats = Seats::new();
        let mut first = home.serve_until(place);
        let mut id = first.as_ref().and_then(|server| {
            seats.find(&[server]);
            seats.play(server, turns, place)
        });
        // Until it is over, or the server dies.
        let begun = Instant::now();
        let has_died = loop {
            let Some(server) = &mut first else { break true };
            if server.has_ended().is_some() {
                break true;
            }
            if id.as_ref().is_some_and(|id| server.find(id).is_some_and(|shown| !shown["outcome"].is_null()))
            {
                break false;
            }
            assert!(begun.elapsed() < PATIENCE, "the match stands still");
            thread::sleep(Duration::from_millis(5));
        };
        drop(first);
        let server = home.serve().expect("a server that nothing stops");
        seats.find(&[&server]);
        if id.is_none() {
            id = seats.play(&server, turns, place);
        }
        kept += check_all(&seats, &server, &id.into_iter().collect());
        if !has_died {
            println!("{name}: {deaths} deaths, {kept} acknowledged moves, none lost");
            assert!(deaths > 3, "{deaths}");
            return;
        }
        deaths += 1;
    }
}

#[test]
fn an_acknowledged_move_is_kept_whichever_effect_the_server_dies_at() {
    survives_every_effect("sqlite", || Some("croupier.db".to_owned()), size(7, 1));
}

#[test]
fn an_acknowledged_move_is_kept_on_postgresql_whichever_effect_the_server_dies_at() {
    survives_every_effect("postgres", empty_database, size(13, 1));
}

fn survives_kills(name: &str, store: &str) {
    let (kills, running_max, turns, life_ms) = size((8, 8, 40, 400), (1_000, 40, 60, 500));
    let home = Home::new(&format!("kept-kills-{name}"), store);
    let (seats, mut dice) = (Seats::new(), Dice::new(11));
    let (mut running, mut kept, mut matches, mut seed) = (BTreeSet::new(), 0, 0, 0);
    let mut waiting: Vec<Heard> = Vec::new();
    for _ in 0..kills {
        let server = home.serve().expect("a server that nothing stops");
        seats.find(&[&server]);
        while let Some(heard) = seats.ended() {
            waiting.push(heard);
        }
        // Both players of a match have to be through before another takes its place.
        waiting.retain(|heard| {
            let Some(checked) = checked(heard, &server) else { return true };
            kept += checked;
            running.remove(&heard.id);
            false
        });
        for _ in running.len()..running_max {
            seed += 1;
            let Some(id) = seats.play(&server, turns, seed) else { break };
            matches += 1;
            running.insert(id);
        }
        thread::sleep(Duration::from_millis(dice.below(life_ms)));
        drop(server);
    }
    let server = home.serve().expect("a server that nothing stops");
    seats.find(&[&server]);
    let waiting_count = matches * 2 - seats.given();
    for heard in waiting.drain(..).chain((0..waiting_count).map(|_| seats.next(PATIENCE))) {
        kept += checked(&heard, &server).expect("a server that lives");
    }
    println!("{name}: {kills} kills, {matches} matches, {kept} acknowledged moves, none lost");
    assert!(kept > kills, "{kept}");
}

#[test]
fn no_acknowledged_move_is_lost_by_kills_neither_by_long_poll_nor_over_a_websocket() {
    survives_kills("sqlite", "croupier.db");
}

#[test]
fn no_acknowledged_move_is_lost_by_kills_on_postgresql() {
    let Some(database) = empty_database() else { return };
    survives_kills("postgres", &database);
}

/// Waits until a server with a full disk has refused new matches three times: meanwhile it has answered its players, too.
fn await_full_disk(server: &Server) {
    let pull = json!({ "kind": "pull" });
    let asked = json!({ "game": "kuhn", "seats": { "alice": pull, "bob": pull } });
    let (begun, mut refusals) = (Instant::now(), 0);
    while refusals < 3 {
        let Some((status, body)) = server.ask("POST", "/v1/matches", Some(&asked)) else { return };
        assert!([201, 503].contains(&status), "{status}: {body}");
        refusals += usize::from(status == 503);
        assert!(begun.elapsed() < PATIENCE, "the disk never fills");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn on_a_full_disk_nothing_is_acknowledged_and_no_seat_is_told_that_it_is_over() {
    if !trace::is_there() {
        return println!("skipped: there is no strace that may trace");
    }
    for first in (20..size(60, 120)).step_by(size(24, 3)) {
        let home = Home::new("kept-disk", "croupier.db");
        drop(home.serve());
        let seats = Seats::new();
        let inject = format!("inject=pwrite64:error=ENOSPC:when={first}+");
        let arguments = ["-f", "-s", "0", "--output=trace", "-e", "trace=pwrite64", "-e", &inject];
        let server = home.serve_traced(&arguments);
        let id = server.as_ref().and_then(|server| {
            seats.find(&[server]);
            seats.play(server, 6, first)
        });
        if let Some(mut server) = server {
            await_full_disk(&server);
            server.signal_traced("KILL");
            while server.has_ended().is_none() {
                thread::sleep(Duration::from_millis(5));
            }
        }
        let server = home.serve().expect("a server on a disk with room again");
        seats.find(&[&server]);
        check_all(&seats, &server, &id.into_iter().collect());
    }
}

/// How many turns of a match were played, as a server tells; `None` if it does not tell.
fn turns_of(server: &Server, id: &str) -> Option<u64> {
    server.find(id)?["turns"].as_u64()
}

#[test]
fn a_replica_that_was_paused_past_its_lease_answers_for_no_match_and_every_match_ends_as_it_should() {
    let Some(database) = empty_database() else { return };
    let (matches, running_max, turns) = size((2, 2, 14), (200, 20, 60));
    let homes = ["one", "other"].map(|name| Home::new(&format!("kept-paused-{name}"), &database));
    homes[0].share_with(&homes[1]);
    let servers = homes.each_ref().map(|home| home.serve().expect("a server that nothing stops"));
    let (seats, mut dice) = (Seats::new(), Dice::new(3));
    seats.find(&[&servers[0], &servers[1]]);
    let (mut made, mut ended, mut kept, mut pauses, mut compared) = (0, 0, 0, 0, 0);
    let mut running = BTreeSet::new();
    while ended < matches * 2 {
        while made < matches && made * 2 < ended + running_max * 2 {
            let id = seats.play(&servers[made % 2], turns, made as u64);
            made += usize::from(id.is_some());
            running.extend(id);
        }
        // One is paused; the other goes on, and takes over what has become nobody's.
        let paused = &servers[pauses % 2];
        let awake = &servers[1 - pauses % 2];
        paused.signal("STOP");
        thread::sleep(Duration::from_millis(1_000 + dice.below(size(3_500, 9_000))));
        let reached: Vec<_> = running.iter().filter_map(|id| Some((id, turns_of(awake, id)?))).collect();
        paused.signal("CONT");
        pauses += 1;
        // From its first answer on, it knows of no match less than was known before it woke.
        for (id, before) in reached {
            let told = turns_of(paused, id);
            assert!(told.is_none_or(|told| told >= before), "{id}: {told:?} after {before}");
            compared += 1;
        }
        while let Some(heard) = seats.ended() {
            kept += checked(&heard, awake).expect("a server that lives");
            running.remove(&heard.id);
            ended += 1;
        }
        println!("after {pauses} pauses: {made} matches begun, {ended} seats ended, {kept} moves kept");
    }
    println!(
        "{pauses} pauses, {matches} matches, {kept} acknowledged moves: none lost, none ended early; {compared} answers, none stale"
    );
    assert!(compared > 0, "somebody asked");
}
