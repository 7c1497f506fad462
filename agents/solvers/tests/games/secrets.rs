//! Equilibria of secrecy and search that are found by hand: nobody gains by leaving them, which proves what the
//! games are worth, and what they are worth without the move that keeps or finds the secret.

use croupier_engine::InformationSet;
use croupier_solvers::{Algorithm, Evaluation, Policy};

use crate::subject::{BATTLESHIPS_IN_FOG, SPY_VS_SPY, Subject};

/// What a player did and was told, turn by turn.
struct Known {
    role: String,
    turns: Vec<(String, Vec<String>)>,
}

impl Known {
    fn new(subject: &Subject, set: &InformationSet) -> Self {
        let game = &subject.game;
        let turn = |(done, told): &(_, _)| {
            let told = game.percept_terms(told).iter().map(ToString::to_string).collect();
            (game.move_text(*done).to_string(), told)
        };
        Self { role: game.roles().name(set.role).to_owned(), turns: set.turns.iter().map(turn).collect() }
    }

    /// The last percept that begins so.
    fn told(&self, start: &str) -> Option<&str> {
        let told = self.turns.iter().rev().flat_map(|(_, told)| told);
        told.map(String::as_str).find(|percept| percept.starts_with(start))
    }

    fn did(&self, start: &str) -> Option<&str> {
        let done = self.turns.iter().rev().map(|(done, _)| done.as_str());
        done.into_iter().find(|done| done.starts_with(start))
    }
}

/// Every move for which `choose` is true with the same probability.
fn policy(subject: &Subject, choose: impl Fn(&Known, &str) -> bool) -> Policy {
    Policy::from_fn(&subject.form, |id, probabilities| {
        let known = Known::new(subject, &subject.tree.information_set(id));
        let moves = subject.tree.moves(id).iter().map(|&id| subject.game.move_text(id));
        let chosen: Vec<bool> = moves.map(|text| choose(&known, &text)).collect();
        let count = chosen.iter().filter(|&&is_chosen| is_chosen).count();
        assert!(count > 0, "something is played");
        for (probability, is_chosen) in probabilities.iter_mut().zip(chosen) {
            *probability = if is_chosen { 1.0 / count as f64 } else { 0.0 };
        }
    })
}

fn assert_values(found: &Evaluation, values: [f64; 2]) {
    for (player, value) in found.players.iter().zip(values) {
        assert!((player.value - value).abs() < 1e-9, "{found:?}, not {values:?}");
    }
}

fn assert_equilibrium(found: &Evaluation, values: [f64; 2]) {
    assert_values(found, values);
    assert!(found.nash_conv().abs() < 1e-9, "somebody gains: {found:?}");
}

/// White arms either wire, keeps silent and swaps at the alarm; Black steals in, and cuts what it was told last.
fn spies(known: &Known, played: &str) -> bool {
    match known.told("(armed") {
        _ if played.starts_with("(arm ") || played.starts_with("(steal_in") => known.told("(armed").is_none(),
        Some(armed) if played.starts_with("(cut") => armed["(armed ".len()..] == played["(cut ".len()..],
        None if played.starts_with("(cut") => true,
        // A report leaves nothing to look for.
        Some(_) => played == "stay_away",
        None => played == "keep_silent" || played == "swap",
    }
}

#[test]
fn silence_and_a_look_are_what_two_spies_play() {
    let subject = Subject::new(SPY_VS_SPY);
    let third = 100.0 / 3.0;
    let hand_made = Evaluation::new(&subject.form, &policy(&subject, spies));
    assert_equilibrium(&hand_made, [0.8 * third, 60.0]);
    let solved = subject.solved(Algorithm::CfrPlus, 1_000);
    assert!(solved.nash_conv() < 1e-3, "{solved:?}");
    for (found, hand_made) in solved.players.iter().zip(&hand_made.players) {
        assert!((found.value - hand_made.value).abs() < 1e-3, "{solved:?}, not {hand_made:?}");
    }
}

/// Each habit in place of the right move, what the players get then, and what the right move would gain.
#[test]
fn two_spies_lose_by_talking_staying_away_and_keeping_the_wires() {
    let subject = Subject::new(SPY_VS_SPY);
    let third = 100.0 / 3.0;
    let with_habit = |habit: &str, instead_of: &str| {
        let policy = policy(&subject, |known, played| match played {
            _ if played == habit => true,
            _ if played.starts_with(instead_of) => false,
            _ => spies(known, played),
        });
        Evaluation::new(&subject.form, &policy)
    };
    let talking = with_habit("report", "keep_silent");
    assert_values(&talking, [20.0, 100.0]);
    assert!((talking.players[0].gain() - (0.8 * third - 20.0)).abs() < 1e-9, "{talking:?}");
    let staying_away = with_habit("stay_away", "(steal_in");
    assert_values(&staying_away, [40.0, 50.0]);
    assert!((staying_away.players[1].gain() - 10.0).abs() < 1e-9, "{staying_away:?}");
    let keeping = with_habit("keep", "swap");
    assert_values(&keeping, [0.0, 90.0]);
    assert!((keeping.players[0].gain() - 0.8 * third).abs() < 1e-9, "{keeping:?}");
}

/// The game when three turns are left; what stands for the text of the rules that allow a scan.
fn last_three_turns(scan: &str) -> Subject {
    let all = "(<= (legal ?p scan)\n    (true (control ?p)))";
    let start = "(init (left 20))";
    assert!(BATTLESHIPS_IN_FOG.contains(all) && BATTLESHIPS_IN_FOG.contains(start));
    Subject::new(&BATTLESHIPS_IN_FOG.replace(start, "(init (left 3))").replace(all, scan))
}

fn square(text: &str) -> [i32; 2] {
    let mut words = text.trim_end_matches(')').split(' ').skip(1).map(|word| word.parse().unwrap());
    [words.next().unwrap(), words.next().unwrap()]
}

fn is_beside(a: &str, b: &str) -> bool {
    let ([x, y], [u, v]) = (square(a), square(b));
    (x - u).abs() + (y - v).abs() == 1
}

/// Whether the other ship was seen to stay where it was in the last turn, because it did something else.
fn stayed(known: &Known) -> bool {
    known.turns.last().is_some_and(|(_, told)| !told.is_empty())
}

/// North scans and fires where the ship is, or can have run to; South runs if it was scanned, and else fires.
fn hunters(known: &Known, played: &str) -> bool {
    match (known.role.as_str(), known.told("(other_is_at")) {
        ("south", _) if known.told("scanned").is_some() => played.starts_with("(move"),
        ("north", Some(seen)) => {
            let is_there = played.starts_with("(fire") && square(played) == square(seen);
            let is_near = played.starts_with("(fire") && is_beside(played, seen);
            if stayed(known) { is_there } else { is_near }
        }
        ("north", None) if known.turns.len() == 2 => played == "scan",
        _ => played.starts_with("(fire"),
    }
}

/// Nobody scans: North fires anywhere, and then elsewhere unless the other has moved; South fires.
fn gunners(known: &Known, played: &str) -> bool {
    let before = known.did("(fire").filter(|_| stayed(known));
    played.starts_with("(fire") && before != Some(played)
}

/// A ship in the middle runs to one of four squares, at a side to one of three, in a corner to one of two. North
/// hits what has run with that chance, and else it is a draw; a ship that fires instead hits one time in nine
/// and is hit itself.
#[test]
fn a_scan_is_worth_fourteen_points_when_three_turns_are_left() {
    let subject = last_three_turns("(<= (legal ?p scan)\n    (true (control ?p)))");
    let hit: f64 = (4.0 / 2.0 + 4.0 / 3.0 + 1.0 / 4.0) / 9.0;
    let north = 50.0 + 50.0 * hit;
    assert!((north - 69.91).abs() < 5e-3, "what the facts of the game state: {north}");
    let found = Evaluation::new(&subject.form, &policy(&subject, hunters));
    assert_equilibrium(&found, [north, 100.0 - north]);

    let blind = last_three_turns("(<= (legal nobody scan)\n    (true (control nobody)))");
    // One shot of North, one of South, one of North at the eight squares that are left.
    let north: f64 = 100.0 / 9.0 + 8.0 / 9.0 * 8.0 / 9.0 * (50.0 + 50.0 / 8.0);
    assert!((north - 55.56).abs() < 5e-3, "what the facts of the game state: {north}");
    let found = Evaluation::new(&blind.form, &policy(&blind, gunners));
    assert_equilibrium(&found, [north, 100.0 - north]);
}
