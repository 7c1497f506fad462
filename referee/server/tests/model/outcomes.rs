//! What is dealt, judged by statistics at the end of the whole chain: seed, match, record.
//!
//! Every match has a seed of its own. The tests are chi-square against the distribution that the rules of the game imply,
//! corrected for their number after Holm; seeds are fixed, so that a run is either always good or always bad. Four ways
//! to deal badly, which have all been found in the wild, must be seen by the same tests.

use std::{collections::BTreeMap, sync::Arc};

use croupier_referee::{Effect, Event, Header, MatchSetup, MatchState, Request, Secrets, Seed};
use croupier_tests::size;
use serde_json::Value;
use statrs::stats_tests::chisquare::chisquare;

use crate::table::setup;

/// The chance that a fair dealer is called unfair by all tests together.
const ALPHA: f64 = 1e-3;

/// The sides of a die in the rules of this test.
const DICE: &str =
    "(role a) (role random) (init (turn 0)) (side 1) (side 2) (side 3) (side 4) (side 5) (side 6)
    (legal a wait) (<= (legal random (roll ?n)) (side ?n)) (<= (sees a ?n) (does random (roll ?n)))
    (<= (next (turn 1)) (true (turn 0))) (<= (next (turn 2)) (true (turn 1))) (<= terminal (true (turn 2)))
    (goal a 50)";

fn header(rules: &str, roles: &[&str]) -> Arc<Header> {
    let players = roles.iter().map(|role| ((*role).to_owned(), "nobody".to_owned())).collect();
    let setup = MatchSetup { rules: rules.to_owned(), players, ..setup("m", 1, 1) };
    Arc::new(Header::compile(setup).expect("sound rules"))
}

fn rules_of(game: &str) -> &'static str {
    croupier_games::find(game).expect("a game of the catalogue").rules
}

/// The first moves of `random` in a match in which nobody replies, as its record has them.
fn dealt(header: &Arc<Header>, seed: Seed, count: usize) -> Vec<String> {
    let mut state = MatchState::new(Arc::clone(header), Secrets::from_seed(seed));
    let mut dealt = Vec::new();
    let mut event = Event::Begin;
    for turn in 0.. {
        for effect in state.step(0, event) {
            let Effect::Append(line) = effect else { continue };
            let line: Value = serde_json::from_str(&line).expect("a line of JSON");
            dealt.extend(line["moves"]["random"].as_str().map(str::to_owned));
        }
        if dealt.len() >= count {
            break;
        }
        let of = if turn == 0 { Request::Start } else { Request::Play { turn: turn - 1 } };
        event = Event::Deadline { of };
    }
    dealt.truncate(count);
    dealt
}

/// One test: what came up how often of so many equally likely outcomes, and how probable something as odd is.
struct Verdict {
    name: String,
    p: f64,
}

fn judge(name: &str, outcomes: usize, counts: &BTreeMap<String, usize>) -> Verdict {
    assert!(counts.len() <= outcomes, "{name}: {} outcomes instead of {outcomes}", counts.len());
    let mut observed: Vec<usize> = counts.values().copied().collect();
    observed.resize(outcomes, 0);
    let (_, p) = chisquare(&observed, None, None).expect("counts of at least two outcomes");
    Verdict { name: name.to_owned(), p }
}

/// The tests that fail after Holm's correction for how many there are.
fn failures(mut verdicts: Vec<Verdict>) -> Vec<String> {
    verdicts.sort_by(|one, other| one.p.total_cmp(&other.p));
    let count = verdicts.len();
    let fails = |(place, verdict): &(usize, Verdict)| verdict.p < ALPHA / (count - place) as f64;
    verdicts.into_iter().enumerate().take_while(fails).map(|(_, verdict)| verdict.name).collect()
}

fn counted(deals: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    deals.for_each(|deal| *counts.entry(deal).or_default() += 1);
    counts
}

fn seed(number: u64) -> Seed {
    Seed::from_text(&number.to_string()).expect("a number is a seed")
}

#[test]
fn what_is_dealt_is_uniform_at_the_end_of_the_whole_chain() {
    let matches = size(3_000, 1_000_000);
    // How many deals each game has, in so many first moves of chance: the factor is what one match may cost.
    let games = [
        ("kuhn", header(rules_of("kuhn"), &["alice", "bob"]), 2, 6, 1),
        ("leduc", header(rules_of("leduc"), &["alice", "bob"]), 2, 30, 1),
        ("two dice", header(DICE, &["a"]), 2, 36, 1),
        ("holdem", header(rules_of("holdem"), &["alice", "bob"]), 2, 2_652, 6),
    ];
    let mut verdicts = Vec::new();
    for (name, header, moves, outcomes, factor) in &games {
        let deals: Vec<Vec<String>> =
            (0..matches * factor).map(|number| dealt(header, seed(number), *moves)).collect();
        let whole = counted(deals.iter().map(|deal| deal.join(" ")));
        let first = counted(deals.iter().map(|deal| deal[0].clone()));
        verdicts.push(judge(name, *outcomes, &whole));
        verdicts.push(judge(&format!("{name}, first"), first.len(), &first));
        // Whether a match says something of the next one: the first deals of both together.
        if first.len() <= 6 {
            let pairs = deals.chunks_exact(2).map(|pair| format!("{} {}", pair[0][0], pair[1][0]));
            verdicts.push(judge(
                &format!("{name}, pairs of matches"),
                first.len() * first.len(),
                &counted(pairs),
            ));
        }
    }
    for verdict in &verdicts {
        println!("{:28} p = {:.4}", verdict.name, verdict.p);
    }
    assert_eq!(failures(verdicts), Vec::<String>::new(), "{matches} matches");
}

#[test]
fn the_statistics_see_dealers_that_deal_badly() {
    let kuhn = header(rules_of("kuhn"), &["alice", "bob"]);
    let deals: Vec<String> = (0..7).map(|number| dealt(&kuhn, seed(number), 2).join(" ")).collect();
    // Seven seeds for six deals.
    let few = deals.iter().cycle().take(12_000).cloned();
    // Every table is dealt from the same seed.
    let shared = deals.iter().take(1).cycle().take(2_000).cloned();
    // The rest of a division by six, from bytes.
    let modulo = (0..600_000_u64).map(|number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) % 6);
    let modulo = counted(modulo.map(|rest| rest.to_string()));
    // A shuffle that swaps each place with any place: 27 ways for 6 orders.
    let swapped = (0..27_000_u32).map(|number| {
        let mut cards = ["jack", "queen", "king"];
        (0..3).for_each(|place| cards.swap(place, (number / 3_u32.pow(place as u32)) as usize % 3));
        cards.join(" ")
    });
    for (name, counts) in [
        ("few seeds", counted(few)),
        ("shared seed", counted(shared)),
        ("modulo", modulo),
        ("swaps", counted(swapped)),
    ] {
        let verdict = judge(name, 6, &counts);
        assert_eq!(failures(vec![verdict]), [name], "{counts:?}");
    }
}
