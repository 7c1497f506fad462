//! Games about who knows what: each beside its definition in Rust, turn by turn, and what its protocols and
//! strategies are worth by full enumeration against what follows by hand.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{Game, State};
use croupier_tests::table::{Table, Texts, below, compile, ends};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

fn expect(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}");
}

fn texts<const N: usize>(terms: [&str; N]) -> Texts {
    terms.into_iter().map(str::to_owned).collect()
}

const PRISONERS: [&str; 3] = ["ann", "ben", "cleo"];

/// Days until nobody is called any more.
const DAYS: u32 = 10;

fn lamp_text(is_on: bool) -> &'static str {
    if is_on { "(finds_lamp on)" } else { "(finds_lamp off)" }
}

/// Ten days with visitors who do anything; the goal of all.
fn visit_at_random(game: &Game, rng: &mut ChaCha8Rng) -> i32 {
    let mut table = Table::new(game);
    let (mut been, mut is_on) = (BTreeSet::new(), false);
    for day in 1..=DAYS {
        assert_eq!(table.goals(), None);
        let lamp = if is_on { "(lamp on)" } else { "(lamp off)" };
        let visitors = been.iter().map(|&prisoner: &usize| format!("(has_been {})", PRISONERS[prisoner]));
        assert_eq!(table.fluents(), visitors.chain([format!("(day {day})"), lamp.to_owned()]).collect());
        assert_eq!(table.legal("random"), texts(["(call ann)", "(call ben)", "(call cleo)"]));
        let called = below(rng, 3);
        let told = table.play(&[("random", &format!("(call {})", PRISONERS[called]))]);
        for (prisoner, name) in PRISONERS.iter().enumerate() {
            let expected = if prisoner == called { texts([lamp_text(is_on)]) } else { Texts::new() };
            assert_eq!(told[*name], expected, "{name} when {called} is called");
        }
        been.insert(called);
        for (prisoner, name) in PRISONERS.iter().enumerate() {
            let in_room = texts(["declare", "leave", "switch"]);
            assert_eq!(table.legal(name), if prisoner == called { in_room } else { texts(["noop"]) });
        }
        // Rash enough to be wrong now and then, and patient enough to see the last day.
        let done = ["leave", "leave", "switch", "switch", "switch", "declare"][below(rng, 6)];
        let told = table.play(&[(PRISONERS[called], done)]);
        if done == "declare" {
            let is_true = been.len() == 3;
            let mut expected = texts([&format!("(declares {})", PRISONERS[called])]);
            expected.extend(is_true.then(|| "free".to_owned()));
            assert!(told.values().all(|told| *told == expected), "{told:?}");
            let goals = table.goals().expect("the end");
            assert!(goals.values().all(|&goal| goal == if is_true { 100 } else { 0 }), "{been:?}: {goals:?}");
            return goals["ann"];
        }
        assert!(told.values().all(Texts::is_empty), "{told:?}");
        is_on ^= done == "switch";
    }
    assert!(table.goals().expect("the end").values().all(|&goal| goal == 0));
    0
}

#[test]
fn prisoners_see_the_lamp_and_nothing_else() {
    let game = compile("prisoners");
    let mut rng = ChaCha8Rng::seed_from_u64(2_002);
    let goals: BTreeSet<i32> = (0..600).map(|_| visit_at_random(&game, &mut rng)).collect();
    assert_eq!(goals, BTreeSet::from([0, 100]));
}

/// What a prisoner does who remembers a number, by prisoner, day, memory and lamp; and the memory after it.
type Protocol = fn(usize, u32, u8, bool) -> (&'static str, u8);

/// Ann counts, the others switch the lamp on once.
fn counter(prisoner: usize, _: u32, memory: u8, is_on: bool) -> (&'static str, u8) {
    match (prisoner, is_on, memory) {
        (0, true, 0) => ("switch", 1),
        (0, true, _) => ("declare", 2),
        (0, false, _) | (_, true, _) | (_, false, 1) => ("leave", memory),
        (_, false, _) => ("switch", 1),
    }
}

/// Who comes for the first time, and not on the first day, is the second if the lamp is off and the third if on.
fn calendar(_: usize, day: u32, memory: u8, is_on: bool) -> (&'static str, u8) {
    match (day, memory, is_on) {
        (1, ..) | (_, 1, _) => ("leave", 1),
        (_, _, false) => ("switch", 1),
        (_, _, true) => ("declare", 1),
    }
}

/// Probability that all are free after each day, by the rules; a protocol that is ever wrong fails.
fn free_by_day(game: &Game, protocol: Protocol) -> Vec<f64> {
    let mut waiting: Vec<(State, [u8; 3], f64)> = vec![(game.initial_state().clone(), [0; 3], 1.0)];
    let mut free = 0.0;
    let mut by_day = Vec::new();
    for day in 1..=DAYS {
        let mut after: BTreeMap<(u64, [u8; 3]), (State, f64)> = BTreeMap::new();
        for (state, memories, probability) in &waiting {
            for (called, name) in PRISONERS.iter().enumerate() {
                let mut table = Table::at(game, state.clone());
                let told = table.play(&[("random", &format!("(call {name})"))]);
                let is_on = told[*name].contains(lamp_text(true));
                let (done, memory) = protocol(called, day, memories[called], is_on);
                table.play(&[(*name, done)]);
                if done == "declare" {
                    assert_eq!(table.goals().expect("the end")["ann"], 100, "day {day}: {memories:?}");
                    free += probability / 3.0;
                    continue;
                }
                let mut memories = *memories;
                memories[called] = memory;
                let key = (table.state().stable_hash(), memories);
                after.entry(key).or_insert((table.state().clone(), 0.0)).1 += probability / 3.0;
            }
        }
        by_day.push(free);
        waiting = after.into_iter().map(|((_, memories), (state, share))| (state, memories, share)).collect();
    }
    by_day
}

/// Probability that stages which end each day with these probabilities, one after the other, are all over
/// after each day.
fn stages_by_day(stages: &[f64]) -> Vec<f64> {
    let mut at = vec![0.0; stages.len() + 1];
    at[0] = 1.0;
    let day = |_| {
        for stage in (0..stages.len()).rev() {
            let passed = at[stage] * stages[stage];
            at[stage] -= passed;
            at[stage + 1] += passed;
        }
        at[stages.len()]
    };
    (0..DAYS).map(day).collect()
}

/// The counter waits for one of two, for itself, for the one that is left, and for itself again: 1.5 + 3 + 3 + 3
/// days on average.
#[test]
fn a_counter_is_never_wrong_and_takes_as_long_as_four_stages() {
    let found = free_by_day(&compile("prisoners"), counter);
    let expected = stages_by_day(&[2.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
    for (day, (found, expected)) in (1..).zip(found.iter().zip(expected)) {
        expect(*found, expected, &format!("free by day {day}"));
    }
    assert!((100.0 * found[9] - 57.51).abs() < 5e-3, "what the facts of the game state: {found:?}");
}

/// Nobody can be free before all three have been called, and with the calendar all are free on that very day: among
/// the 3^d calls of d days, 3^d - 3 * 2^d + 3 leave nobody out.
#[test]
fn a_calendar_frees_three_prisoners_on_the_first_day_that_is_possible() {
    let found = free_by_day(&compile("prisoners"), calendar);
    for (day, found) in (1..).zip(&found) {
        let all = 3_i32.pow(day);
        let without_one = 3 * 2_i32.pow(day) - 3;
        expect(*found, f64::from(all - without_one) / f64::from(all), &format!("free by day {day}"));
    }
    assert!((100.0 * found[9] - 94.80).abs() < 5e-3, "what the facts of the game state: {found:?}");
}

const WIRES: [&str; 2] = ["red", "blue"];

/// One match of Spy vs Spy: what is chosen in it.
#[derive(Clone, Copy, Debug)]
struct Plot {
    armed: usize,
    reports: bool,
    /// The corridor that Black takes, if it comes.
    way: Option<usize>,
    guard: usize,
    /// What White does when the alarm rings.
    swaps: bool,
    cut: usize,
}

impl Plot {
    fn rings(self) -> bool {
        self.way == Some(self.guard)
    }

    fn goals(self) -> [i32; 2] {
        let is_other = usize::from(self.rings() && self.swaps);
        let is_disarmed = self.cut == (self.armed + is_other) % 2;
        let bonus = if self.reports { 20 } else { 0 };
        match (is_disarmed, self.way) {
            (true, Some(_)) => [bonus, 90],
            (true, None) => [bonus, 100],
            (false, _) => [80 + bonus, 0],
        }
    }
}

fn plots() -> Vec<Plot> {
    let mut plots = Vec::new();
    for code in 0..2 * 2 * 4 * 3 * 2 * 2 {
        let part = |divisor: usize, count: usize| code / divisor % count;
        let plot = Plot {
            armed: part(1, 2),
            reports: part(2, 2) == 1,
            way: part(4, 4).checked_sub(1),
            guard: part(16, 3),
            swaps: part(48, 2) == 1,
            cut: part(96, 2),
        };
        // Without an alarm there is nothing to choose for White.
        if plot.rings() || !plot.swaps {
            plots.push(plot);
        }
    }
    plots
}

/// What each may do; whoever is left without anything may only wait.
fn assert_menus(table: &mut Table<'_>, menus: [&[&str]; 3]) {
    for (role, menu) in ["white", "black", "random"].iter().zip(menus) {
        let menu = if menu.is_empty() { &["noop"] } else { menu };
        assert_eq!(table.legal(role), menu.iter().map(|&done| done.to_owned()).collect(), "{role}");
    }
}

/// Plays it; every menu and percept is compared, and the goals come back.
fn carry_out(game: &Game, plot: Plot) -> [i32; 2] {
    let mut table = Table::new(game);
    assert_menus(&mut table, [&["(arm red)", "(arm blue)"], &[], &[]]);
    let armed = format!("(armed {})", WIRES[plot.armed]);
    let told = table.play(&[("white", &format!("(arm {})", WIRES[plot.armed]))]);
    assert!(told.values().all(Texts::is_empty), "{told:?}");
    assert_menus(&mut table, [&["report", "keep_silent"], &[], &[]]);
    let told = table.play(&[("white", if plot.reports { "report" } else { "keep_silent" })]);
    assert_eq!(told["black"], texts([if plot.reports { armed.as_str() } else { "silence" }]));
    let ways = ["(steal_in north)", "(steal_in east)", "(steal_in west)", "stay_away"];
    let guards = ["(guard north)", "(guard east)", "(guard west)"];
    assert_menus(&mut table, [&[], &ways, &guards]);
    let (way, guard) = (ways[plot.way.unwrap_or(3)], guards[plot.guard]);
    let told = table.play(&[("black", way), ("random", guard)]);
    let looks = if plot.way.is_some() { texts([&armed]) } else { Texts::new() };
    assert_eq!(told["black"], looks, "{plot:?}: no alarm is heard by Black");
    assert_eq!(told["white"], if plot.rings() { texts(["alarm"]) } else { Texts::new() });
    assert_menus(&mut table, [if plot.rings() { &["keep", "swap"] } else { &[] }, &[], &[]]);
    let told = match (plot.rings(), plot.swaps) {
        (true, true) => table.play(&[("white", "swap")]),
        (true, false) => table.play(&[("white", "keep")]),
        (false, _) => table.play(&[]),
    };
    assert!(told.values().all(Texts::is_empty), "{told:?}");
    assert_eq!(table.goals(), None);
    assert_menus(&mut table, [&[], &["(cut red)", "(cut blue)"], &[]]);
    let told = table.play(&[("black", &format!("(cut {})", WIRES[plot.cut]))]);
    let goals = table.goals().expect("the end");
    let cut = format!("(cuts {})", WIRES[plot.cut]);
    assert_eq!(told["black"], texts([&cut, if goals["black"] > 0 { "disarmed" } else { "exploded" }]));
    assert_eq!(told["white"], if plot.way.is_some() { texts([&cut, "intruder"]) } else { texts([&cut]) });
    ["white", "black"].map(|player| goals[player])
}

/// 2 wires, a report or none, 4 ways in or none, 3 places of the guard, and an alarm in a quarter of these.
#[test]
fn every_plot_of_two_spies_ends_as_its_definition_says() {
    let game = compile("spy-vs-spy");
    let plots = plots();
    assert_eq!(plots.len(), 120);
    for plot in plots {
        assert_eq!(carry_out(&game, plot), plot.goals(), "{plot:?}");
    }
}

const SHIPS: [&str; 2] = ["north", "south"];

type Square = (i32, i32);

fn sea() -> Vec<Square> {
    (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y))).collect()
}

fn neighbours((x, y): Square) -> Vec<Square> {
    sea().into_iter().filter(|(u, v)| (u - x).abs() + (v - y).abs() == 1).collect()
}

fn square_text(word: &str, (x, y): Square) -> String {
    format!("({word} {x} {y})")
}

/// A match with ships at these squares; each is told of its own.
fn at_sea(game: &Game, places: [Square; 2]) -> Table<'_> {
    let mut table = Table::new(game);
    for ship in 0..2 {
        let (x, y) = places[ship];
        let told = table.play(&[("random", &format!("(place {} {x} {y})", SHIPS[ship]))]);
        assert_eq!(told[SHIPS[ship]], texts([&square_text("you_are_at", places[ship])]));
        assert!(told[SHIPS[1 - ship]].is_empty());
    }
    table
}

/// One battle of ships that do anything; the goals.
fn sail_at_random(game: &Game, rng: &mut ChaCha8Rng) -> [i32; 2] {
    let mut places = [sea()[below(rng, 9)], sea()[below(rng, 9)]];
    let mut table = at_sea(game, places);
    for turn in 0..20 {
        assert_eq!(table.goals(), None);
        let (own, other) = (turn % 2, 1 - turn % 2);
        let mut fluents = texts([&format!("(left {})", 20 - turn), &format!("(control {})", SHIPS[own])]);
        fluents.extend([0, 1].map(|ship: usize| square_text(&format!("at {}", SHIPS[ship]), places[ship])));
        assert_eq!(table.fluents(), fluents);
        let shots = sea().into_iter().map(|square| square_text("fire", square));
        let moves = neighbours(places[own]).into_iter().map(|square| square_text("move", square));
        assert_eq!(table.legal(SHIPS[own]), shots.chain(moves.clone()).chain(["scan".to_owned()]).collect());
        assert_eq!(table.legal(SHIPS[other]), texts(["noop"]));
        // Few shots, so that some matches are long.
        let target = sea()[below(rng, 9)];
        let to = neighbours(places[own])[below(rng, moves.len())];
        let (done, expected) = match below(rng, 8) {
            0..3 => {
                let falls = square_text("fires_at", target);
                let ends = if target == places[other] { "hit" } else { "miss" };
                (square_text("fire", target), [texts([ends]), texts([&falls, ends])])
            }
            3..6 => (square_text("move", to), [Texts::new(), Texts::new()]),
            _ => {
                let found = square_text("other_is_at", places[other]);
                ("scan".to_owned(), [texts([&found]), texts(["scanned"])])
            }
        };
        let told = table.play(&[(SHIPS[own], &done)]);
        assert_eq!([told[SHIPS[own]].clone(), told[SHIPS[other]].clone()], expected, "{done}");
        if done.starts_with("(move") {
            places[own] = to;
        }
        if expected[0].contains("hit") {
            let goals = table.goals().expect("a hit ends it");
            assert_eq!([goals[SHIPS[own]], goals[SHIPS[other]]], [100, 0]);
            return SHIPS.map(|ship| goals[ship]);
        }
    }
    let goals = table.goals().expect("twenty turns have passed");
    assert_eq!(SHIPS.map(|ship| goals[ship]), [50, 50]);
    [50, 50]
}

#[test]
fn ships_in_fog_are_seen_where_an_umpire_sees_them() {
    let game = compile("battleships-in-fog");
    let ends = ends(2_015, 500, |rng| sail_at_random(&game, rng));
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 20), "{ends:?}");
}

/// What north gets on average, from all places, if each ship scans first or not, and then fires at what it has
/// found, or at one square after the other.
fn duel(game: &Game, scans: [bool; 2]) -> f64 {
    let mut sum = 0;
    for places in sea().into_iter().flat_map(|own| sea().into_iter().map(move |other| [own, other])) {
        let mut table = at_sea(game, places);
        for turn in 0.. {
            let (own, round) = (turn % 2, turn / 2);
            let target = if scans[own] { places[1 - own] } else { sea()[round] };
            let done = if scans[own] && round == 0 { "scan".to_owned() } else { square_text("fire", target) };
            table.play(&[(SHIPS[own], &done)]);
            if let Some(goals) = table.goals() {
                sum += goals["north"];
                break;
            }
        }
    }
    f64::from(sum) / 81.0
}

/// Of two that fire blindly the first wins in 45 of 81 cases; against one that scans, the other has one shot if
/// it acts second, and two if it acts first. A scan is worth a third of the stakes in either seat.
#[test]
fn a_scan_is_worth_a_third_of_the_stakes_against_a_blind_gunner() {
    let game = compile("battleships-in-fog");
    expect(duel(&game, [false, false]), 100.0 * 45.0 / 81.0, "both fire blindly");
    expect(duel(&game, [true, false]), 100.0 * 8.0 / 9.0, "north scans");
    expect(duel(&game, [false, true]), 100.0 * 2.0 / 9.0, "south scans");
}
