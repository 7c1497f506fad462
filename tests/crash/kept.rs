//! What a server acknowledges is kept in matches of both kinds, whatever happens to it afterwards: kills, pauses, a disk that fails.

use std::{
    collections::BTreeSet,
    thread,
    time::{Duration, Instant},
};

use croupier_tests::{postgres::empty_database, size};
use serde_json::{Value, json};

use crate::{
    dice::Dice,
    expected::guesses,
    seats::{Heard, Kind, Seats},
    server::{Home, Server},
    trace,
};

/// How long a match may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// Checks what a player was told and promised against the record of its match; how many moves were acknowledged, or `None` if the server
/// dies before it is asked.
fn checked(heard: &Heard, server: &Server) -> Option<usize> {
    let Heard { kind, id, role, token, frames, kept, wrong } = heard;
    // A match of which a player was told something wrong may never end, and the record would be waited for.
    assert!(wrong.is_empty(), "{id} {role}: {wrong:?}");
    let text = &server.record(id)?;
    assert!(text.contains("\"event\":\"seal\"") && text.contains("\"status\":\"terminal\""), "{text}");
    let guesses = guesses(*kind, text, role);
    for (number, own_move) in kept {
        assert!(guesses.contains(&(*number, own_move.clone())), "{id} {role}: {number} was lost\n{text}");
    }
    assert!(!text.contains("timeout"), "{id}: nobody is late\n{text}");
    let path = format!("/v1/matches/{id}/seats/{role}?after=0");
    let (status, body) = server.ask_as(token, "GET", &path, None)?;
    let told: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &told["frames"]), (200, &json!(frames)), "{id} {role}: what follows from the record");
    Some(kept.len())
}

/// Waits for the players of so many matches, and checks each; how many moves were acknowledged.
pub(crate) fn check_all(seats: &Seats, server: &Server, matches: usize) -> usize {
    seats.heard(matches).map(|heard| checked(&heard, server).expect("a server that lives")).sum()
}

fn survives_every_effect(name: &str, store: impl Fn() -> Option<String>, stride: usize) {
    let (guesses, mut deaths, mut kept) = (3, 0, 0);
    for place in (1..).step_by(stride) {
        let Some(store) = store() else { return };
        let home = Home::new(&format!("kept-{name}"), &store);
        let seats = Seats::new();
        let mut first = home.serve_until(place);
        let mut ids = Kind::ALL.map(|kind| {
            let server = first.as_ref()?;
            seats.find(&[server]);
            seats.play(server, kind, guesses, place)
        });
        // Until all are over, or the server dies.
        let begun = Instant::now();
        let has_died = loop {
            let Some(server) = &mut first else { break true };
            if server.has_ended().is_some() {
                break true;
            }
            let is_over = |id: &String| server.find(id).is_some_and(|shown| !shown["outcome"].is_null());
            if ids.iter().all(|id| id.as_ref().is_some_and(is_over)) {
                break false;
            }
            assert!(begun.elapsed() < PATIENCE, "a match stands still");
            thread::sleep(Duration::from_millis(5));
        };
        drop(first);
        let server = home.serve().expect("a server that nothing stops");
        seats.find(&[&server]);
        for (id, kind) in ids.iter_mut().zip(Kind::ALL) {
            if id.is_none() {
                *id = seats.play(&server, kind, guesses, place);
            }
        }
        kept += check_all(&seats, &server, ids.iter().flatten().count());
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
    survives_every_effect("sqlite", || Some("croupier.db".to_owned()), size(11, 1));
}

#[test]
fn an_acknowledged_move_is_kept_on_postgresql_whichever_effect_the_server_dies_at() {
    survives_every_effect("postgres", empty_database, size(23, 1));
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
        let ids = Kind::ALL.map(|kind| {
            let server = server.as_ref()?;
            seats.find(&[server]);
            seats.play(server, kind, 6, first)
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
        check_all(&seats, &server, ids.iter().flatten().count());
    }
}

/// How many turns of a match were played, as a server tells; `None` if it does not tell.
fn turns_of(server: &Server, id: &str) -> Option<u64> {
    server.find(id)?["turns"].as_u64()
}

#[test]
fn a_replica_that_was_paused_past_its_lease_answers_for_no_match_and_every_match_ends_as_it_should() {
    let Some(database) = empty_database() else { return };
    let (matches, running_max, guesses) = size((4, 4, 10), (200, 20, 60));
    let homes = ["one", "other"].map(|name| Home::new(&format!("kept-paused-{name}"), &database));
    homes[0].share_with(&homes[1]);
    let servers = homes.each_ref().map(|home| home.serve().expect("a server that nothing stops"));
    let (seats, mut dice) = (Seats::new(), Dice::new(3));
    seats.find(&[&servers[0], &servers[1]]);
    let (mut made, mut ended, mut kept, mut pauses, mut compared) = (0, 0, 0, 0, 0);
    let mut running = BTreeSet::new();
    while ended < matches * 2 {
        while made < matches && made * 2 < ended + running_max * 2 {
            let id = seats.play(&servers[made % 2], Kind::ALL[made / 2 % 2], guesses, made as u64);
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
