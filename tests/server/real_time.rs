//! What a player of a real-time match is told: its own moves, what the rules let it see, and nothing of when others act unseen.

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::Strictness;
use croupier_referee::{
    Secrets, Seed,
    realtime::{Notice, RealTimeEffect, RealTimeEvent, RealTimeHeader, RealTimeMatch, RealTimeSetup},
};

use crate::evidence::{Finding, finding};

/// Two buttons that may be pressed as often as one likes for three seconds; nobody sees the other do it.
const BUTTONS: &str = "(role ann) (role ben) (role random) (init 3 course) (init infinity deal)
    (suit spades) (suit hearts) (suit clubs) (player ann) (player ben)
    (<= (legal random (deal ?a ?b)) (true infinity deal) (suit ?a) (suit ?b))
    (<= (sees ann (card ?a)) (does random (deal ?a ?b))) (<= (sees ben (card ?b)) (does random (deal ?a ?b)))
    (<= (legal ?r press) (player ?r) (true ?t course))
    (<= (next ?t course) (true ?t course)) (<= (next infinity (pressed ?r)) (does ?r press))
    (<= (next infinity (pressed ?r)) (true infinity (pressed ?r)))
    (<= terminal (expired course))
    (<= (goal ?r 100) (true infinity (pressed ?r)))
    (<= (goal ?r 0) (player ?r) (not (true infinity (pressed ?r))))";

const BEGUN: &str = "a player of a real-time match is told what the rules say";
const UNSEEN: &str = "what others do unseen changes nothing that a player is told";

/// A move of a role: when, and the number that its sender gave it.
type Press = (&'static str, u64, u64);

/// What ann is told when these press their buttons, which nobody sees, but for the goals of the end.
fn told_ann(seed: &str, presses: &[Press]) -> Vec<Notice> {
    let setup = RealTimeSetup {
        match_id: "buttons".to_owned(),
        series: None,
        session: None,
        rules: BUTTONS.to_owned(),
        game_name: None,
        players: ["ann", "ben"].map(|role| (role.to_owned(), "scripted".to_owned())).to_vec(),
        strictness: Strictness::Compatible,
        tick_us: 1,
        updates_max: 100,
        time_max_us: 60_000_000,
        nonces_ms: None,
    };
    let header = Arc::new(RealTimeHeader::compile(setup).unwrap());
    let role = |name: &str| header.roles().find(name).unwrap();
    let secrets = Secrets::from_seed(Seed::from_text(seed).unwrap());
    let mut state = RealTimeMatch::new(Arc::clone(&header), secrets);
    let mut effects = state.step(RealTimeEvent::Begin);
    for &(name, id, at_us) in presses {
        effects.extend(state.step(RealTimeEvent::Close { at_us: at_us - 1 }));
        let text = "press".to_owned();
        effects.extend(state.step(RealTimeEvent::Move {
            role: role(name),
            id,
            text,
            at_us,
            not_before_us: None,
        }));
    }
    effects.extend(state.step(RealTimeEvent::Close { at_us: 10_000_000 }));
    let ann = role("ann");
    let told = effects.into_iter().filter_map(|effect| match effect {
        RealTimeEffect::Send { role, message: notice } if role == ann => Some(notice),
        _ => None,
    });
    told.map(|notice| match notice {
        Notice::Stop { at_us, .. } => Notice::Stop { at_us, goals: None },
        other => other,
    })
    .collect()
}

/// What is wrong with what players of real-time matches are told.
pub(crate) fn findings() -> Vec<Finding> {
    let own = ("ann", 0, 2_000_000);
    let mut found = Vec::new();
    for seed in ["1", "2", "3"] {
        let alone = told_ann(seed, &[own]);
        // A card, the receipt of the own move and the move, between the beginning and the end.
        let cards: BTreeSet<usize> = alone.iter().map(percepts).collect();
        if alone.len() != 5 || cards != BTreeSet::from([0, 1]) {
            found.push(finding(BEGUN, format!("{alone:?}")));
        }
        for presses in
            [vec![("ben", 0, 400_000), own], vec![own, ("ben", 0, 2_000_000), ("ben", 1, 2_500_000)]]
        {
            let told = told_ann(seed, &presses);
            if told != alone {
                found.push(finding(UNSEEN, format!("{presses:?}: {told:?} instead of {alone:?}")));
            }
        }
    }
    found
}

/// How many percepts a notice has.
fn percepts(notice: &Notice) -> usize {
    if let Notice::Event { percepts, .. } = notice { percepts.len() } else { 0 }
}

#[test]
fn a_player_is_told_nothing_of_what_others_do_unseen_in_real_time() {
    let _as_it_is = crate::house::AS_IT_IS.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    assert_eq!(findings(), Vec::new());
}
